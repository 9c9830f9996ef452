"""Which characters and curves are meant: those that are selected."""

from collections.abc import Iterable

import bpy

from ...core.errors import NeuraRigError
from ..character import record
from ..character.selection import armature_of
from ..walk.settings.requirements import require_walk


def selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected characters by name: armatures, and those that deform selected meshes."""
    found = set()
    for obj in getattr(context, "selected_objects", ()):
        found.add(obj if obj.type == "ARMATURE" else None)
        found.update(modifier.object for modifier in obj.modifiers if modifier.type == "ARMATURE")
    return sorted(found - {None}, key=lambda obj: obj.name)


def selected_others(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected characters by name, without the active one."""
    active = armature_of(context)
    return [obj for obj in selected(context) if obj != active]


def selected_curves(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected curves by name."""
    return sorted(
        (obj for obj in getattr(context, "selected_objects", ()) if obj.type == "CURVE"),
        key=lambda obj: obj.name,
    )


def walkers(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the characters of a scene that have a walk, by name."""
    found = (
        obj
        for obj in scene.objects
        if obj.type == "ARMATURE" and record.holds(obj, record.WALK) and obj.is_editable
    )
    return sorted(found, key=lambda obj: obj.name)


def require_characters(hero: bpy.types.Object, others: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
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
