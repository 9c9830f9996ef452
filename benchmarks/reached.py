"""Poses that the bones of any biped can reach, drawn about those of `core.neural.plain_poses`, and how far
locked targets miss them."""

from collections.abc import Callable

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import live, places, targets
from neurarig_addon.blender.neural_pose.rig import PosedRig
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.labels import draws
from neurarig_addon.core.neural.plain_poses import POSES
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.neural.reach.lock_plan import lockable
from neurarig_addon.core.skeleton.roles import SIDES
from tests.blender.posing import world_points

SEEDS = range(3)
HUMAN_M = 1.75
LOCKED = ("pelvis", "head", "head_top", "wrist", "hand_tip", "ankle", "ball", "toe_tip")


def reachable_points(body: PointBody) -> dict[str, np.ndarray]:
    """Return poses of every kind: name -> points `(27, 3)`, metres, walk frame, which bones of just these
    lengths make."""
    found = {}
    for number, (kind, plain) in enumerate(POSES.items()):
        for seed in SEEDS:
            turns = draws.varied(plain, np.random.default_rng([seed, number]))
            points = body.points(body.motions(turns[None], body.rest[:1]))[0]
            lowest = min(points[INDEX[f"ankle.{side}"], 2] for side in SIDES)
            found[f"{kind} {seed}"] = points + [0.0, 0.0, body.at_rest[INDEX["ankle.L"], 2] - lowest]
    return found


def farthest_miss_mm(
    make: Callable[[], bpy.types.Object], point_set: str, controls: str
) -> tuple[float, str]:
    """Return how far the farthest locked target is missed, in mm on a body of 1.75 m, and in which pose; a
    pose that is not defined is inf.

    Raises NeuraRigError where the rig cannot be posed.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = make()
    api.pose_targets(obj, point_set, controls=controls)
    metres = bpy.context.scene.unit_settings.scale_length
    rig = live.follower_of(obj).rig(obj, bpy.context.scene)
    for item in obj.neurarig.neural_pose.targets:
        item.lock = item.point.partition(".")[0] in LOCKED and lockable(rig.body, item.point)
    to_world = rig.walk_to_world(obj, metres)
    locked = places.trust_of(obj).locked
    left = world_points(obj, metres)
    worst = (-1.0, "")
    for name, points in reachable_points(rig.body).items():
        wanted = points @ to_world[:3, :3].T + to_world[:3, 3]
        left[[INDEX[point] for point in locked]] = wanted[[INDEX[point] for point in locked]]
        for world, moved in ((wanted, "all moved"), (left, "only the locked ones moved")):
            _put(obj, world, metres)
            worst = max(worst, _farthest(obj, rig, locked, metres, f"{name}, {moved}"))
    return worst


def _put(obj: bpy.types.Object, world: np.ndarray, metres: float) -> None:
    """Put every target where its point is to be, as one move; raises NeuraRigError where the pose ends over
    it."""
    for item in sorted(obj.neurarig.neural_pose.targets, key=lambda item: INDEX[item.point]):
        targets.place(item.object, world[INDEX[item.point]] / metres)
    bpy.context.view_layer.update()
    if obj.neurarig.neural_pose.error:
        raise NeuraRigError(obj.neurarig.neural_pose.error)


def _farthest(
    obj: bpy.types.Object, rig: PosedRig, locked: tuple[str, ...], metres: float, pose: str
) -> tuple[float, str]:
    motions = rig.shown_motions(obj, bpy.context.evaluated_depsgraph_get())
    to_world = rig.walk_to_world(obj, metres)
    shown = rig.body.points(motions)[0] @ to_world[:3, :3].T + to_world[:3, 3]
    rows = [INDEX[point] for point in locked]
    apart = np.linalg.norm((shown - world_points(obj, metres))[rows], axis=-1)
    apart = np.where(np.isfinite(apart), apart, np.inf) * 1e3 * HUMAN_M / rig.body.height
    at = int(apart.argmax())
    return float(apart[at]), f"{locked[at]}, {pose}"
