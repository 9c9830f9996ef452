"""What the pose network is shown of a frame, free of where the figure stands, how it is turned and how long its bones are.

Everything is seen from the trunk (pelvis and chest as one), every bone in its own length, the noise in radians of a bone's direction.
So a pose turned, moved, enlarged or put on other proportions shows the same numbers.
"""

from dataclasses import dataclass

import numpy as np

from ..analytic.anchor import Analytic
from ..analytic.network_body import BENT_LIMBS, NetworkBody
from ..analytic.noise import ABOUT_BONE, NOISE_WIDTH, Noise
from ..geometry.vectors import crossed, lengths
from ..points import JOINTS, POINTS, PRIMARY

JOINT_COUNT = len(JOINTS)
BONE_COUNT = len(POINTS) - 1
# A node's features, in their order: what is shown, the guess, what is known of the noise, the previous pose and whether there is one.
SHOWN_WIDTH, GUESS_WIDTH, PREVIOUS_WIDTH = 19, 6, 7
NODE_WIDTH = SHOWN_WIDTH + GUESS_WIDTH + NOISE_WIDTH + PREVIOUS_WIDTH
# And those of the whole figure: bones and analytic pose, then what is known of the noise.
FIGURE_SHOWN_WIDTH = 3 * BONE_COUNT + 6 * JOINT_COUNT
FIGURE_WIDTH = FIGURE_SHOWN_WIDTH + 2 * BONE_COUNT

_LONGEST = np.array(2.0, np.float32)  # of a bone's length: what points in another unit, or far off, are held at
_TRACE = np.array(1e-4, np.float32)
# Which joint's second bend tells each joint's twist: the upper one's of its limb, its own.
_UPPER = np.arange(JOINT_COUNT)
_UPPER[BENT_LIMBS[[1, 3]]] = BENT_LIMBS[[0, 2]]
_TELLING = 2 * _UPPER + 1
# The bone after the one a joint carries; the pelvis' own (which no bone leads to, so zeros) where there is none.
_NEXT = np.where(PRIMARY < JOINT_COUNT, PRIMARY[np.minimum(PRIMARY, JOINT_COUNT - 1)], 0)
# Bones of each joint, two and two: the one that it carries and the one into it; and which bend into which, the latter into the former and
# the former into the next.
_OUT_AND_INTO = np.stack([PRIMARY, np.arange(JOINT_COUNT)], axis=-1).ravel()
_BEFORE_BEND = np.stack([np.arange(JOINT_COUNT), PRIMARY], axis=-1).ravel()
_AFTER_BEND = np.stack([PRIMARY, _NEXT], axis=-1).ravel()
_Y = np.arange(3)
_SUMS = np.ones((3, 6), np.float32)
_ABOUT_BONE = np.tile(ABOUT_BONE, (1, JOINT_COUNT, 1))
_ONE = np.ones((), np.float32)


@dataclass(frozen=True)
class PoseInputs:
    """Frames as the network sees them, float32 and seen from the trunk.

    `nodes` `(f, 22, SHOWN_WIDTH + GUESS_WIDTH)`, the last six columns left to the guess; `figure` `(f, FIGURE_SHOWN_WIDTH)`.
    Orientations as columns y, x of bone-aligned frames `(f, 22, 6)`: `analytic`, and `previous` with a seventh number, 1 where there is
    one; None without any.  `shown` `(f, 22, 3)`: directions of the bones.  `firm` `(f, 22, 6)`: how far the analytic orientation is taken
    as it is, `free` `(f, 22, 6)`: how far the network may depart from it.  `turn` `(f, 3, 3)`: from the trunk to the walk frame.  `root`
    `(f, 3)`: the pelvis.
    """

    nodes: np.ndarray
    figure: np.ndarray
    analytic: np.ndarray
    previous: np.ndarray | None
    shown: np.ndarray
    firm: np.ndarray
    free: np.ndarray
    turn: np.ndarray
    root: np.ndarray


def read_inputs(body: NetworkBody, points: np.ndarray, noise: Noise, previous: np.ndarray | None = None) -> PoseInputs:
    """Return what the network is shown of points `(f, 27, 3)` in metres.

    `previous` `(f, 22, 3, 3)`: the pose before, away from the reference pose; a frame of zeros has none.
    """
    solved = _analytic(body, points, noise)
    frames, turn = len(points), solved.trunk
    vectors = (body.bones @ solved.points @ turn).astype(np.float32)
    np.minimum(np.maximum(vectors, -_LONGEST, out=vectors), _LONGEST, out=vectors)
    analytic = _seen_columns(solved.axes, turn)
    figure = np.empty((frames, FIGURE_SHOWN_WIDTH), dtype=np.float32)
    figure[:, : 3 * BONE_COUNT] = vectors[:, 1:].reshape(frames, -1)
    figure[:, 3 * BONE_COUNT :] = analytic.reshape(frames, -1)
    bends = crossed(vectors.take(_BEFORE_BEND, axis=1), vectors.take(_AFTER_BEND, axis=1))
    told = _told(bends, noise)
    nodes = np.empty((frames, JOINT_COUNT, SHOWN_WIDTH + GUESS_WIDTH), dtype=np.float32)
    nodes[..., 0:6] = vectors.take(_OUT_AND_INTO, axis=1).reshape(frames, JOINT_COUNT, 6)
    nodes[..., 6:12] = analytic
    nodes[..., 12:18] = bends.reshape(frames, JOINT_COUNT, 6)
    nodes[..., 18] = told[..., 0]
    free = np.minimum(noise.free - told * _ABOUT_BONE, _ONE)
    told *= noise.snap
    told += noise.firm
    # A bone whose ends coincide points where the analytic solution has it.
    shown = _TRACE * analytic.take(_Y, axis=-1)
    shown += vectors.take(PRIMARY, axis=1)
    shown /= lengths(shown)
    before = None if previous is None else _remembered(body, previous, turn)
    return PoseInputs(nodes, figure, analytic, before, shown, told, free, turn, solved.root)


def _analytic(body: NetworkBody, points: np.ndarray, noise: Noise) -> Analytic:
    """Return the analytic pose of points, cleaned where they are noisy or missing."""
    if noise.cleaning is None:
        return body.anchor.solve(points, noise.weights, noise.bend_trust)
    return body.anchor.solve(noise.cleaning.apply(points), None, noise.bend_trust)


def _told(bends: np.ndarray, noise: Noise) -> np.ndarray:
    """Return how far the twist of joints is told by a bend `(f, 22, 6)`: thighs, shins, upper arms, forearms; `bends` `(f, 44, 3)`."""
    square = ((bends * bends) @ _SUMS).take(_TELLING, axis=1)
    return square / (square + noise.bend_noise)


def _remembered(body: NetworkBody, previous: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the pose before as seen from the trunk, and 1 where there is one `(f, 22, 7)`, float32."""
    found = np.empty((len(turn), JOINT_COUNT, PREVIOUS_WIDTH), dtype=np.float32)
    found[..., :6] = _seen_columns(body.aligned @ np.swapaxes(previous, -1, -2), turn)
    found[..., 6] = previous[:, :1, 0].any(axis=-1)
    return found


def _seen_columns(axes: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return axes y and x, the first in rows `(f, 22, n, 3)`, as seen from the trunk `(f, 22, 6)`, float32."""
    seen = axes.reshape(len(axes), -1, 3) @ turn
    return seen.reshape(len(axes), JOINT_COUNT, -1)[..., :6].astype(np.float32)
