"""Training of the network that gives a pose its rotations from points."""
