"""Training the gait network with torch, outside Blender; the add-on never imports this package."""
