"""The recorded walk that a character keeps."""
