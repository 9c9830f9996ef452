"""Finding out who is who on an armature: the first panel, its button, its function."""
