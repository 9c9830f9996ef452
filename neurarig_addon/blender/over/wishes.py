"""The targets of hands, chest and head of a character that walks or plays a clip, frame by frame.

A target may be attached to anything, also to a bone of the character itself that no target moves: it is then
where the walk below has
that bone. So the walk is posed first, Blender evaluates, and the targets read here go over it; a frame's pose
depends on that frame alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Depsgraph, Object, Scene

from ...core.body.hold import REACHING, held
from ...core.errors import NeuraRigError
from ..animation.scratch import alone, seen
from ..animation.steps import Steps
from ..character import carry, record
from ..character.changes import Changes

SHOULDERS = ("upper_arm.L", "upper_arm.R")
HOLDERS = (record.WALK, record.CLIP)  # holders whose poses targets go over
_below: set[int] = set()  # characters shown without their targets for now, by session_uid
ends = Changes()  # a walk or clip is about to be removed: its targets are removed first


@dataclass(frozen=True)
class TargetWishes:
    """The wishes of targets at frames `f`, for each of `n` points.

    `places` `(f, n, 4, 4)`: the targets in armature space, with the object as on that frame. `share`,
    `turned` `(f, n)`: how far
    the point goes there, and how far a hand turns with its target. `grips` `(n, 3, 3)`: see
    `NeuraRigTarget.grip`.
    `leans` `(n,)`: the trunk may help. `shoulders` `(f, 2, 3)`: heads of the upper arms as Blender shows
    them, in armature space, NaN
    if the rig has none.
    """

    points: tuple[str, ...]
    places: np.ndarray
    share: np.ndarray
    turned: np.ndarray
    grips: np.ndarray
    leans: tuple[bool, ...]
    shoulders: np.ndarray

    @property
    def repeats(self) -> bool:
        """Return whether the targets on the last frame equal those on the first."""
        return all(
            np.allclose(rows[0], rows[-1], atol=1e-4) for rows in (self.places, self.share, self.turned)
        )

    def is_near(self, other: "TargetWishes | None") -> bool:
        """Return whether another one is the same, except for rounding and `shoulders`."""
        if other is None or self.points != other.points or self.leans != other.leans:
            return False
        pairs = [
            (getattr(self, name), getattr(other, name)) for name in ("places", "share", "turned", "grips")
        ]
        return all(a.shape == b.shape and np.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in pairs)


def has_targets(obj: Object) -> bool:
    """Return whether a character that walks or plays a clip, live or baked, has targets to follow."""
    own = obj.neurarig.neural_pose
    return own.live and len(own.targets) > 0 and any(record.holds(obj, holder) for holder in HOLDERS)


def is_on(obj: Object) -> bool:
    """Return whether targets are applied over the pose of a character now."""
    return has_targets(obj) and obj.session_uid not in _below


def things(obj: Object) -> list[Object]:
    """Return the objects of a character's targets."""
    if obj.type != "ARMATURE" or not has_targets(obj):
        return []
    return [item.object for item in obj.neurarig.neural_pose.targets if item.object is not None]


def at(obj: Object, frame: float, depsgraph: Depsgraph | None, moved: bool = False) -> TargetWishes:
    """Return the targets at a frame that Blender has evaluated; without a depsgraph, as of the last update of
    the view layer.

    `moved`: the object has been moved since.
    """
    shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
    stood = np.array(shown.matrix_world, dtype=float)
    stands = stood
    if moved:
        now = obj.matrix_basis.copy() if not carry.is_unturned(carry.step(obj)) else shown.matrix_basis.copy()
        now.translation = obj.matrix_basis.translation
        stands = np.array(shown.matrix_world @ shown.matrix_basis.inverted_safe() @ now, dtype=float)
    return _wanted(obj, shown, frame, depsgraph, (stood, stands))


