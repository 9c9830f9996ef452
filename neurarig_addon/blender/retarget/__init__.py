"""Retargeting in Blender: a clip from another character or a file, as a live link or as a new action.

`clip_source` reads the clip, `target` reads the rig that takes it, `clip` solves it to channels; `link` plays them, `bake` keys them,
`batch` does so for many clips.  Operators and command line call `api`.
"""
