"""Detecting the roles of an armature's bones and what its controls do: panel, operators and functions."""
