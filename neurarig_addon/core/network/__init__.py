"""Trained networks in numpy: safe loading and inference."""
