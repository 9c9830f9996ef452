"""Footprints in the animator's hand: edits, files, what follows from them."""
