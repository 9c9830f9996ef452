"""Motions and poses with labels for learning: what is in a file of them, and settings drawn at random."""
