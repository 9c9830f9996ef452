"""Neural Pose in Blender: a whole body follows a few targets, and recorded points pose a character.

`settings` holds the animator's choices, `points` what there is to choose; `targets` are the objects that are
followed, `places` where
they are, `rig` the character that follows, `solve` the step from targets to pose. `live` plays it, `bake`
keys it; `selection` shows
the row of the selected target, `draw` draws targets in the viewport. `pose_api` finds another pose and puts a
character into it.
`recording`, `source` and `clip` handle whole recordings at once. `api` and `mocap` are what buttons and the
command line call.
"""
