"""What dragging a footprint costs in each update, with 500 steps planned and drawn: on the level, down a
path, over terrain."""

from time import thread_time

import bpy
import numpy as np

from benchmarks.handler_speed import FRAME_HANDLERS, new_scene, timed_handlers
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import memory
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.ui.print_drawing import shown
from tests import rigs

STEPS = 500
UPDATES, WARM_UP = 60, 5
CELLS, SIZE_M = 316, 400.0  # about 100 000 quads


def rows() -> list[Row]:
    """Drag a print of a generated Rigify human in three places."""
    return [
        dragged("on the level", False, False, 30.0),
        dragged("down a path", True, False, 40.0),
        dragged("over 100 000 quads", False, True, 40.0),
    ]


def dragged(where: str, on_path: bool, over_terrain: bool, limit: float) -> Row:
    """Measure our handlers and what is drawn, in one update after another; `limit`: milliseconds."""
    new_scene()
    rig, scene = rigs.rigify_human(), bpy.context.scene
    settings = {"mode": "PATH", "path": winding()} if on_path else {"mode": "TRAVEL"}
    api.generate_walk(rig, **settings, **({"ground": terrain()} if over_terrain else {}))
    pace = walk_source.source_of(rig, scene).walker.rhythm
    scene.frame_end = int(24 * float(pace.seconds_when(np.full((1, 2), STEPS / 2.0)).max()))
    middle = STEPS // 4
    scene.frame_set(int(24 * float(pace.seconds_when(np.full((1, 2), middle + 0.3))[0, 0])) + 1)
    handle = api.take_prints(rig, [("LEFT", middle)])[0]
    shown(rig, scene, walk_source.source_of(rig, scene))
    spent = []
    with timed_handlers([*FRAME_HANDLERS, bpy.app.handlers.depsgraph_update_post]) as ours:
        for number in range(WARM_UP + UPDATES):
            ours[0] = 0.0
            handle.location.x += 0.002 * (-1) ** number
            bpy.context.view_layer.update()
            start = thread_time()
            drawn = shown(rig, scene, memory.known(rig))
            spent.append(ours[0] + thread_time() - start)
    count = len(drawn.keys)
    return Row(
        f"dragging a footprint, {count} drawn, {where}: per update",
        1e3 * float(np.median(spent[WARM_UP:])),
        limit,
        "ms",
    )


def winding() -> bpy.types.Object:
    """Return a path of bends, long enough."""
    data = bpy.data.curves.new("Way", "CURVE")
    spline = data.splines.new("POLY")
    along = np.arange(0.0, SIZE_M, 1.0)
    spline.points.add(len(along) - 1)
    spline.points.foreach_set(
        "co", np.stack([6.0 * np.sin(0.1 * along), -along, 0.0 * along, np.ones_like(along)], -1).ravel()
    )
    return linked(bpy.data.objects.new("Way", data))


def terrain() -> bpy.types.Object:
    """Return waves of a hand's height under all that."""
    across = np.linspace(-0.5 * SIZE_M, 0.5 * SIZE_M, CELLS + 1)
    x, y = np.meshgrid(across, across - 0.4 * SIZE_M, indexing="ij")
    points = np.stack([x, y, 0.1 * np.sin(0.6 * x) * np.sin(0.5 * y)], -1).reshape(-1, 3)
    corner = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
    mesh = bpy.data.meshes.new("Terrain")
    mesh.from_pydata(
        points.tolist(),
        [],
        np.stack([corner, corner + CELLS + 1, corner + CELLS + 2, corner + 1], 1).tolist(),
    )
    return linked(bpy.data.objects.new("Terrain", mesh))


def linked(obj: bpy.types.Object) -> bpy.types.Object:
    """Return an object that is now in the scene."""
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return obj
