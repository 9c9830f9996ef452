"""How an armature's character stands: as it rests, or as core/standing_pose finds where the rest pose does not stand.

What was found when the character was attached stays, whatever it is posed like since.
"""

from dataclasses import replace

import bpy
import numpy as np

from ...core.errors import NeuraRigError
from ...core.geometry.rotation import frame, orthonormal
from ...core.skeleton.clip import Clip
from ...core.skeleton.roles import RoleMap
from ...core.skeleton.skeleton import Skeleton
from ...core.skeleton.standing_pose import Standing, as_in, raised, stands
from ..animation.seen_pose import pose_matrices
from . import record
from .controls.attachment import standing_in
from .read_clip import is_told_by_curves, read_clip

MOST_FRAMES = 120  # of a clip that are looked at


def standing_of(obj: bpy.types.Object, scene: bpy.types.Scene, skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return how a character stands; nothing where its rest pose does, or where neither that nor any pose at hand can be made to."""
    if record.is_attached(obj):
        return standing_in(record.attachment(obj))
    if stands(skeleton, roles):
        return {}
    return raised(skeleton, roles) or as_in(_poses(obj, scene, skeleton), skeleton, roles)


def _poses(obj: bpy.types.Object, scene: bpy.types.Scene, skeleton: Skeleton) -> Clip:
    """Return the character's own poses: those of its action where curves alone tell them, else the one that is seen."""
    data = obj.animation_data
    try:
        if data is not None and data.action is not None and is_told_by_curves(obj, scene):
            first, last = data.action.curve_frame_range  # a T before the range that is played counts too
            count = int(np.clip(last - first + 1.0, 1.0, MOST_FRAMES))
            return read_clip(bpy.context, obj, frames=np.linspace(first, last, count).round())
    except NeuraRigError:
        pass  # in Edit Mode, or shown at rest
    return _seen(obj, skeleton)


def as_posed(obj: bpy.types.Object, skeleton: Skeleton) -> Skeleton:
    """Return the skeleton as its bones are posed now."""
    axes, heads = _posed(obj, skeleton)
    rest = skeleton.rest.copy()
    rest[:, :3, :3], rest[:, :3, 3] = axes, heads
    return replace(skeleton, rest=rest)


def _seen(obj: bpy.types.Object, skeleton: Skeleton) -> Clip:
    """Return the pose that is seen as a clip of one frame."""
    axes, heads = _posed(obj, skeleton)
    in_world = orthonormal(skeleton.to_world[:3, :3]) @ axes
    return Clip(obj.name, skeleton, 1.0, np.zeros(1), in_world[None], skeleton.in_world(heads)[None])


def _posed(obj: bpy.types.Object, skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Return orthonormal axes `(bones, 3, 3)` and heads `(bones, 3)` of the bones as they are posed, in armature space."""
    rows = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
    found = pose_matrices(obj)[[rows[name] for name in skeleton.names]].astype(float)
    return frame(found[:, :3, 1], found[:, :3, 2])[..., [2, 0, 1]], found[:, :3, 3]
