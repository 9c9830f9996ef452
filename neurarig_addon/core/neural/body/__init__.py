"""What a rig is as 27 points: which bones carry them, where they are in the reference pose, what turns with what."""
