"""Learning a style from a clip, whatever holds it."""
