"""Finding the controls of a rig before it is attached, bit by bit."""

from collections.abc import Generator

import bpy

from ...core.controls.control_map import ControlMap
from ...core.errors import NeuraRigError
from . import record
from .controls import Way
from .controls.probing.probe import probe_steps
from .controls.stored_map import is_current
from .read_character import read_character


def find_controls_steps(obj: bpy.types.Object, scene: bpy.types.Scene, way: Way) -> Generator[float, None, ControlMap | None]:
    """Return the map of a rig's controls for `Way.found`, bit by bit, yielding the share done; None where a way does not need another.

    What cannot be told now, of a character that is attached or no biped, is told when it is attached.
    """
    if record.is_attached(obj):
        return None
    try:
        character = read_character(obj, scene)
    except NeuraRigError:
        return None
    if not way.needs_map(obj, character.roles) or is_current(obj, character.roles):
        return None
    return (yield from probe_steps(obj, character.skeleton, character.roles))
