"""The recorded walk kept by a character."""
