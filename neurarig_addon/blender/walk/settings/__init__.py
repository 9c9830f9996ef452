"""The walk's settings: declared, saved, required."""
