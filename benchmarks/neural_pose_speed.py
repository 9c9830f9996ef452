"""What a live pose costs while a hand is dragged, and how exactly locks are met meanwhile."""

from time import perf_counter

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene, timed
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import live, places
from neurarig_addon.core.neural.points import INDEX
from tests import rigs

STEPS = 300
WARM_UP = 30
SETS = {"MAIN": "7 targets", "FULL": "27 targets"}
DRAGGED = "wrist.L"
CIRCLE = 0.15  # metres: radius of the way of the hand


def rows() -> list[Row]:
    """Measure the live pose on a generated Rigify human, with few targets and with all."""
    found = []
    for name, words in SETS.items():
        new_scene()
        rig = rigs.rigify_human()
        api.pose_targets(rig, name)
        ours, whole, missed = drag(rig)
        note = f"beside {1e3 * (whole - ours):.1f} ms of Blender's"
        found.append(Row(f"Neural Pose live, generated Rigify, {words}: our Python per update", 1e3 * ours, 0.5, "ms", note=note))
        found.append(Row(f"locked targets, generated Rigify, {words}: farthest miss", 1e3 * missed, 0.1, "mm"))
    return found


def drag(rig: bpy.types.Object) -> tuple[float, float, float]:
    """Drag a hand around a circle; return the median seconds of an update, in our handlers and altogether, and the worst miss in metres."""
    hand = next(item.object for item in rig.neurarig.neural_pose.targets if item.point == DRAGGED)
    start, spent, missed = hand.location.copy(), [0.0], 0.0
    handlers = bpy.app.handlers.depsgraph_update_post
    kept = list(handlers)
    handlers[:] = [timed(handler, spent) if "neurarig" in handler.__module__ else handler for handler in handlers]
    ours, whole = [], []
    try:
        for step in range(STEPS):
            angle = 2.0 * np.pi * step / STEPS
            spent[0], begin = 0.0, perf_counter()
            hand.location = start
            hand.location.y -= CIRCLE * (1.0 - np.cos(angle))
            hand.location.z += CIRCLE * np.sin(angle)
            bpy.context.view_layer.update()
            whole.append(perf_counter() - begin)
            ours.append(spent[0])
            if step % 30 == 0:
                missed = max(missed, farthest_miss(rig))
    finally:
        handlers[:] = kept
    return float(np.median(ours[WARM_UP:])), float(np.median(whole[WARM_UP:])), missed


def farthest_miss(rig: bpy.types.Object) -> float:
    """Return how far the farthest locked target is from its point, as Blender shows the character, in metres."""
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    posed = live.follower_of(rig).rig(rig, scene)
    to_world = posed.walk_to_world(rig, 1.0)
    shown = posed.body.points(posed.shown_motions(rig, depsgraph))[0] @ to_world[:3, :3].T + to_world[:3, 3]
    locked = [INDEX[point] for point in places.trust_of(rig).locked]
    return float(np.linalg.norm(shown[locked] - places.world_points(rig, 1.0)[locked], axis=-1).max())
