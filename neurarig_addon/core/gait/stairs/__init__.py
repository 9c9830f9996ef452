"""Stairs, kerbs, gaps and obstacles: found in the ground, and how feet take them."""
