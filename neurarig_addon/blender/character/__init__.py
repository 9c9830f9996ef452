"""One character: its armature read, who is who, its motion, and what is attached to it and given back.

`selection` says whom a button means, `read_armature`, `read_character` and `read_clip` read it, `roles` names its bones, `controls` are the
bones that a pose goes to, `stash` keeps the animation that it had.
"""
