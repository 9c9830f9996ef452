"""A rig as 27 points: which bones carry them, where they are in the reference pose, and what turns with what."""