def at_frames_steps(scene: Scene, obj: Object, frames: np.ndarray) -> Steps[TargetWishes | None]:
    """Return the targets at frames `(f,)` of a live character, None without targets; yields the share done.

    Raises NeuraRigError if it is not live: nothing then shows where objects attached to it are.
    """
    if not has_targets(obj):
        return None
    if not record.is_posed(obj):
        raise NeuraRigError(
            f"'{obj.name}' is not live. Turn on Live to bake it with its targets, or turn those off in Neural"
            " Pose."
        )
    rows = []
    _below.add(obj.session_uid)
    try:
        with alone(scene, obj) as passing:
            for row, frame in enumerate(frames):
                shown = seen(passing, obj, frame)
                world = np.array(shown.matrix_world, dtype=float)
                depsgraph = (
                    bpy.context.evaluated_depsgraph_get()
                    if bpy.context.scene == passing
                    else passing.view_layers[0].depsgraph
                )
                rows.append(_wanted(obj, shown, float(frame), depsgraph, (world, world)))
                yield (row + 1) / len(frames)
    finally:
        _below.discard(obj.session_uid)
    first = rows[0]
    joined = {
        name: np.concatenate([getattr(one, name) for one in rows])
        for name in ("places", "share", "turned", "shoulders")
    }
    return TargetWishes(first.points, grips=first.grips, leans=first.leans, **joined)


def _wanted(
    obj: Object,
    shown: Object,
    frame: float,
    depsgraph: Depsgraph | None,
    stand: tuple[np.ndarray, np.ndarray],
) -> TargetWishes:
    """Return the targets of an object; `stand`: its world matrix when the targets were evaluated, and its
    present one."""
    items = [
        item
        for item in shown.neurarig.neural_pose.targets
        if item.object is not None and item.point in REACHING
    ]
    originals = [item.object.original for item in items]
    hang = [obj in carriers(thing) for thing in originals]
    backs = [np.linalg.inv(stand[0] if hangs else stand[1]) for hangs in hang]
    places = [
        back @ _place(thing if depsgraph is None else thing.evaluated_get(depsgraph), item.bone)
        for back, thing, item in zip(backs, originals, items, strict=True)
    ]
    share = [item.weight * item.use * _held(item, frame) for item in items]
    return TargetWishes(
        tuple(item.point for item in items),
        np.array(places).reshape(1, -1, 4, 4),
        np.array(share, dtype=float)[None],
        np.array([item.turn for item in items], dtype=float)[None],
        np.array([item.grip[:] for item in items], dtype=float).reshape(-1, 3, 3),
        tuple(not hangs_on_bone(thing, obj) for thing in originals),
        _shoulders(obj, shown)[None],
    )


def _shoulders(obj: Object, shown: Object) -> np.ndarray:
    """Return the heads of a character's upper arms `(2, 3)` in armature space, NaN if it has none."""
    found = np.full((2, 3), np.nan)
    for item in obj.neurarig.roles:
        bone = shown.pose.bones.get(item.bone) if item.role in SHOULDERS else None
        if bone is not None:
            found[SHOULDERS.index(item.role)] = bone.head
    return found


def _held(item: Any, frame: float) -> float:
    """Return how far a target is held at a frame, 0..1, by its range of frames."""
    return (
        float(held(np.array([frame]), item.frame_start, item.frame_end, item.ease, item.ease)[0])
        if item.use_range
        else 1.0
    )


def _place(target: Object, bone: str) -> np.ndarray:
    """Return a target's world matrix `(4, 4)`."""
    found = target.pose.bones.get(bone) if bone and target.pose else None
    return np.array(target.matrix_world if found is None else target.matrix_world @ found.matrix)


def carriers(thing: Object) -> Iterator[Object]:
    """Yield the objects that an object follows, through parents and constraints."""
    yield from (carrier for carrier, _ in holds(thing))


def holds(thing: Object) -> Iterator[tuple[Object, str]]:
    """Yield the objects that an object follows, each with the bone it follows, '' for none; each is traced
    further once."""
    seen_before, waiting = set(), [thing]
    while waiting:
        one = waiting.pop()
        found = [(one.parent, one.parent_bone if one.parent_type == "BONE" else "")] if one.parent else []
        for constraint in one.constraints:
            if not constraint.mute and getattr(constraint, "target", None) is not None:
                found.append((constraint.target, getattr(constraint, "subtarget", "")))
        for carrier, bone in found:
            yield carrier, bone
            if carrier not in seen_before:
                seen_before.add(carrier)
                waiting.append(carrier)


def hangs_on_bone(thing: Object, obj: Object) -> bool:
    """Return whether an object follows a bone of a character."""
    return any(carrier == obj and bone for carrier, bone in holds(thing))
