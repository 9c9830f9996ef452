"""Things along a ray into the scene, and near the mouse, that are no part of a character."""

import bpy
import numpy as np
from bpy.types import Object, Region, RegionView3D
from mathutils import Vector

from ...animation.objects import above
from ...character import held
from ...character.selection import armature_behind
from ...interface.screen import on_screen

NEAR, MOST_THROUGH, CLOSE = 18.0, 40, 1e-3  # pixels to an empty; parts that a ray goes through, and how far


def hit(obj: Object, origin: Vector, ray: Vector) -> tuple[Object, Vector, Vector] | None:
    """Return the first thing along a ray that is no part of a character, where it is hit, and how its face
    is turned; None for none."""
    graph = bpy.context.evaluated_depsgraph_get()
    for _ in range(MOST_THROUGH):
        is_hit, place, normal, _, found, matrix = bpy.context.scene.ray_cast(graph, origin, ray)
        if not is_hit:
            return None
        found = found.original
        if found.name not in bpy.context.view_layer.objects or found.matrix_world != matrix:
            found = next(
                (
                    each.parent.original
                    for each in graph.object_instances
                    if each.is_instance and each.object.original == found and each.matrix_world == matrix
                ),
                found,
            )
        if armature_behind(found) != obj:
            return found, place, normal
        origin = place + CLOSE * ray
    return None


def whole(obj: Object, part: Object) -> Object:
    """Return the thing that a part belongs to: the empty above it that holds it together, else itself."""
    groups = [one for one in above(part) if one.type == "EMPTY" and armature_behind(one) != obj]
    return groups[-1] if groups else part


def empty(
    obj: Object,
    mouse: tuple[float, float],
    region: Region,
    view: RegionView3D,
) -> Object | None:
    """Return the empty whose origin is under the mouse, unless it is ours or leads the character."""
    ours = held.of(obj)
    there = [
        one
        for one in bpy.context.visible_objects
        if one.type == "EMPTY" and one not in ours and armature_behind(one) != obj
    ]
    places = np.array([one.matrix_world.translation for one in there]).reshape(-1, 3)
    where, rows = on_screen(places, region, view)
    return next((there[row] for row in rows if np.linalg.norm(where[row] - mouse) < NEAR), None)
