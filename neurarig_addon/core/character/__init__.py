"""A character: its roles, its proportions, its reference pose, and its motion relative to that."""
