"""How a character stands: in its reference pose, at rest, or as core/standing_pose finds if the rest pose
does not stand.

The reference pose is a pose chosen by the animator in place of the rest pose, such as a T-pose for an A-pose.
It is stored on the object
as JSON text: each bone's matrix in armature space, three rows of four numbers. What was found when the
character was attached is kept,
whatever its pose since.
"""

import json
from dataclasses import replace

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...core.character.character import Character
from ...core.character.shown_pose import shown
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import frame, orthonormal
from ...core.skeleton.clip import Clip, without_gaps
from ...core.skeleton.roles import RoleMap
from ...core.skeleton.skeleton import Skeleton
from ...core.skeleton.standing_pose import Standing, as_in, jointed, raised, soles_stood, solved, stands
from ..animation.scratch import pose_matrices
from . import record
from .controls.attachment import standing_in
from .read_armature import read_soles
from .read_clip import is_told_by_curves, read_clip
from .requirements import require_numbers
from .stored_json import is_number, map_of, parsed, row_of

_MOST_FRAMES = 120  # most frames of a clip examined
RIGID = 0.99  # determinant of a bone's axes below which they are not a rotation
_IS_POSE = map_of(row_of(*[is_number] * 12))
_AGAIN = "Pose it upright and click Use Current Pose again, or Use Rest Pose."


def standing_of(obj: Object, scene: Scene, skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return how a character stands; empty if its rest pose does, or if no available pose stands either.

    Raises NeuraRigError if it has a reference pose and does not stand in it.
    """
    if record.is_attached(obj):
        return standing_in(record.attachment(obj))
    if is_chosen(obj):
        return _standing_as_chosen(obj, skeleton, roles)
    if stands(skeleton, roles):
        return {}
    if found := raised(skeleton, roles):
        return found
    return jointed(skeleton, roles, as_in(_poses(obj, scene, skeleton), skeleton, roles)) or solved(
        skeleton, roles
    )


def _poses(obj: Object, scene: Scene, skeleton: Skeleton) -> Clip:
    """Return the character's own poses: those of its action if curves alone give them, else the current
    one."""
    data = obj.animation_data
    try:
        if data is not None and data.action is not None and is_told_by_curves(obj, scene):
            first, last = data.action.curve_frame_range  # a T-pose before the played range counts too
            count = int(np.clip(last - first + 1.0, 1.0, _MOST_FRAMES))
            return read_clip(bpy.context, obj, frames=np.linspace(first, last, count).round())
    except NeuraRigError:
        pass  # in Edit Mode, or shown at rest
    return _seen(obj, skeleton)


def as_posed(obj: Object, skeleton: Skeleton) -> Skeleton:
    """Return the skeleton in its current pose."""
    return _seen(obj, skeleton).read_as(skeleton).posed(0)


def _seen(obj: Object, skeleton: Skeleton) -> Clip:
    """Return the current pose as a clip of one frame."""
    return clip_of(obj, skeleton, *posed(obj, skeleton))


def is_chosen(obj: Object) -> bool:
    """Return whether a character has a reference pose of its own."""
    return bool(obj.neurarig.reference)


def choose(obj: Object, skeleton: Skeleton, roles: RoleMap) -> None:
    """Store a character's current pose as its reference; raises NeuraRigError if it does not stand in it."""
    record.require_free_for(obj, "")
    axes, heads = posed(obj, skeleton)
    if not (np.isfinite(axes).all() and np.isfinite(heads).all()):
        raise NeuraRigError(
            f"'{obj.name}' has bones without a valid pose. Clear its pose, and pose it again."
        )
    places = np.concatenate([axes, heads[:, :, None]], axis=-1)
    if not _as_in_pose(obj, skeleton, roles, places):
        raise NeuraRigError(
            f"'{obj.name}' does not stand in this pose. Pose it upright, both legs straight, and click Use"
            " Current Pose again."
        )
    obj.neurarig.reference = json.dumps(
        {name: place.ravel().tolist() for name, place in zip(skeleton.names, places, strict=True)}
    )


def clear(obj: Object) -> None:
    """Remove a character's reference pose."""
    record.require_free_for(obj, "")
    obj.neurarig.property_unset("reference")


def _standing_as_chosen(obj: Object, skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return how a character stands in its reference pose; raises NeuraRigError if that is damaged or the
    bones have changed."""
    chosen = parsed(obj.neurarig.reference)
    if not _IS_POSE(chosen):
        raise NeuraRigError(f"The reference pose of '{obj.name}' is damaged. {_AGAIN}")
    missing = next((name for name in skeleton.names if name not in chosen), None)
    if missing is not None:
        raise NeuraRigError(
            f"The reference pose of '{obj.name}' was chosen before it had the bone '{missing}'. {_AGAIN}"
        )
    places = np.array([chosen[name] for name in skeleton.names], dtype=float).reshape(-1, 3, 4)
    is_rigid = np.isfinite(places).all() and np.all(np.linalg.det(places[..., :3]) > RIGID)
    found = _as_in_pose(obj, skeleton, roles, places) if is_rigid else {}
    if not found:
        raise NeuraRigError(f"'{obj.name}' does not stand in its reference pose. {_AGAIN}")
    return found


def posed(obj: Object, skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Return orthonormal axes `(bones, 3, 3)` and heads `(bones, 3)` of the posed bones, in armature space.

    Raises NeuraRigError for a pose that is not made of numbers, which imported files may have.
    """
    rows = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
    found = pose_matrices(obj)[[rows[name] for name in skeleton.names]].astype(float)
    require_numbers(skeleton.names, found)
    axes = frame(found[:, :3, 1], found[:, :3, 2])[..., [2, 0, 1]]
    return without_gaps(axes[None], skeleton.rest[:, :3, :3])[0], found[:, :3, 3]


def shown_in(obj: Object, character: Character) -> tuple[np.ndarray, np.ndarray] | None:
    """Return how a character stands in the pose that is shown: where, in armature space `(4, 4)`, and how it
    leans; None if it does not."""
    bpy.context.view_layer.update()  # a script may have posed it just now
    skeleton, soles = character.skeleton, soles_stood(read_soles(obj, character.roles), character.standing)
    try:
        found = shown(
            character,
            _seen(obj, skeleton),
            {side: character.in_walk(skeleton.in_world(sole)) for side, sole in soles.items()},
        )
    except NeuraRigError:
        return None
    return found and (character.body.walk_to_armature @ found[0], found[1])


def clip_of(obj: Object, skeleton: Skeleton, axes: np.ndarray, heads: np.ndarray) -> Clip:
    """Return a pose, axes and heads of the rig's own bones in armature space, as a clip of one frame."""
    in_world = orthonormal(skeleton.to_world[:3, :3]) @ axes
    return Clip(
        obj.name,
        replace(skeleton, turned={}),
        1.0,
        np.zeros(1),
        in_world[None],
        skeleton.in_world(heads)[None],
    )


def _as_in_pose(obj: Object, skeleton: Skeleton, roles: RoleMap, places: np.ndarray) -> Standing:
    return jointed(
        skeleton, roles, as_in(clip_of(obj, skeleton, places[..., :3], places[..., 3]), skeleton, roles)
    )
