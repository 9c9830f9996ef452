"""A rig's own controls: found by moving them, stored as a map, driven by the pose. numpy without bpy: the
caller evaluates the trials."""
