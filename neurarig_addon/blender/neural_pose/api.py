"""Neural Pose for scripts; `blender.api` re-exports these functions and those of `mocap`.

    from bl_ext.user_default.neurarig.neurarig_addon.blender import api
    api.pose_targets(hero)                                   # empties for head, chest, hips, hands and feet
    api.choose_target(hero, "wrist.R", bpy.data.objects["Cup"])
    api.solve_pose(hero, key=True)

`obj` is the character's armature object. What the user can fix raises a NeuraRigError, and the file is then
as it was.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import bpy
import numpy as np
from bpy.types import Action, Object

from ...core.errors import NeuraRigError
from ...core.neural.reach.lock_plan import lockable
from ..animation.frame_range import frames_between
from ..animation.objects import is_deleted, still_there
from ..animation.steps import Steps, at_once, part_of
from ..animation.write_pose import apply_row
from ..character import holding, integrity, lasting, record
from ..character.record import POSE
from ..character.requirements import require_editable
from ..over import taker
from . import clip as keys
from . import live, over, settings, solve, targets
from .empties import SETS
from .follower import WantedPoints
from .requirements import checked_kind, first_way, ready, require_attached, require_keyable, require_one_piece


@at_once
def pose_targets(
    obj: Object,
    points: str | Iterable[str] | None = None,
    *,
    controls: str | None = None,
    keep: bool = True,
) -> Steps[list[str]]:
    """Give a character targets, empties at its joints as posed, and have it follow them live; return the
    points with a target.

    Args:
        points: a set ('MAIN', 'LIMBS', 'FULL') or point names such as `wrist.L`; default: the set in the
        settings. controls: 'FK' or 'IK': the controls that are posed. keep: existing targets stay; otherwise
        all are made again.

    Over a live walk or clip only hands, chest and head get targets; all else stays as it is.

    Raises NeuraRigError if it is no biped, has another holder, or there is no such point.
    """
    own = obj.neurarig.neural_pose
    if over.is_over(obj):
        return over.create(obj, _points(points if points is not None else own.point_set))
    holding.require_attachable(obj, POSE)
    wanted = _points(points if points is not None else own.point_set)
    kind = checked_kind(controls or own.controls)
    first = first_way(kind)
    first = replace(first, found=(yield from integrity.find_controls_steps(obj, first)))
    rig, metres = live.rig_of(obj), bpy.context.scene.unit_settings.scale_length
    motions, world = rig.shown_points(obj, bpy.context.evaluated_depsgraph_get(), metres)
    had_root = bool(rig.root_bone)
    ways = integrity.Ways(first)
    while True:
        with ways as way, ready(obj, way):
            with settings.changes.as_one(obj):
                own.live = False
                if not keep:
                    targets.remove(obj)
                rig = live.rig_of(obj)
                solve.remember_base(obj, rig, motions if had_root else rig.under_root(obj, motions))
                targets.add(
                    obj,
                    bpy.context.scene,
                    wanted,
                    world,
                    rig.character.body.leg_length,
                    partial(lockable, rig.body),
                )
                own.controls, own.error = kind, ""
            bpy.context.view_layer.update()  # evaluates the new empties
            own.live = True
            _require_live(obj)
            return [item.point for item in own.targets]


def choose_target(
    obj: Object,
    point: str,
    target: Object,
    bone: str = "",
    *,
    lock: bool | None = None,
    weight: float | None = None,
) -> None:
    """Have a point of a character follow an object, or the head of a bone of another armature; the point's
    own empty, if any, is removed.

    `lock`: hold it exactly in place while others are dragged. `weight`: how firmly it stays there if not
    locked, 0..1.

    Raises NeuraRigError without targets, or if there is no such point, or the object cannot be a target.
    """
    if over.is_over(obj):
        over.choose(obj, point, target, bone, weight)
        return
    holding.require_attachable(obj, POSE)
    own = obj.neurarig.neural_pose
    targets.check_target(obj, point, target, bone)
    ways = integrity.Ways(first_way(record.kind_of(obj) or own.controls))
    while True:
        with ways as way, ready(obj, way):
            with settings.changes.as_one(obj):
                item = targets.choose(obj, point, target, bone)
                item.lock = item.lock if lock is None else lock
                item.weight = item.weight if weight is None else weight
                own.error, own.live = "", True
            _require_live(obj)
            return


def remove_targets(
    obj: Object,
    points: Iterable[str] | None = None,
    *,
    keep_pose: bool = False,
    bakes: str = lasting.MOVE,
) -> list[str]:
    """Remove targets (None: all) from a character; without any, its rig, pose and animation are as before.

    With `keep_pose` its bones stay as posed. `bakes`: as of `remove_walk`. Returns a sentence for each thing
    that is not as it was.

    Raises NeuraRigError without targets.
    """
    if over.is_over(obj) and obj.neurarig.neural_pose.targets:
        require_editable(obj)
        return over.remove(obj, points)
    require_attached(obj)
    own = obj.neurarig.neural_pose
    if points is not None and {item.point for item in own.targets} - set(points):
        with settings.changes.as_one(obj):
            targets.remove(obj, points)
        return []
    holding.require_detachable(obj)
    with settings.changes.as_one(obj):
        own.live = False
        notes = holding.detach(obj, keep_animation=keep_pose, keep_pose=keep_pose, bakes_on_layer=bakes)
        targets.remove(obj)
        own.error = own.base = ""
    return notes


holding.hand_over[POSE] = partial(remove_targets, keep_pose=True)


def snap_targets(obj: Object) -> None:
    """Move the empties made for a character to its joints as shown; chosen and animated objects stay.

    Raises NeuraRigError without targets.
    """
    if over.is_over(obj) and obj.neurarig.neural_pose.targets:
        require_editable(obj)
        over.snap(obj)
        return
    require_attached(obj)
    live.follower_of(obj).snap_targets(obj, bpy.context.scene, bpy.context.evaluated_depsgraph_get())


def solve_pose(obj: Object, *, key: bool = False) -> Action | None:
    """Pose a character to its targets as they are now; with `key`, key it on the current frame and return the
    action.

    Raises NeuraRigError without targets.
    """
    require_attached(obj)
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    follower = live.follower_of(obj)
    apply_row(obj, follower.solve(obj, scene, [follower.wanted(obj, scene, None)]), 0)
    follower.bring_along(obj, scene)
    obj.neurarig.neural_pose.error = ""
    return key_pose(obj) if key else None


def missed_targets(obj: Object) -> dict[str, float]:
    """Return the locked or dragged points (over a walk, the hands) that miss their targets in the last pose,
    and by how many metres."""
    if over.is_over(obj) and obj.neurarig.neural_pose.targets:
        return taker.missed(obj)
    require_attached(obj)
    return live.missed(obj)


def key_pose(obj: Object) -> Action:
    """Key a character's current pose on the current frame, and return the action.

    Raises NeuraRigError if the character cannot be keyed now.
    """
    require_keyable(obj)
    require_one_piece(obj)
    table = live.rig_of(obj).table
    assert table is not None  # the character is attached
    return keys.key_pose(obj, table, bpy.context.scene.frame_current_final)


@at_once
def solve_range(
    obj: Object, frame_start: int | None = None, frame_end: int | None = None, action_name: str = ""
) -> Steps[Action]:
    """Pose a character to its targets on every frame of a range (default: the scene's), as a new action, and
    return it.

    Raises NeuraRigError without targets, or for an impossible range.
    """
    require_keyable(obj)
    return _range_steps(
        obj, frames_between(frame_start, frame_end), action_name.strip() or f"{obj.name} Pose"
    )


def _range_steps(obj: Object, frames: np.ndarray, name: str) -> Steps[Action]:
    own, follower = obj.neurarig.neural_pose, live.follower_of(obj)
    was_live = own.live
    own.live = False  # the frames are read, not posed
    try:
        with still_there(obj):
            wanted = yield from part_of(keys.read_frames_steps(obj, follower, frames), 0.0, 0.8)
        _require_motion(obj, frames, wanted)
        channels = follower.solve(obj, bpy.context.scene, wanted)
        return (yield from part_of(keys.write_steps(obj, name, frames, channels), 0.8, 1.0))
    except BaseException:
        if not is_deleted(obj):
            own.live = was_live
        raise


def _require_motion(obj: Object, frames: np.ndarray, wanted: list[WantedPoints]) -> None:
    """Refuse a range without motion: its action would only hide what the character plays."""
    first = wanted[0]
    still = all(
        np.array_equal(one.points, first.points, equal_nan=True) and one.trust == first.trust
        for one in wanted
    )
    if still and len(wanted) > 1:
        span = f"between frames {frames[0]:.0f} and {frames[-1]:.0f}"
        raise NeuraRigError(
            f"No target of '{obj.name}' moves {span}. Animate targets, or key single poses with Key Pose."
        )


def _points(points: str | Iterable[str]) -> list[str]:
    if isinstance(points, str):
        if points not in SETS:
            raise NeuraRigError(
                f"'{points}' is not a set of targets; choose one of {', '.join(SETS)}, or name points."
            )
        return list(SETS[points])
    wanted = list(points)
    unknown = [point for point in wanted if point not in SETS["FULL"]]
    if unknown or not wanted:
        raise NeuraRigError(
            f"'{unknown[0] if unknown else ''}' is not a body point; choose from {', '.join(SETS['FULL'])}."
        )
    return wanted


def _require_live(obj: Object) -> None:
    if obj.neurarig.neural_pose.error:
        raise NeuraRigError(obj.neurarig.neural_pose.error)
