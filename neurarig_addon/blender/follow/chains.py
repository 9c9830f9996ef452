"""The list of what hangs on a character: found once, kept as the user has it."""

import json

import bpy

from ...core.character.character import Character
from ...core.follow.chains import find_chains
from ..character import hanging
from .settings import changes, take_kind


def find(obj: bpy.types.Object, character: Character) -> None:
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
