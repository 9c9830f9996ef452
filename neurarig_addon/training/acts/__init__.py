"""The bundled acts: learned from recordings, or made of a few keys, and written as files."""
