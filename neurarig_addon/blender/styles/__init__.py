"""Learning a style from a clip of any source."""
