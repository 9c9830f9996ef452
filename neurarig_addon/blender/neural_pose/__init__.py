"""Neural Pose in Blender: a whole body that follows a few targets, and recorded points put on a character.

`settings` is what the animator chooses, `points` what can be chosen; `targets` are the objects that are followed, `places` where they
are, `rig` the character that follows, `solve` the way from the one to the other.  `live` plays it, `bake` keys it; `selection` shows the
row of the target that is selected, `draw` shows what `marks` tells of targets in the viewport.  `poses` puts a character into another
pose, `pose_api` finds it.  `recording`, `clip` are whole recordings at once; `export` writes pose parameters.  `api` is what
buttons and command line call.
"""
