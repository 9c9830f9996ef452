"""Rotations, and two bones between two points: rows of arrays, no bones of anybody."""
