"""Walks baked for scripts; `blender.api` hands these on.

    api.bake_walk(hero, frame_start=1, frame_end=120)

`obj` is an armature object that walks.  Anything the user can fix raises a NeuraRigError and leaves the file unchanged.
"""

import math
from collections.abc import Generator
from dataclasses import fields
from typing import Any

import bpy

from ....core.errors import NeuraRigError
from ...animation.frame_range import checked_frame
from ...character import stash
from .. import requirements
from ..report_api import contact_report
from . import bake, bake_keys


def bake_walk(obj: bpy.types.Object, *, check: bool = False, **options: Any) -> bpy.types.Action:
    """Bake a character's walk to a new action and return it.

    Args:
        check: measure the baked frames afterwards and store the contact report.
        options: `frame_start`, `frame_end` (default: the scene's), `step`, `target` ('CONTROLS', 'DEFORM' or 'BOTH'), `loop`,
            `push_nla`, `keys` ('DENSE' or 'EDITABLE') and the `tolerance` of editable ones: metres that a joint may be off.  Of BOTH
            the action on the controls is returned and plays; its custom property `deform_action` is the other, with dense keys.
    """
    wanted = _bake_options(obj, options)
    action = bake.bake(bpy.context, obj, wanted)
    if check:
        contact_report(obj, baked_frames(action))
    return action


def bake_steps(obj: bpy.types.Object, **options: Any) -> Generator[float, None, bpy.types.Action]:
    """As `bake_walk`, step by step: yields the share done, returns the action; if closed early, leaves nothing behind."""
    return bake.bake_steps(bpy.context, obj, _bake_options(obj, options))


def baked_frames(action: bpy.types.Action) -> tuple[int, int]:
    """Return the first and last frame of a bake."""
    return math.ceil(action.frame_start), math.floor(action.frame_end)


def _bake_options(obj: bpy.types.Object, given: dict[str, Any]) -> bake.BakeOptions:
    requirements.require_walk(obj)
    stash.require_untweaked(obj)
    known = [field.name for field in fields(bake.BakeOptions)]
    for name in given:
        if name not in known:
            raise NeuraRigError(f"A bake has no option '{name}'; it has {', '.join(known)}.")
    if given.get("target", bake.CONTROLS) not in bake.TARGETS:
        raise NeuraRigError(f"'{given['target']}' is not a bake target; choose one of {', '.join(bake.TARGETS)}.")
    scene = bpy.context.scene
    wanted = bake.BakeOptions(**{"frame_start": scene.frame_start, "frame_end": scene.frame_end} | given)
    checked_frame(wanted.frame_start, "start frame")
    checked_frame(wanted.frame_end, "end frame")
    bake_keys.require(wanted.keys, wanted.tolerance, wanted.step, wanted.target)
    for name in ("loop", "push_nla"):
        if not isinstance(getattr(wanted, name), bool | int):
            raise NeuraRigError(f"The bake option '{name}' must be True or False, not '{getattr(wanted, name)}'.")
    return wanted
