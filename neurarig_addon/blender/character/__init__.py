"""One character: its armature read, who is who, its motion, and what is attached to it and given back.

`selection` says whom a button means, `read_armature`, `read_character` and `read_clip` read it, `roles` names its bones.  `attached` is the
one way in and the one way back for whoever poses it; `record`, `controls`, `stash`, `names`, `bakes`, `carry` and `state` are its
parts.
"""
