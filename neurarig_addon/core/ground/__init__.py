"""Feet on the ground: prints, soles, the rocker, what clears it, and legs that reach it; for walks, clips and recorded points."""
