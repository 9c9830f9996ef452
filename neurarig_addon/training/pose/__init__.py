"""Training of the network that finds a pose's rotations from points."""
