"""Fingers: which bones they are, how they bend, and a few sliders that pose a hand."""
