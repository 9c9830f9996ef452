"""The human walk, as a small network in numpy."""
