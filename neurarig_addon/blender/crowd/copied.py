"""The walk of one character as settings of another: everything but what belongs to a body, a path or a
moment."""

from typing import Any

import bpy
import numpy as np

from ...core.crowd.draws import Draw
from ..character.read_character import read_character
from ..walk.settings.backup import restore_settings, saved_settings

# What a character keeps of its own: what is known of its body and its walk, and edited prints.
OWN = {
    "roles",
    "prints",
    "show_footprints",
    "live",
    "report",
    "report_is_old",
    "error",
    "leg_length",
    "natural_speed",
}
WAY = {"path", "markers", "active_marker", "is_due", "arrive", "start_turn", "end_turn", "start_standing"}
ACTIONS = {"layer_action", "blend_action"}  # of bones by their names


def copy_settings(hero: bpy.types.Object, obj: bpy.types.Object, with_way: bool) -> None:
    """Give a character the settings of another one's walk; `with_way`: those of its path too."""
    given, kept = saved_settings(hero), saved_settings(obj)
    left = OWN | (set() if with_way else WAY) | (set() if _has_bones_of(hero, obj) else ACTIONS)
    found = {name: value for name, value in given.items() if name not in left}
    found |= {name: value for name, value in kept.items() if name in left}
    restore_settings(obj, {"markers": []} | found)


def person_of(
    hero: bpy.types.Object, obj: bpy.types.Object, scene: bpy.types.Scene, draw: Draw
) -> dict[str, Any]:
    """Return the settings in which a character differs from the one whose walk it takes: its seeds, phase and
    speed for its legs."""
    walk = hero.neurarig.walk
    legs = read_character(obj, scene).body.leg_length / walk.leg_length
    return {
        "speed": walk.speed * draw.pace * float(np.sqrt(legs)),
        "phase": walk.phase + draw.phase,
        "individual": walk.individual or 1.0,
        "person_seed": draw.person,
        "variation_seed": draw.strides,
        "idle_seed": draw.idle,
    }


def _has_bones_of(hero: bpy.types.Object, obj: bpy.types.Object) -> bool:
    return set(hero.data.bones.keys()) <= set(obj.data.bones.keys())
