"""Retargeting in Blender: a clip of one character, or a file, on another as a live link or as a new action.

`clip_source` reads the clip, `target` readies the rig that takes it, `clip` solves it to channels; `link` plays them, `bake` keys them,
`batch` does so for many clips, `slip` measures the result.  `api` is what buttons and command line call.
"""
