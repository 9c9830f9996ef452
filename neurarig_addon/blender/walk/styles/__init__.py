"""Learned styles of a walk: the library, which of them a character walks in, and how much of each."""
