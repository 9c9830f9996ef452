"""A character: its roles, its proportions, its reference pose, and how it moves away from that."""
