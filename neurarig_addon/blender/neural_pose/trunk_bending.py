"""Measuring how a rig's own trunk bends: its chest is rotated every way and observed relative to the pelvis."""

from collections.abc import Callable

import numpy as np

from ...core.character.motion import RolePose
from ...core.controls.tryout import Bending, Tryout
from ...core.geometry.rotation import from_axis_angle, orthonormal, transposed
from ...core.neural.point_body import PointBody
from ...core.neural.points import INDEX, PARENTS
from ...core.posing.trunk_bend import TrunkBend
from ...core.skeleton.roles import SPINE

_WAYS = 20  # axes, spread evenly over a sphere
_ANGLES = np.radians([25.0, 65.0])
_MIXED = np.random.default_rng(0).permutation(_WAYS * len(_ANGLES))
_AGREES = 2e-4  # leg lengths: how closely most of the bends must predict the others


def trunk_bending(body: PointBody, tryout: Callable[[TrunkBend], Tryout]) -> Bending:
    """Return how to measure the bend of a trunk whose spine has one posed bone; `tryout`: what is tried afterwards."""
    turns = np.concatenate([from_axis_angle(_spread(_WAYS), np.full(_WAYS, angle)) for angle in _ANGLES])[_MIXED]
    joints = np.tile(np.eye(3), (len(turns), len(body.turns), 1, 1))
    joints[:, [joint for joint in range(len(body.turns)) if _is_above(joint, INDEX["spine1"])]] = turns[:, None]
    motions = body.motions(joints, np.tile(body.rest[0], (len(turns), 1)))
    pose = RolePose.standing(np.arange(1.0, len(turns) + 1.0), motions)
    return Bending(pose, lambda matrices: _seen(body, matrices), tryout)


def _seen(body: PointBody, matrices: np.ndarray) -> TrunkBend | None:
    """Return how a trunk bends, from its bones' matrices `(f, bones, 4, 4)` in armature space; None if they do not determine it."""
    character = body.character
    frame, chest = character.body.walk_to_armature, next(role for role in body.tree.roles if role.split(".")[0] == SPINE)
    axes, back = orthonormal(frame[:3, :3]), np.linalg.inv(frame)
    turns, heads = [], []
    for role in ("pelvis", chest):
        row = character.row(role)
        turns.append(axes.T @ orthonormal(matrices[:, row, :3, :3]) @ character.skeleton.rest[row, :3, :3].T @ axes)
        heads.append(matrices[:, row, :3, 3] @ back[:3, :3].T + back[:3, 3])
    turned = transposed(turns[0]) @ turns[1]
    arm = (transposed(turns[0]) @ (heads[1] - heads[0])[..., None])[..., 0]
    shift = arm - (character.rest_head(chest) - character.rest_head("pelvis"))
    return TrunkBend.seen(turned, shift, _AGREES * character.body.leg_length)


def _is_above(joint: int, lowest: int) -> bool:
    while joint > lowest:
        joint = int(PARENTS[joint])
    return joint == lowest


def _spread(count: int) -> np.ndarray:
    """Return directions `(count, 3)` spread evenly over a sphere, on a spiral of golden angles."""
    rows = np.arange(count) + 0.5
    height, angle = 1.0 - 2.0 * rows / count, np.pi * (1.0 + np.sqrt(5.0)) * rows
    flat = np.sqrt(1.0 - height * height)
    return np.stack([flat * np.cos(angle), flat * np.sin(angle), height], axis=1)
