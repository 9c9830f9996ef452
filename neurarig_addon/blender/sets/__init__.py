"""Locomotion sets: the clips that a game needs of a character, and the files that hold them."""
