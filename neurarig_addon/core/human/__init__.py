"""The walk that people walk, as a small network in numpy."""
