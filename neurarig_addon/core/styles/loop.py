"""Loops: a clip of one cycle is repeated until it contains whole strides."""

from collections.abc import Mapping

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import part_way, transposed

LONGEST_S = 4.0  # seconds: longer clips contain whole strides anyway
ALIKE = np.radians(8.0)  # RMS rotation of the bones between the last and the first pose
LEVEL = 0.05  # leg lengths that the hips may differ in height
TIMES = 4


def as_long(motions: Mapping[str, Motion], fps: float, leg_length: float) -> Mapping[str, Motion]:
    """Return motions repeated, with their travel, if their last pose is their first; others unchanged."""
    pelvis = motions["pelvis"].position
    count = len(pelvis)
    if count < 4 or (count - 1) / fps > LONGEST_S:
        return motions
    turns = [transposed(motion.rotation[0]) @ motion.rotation[-1] for motion in motions.values()]
    angles = [np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0)) for turn in turns]
    if np.sqrt(np.mean(np.square(angles))) > ALIKE or abs(pelvis[-1, 2] - pelvis[0, 2]) > LEVEL * leg_length:
        return motions
    return {role: _repeated(motion, pelvis[-1] - pelvis[0]) for role, motion in motions.items()}


def _repeated(motion: Motion, way: np.ndarray) -> Motion:
    """Return a motion repeated: the last pose is the first of the next round, with their difference spread over the round."""
    count = len(motion.position) - 1
    share = np.arange(count) / count
    place = motion.position[:-1] - share[:, None] * (motion.position[-1] - motion.position[0] - way)
    closes = transposed(motion.rotation[0]) @ motion.rotation[-1]
    still = np.broadcast_to(np.eye(3), (count, 3, 3))
    rotation = motion.rotation[:-1] @ transposed(part_way(still, np.broadcast_to(closes, (count, 3, 3)), share))
    rounds = np.repeat(np.arange(TIMES), count)[:, None]
    return Motion(np.tile(rotation, (TIMES, 1, 1)), np.tile(place, (TIMES, 1)) + rounds * way, motion.rest)
