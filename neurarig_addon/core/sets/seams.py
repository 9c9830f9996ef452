"""Poses where clips join: how unlike they are, and how a clip is eased over to the pose that it has to begin or end with."""

from dataclasses import replace

import numpy as np

from ..character.motion import Motion, Posed, RolePose
from ..easing import smootherstep
from ..geometry.rotation import part_way, transposed
from ..posing.rig_table import POLE

SEAM = 0.05  # degrees that a bone may be off where clips join
ALIKE_M = 1e-3  # and metres that the pelvis may be off


def unlike(pose: Posed, other: Posed, rows: np.ndarray | int = 0) -> np.ndarray:
    """Return by how many degrees the bones of each frame are turned from those of another pose's `rows` `(f,)`, seen from the root `(f,)`.

    A pelvis that is off by ALIKE_M counts as SEAM degrees.
    """
    away = pose.motions["pelvis"].position - other.motions["pelvis"].position[rows]
    worst = SEAM * np.linalg.norm(away, axis=-1) / ALIKE_M
    for role, motion in pose.motions.items():
        if not role.startswith(POLE):
            turn = transposed(motion.rotation) @ other.motions[role].rotation[rows]
            chord = np.linalg.norm(turn - np.eye(3), axis=(-2, -1)) / np.sqrt(8.0)
            worst = np.maximum(worst, 2.0 * np.degrees(np.arcsin(np.minimum(chord, 1.0))))
    return worst


def eased(pose: RolePose, begins: Posed | None, ends: Posed | None, frames: float) -> RolePose:
    """Return a pose that begins and ends as others of one frame do, where given; what it lacks is added over so many frames.

    For feet that stand where they should: they stay there, and the body above them shifts.
    """
    rows = np.arange(len(pose.frames))
    for other, row, away in ((begins, 0, rows), (ends, -1, rows[::-1])):
        if other is not None:
            share = 1.0 - smootherstep(away / frames)
            pose = replace(pose, motions={role: _eased(motion, other.motions[role], row, share) for role, motion in pose.motions.items()})
    return pose


def _eased(motion: Motion, other: Motion, row: int, share: np.ndarray) -> Motion:
    turn, way = other.rotation[0] @ motion.rotation[row].T, other.position[0] - motion.position[row]
    added = part_way(np.broadcast_to(np.eye(3), motion.rotation.shape), np.broadcast_to(turn, motion.rotation.shape), share)
    return replace(motion, rotation=added @ motion.rotation, position=motion.position + share[:, None] * way)
