"""Locomotion sets: the clips that a game needs of one character, cut from walks so that they join."""
