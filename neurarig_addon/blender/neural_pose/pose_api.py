"""Poses of a character with targets, for scripts; `blender.api` re-exports these functions.

    api.flip_pose(hero)                     # left and right change places
    api.mirror_pose(hero, "L")              # the right arm and leg like the left ones
    api.copy_pose(hero, [villain])          # of any size and rig
    api.pose_asset(hero, "Reach")           # for the Asset Browser
    api.in_between(hero, 0.3)               # keyed between the keyed poses before and after this frame

Each that poses returns the parts, as labels, that follow chosen or animated objects and so are not moved.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.types import Action, Object

from ...core.errors import NeuraRigError
from ...core.geometry.vectors import transformed
from ...core.neural.figure_pose import FigurePose
from ...core.neural.figure_pose import in_between as pose_in_between
from ...core.neural.points import POINTS
from ...core.skeleton.roles import SIDES
from ..animation import compat
from ..animation.scratch import same_frame_after
from ..character import ledger
from . import clip as keys
from . import empties, live, solve, targets
from .empties import label
from .requirements import require_attached, require_keyable, require_one_piece

_NEXT_TO = 0.01  # frames: a key this near is on this frame


def flip_pose(obj: Object) -> list[str]:
    """Swap left and right of a character's pose, its position included.

    Returns the parts that stayed as they were.  Raises NeuraRigError without targets.
    """
    require_attached(obj)
    return _take(obj, _shown(obj).flipped())


def mirror_pose(obj: Object, side: str = "L") -> list[str]:
    """Pose a character's other arm and leg like those of `side`, 'L' or 'R'.

    Returns the parts that stayed as they were.  Raises NeuraRigError without targets, or for another side.
    """
    require_attached(obj)
    if side not in SIDES:
        raise NeuraRigError(f"'{side}' is not a side; choose one of {', '.join(SIDES)}.")
    return _take(obj, _shown(obj).with_side(side))


def copy_pose(obj: Object, others: Iterable[Object]) -> list[str]:
    """Give a character's pose to other characters with targets, of any size; return the parts that stayed as
    they were.

    Raises NeuraRigError, before any of them moves, if one has no targets.
    """
    others = [other for other in others if other != obj]
    if not others:
        raise NeuraRigError(
            f"Select the characters that take the pose of '{obj.name}' as well; '{obj.name}' last."
        )
    require_attached(obj)
    for other in others:
        require_attached(other)
    body, pose = live.rig_of(obj).body, _shown(obj)
    stayed = []
    with _restored_on_failure(others):
        for other in others:
            theirs = live.rig_of(other).body
            stayed += [f"{part} of '{other.name}'" for part in _take(other, pose.carried_over(body, theirs))]
    return stayed


def pose_asset(obj: Object, name: str) -> Action:
    """Make a character's pose a pose asset for Blender's Asset Browser, and return its one-frame action; it
    outlives the targets.

    Raises NeuraRigError without targets.
    """
    require_attached(obj)
    table = live.rig_of(obj).attached_table
    return keys.asset(obj, table, name)


def in_between(obj: Object, share: float = 0.5) -> list[str]:
    """Key a pose on this frame, `share` of the way from the previous keyed pose to the next; feet planted in
    both stay planted.

    Returns the parts that stayed as they were. Raises NeuraRigError without targets, or without a keyed pose
    on both sides.
    """
    require_keyable(obj)
    scene, own = bpy.context.scene, obj.neurarig.neural_pose
    first, last = _neighbours(obj, scene.frame_current_final)
    was_live, own.live = own.live, False  # the frames are read, not posed
    try:
        with same_frame_after(scene):
            first, last = (_seen_at(obj, frame) for frame in (first, last))
        rig = live.rig_of(obj)
        with _restored_on_failure([obj]):
            stayed = _put_into(obj, *pose_in_between(rig.body, first, last, share))
            require_one_piece(obj)
            keys.key_pose(obj, rig.attached_table, scene.frame_current_final, "BREAKDOWN")
    finally:
        own.live = was_live
    return stayed


def _seen_at(obj: Object, frame: float) -> FigurePose:
    bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1.0)
    return _shown(obj)


def _take(obj: Object, pose: FigurePose) -> list[str]:
    return _put_into(obj, *pose.turned(live.rig_of(obj).body))


def _neighbours(obj: Object, frame: float) -> tuple[float, float]:
    """Return the frames of the keyed poses before and after a frame; raises NeuraRigError unless there are
    both."""
    action, slot = compat.playing(obj)
    ours = compat.find_channels(action, slot) if action is not None and ledger.is_ours(obj, action) else ()
    curves = [curve for curve in ours if curve.data_path.startswith("pose.bones")]
    frames = {point.co.x for curve in curves for point in curve.keyframe_points}
    before = [at for at in frames if at < frame - _NEXT_TO]
    after = [at for at in frames if at > frame + _NEXT_TO]
    if not before or not after:
        missing = "before" if not before else "after"
        raise NeuraRigError(
            f"'{obj.name}' has no keyed pose {missing} frame {frame:g}. Use Key Pose there first."
        )
    return max(before), min(after)


def _shown(obj: Object) -> FigurePose:
    """Return the pose in which Blender shows a character."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    rig = live.rig_of(obj)
    motions = rig.shown_motions(obj, depsgraph)
    return FigurePose(rig.body.rotations(motions)[0], motions["pelvis"].position[0])


@contextmanager
def _restored_on_failure(characters: Iterable[Object]) -> Iterator[None]:
    """Restore characters and their targets to their current pose if the block fails."""
    before = []
    for obj in characters:
        own = obj.neurarig.neural_pose
        before.append(
            (
                obj,
                own.base,
                [empties.restoring(item.object) for item in own.targets if item.object is not None],
            )
        )
    try:
        yield
    except BaseException:
        for obj, stored, places in before:
            obj.neurarig.neural_pose.base = stored
            for put_back in places:
                put_back()
            bpy.context.view_layer.update()
            live.follower_of(obj).show(obj, bpy.context.scene)
        raise


def _put_into(obj: Object, away: np.ndarray, root: np.ndarray) -> list[str]:
    """Put a character, and the empties made for it, into a pose: its roles rotated by `away` `(1, r, 3, 3)`,
    the pelvis at `root` `(1, 3)`.

    Returns the labels of the points whose targets stay where they are: chosen or animated ones.
    """
    scene, follower = bpy.context.scene, live.follower_of(obj)
    rig = follower.rig(obj, scene)
    heads = rig.body.tree.heads(away, root) if rig.trunk is None else rig.trunk.heads(away, root)
    motions = rig.body.moved(away, heads)
    to_world = rig.walk_to_world(obj, scene.unit_settings.scale_length)
    solve.remember_base(obj, rig, motions)
    follower.settings_changed()
    moved = targets.snap(obj, scene, transformed(rig.body.points(motions)[0], to_world))
    bpy.context.view_layer.update()
    follower.show(obj, scene)
    bpy.context.view_layer.update()
    return [
        label(item.point)
        for item in obj.neurarig.neural_pose.targets
        if POINTS.index(item.point) not in moved
    ]
