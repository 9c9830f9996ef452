"""Learned styles of a walk: the library, and the weighted styles that a character uses."""
