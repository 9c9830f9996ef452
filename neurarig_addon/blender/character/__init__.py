"""One character: reading its armature, roles and motion; attaching controls to it and giving it back.

`selection` finds the armature that a button means; `read_armature`, `read_character` and `read_clip` read it;
`roles` names its bones. `holding` is the only way in and back for every mode; `record`, `controls`, `stash`,
`names`, `bakes`, `carry` and `state` are its parts.
"""
