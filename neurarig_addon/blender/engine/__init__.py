"""The link to a game engine: an engine drives a character, or Blender streams its walk out."""
