"""Footprints that the animator edits: edits, files, and what follows from them."""
