"""A wide record of what Blender's side does: what can be seen of the file after each of many short scenarios (see `__main__`)."""
