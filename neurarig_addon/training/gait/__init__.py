"""How people walk: found from published curves, sampled over speed and proportions, and taught to the network of the walk."""
