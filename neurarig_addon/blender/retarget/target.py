"""The character that takes a clip, in its present state, and the bones that take the motion."""

from dataclasses import dataclass, replace

import bpy

from ...core.character.character import Character
from ...core.posing.rig_table import RigTable
from ..character import controls, record
from ..character.controls import PosingChoice
from ..character.controls.attachment import FK
from ..character.read_armature import shape_key
from ..character.read_character import read_character

OBJECT_CHANNELS = ("location", "rotation_")


@dataclass(frozen=True)
class Target:
    """A character whose controls are set up, and the bones that take the motion."""

    character: Character
    rig: RigTable


def read(obj: bpy.types.Object, scene: bpy.types.Scene) -> Target:
    """Return the target in its present state; raises NeuraRigError if a bone that takes the motion is missing."""
    character, made = read_character(obj, scene), record.attachment(obj)
    character = replace(character, body=controls.posed_body(character.body, character.roles, made))
    return Target(character, controls.rig_table(obj, made, character.body))


def key(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple:
    """Return a key that changes whenever the target does."""
    return obj.neurarig.attachment, *shape_key(obj, scene)


def first_way(chosen: str) -> PosingChoice:
    """Return the best way to pose a target for 'FK' or 'IK' of the settings."""
    return PosingChoice(FK if chosen == "FK" else "")
