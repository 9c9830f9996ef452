"""Training with torch, outside Blender: the gait network here, any rule in `trainee`, whole poses in `pose`."""
