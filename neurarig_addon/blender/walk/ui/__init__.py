"""The walk's panels and buttons."""
