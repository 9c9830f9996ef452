"""The recorded walk kept by a character: read, set, removed."""

import hashlib
from functools import lru_cache

import bpy

from ....core.errors import NeuraRigError
from ....core.gait.inputs.take import Take
from ....core.takes.take_file import from_json, to_json
from ..changes import changes


def key(settings: bpy.types.PropertyGroup) -> str:
    """Return a key that changes whenever the recorded walk does; cheap."""
    return settings.take_digest


def has_one(settings: bpy.types.PropertyGroup) -> bool:
    """Return whether a character keeps a recorded walk."""
    return bool(settings.take_digest)


def take_of(settings: bpy.types.PropertyGroup) -> Take:
    """Return the recorded walk that a character keeps; raises NeuraRigError if it is damaged."""
    return _read(settings.take, settings.id_data.name)


@lru_cache(maxsize=8)
def _read(text: str, name: str) -> Take:
    return from_json(text, f"The recorded walk of '{name}'")


def put(obj: bpy.types.Object, take: Take) -> None:
    """Make a character keep a recorded walk, replacing another."""
    text = to_json(take)
    with changes.as_one(obj):
        obj.neurarig.walk.take = text
        obj.neurarig.walk.take_digest = hashlib.sha256(text.encode()).hexdigest()


def take_out(obj: bpy.types.Object) -> None:
    """Remove a character's recorded walk; raises NeuraRigError if it has none."""
    settings = obj.neurarig.walk
    if not has_one(settings):
        raise NeuraRigError(f"'{obj.name}' keeps no recorded walk.")
    with changes.as_one(obj):
        settings.property_unset("take")
        settings.property_unset("take_digest")
