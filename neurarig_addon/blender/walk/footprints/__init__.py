"""Footprints: shown in the viewport, edited as objects, exchanged as files."""
