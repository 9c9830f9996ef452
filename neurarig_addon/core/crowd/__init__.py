"""Several walkers at once: who waits for whom where their ways cross, what differs from one to the next,
tables of trajectories."""
