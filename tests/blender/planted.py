"""Whether the feet of an evaluated character stand: measured on its deforming bones, against Blender's own
tree of the ground."""

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from neurarig_addon.blender.walk.api.report import CarriedPoints
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.body.feet import FLAT
from neurarig_addon.core.ground.fitting import BALL_WIDTH, MOST_BANK, STEEPEST
from neurarig_addon.core.report.jolts import BALL_POINT, HEEL_POINT, slip_of
from tests.blender.walking import seen

SLIP, INSIDE, GAP = 0.5e-3, 1e-3, 5e-3
FLAT_GROUND = 2e-3  # metres that a sole's ground may be off a plane and still counts as planar
EVERY = 4  # frames: so often still ground is asked


class Planted(NamedTuple):
    """In metres, at most: how far standing points slip, how deep points are in the ground, how high flat
    heels and balls are over it.

    `uneven`: share of the flat soles under which the ground is broken, or steeper than feet tilt; their gaps
    are not counted.
    """

    slip: float
    inside: float
    gap: float
    uneven: float = 0.0


def tree_of(ground: bpy.types.Object) -> BVHTree:
    """Return Blender's tree of an object's evaluated mesh, in the world."""
    evaluated = ground.evaluated_get(bpy.context.evaluated_depsgraph_get())
    place, mesh = evaluated.matrix_world, evaluated.to_mesh()
    mesh.calc_loop_triangles()  # bent quads as Blender shows them; the tree would split them otherwise
    tree = BVHTree.FromPolygons(
        [place @ vertex.co for vertex in mesh.vertices], [face.vertices for face in mesh.loop_triangles]
    )
    evaluated.to_mesh_clear()
    return tree


def heights(ground: bpy.types.Object | None, points: np.ndarray, tree: BVHTree | None = None) -> np.ndarray:
    """Return how high points `(..., 3)` are over the evaluated mesh, asked by Blender's own tree."""
    if ground is None:
        return points[..., 2]
    tree = tree or tree_of(ground)
    place = ground.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    up = (
        (place.to_3x3() @ Vector((0.0, 0.0, 1.0))).normalized()
        if ground.name.startswith("Deck")
        else Vector((0.0, 0.0, 1.0))
    )
    found = []
    for point in points.reshape(-1, 3):
        hit = tree.ray_cast(Vector(point) + up, -up)[3]
        found.append(np.inf if hit is None else hit - 1.0)
    return np.array(found).reshape(points.shape[:-1])


def bears_flatly(ground: bpy.types.Object, soles: np.ndarray, tree: BVHTree | None) -> np.ndarray:
    """Say of flat soles `(n, 3, 3)`, heel, ball and tip, whether the ground under them and both edges of the
    ball is a plane.

    One that is no steeper along and across them than feet tilt.
    """
    ahead = soles[:, 2] - soles[:, 0]
    ahead = ahead / np.linalg.norm(ahead, axis=-1, keepdims=True)
    length = np.linalg.norm(soles[:, 1] - soles[:, 0], axis=-1)[:, None]
    left = np.cross([0.0, 0.0, 1.0], ahead)
    edges = [soles[:, 1] + side * BALL_WIDTH * length * left for side in (1.0, -1.0)]
    points = np.concatenate([soles, np.stack(edges, axis=1)], axis=1)
    under = points[..., 2] - heights(ground, points, tree)
    away = points[..., :2] - points[:, :1, :2]
    found = np.zeros(len(soles), dtype=bool)
    for row in np.flatnonzero(np.isfinite(under).all(axis=1)):
        level = ahead[row, :2] / np.linalg.norm(ahead[row, :2])
        terms = np.stack([np.ones(5), away[row] @ level, away[row] @ [-level[1], level[0]]], axis=1)
        plane = np.linalg.lstsq(terms, under[row], rcond=None)[0]
        tilts = np.abs(np.arctan(plane[1:]))
        found[row] = (
            np.abs(terms @ plane - under[row]).max() < FLAT_GROUND
            and tilts[0] <= STEEPEST
            and tilts[1] <= MOST_BANK
        )
    return found


def planted(
    obj: bpy.types.Object,
    frames: Sequence[int],
    ground: bpy.types.Object | None,
    deck: bpy.types.Object | None = None,
    height: float = 0.0,
    over_edges: bool = False,
    on_planes: bool = False,
) -> Planted:
    """Return how soles stand on the ground (None: a floor at a height), as what carries them sees it.

    `over_edges`: treads are shorter than feet, so of heel and ball the one that bears counts. `on_planes`:
    gaps count where the ground is
    planar under the sole, and no steeper than feet tilt.
    """
    source = walk_source.source_of(obj, bpy.context.scene)
    carried = CarriedPoints(obj, source.body, source.roles)
    pivots = source.pose(np.array(frames, dtype=float)).pivot
    points, over = np.empty((len(frames), 2, 3, 3)), np.full((len(frames), 2, 3), np.nan)
    tree = tree_of(ground) if ground is not None and deck is None else None
    for row, frame in enumerate(frames):
        seen(obj, frame, [])
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        place = np.array(evaluated.matrix_world)
        points[row] = carried.evaluated(evaluated)[:, :3] @ place[:3, :3].T + place[:3, 3]
        if deck is not None or row % EVERY == 0:
            over[row] = heights(ground, points[row], tree) - height
        if deck is not None:
            back = np.linalg.inv(
                np.array(deck.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
            )
            points[row] = points[row] @ back[:3, :3].T + back[:3, 3]
    stands = [(pivots[:, side] == FLAT) & ~np.isnan(over[:, side, 0]) for side in (0, 1)]
    counts = [np.ones(stand.sum(), dtype=bool) for stand in stands]
    if on_planes and ground is not None:
        counts = [bears_flatly(ground, points[stand, side], tree) for side, stand in enumerate(stands)]
    flat = [
        over[stand, side][each][:, [HEEL_POINT, BALL_POINT]]
        for side, (stand, each) in enumerate(zip(stands, counts, strict=True))
    ]
    return Planted(
        max(float(slip_of(points[:, side], pivots[:, side]).max()) for side in (0, 1)),
        max(0.0, -float(np.nanmin(over))),
        max(float((each.min(axis=1) if over_edges else each).max(initial=0.0)) for each in flat),
        1.0 - float(np.mean(np.concatenate(counts))),
    )


def require_planted(
    obj: bpy.types.Object,
    frames: Sequence[int],
    ground: bpy.types.Object | None = None,
    height: float = 0.0,
    deck: bpy.types.Object | None = None,
) -> None:
    """Require that soles stand where they are, on the ground (None: a floor at a height) and not in it, on
    what carries them."""
    found = planted(obj, frames, ground, deck, height)
    assert found.slip < SLIP and found.inside < INSIDE and found.gap < GAP, found
