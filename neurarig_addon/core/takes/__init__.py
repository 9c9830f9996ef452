"""Recorded walks made parametric: read from a clip on a character, fitted to the walk, and stored in
files."""
