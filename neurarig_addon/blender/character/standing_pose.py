"""How an armature's character stands: in its reference pose, at rest, or as core/standing_pose finds where the rest pose does not stand.

What was found when the character was attached stays, whatever it is posed like since.
"""

from dataclasses import replace

import bpy
import numpy as np

from ...core.errors import NeuraRigError
from ...core.skeleton.clip import Clip
from ...core.skeleton.roles import RoleMap
from ...core.skeleton.skeleton import Skeleton
from ...core.skeleton.standing_pose import Standing, as_in, raised, stands
from . import record, reference_pose
from .controls.attachment import standing_in
from .read_clip import is_told_by_curves, read_clip

MOST_FRAMES = 120  # of a clip that are looked at


def standing_of(obj: bpy.types.Object, scene: bpy.types.Scene, skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return how a character stands; nothing where its rest pose does, or where neither that nor any pose at hand can be made to.

    Raises NeuraRigError where it has a reference pose and does not stand in it.
    """
    if record.is_attached(obj):
        return standing_in(record.attachment(obj))
    if reference_pose.is_chosen(obj):
        return reference_pose.standing_in(obj, skeleton, roles)
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
    axes, heads = reference_pose.posed(obj, skeleton)
    rest = skeleton.rest.copy()
    rest[:, :3, :3], rest[:, :3, 3] = axes, heads
    return replace(skeleton, rest=rest)


def _seen(obj: bpy.types.Object, skeleton: Skeleton) -> Clip:
    """Return the pose that is seen as a clip of one frame."""
    return reference_pose.clip_of(obj, skeleton, *reference_pose.posed(obj, skeleton))
