"""The character that takes a clip, as it stands: what it is, and the bones that take the motion."""

from dataclasses import dataclass

import bpy

from ...core.character.character import Character
from ...core.posing.rig_table import RigTable
from ..character import controls, record
from ..character.controls import Way
from ..character.controls.attachment import FK
from ..character.read_armature import shape_key
from ..character.read_character import read_character

OBJECT_CHANNELS = ("location", "rotation_")


@dataclass(frozen=True)
class Target:
    """A character whose controls are ready: what it is, and the bones that take the motion."""

    character: Character
    rig: RigTable


def read(obj: bpy.types.Object, scene: bpy.types.Scene) -> Target:
    """Return the target as it stands; raises NeuraRigError where a bone that takes the motion has gone."""
    character = read_character(obj, scene)
    return Target(character, controls.rig_table(obj, record.attachment(obj), character.body))


def key(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple:
    """Return what, unchanged, means that a target is unchanged."""
    return obj.neurarig.attachment, *shape_key(obj, scene)


def first_way(chosen: str) -> Way:
    """Return the best way to pose a target that 'FK' or 'IK' of the settings means."""
    return Way(FK if chosen == "FK" else "")
