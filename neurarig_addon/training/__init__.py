"""Training with torch, outside Blender: the walk in `gait`, any rule in `trainee`, whole poses in `pose`."""
