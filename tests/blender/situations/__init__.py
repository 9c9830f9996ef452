"""Situations drawn at random: what an animator does between our operators, and whether all that is theirs is
there afterwards."""
