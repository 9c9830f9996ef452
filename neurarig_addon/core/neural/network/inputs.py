"""The pose network's inputs for a frame, independent of the figure's place, rotation and bone lengths.

The analytic pose, whose bones point where points show them, relative to the trunk (pelvis and chest as one),
and the noise in radians of
a bone's direction. So a pose that is turned, moved, scaled or put on other proportions gives the same
numbers.
"""

from typing import NamedTuple

import numpy as np

from ..analytic.anchor import Analytic
from ..analytic.network_body import NetworkBody
from ..analytic.noise import NOISE_WIDTH, TURN_WIDTH, Noise
from ..points import JOINTS, PARENTS, POINTS

JOINT_COUNT = len(JOINTS)
# A node's features, in order: what is shown, the guess, what is known of the noise, the previous pose and
# whether there is one.
SHOWN_WIDTH, GUESS_WIDTH, PREVIOUS_WIDTH = 13, 9, 4
NODE_WIDTH = SHOWN_WIDTH + GUESS_WIDTH + NOISE_WIDTH + PREVIOUS_WIDTH
# And those of the whole figure: what is shown of all joints, then what is known of the noise.
FIGURE_WIDTH = SHOWN_WIDTH * JOINT_COUNT + 2 * (len(POINTS) - 1)

_COLUMNS = 6  # numbers of an orientation: columns y and x
_HOLDERS = np.maximum(PARENTS[:JOINT_COUNT], 0)
_TWIST = 2  # the part of a turn that is about the bone
_LEAST_COSINE = 0.4  # least 2 + 2 cos of an angle: a turn of more than 143 degrees is shown as less


class PoseInputs(NamedTuple):
    """Frames as the network sees them.

    `nodes` `(f, SHOWN_WIDTH + GUESS_WIDTH, 22)`, float32: axes y, x of the analytic pose relative to the
    trunk, and relative to the joint
    that carries each (the pelvis: to itself); how free the twist is; the rest is left to the guess. `free`
    `(f, 4, 22)`, float32: 1, then
    how far the network may turn joints about the axes x, y, z of their bones. `previous` `(f, 22, 4)`,
    float32: the turn to the pose
    before about these axes, and 1 where there is one; None without any. `axes` `(f, 22, 3, 3)`: axes y, x, z
    of the analytic pose in
    rows, walk frame.  `turn` `(f, 3, 3)`: from the trunk to the walk frame.  `root` `(f, 3)`: the pelvis.
    """

    nodes: np.ndarray
    free: np.ndarray
    previous: np.ndarray | None
    axes: np.ndarray
    turn: np.ndarray
    root: np.ndarray


def read_inputs(
    body: NetworkBody, points: np.ndarray, noise: Noise, previous: np.ndarray | None = None
) -> PoseInputs:
    """Return the network's inputs for points `(f, 27, 3)` in metres.

    `previous` `(f, 22, 3, 3)`: the pose before, rotations from the reference pose; a frame of zeros has none.
    """
    solved = _analytic(body, points, noise)
    frames, axes = len(points), solved.axes
    shown = solved.twists_shown.reshape(frames, 1, -1).astype(np.float32)
    free = noise.free - (shown @ noise.twist_loss).reshape(frames, TURN_WIDTH, JOINT_COUNT)
    nodes = np.empty((frames, SHOWN_WIDTH + GUESS_WIDTH, JOINT_COUNT), np.float32)
    seen = (axes.reshape(frames, -1, 3) @ solved.trunk).reshape(frames, JOINT_COUNT, -1)
    held = axes[..., :2, :] @ axes.take(_HOLDERS, axis=1).swapaxes(-1, -2)
    nodes[:, :_COLUMNS] = seen[..., :_COLUMNS].swapaxes(-1, -2)
    nodes[:, _COLUMNS : 2 * _COLUMNS] = held.reshape(frames, JOINT_COUNT, _COLUMNS).swapaxes(-1, -2)
    nodes[:, 2 * _COLUMNS] = free[:, _TWIST]
    before = None if previous is None else _remembered(body, previous, axes)
    return PoseInputs(nodes, free, before, axes, solved.trunk, solved.root)


def _analytic(body: NetworkBody, points: np.ndarray, noise: Noise) -> Analytic:
    """Return the analytic pose of points, cleaned where they are noisy or missing."""
    if noise.cleaning is None:
        return body.anchor.solve(points, noise.weights, noise.bends)
    return body.anchor.solve(noise.cleaning.apply(points), None, noise.bends)


def _remembered(body: NetworkBody, previous: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return the turn from the analytic axes to the pose before, and 1 where there is one `(f, 22, 4)`,
    float32.

    As in the network's own turns: the imaginary part of the quaternion in units of the real part.
    """
    # body.back holds the frames transposed, so this is the former frame relative to the analytic one, axes x,
    # y, z of both.
    turn = axes[..., [1, 0, 2], :] @ (previous @ body.back.swapaxes(-1, -2))
    trace = np.trace(turn, axis1=-2, axis2=-1)
    found = np.empty((len(axes), JOINT_COUNT, PREVIOUS_WIDTH), np.float32)
    lower, upper = turn[..., [2, 0, 1], [1, 2, 0]], turn[..., [1, 2, 0], [2, 0, 1]]
    found[..., :3] = (lower - upper) / np.maximum(1.0 + trace, _LEAST_COSINE)[..., None]
    found[..., 3] = previous[:, :1, 0].any(axis=-1)
    return found
