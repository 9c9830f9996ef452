"""Recorded walks made parametric: read from a clip on a character, fitted to the walk, and their files."""
