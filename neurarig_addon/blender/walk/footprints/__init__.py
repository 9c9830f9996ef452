"""Footprints: shown in the viewport, taken in hand as objects, exchanged as files."""
