"""What a character's own animation moves while something of ours poses it."""

import re

import bpy

from ..animation import compat
from . import kept

_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


def bones_of(obj: bpy.types.Object) -> set[str]:
    """Return the bones with keys in the user's actions: the active one and those on tracks."""
    actions = [(action, slot) for action, slot in compat.all_actions(obj) if not kept.is_bake(action)]
    found = (_BONE.match(curve.data_path) for action, slot in actions for curve in compat.find_channels(action, slot))
    return {name for each in found if each and (name := bpy.utils.unescape_identifier(each[1])) in obj.pose.bones}
