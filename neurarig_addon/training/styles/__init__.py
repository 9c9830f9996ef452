"""The library of styles, rebuilt from the recordings."""
