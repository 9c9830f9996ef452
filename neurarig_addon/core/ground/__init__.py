"""Feet on the ground: prints, soles, the rocker, clearance, and legs that reach; for walks, clips and
recorded points."""
