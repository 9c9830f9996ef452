"""The character that takes a clip: its controls made ready, its own animation set aside, and both given back."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpy
import numpy as np

from ...core.character import Character
from ...core.rig_table import ROOT_ROLE, RigTable
from ...core.roles import RoleMap
from ..character import controls, standing
from ..character import stash as animation
from ..character.controls.attachment import FK, LAYER, RIGIFY_FK, read_or_empty
from ..character.controls.editing import require_editable
from ..character.read_armature import bones_key, shape
from ..character.read_character import read_character
from ..character.roles import role_map, store_roles
from . import places

OBJECT_CHANNELS = ("location", "rotation_")
SAME_SHAPE_DIGITS = 5  # parenting noise in a world matrix must not solve the clip anew


@dataclass(frozen=True)
class Target:
    """A character whose controls are ready: what it is, and the bones that take the motion."""

    character: Character
    rig: RigTable


def read(obj: bpy.types.Object, scene: bpy.types.Scene) -> Target:
    """Return the target as it stands; raises NeuraRigError where a bone that takes the motion has gone."""
    character = read_character(obj, scene)
    return Target(character, controls.rig_table(obj, attachment(obj), character.body))


def key(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple:
    """Return what, unchanged, means that a target is unchanged."""
    size = shape(obj, scene)
    roles = tuple((item.role, item.bone) for item in obj.neurarig.roles)
    return obj.neurarig.retarget.attachment, roles, bones_key(obj), (size / np.abs(size).max()).round(SAME_SHAPE_DIGITS).tobytes()


def attachment(obj: bpy.types.Object) -> dict[str, Any]:
    """Return how a clip is attached to an armature, to be read only.

    Of what cannot be read it is an empty layer: our own marked bones can still be removed.
    """
    return _read(obj.neurarig.retarget.attachment)


_read = lru_cache(maxsize=16)(read_or_empty)


def is_attached(obj: bpy.types.Object) -> bool:
    """Say whether a clip is attached to an armature, live or baked."""
    return bool(obj.neurarig.retarget.attachment)


def attach(obj: bpy.types.Object, scene: bpy.types.Scene, kind: str) -> None:
    """Make a character ready to take a clip on its controls, 'FK' or 'IK'; raises NeuraRigError with all as before."""
    character = read_character(obj, scene)
    made = controls.attach(obj, character.skeleton, character.roles, character.body, FK if kind == "FK" else None)
    standing.remember(obj)
    obj.neurarig.retarget.attachment = json.dumps(made)
    store_roles(obj, character.roles)
    places.stand(obj)


def detach(obj: bpy.types.Object, keep_clip: bool = False) -> list[str]:
    """Give a character back as it was: controls, pose, animation and place; returns the bones that could not be restored.

    With `keep_clip` the baked clip goes on playing, as an action of the user's, on the rig's switches as they are.
    """
    settings = obj.neurarig.retarget
    made = attachment(obj)
    if made["kind"] == LAYER or made["loosened"]:
        require_editable(obj)
    settings.live = False
    played = animation.playing(obj)
    if keep_clip:
        made = made | {"switches": []}
        settings.is_carried = False
    else:
        places.put_back(obj)
    animation.restore_action(obj)
    lost = controls.detach(obj, made)
    standing.forget(obj)
    if keep_clip:
        animation.hand_over(obj, *played)
    settings.attachment = ""
    return lost


def make_way(obj: bpy.types.Object, moves_object: bool) -> None:
    """Set aside animation of the character's own that would play over the clip."""
    animation.stash_action(obj, animation.Moved(attachment(obj), OBJECT_CHANNELS if moves_object else ()))
    animation.give_way(obj)


@contextmanager
def attached(obj: bpy.types.Object, scene: bpy.types.Scene, kind: str) -> Iterator[None]:
    """Have a character ready on its controls of a kind within the block and afterwards; where the block fails, all is as before."""
    before = _Before.of(obj)
    try:
        if before.kind and (before.kind != kind or not _fits(obj)):
            detach(obj)
        if not is_attached(obj):
            attach(obj, scene, kind)
        yield
    except BaseException:
        before.come_back(obj, scene)
        raise


@dataclass(frozen=True)
class _Before:
    """How a character was attached, to which kind of controls ('' for not at all), and what moved it."""

    kind: str
    live: bool
    playing: tuple[bpy.types.Action | None, Any]
    roles: RoleMap

    @classmethod
    def of(cls, obj: bpy.types.Object) -> "_Before":
        return cls(kind_of(obj), obj.neurarig.retarget.live, animation.playing(obj), role_map(obj))

    def come_back(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Attach as before, or not at all, and have the same action play, or the link."""
        if is_attached(obj) and kind_of(obj) != self.kind:
            detach(obj)
        if self.kind and not is_attached(obj):
            attach(obj, scene, self.kind)
            make_way(obj, obj.neurarig.retarget.root == "OBJECT")
        if self.kind:
            animation.play(obj, *self.playing)
        if not self.roles.bones:
            obj.neurarig.roles.clear()
        obj.neurarig.retarget.live = self.live


def _fits(obj: bpy.types.Object) -> bool:
    """Say whether the attachment was made for the roles as they are listed now."""
    made_for = {role: bone for bone, role, *_ in attachment(obj)["deform"] if role != ROOT_ROLE}
    roles = role_map(obj).bones
    return all(roles.get(role) == bone for role, bone in made_for.items()) and (not made_for or roles.keys() == made_for.keys())


def kind_of(obj: bpy.types.Object) -> str:
    """Return the kind of controls that a clip is attached to, 'FK' or 'IK'; empty without one."""
    if not is_attached(obj):
        return ""
    return "FK" if attachment(obj)["kind"] in (FK, RIGIFY_FK) else "IK"
