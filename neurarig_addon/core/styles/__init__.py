"""Manners of walking that are learned from clips: what they are, how they are found, how they are played."""
