"""Retargeting in Blender: a clip from another character or a file, as a live link or as a new action.

`options` declares what can be chosen, `choices` are the values; `source` is where a clip comes from,
`read_source` reads it; `clip` solves
it on the target's channels; `live` plays them, `bake` keys one clip or many. Operators and command line call
`api`.
"""
