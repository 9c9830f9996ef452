"""Locked targets within reach on every biped of the shared rigs and on Rigify's: python -m benchmarks neural_pose_rigs.

Within reach are the points of poses that the rig's own bones make (`reach_poses`).  Every target, or the locked ones alone, is put there,
and the pose that Blender evaluates is compared with it.
"""

import os
from collections.abc import Callable, Iterator

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.reach_poses import reachable_points
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import live, places, targets
from neurarig_addon.blender.neural_pose.rig import PosedRig
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.neural.reach.lock_plan import lockable
from tests import rigs
from tests.shared_rigs import STANDING, load

HUMAN_M = 1.75
LIMIT_MM = 0.1
SETS = ("MAIN", "FULL")
CONTROLS = ("FK", "IK")
LOCKED = ("pelvis", "head", "head_top", "wrist", "hand_tip", "ankle", "ball", "toe_tip")


def rows() -> list[Row]:
    """Measure every standing biped on FK bones and on IK controls, and print each; `RIGS=word` in the environment: only some."""
    found = []
    for controls in CONTROLS:
        worst, refused = (0.0, "-"), []
        count = 0
        for name, make in _subjects():
            count += 1
            for point_set in SETS:
                try:
                    miss, where = farthest_miss_mm(make, point_set, controls)
                except NeuraRigError as refusal:
                    refused.append(f"{name}: {refusal}")
                    print(f"{name:42s} {controls} {point_set:4s} refused: {refusal}")
                    continue
                worst = max(worst, (miss, f"{name}, {point_set}, {where}"))
                print(f"{name:42s} {controls} {point_set:4s} {miss:9.4f} mm  {where}", flush=True)
        found += [
            Row(f"locked targets within reach on {count} rigs, {controls}: farthest miss", worst[0], LIMIT_MM, "mm", note=worst[1]),
            Row(f"locked targets within reach on {count} rigs, {controls}: refused", len(refused), 0, "", note="; ".join(refused)),
        ]
    return found


def farthest_miss_mm(make: Callable[[], bpy.types.Object], point_set: str, controls: str) -> tuple[float, str]:
    """Return how far the farthest locked target is missed, in mm on a body of 1.75 m, and in which pose; a pose that is not defined is inf.

    Raises NeuraRigError where the rig cannot be posed.
    """
    new_scene()
    obj = make()
    api.pose_targets(obj, point_set, controls=controls)
    metres = bpy.context.scene.unit_settings.scale_length
    rig = live.follower_of(obj).rig(obj, bpy.context.scene)
    for item in obj.neurarig.neural_pose.targets:
        item.lock = item.point.partition(".")[0] in LOCKED and lockable(rig.body, item.point)
    to_world = rig.walk_to_world(obj, metres)
    locked = places.trust_of(obj).locked
    left = wanted_points(obj, metres)
    worst = (-1.0, "")
    for name, points in reachable_points(rig.body).items():
        wanted = points @ to_world[:3, :3].T + to_world[:3, 3]
        left[[INDEX[point] for point in locked]] = wanted[[INDEX[point] for point in locked]]
        for world, moved in ((wanted, "all moved"), (left, "only the locked ones moved")):
            _put(obj, world, metres)
            worst = max(worst, _farthest(obj, rig, locked, metres, f"{name}, {moved}"))
    return worst


def wanted_points(obj: bpy.types.Object, metres: float) -> np.ndarray:
    """Return where the targets that count are `(27, 3)`, in world metres, NaN where there is none."""
    read = places.PointPlaces.of(obj)
    return read.points(read.read(obj, None), metres)


def _put(obj: bpy.types.Object, world: np.ndarray, metres: float) -> None:
    """Put every target where its point is to be, as one move; raises NeuraRigError where the pose ends over it."""
    for item in sorted(obj.neurarig.neural_pose.targets, key=lambda item: INDEX[item.point]):
        targets.place(item.object, world[INDEX[item.point]] / metres)
    bpy.context.view_layer.update()
    if obj.neurarig.neural_pose.error:
        raise NeuraRigError(obj.neurarig.neural_pose.error)


def _farthest(obj: bpy.types.Object, rig: PosedRig, locked: tuple[str, ...], metres: float, pose: str) -> tuple[float, str]:
    motions = rig.shown_motions(obj, bpy.context.evaluated_depsgraph_get())
    to_world = rig.walk_to_world(obj, metres)
    shown = rig.body.points(motions)[0] @ to_world[:3, :3].T + to_world[:3, 3]
    rows = [INDEX[point] for point in locked]
    apart = np.linalg.norm((shown - wanted_points(obj, metres))[rows], axis=-1)
    apart = np.where(np.isfinite(apart), apart, np.inf) * 1e3 * HUMAN_M / rig.body.height
    at = int(apart.argmax())
    return float(apart[at]), f"{locked[at]}, {pose}"


def _subjects() -> Iterator[tuple[str, Callable[[], bpy.types.Object]]]:
    """Yield what to pose: a name, and what loads it into an empty scene."""
    subjects: list[tuple[str, Callable[[], bpy.types.Object]]] = [
        ("Rigify human, generated here", rigs.rigify_human),
        ("Rigify metarig, made here", rigs.rigify_metarig),
        ("metarig with IK legs, made here", rigs.metarig_with_leg_ik),
    ]
    subjects += [(row["file"], lambda row=row: load(row)) for row in STANDING]
    wanted = os.environ.get("RIGS", "")
    return (subject for subject in subjects if wanted in subject[0])
