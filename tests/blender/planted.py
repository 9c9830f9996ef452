"""Whether the feet of an evaluated character stand: measured on its deforming bones, against Blender's own tree of the ground."""

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from neurarig_addon.blender.walk import source as walk_source
from neurarig_addon.blender.walk.contact_report import CarriedPoints
from neurarig_addon.core.ground.figures import BALL_POINT, HEEL_POINT, slip_of
from neurarig_addon.core.ground.pivots import FLAT
from tests.blender.walking import seen

SLIP, INSIDE, GAP = 0.5e-3, 1e-3, 5e-3


def heights(ground: bpy.types.Object | None, points: np.ndarray) -> np.ndarray:
    """Return how high points `(..., 3)` are over the evaluated mesh, asked by Blender's own tree."""
    if ground is None:
        return points[..., 2]
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = ground.evaluated_get(depsgraph)
    place = evaluated.matrix_world
    mesh = evaluated.to_mesh()
    tree = BVHTree.FromPolygons([place @ vertex.co for vertex in mesh.vertices], [face.vertices for face in mesh.polygons])
    evaluated.to_mesh_clear()
    up = (place.to_3x3() @ Vector((0.0, 0.0, 1.0))).normalized() if ground.name.startswith("Deck") else Vector((0.0, 0.0, 1.0))
    found = []
    for point in points.reshape(-1, 3):
        hit = tree.ray_cast(Vector(point) + up, -up)[3]
        found.append(np.inf if hit is None else hit - 1.0)
    return np.array(found).reshape(points.shape[:-1])


def require_planted(
    obj: bpy.types.Object,
    frames: Sequence[int],
    ground: bpy.types.Object | None = None,
    height: float = 0.0,
    deck: bpy.types.Object | None = None,
) -> None:
    """Require that soles stand where they are, on the ground (None: a floor at a height) and not in it, on what carries them."""
    source = walk_source.source_of(obj, bpy.context.scene)
    carried = CarriedPoints(obj, source.body, source.roles)
    pivots = source.pose(np.array(frames, dtype=float)).pivot
    points, over = np.empty((len(frames), 2, 3, 3)), np.empty((len(frames), 2, 3))
    for row, frame in enumerate(frames):
        seen(obj, frame, ["Hips"])
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        place = np.array(evaluated.matrix_world)
        points[row] = carried.evaluated(evaluated)[:, :3] @ place[:3, :3].T + place[:3, 3]
        over[row] = heights(ground, points[row]) if deck is not None or row % 4 == 0 else np.nan
        if deck is not None:
            back = np.linalg.inv(np.array(deck.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
            points[row] = points[row] @ back[:3, :3].T + back[:3, 3]
    over -= height
    assert np.nanmin(over) > -INSIDE
    for side in (0, 1):
        flat = (pivots[:, side] == FLAT) & ~np.isnan(over[:, side, 0])
        assert over[flat, side][:, [HEEL_POINT, BALL_POINT]].max(initial=0.0) < GAP
        assert slip_of(points[:, side], pivots[:, side]).max() < SLIP
