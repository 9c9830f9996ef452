"""Training with torch, outside Blender: the human gait in `gait`, any rule in `trainee`, whole poses in
`pose`, styles in `styles`."""
