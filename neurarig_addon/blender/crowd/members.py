"""Which characters and curves are meant: those that are selected; and which curves were copied for
them."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from bpy.types import Context, Object, Scene

from ...core.crowd.draws import Draw
from ...core.errors import NeuraRigError
from ..character import record
from ..character.read_character import read_character
from ..character.selection import armature_of
from ..walk.settings.backup import restore_settings, saved_settings
from ..walk.settings.requirements import require_walk


def selected(context: Context) -> list[Object]:
    """Return the selected characters by name: armatures, and those that deform selected meshes."""
    found = set()
    for obj in getattr(context, "selected_objects", ()):
        found.add(obj if obj.type == "ARMATURE" else None)
        found.update(modifier.object for modifier in obj.modifiers if modifier.type == "ARMATURE")
    return sorted(found - {None}, key=lambda obj: obj.name)


def selected_others(context: Context) -> list[Object]:
    """Return the selected characters by name, without the active one."""
    active = armature_of(context)
    return [obj for obj in selected(context) if obj != active]


def selected_curves(context: Context) -> list[Object]:
    """Return the selected curves by name."""
    return sorted(
        (obj for obj in getattr(context, "selected_objects", ()) if obj.type == "CURVE"),
        key=lambda obj: obj.name,
    )


def walkers(scene: Scene) -> list[Object]:
    """Return the characters of a scene that have a walk, by name."""
    found = (
        obj
        for obj in scene.objects
        if obj.type == "ARMATURE" and record.holds(obj, record.WALK) and obj.is_editable
    )
    return sorted(found, key=lambda obj: obj.name)


def require_characters(hero: Object, others: Iterable[Object]) -> list[Object]:
    """Return the characters that are to walk as another one, each once; raises NeuraRigError if that has no
    walk, or there are none."""
    require_walk(hero)
    found = list(dict.fromkeys(others))
    if not found:
        raise NeuraRigError(
            f"No other character is selected. Select those that are to walk as '{hero.name}', and that one"
            " last."
        )
    return found


# What a character keeps of its own: what is known of its body and its walk, and edited prints.
OWN = {
    "roles",
    "kind",
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


def copy_settings(hero: Object, obj: Object, with_way: bool) -> None:
    """Give a character the settings of another one's walk; `with_way`: those of its path too."""
    given, kept = saved_settings(hero), saved_settings(obj)
    has_its_bones = set(hero.data.bones.keys()) <= set(obj.data.bones.keys())
    left = OWN | (set() if with_way else WAY) | (set() if has_its_bones else ACTIONS)
    found = {name: value for name, value in given.items() if name not in left}
    found |= {name: value for name, value in kept.items() if name in left}
    restore_settings(obj, {"markers": []} | found)


def person_of(hero: Object, obj: Object, scene: Scene, draw: Draw) -> dict[str, Any]:
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
