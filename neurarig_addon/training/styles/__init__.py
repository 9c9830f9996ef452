"""The library of styles, made anew from the recordings."""
