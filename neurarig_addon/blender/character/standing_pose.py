"""How a character stands: in its reference pose, at rest, or as core/standing_pose finds if the rest pose does not stand.

What was found when the character was attached is kept, whatever its pose since.
"""

from dataclasses import replace

import bpy
import numpy as np

from ...core.errors import NeuraRigError
from ...core.skeleton.clip import Clip
from ...core.skeleton.roles import RoleMap
from ...core.skeleton.skeleton import Skeleton
from ...core.skeleton.solved_stand import solved
from ...core.skeleton.standing_pose import Standing, as_in, raised, stands
from . import record, reference_pose
from .controls.attachment import standing_in
from .read_clip import is_told_by_curves, read_clip

MOST_FRAMES = 120  # most frames of a clip examined


def standing_of(obj: bpy.types.Object, scene: bpy.types.Scene, skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return how a character stands; empty if its rest pose does, or if no available pose stands either.

    Raises NeuraRigError if it has a reference pose and does not stand in it.
    """
    if record.is_attached(obj):
        return standing_in(record.attachment(obj))
    if reference_pose.is_chosen(obj):
        return reference_pose.standing_in(obj, skeleton, roles)
    if stands(skeleton, roles):
        return {}
    return raised(skeleton, roles) or as_in(_poses(obj, scene, skeleton), skeleton, roles) or solved(skeleton, roles)


def _poses(obj: bpy.types.Object, scene: bpy.types.Scene, skeleton: Skeleton) -> Clip:
    """Return the character's own poses: those of its action if curves alone give them, else the current one."""
    data = obj.animation_data
    try:
        if data is not None and data.action is not None and is_told_by_curves(obj, scene):
            first, last = data.action.curve_frame_range  # a T-pose before the played range counts too
            count = int(np.clip(last - first + 1.0, 1.0, MOST_FRAMES))
            return read_clip(bpy.context, obj, frames=np.linspace(first, last, count).round())
    except NeuraRigError:
        pass  # in Edit Mode, or shown at rest
    return _seen(obj, skeleton)


def as_posed(obj: bpy.types.Object, skeleton: Skeleton) -> Skeleton:
    """Return the skeleton in its current pose."""
    axes, heads = reference_pose.posed(obj, skeleton)
    rest = skeleton.rest.copy()
    rest[:, :3, :3], rest[:, :3, 3] = axes, heads
    return replace(skeleton, rest=skeleton.as_read(rest))


def _seen(obj: bpy.types.Object, skeleton: Skeleton) -> Clip:
    """Return the current pose as a clip of one frame."""
    return reference_pose.clip_of(obj, skeleton, *reference_pose.posed(obj, skeleton))
