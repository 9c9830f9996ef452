"""Logic profiles: chosen, edited, drawn as curves, and trained on."""
