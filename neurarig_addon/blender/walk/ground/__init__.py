"""What a walk is on: meshes, as they are and as they move, and what carries it."""
