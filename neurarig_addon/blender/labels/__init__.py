"""Motions with labels for learning: what a character shows, and walks and poses drawn at random."""
