"""A rig's own controls: found by moving them, kept as a map, driven by the pose.  numpy without bpy: whoever asks evaluates the trials."""
