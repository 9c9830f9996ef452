"""What a walk stands on: still and moving meshes, and what carries it."""
