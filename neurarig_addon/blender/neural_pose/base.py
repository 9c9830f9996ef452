"""The pose in which a character's targets were made, stored as text in the file."""

import json
from collections.abc import Mapping

import bpy
import numpy as np

from ...core.character.motion import Motion
from ...core.geometry.rotation import from_quaternion, to_quaternion
from ...core.neural.points import JOINTS, POINTS
from ..character.stored import parsed
from .rig import PosedRig
from .solve import PointTrust


def remember(obj: bpy.types.Object, rig: PosedRig, motions: Mapping[str, Motion]) -> None:
    """Store a pose, one frame, as the one in which targets are moved from now on."""
    turns = to_quaternion(rig.body.rotations(motions)[0])
    obj.neurarig.neural_pose.base = json.dumps({"turns": turns.round(7).tolist(), "points": rig.body.points(motions)[0].round(7).tolist()})


def trust_over_base(obj: bpy.types.Object, rig: PosedRig, trust: PointTrust) -> PointTrust:
    """Return the trust in targets that are moved in the stored pose; unchanged if there is none, or it is not to be kept."""
    own = obj.neurarig.neural_pose
    if not own.keep_base or not own.base:
        return trust
    stored = parsed(own.base)
    try:
        turns, points = (np.array(stored[key], dtype=float) for key in ("turns", "points"))
    except (ValueError, LookupError, TypeError, OverflowError):  # a file may hold anything
        return trust
    if turns.shape != (len(JOINTS), 4) or points.shape != (len(POINTS), 3) or not (np.isfinite(turns).all() and np.isfinite(points).all()):
        return trust
    length = np.linalg.norm(turns, axis=-1, keepdims=True)
    return trust.over(rig, from_quaternion(turns / np.where(length > 0.0, length, 1.0)), points)
