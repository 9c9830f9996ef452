"""Finding a rig's controls before it is attached."""

from collections.abc import Generator

import bpy

from ...core.controls.control_map import ControlMap
from ...core.errors import NeuraRigError
from . import record
from .controls import PosingChoice
from .controls.probing.read_rig import probe_steps
from .controls.stored_map import is_current
from .read_character import read_character


def find_controls_steps(obj: bpy.types.Object, scene: bpy.types.Scene, way: PosingChoice) -> Generator[float, None, ControlMap | None]:
    """Return the map of a rig's controls for `Way.found`, step by step, yielding the share done; None if the way needs no new one.

    Attached characters and non-bipeds are left for attaching to report.
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
