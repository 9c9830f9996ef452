"""Posing hands: the bones or controls that move a character's fingers, and a hand pose put on them."""
