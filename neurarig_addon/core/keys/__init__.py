"""Keys worth editing: curves through few keys, within a tolerance of the dense ones."""
