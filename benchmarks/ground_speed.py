"""What paths over uneven ground cost: the tree, the plan, the frame, and what an animator feels who drags a
point of the path."""

from time import thread_time

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene, play, timed_handlers
from benchmarks.table import Row, best_of
from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import memory
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.way import ground
from neurarig_addon.core.gait.steps.footsteps import footsteps
from tests import rigs
from tests.blender import leading

FRAMES = range(1, 121)
CELLS, REACH = 316, 60.0  # 100 000 quads over 120 m
STEPS = 500
CROWD = 100
DRAGS = 9


def rows() -> list[Row]:
    """Measure one Rigify human with a path of 500 steps over 100 000 quads, and 100 characters on them."""
    new_scene()
    hill = leading.sheet("Hill", lambda x, y: 0.1 * np.sin(1.3 * x) * np.cos(1.1 * y), REACH, CELLS)
    path = leading.curve(winding(), "BEZIER")
    rig = rigs.rigify_human()
    api.generate_walk(rig, mode="PATH", path=path, ground=hill)
    ours, whole = play(FRAMES)
    source = walk_source.source_of(rig, bpy.context.scene)
    phases = np.stack(
        [np.linspace(0.0, STEPS / 2.0, STEPS), np.linspace(0.5, STEPS / 2.0 + 0.5, STEPS)], axis=1
    )
    plan_s = best_of(lambda: footsteps(source.walker, phases))
    return [
        Row("tree of 100 000 quads, once", 1e3 * tree_s(rig), 500.0, "ms"),
        Row("plan of 500 steps over them", 1e3 * plan_s, 60.0, "ms"),
        Row(
            "handler per frame, Rigify on a path over them: share of frame_set",
            100.0 * ours / (whole - ours), 8.0, "%",
            note=f"{1e3 * ours:.3f} ms of ours, {1e3 * (whole - ours):.3f} ms of Blender's",
        ),
        Row("a point of that path dragged: handler per update", 1e3 * drag_s(path), 50.0, "ms"),
        crowd_row(hill),
    ]  # fmt: skip


def winding() -> list[tuple[float, float]]:
    """Return the points of a path of some 350 m, as many as 500 steps take."""
    lines = [(-45.0, y) for y in np.linspace(40.0, -40.0, 5)]
    return [(x if row % 2 == side else -x, y) for row, (x, y) in enumerate(lines) for side in (0, 1)][:8]


def tree_s(rig: bpy.types.Object) -> float:
    """Return the seconds in which the ground of a character is read and made ready."""
    rig.neurarig.walk.ground.update_tag()
    ground._shapes.forget(rig.neurarig.walk.ground)
    memory.forget(rig)
    start = thread_time()
    walk_source.source_of(rig, bpy.context.scene)
    return thread_time() - start


def drag_s(path: bpy.types.Object) -> float:
    """Return the median seconds in our handlers of an update in which a point of a path has moved."""
    found = []
    with timed_handlers([bpy.app.handlers.depsgraph_update_post]) as spent:
        for _ in range(DRAGS):
            path.data.splines[0].bezier_points[5].co.x += 0.01
            path.data.update_tag()
            spent[0] = 0.0
            bpy.context.view_layer.update()
            found.append(spent[0])
    return float(np.median(found))


def crowd_row(hill: bpy.types.Object) -> Row:
    """Measure 100 characters on paths of their own over one ground."""
    for obj in [obj for obj in bpy.data.objects if obj != hill]:
        bpy.data.objects.remove(obj)
    for number in range(CROWD):
        x = 0.4 * (number - CROWD / 2.0)
        path = leading.curve([(x, 20.0), (x + 1.0, 10.0), (x, 0.0), (x, -20.0)], "BEZIER")
        api.generate_walk(
            rigs.build(rigs.biped(), name=f"Walker {number}"),
            mode="PATH",
            path=path,
            ground=hill,
            speed=0.8 + 0.005 * number,
        )
    ours, whole = play(FRAMES[:40])
    return Row(
        f"{CROWD} characters on paths over them: handler per frame",
        1e3 * ours,
        15.0,
        "ms",
        note=f"{1e3 * (whole - ours):.1f} ms of Blender's",
    )
