"""The walk in Blender: its settings, where its motion comes from, live and baked, and what is said about it."""
