"""The list of what hangs on a character: found once, kept as the user has it."""

import json

from bpy.types import Object

from ...core.character.character import Character
from ...core.follow.chains import find_chains
from ..character import hanging
from ..character.read_character import read_character
from .settings import SLIDERS, changes, take_kind


def find(obj: Object, character: Character) -> None:
    """List the chains of a character; those that are listed already stay as they are set."""
    moved = [bone.name for bone in obj.pose.bones if not hanging.why_not(obj, bone.name)]
    known = {tuple(hanging.bones_of(chain)): chain for chain in obj.neurarig.follow.chains}
    with changes.unheard():
        for chain in find_chains(character, moved):
            if chain.bones not in known:
                item = obj.neurarig.follow.chains.add()
                item.name, item.holder = chain.bones[0], chain.holder
                item.bones = json.dumps(chain.bones)
                item.kind = chain.kind
                take_kind(item)


def share(obj: Object, other: Object) -> None:
    """Have what hangs on another character follow as on the first one: chains of the same name by its
    sliders."""
    if not obj.neurarig.follow.on:
        return
    find(other, read_character(other))
    known = {chain.name: chain for chain in obj.neurarig.follow.chains}
    with changes.as_one(other):
        for chain in other.neurarig.follow.chains:
            as_set = known.get(chain.name, chain)
            for name in ("use", "kind", *SLIDERS):
                setattr(chain, name, getattr(as_set, name))
    other.neurarig.follow.on = bool(len(other.neurarig.follow.chains))
