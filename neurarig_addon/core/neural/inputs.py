"""What the pose network is shown of a frame, free of where the figure stands, how it is turned and how long its bones are.

Everything is seen from the trunk (pelvis and chest as one), every bone in its own length, the noise in radians of a bone's direction.
So a pose turned, moved, enlarged or put on other proportions shows the same numbers.
"""

from dataclasses import dataclass

import numpy as np

from .network_body import BENT_LIMBS, NetworkBody
from .points import JOINTS, PARENTS, POINTS, PRIMARY
from .triad import crossed

JOINT_COUNT = len(JOINTS)
BONE_COUNT = len(POINTS) - 1
# A node's features, in their order: what is shown, the guess, what is known of the noise, the previous pose and whether there is one.
SHOWN_WIDTH, GUESS_WIDTH, NOISE_WIDTH, PREVIOUS_WIDTH = 19, 6, 6, 7
NODE_WIDTH = SHOWN_WIDTH + GUESS_WIDTH + NOISE_WIDTH + PREVIOUS_WIDTH
# And those of the whole figure: bones and analytic pose, then what is known of the noise.
FIGURE_SHOWN_WIDTH = 3 * BONE_COUNT + 6 * JOINT_COUNT
FIGURE_WIDTH = FIGURE_SHOWN_WIDTH + 2 * BONE_COUNT
_BEND = SHOWN_WIDTH - 1

HIDDEN = 0.02  # a weight below this is none
_DOUBT = 0.03  # metres for a body of _TALL: a point of weight w errs by _DOUBT sqrt(1 / w - 1) besides the noise
_TALL = 1.75
_HALF_NOISE = 0.1  # noise in radians that the network sees as one half
_QUIET = 0.03  # noise in radians that ends the trust in what a bone shows
_SNAP = 0.003 / _TALL  # noise in body heights at which the network's own directions take over
# Bends: the noise that no motion capture is free of, and how far a twist that nothing shows is usually off, both in radians.
_FINEST, _USUAL_TWIST = 0.01, 0.2
_SPINE_TRUST = 0.15
_ANCHOR_START, _PREVIOUS_START = 4.0, -1.0
_LONGEST = 2.0  # of a bone's length: what points in another unit, or far off, are held at

_UPPER = BENT_LIMBS[[0, 2]].ravel()
_BENT, _LIMB = np.concatenate([_UPPER, BENT_LIMBS[[1, 3]].ravel()]), np.tile(np.arange(4), 2)
_ONES = np.ones((3, 1), np.float32)
_TRACE = np.float32(1e-4)
_PELVIS_POINTS = [0, 1, 2, 3]
_OUT = PRIMARY
# The bone after the one a joint carries; the pelvis' own (which no bone leads to, so zeros) where there is none.
_NEXT = np.where(PRIMARY < JOINT_COUNT, PRIMARY[np.minimum(PRIMARY, JOINT_COUNT - 1)], 0)


@dataclass(frozen=True, eq=False)
class Noise:
    """What is known beforehand of how exact a frame's points are: the same for all frames, or `(f, ...)`; float32.

    `weights` `(..., 27)` of the points.  `bend_trust` `(..., 6)` for the analytic solution.
    `nodes` `(..., 22, 6)`, `figure` `(..., 52)`: features.  `bend_noise` `(..., 4)`: squares of the sines of bends, of both legs and both
    arms, that tell half a twist.
    `gates` `(..., 22, 3)`: what speaks for the analytic solution, the guess and the previous pose before the network has looked.
    `snap`, `firm` `(..., 22, 1)`: how far the shown direction, and the whole analytic orientation, are taken as they are.
    `exact`: every point is seen without noise, or is an end whose absence moves nothing.
    """

    weights: np.ndarray
    bend_trust: np.ndarray
    nodes: np.ndarray
    figure: np.ndarray
    bend_noise: np.ndarray
    gates: np.ndarray
    snap: np.ndarray
    firm: np.ndarray
    exact: bool

    @classmethod
    def of(cls, body: NetworkBody, weights: np.ndarray, sigma: float | np.ndarray) -> "Noise":
        """Return the features of noise `sigma` (metres, one number or `(f,)`) on points of weights 0..1 `(27,)` or `(f, 27)`."""
        weights = np.where(weights < HIDDEN, 0.0, np.minimum(weights, 1.0))
        squares = variances(body, weights, sigma)
        shown = np.minimum(weights, weights[..., PARENTS]) * body.given > 0.0
        shown[..., 0] = False
        spread = np.sqrt(squares + squares[..., PARENTS])
        shown = np.broadcast_to(shown, spread.shape)
        angle = np.where(shown, spread / np.maximum(body.lengths, 1e-6), 0.0)
        loud = angle / (angle + _HALF_NOISE)
        quiet = np.where(shown, np.exp(-((angle / _QUIET) ** 2)), 0.0)
        snap = np.where(shown, np.exp(-((spread / (np.sqrt(2.0) * _SNAP * body.height)) ** 2)), 0.0)[..., PRIMARY]
        firm = np.zeros_like(snap)
        firm[..., 0] = body.firm_pelvis * np.exp(-squares[..., _PELVIS_POINTS].max(axis=-1) / (_SNAP * body.height) ** 2)
        trusted = quiet[..., _OUT]
        features = [shown, loud, quiet]
        nodes = [feature[..., rows] for rows in (_OUT, slice(0, JOINT_COUNT)) for feature in features]
        gates = np.stack([_ANCHOR_START * trusted, np.zeros_like(trusted), np.full_like(trusted, _PREVIOUS_START)], axis=-1)
        arrays = (
            weights,
            _bend_trust(angle, shown),
            np.stack(nodes, axis=-1),
            np.concatenate([shown[..., 1:], loud[..., 1:]], axis=-1),
            _bend_trust(angle, shown)[..., [0, 1, 4, 5]] ** 2,
            gates,
            snap[..., None],
            firm[..., None],
        )
        exact = bool(np.max(sigma) == 0.0 and weights[..., :JOINT_COUNT].min() == 1.0)
        return cls(arrays[0], arrays[1], *(np.ascontiguousarray(array, dtype=np.float32) for array in arrays[2:]), exact)


def variances(body: NetworkBody, weights: np.ndarray, sigma: float | np.ndarray) -> np.ndarray:
    """Return how far points `(..., 27)` are off along each axis, m^2: by the noise, and by doubt where their weight is less than one."""
    doubt = (_DOUBT * body.height / _TALL) ** 2 * (1.0 / np.maximum(weights, HIDDEN) - 1.0)
    return np.asarray(sigma, dtype=float)[..., None] ** 2 + doubt


def _bend_trust(angle: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """Return the sines of bends that tell half a twist `(..., 6)`: where noise makes the twist as uncertain as it is without it."""
    hip, knee, shoulder, elbow = (PRIMARY[rows] for rows in BENT_LIMBS)
    trust = np.full(angle.shape[:-1] + (6,), _SPINE_TRUST)
    for columns, upper, lower in ((slice(0, 2), hip, knee), (slice(4, 6), shoulder, elbow)):
        noise = np.hypot(angle[..., upper], angle[..., lower]) / _USUAL_TWIST
        trust[..., columns] = np.where(shown[..., upper] & shown[..., lower], np.hypot(noise, _FINEST), _SPINE_TRUST)
    return trust


@dataclass(frozen=True)
class PoseInputs:
    """Frames as the network sees them, float32 and seen from the trunk.

    `nodes` `(f, 22, SHOWN_WIDTH + GUESS_WIDTH)`, the last six columns left to the guess; `figure` `(f, FIGURE_SHOWN_WIDTH)`.
    Orientations as columns y, x of bone-aligned frames `(f, 22, 6)`: `analytic`, and `previous` with a seventh number, 1 where there is
    one; None without any.  `shown` `(f, 22, 3)`: directions of the bones.  `firm` `(f, 22, 1)`: how far the analytic orientation is taken
    as it is.  `turn` `(f, 3, 3)`: from the trunk to the walk frame.  `root` `(f, 3)`: the pelvis.
    """

    nodes: np.ndarray
    figure: np.ndarray
    analytic: np.ndarray
    previous: np.ndarray | None
    shown: np.ndarray
    firm: np.ndarray
    turn: np.ndarray
    root: np.ndarray


def read_inputs(body: NetworkBody, points: np.ndarray, noise: Noise, previous: np.ndarray | None = None) -> PoseInputs:
    """Return what the network is shown of points `(f, 27, 3)` in metres.

    `previous` `(f, 22, 3, 3)`: the pose before, away from the reference pose; a frame of zeros has none.
    """
    solved = body.anchor.solve(points, noise.weights, noise.bend_trust)
    frames, turn = len(points), solved.trunk
    figure = np.empty((frames, FIGURE_SHOWN_WIDTH), dtype=np.float32)
    vectors = np.minimum(np.maximum(body.bones @ solved.points @ turn, -_LONGEST), _LONGEST).astype(np.float32)
    analytic = _seen_columns(body, solved.rotations, turn)
    figure[:, : 3 * BONE_COUNT] = vectors[:, 1:].reshape(frames, -1)
    figure[:, 3 * BONE_COUNT :] = analytic.reshape(frames, -1)
    out, into = vectors.take(_OUT, axis=1), vectors[:, :JOINT_COUNT]
    bends = crossed(out, vectors.take(_NEXT, axis=1))
    nodes = np.empty((frames, JOINT_COUNT, SHOWN_WIDTH + GUESS_WIDTH), dtype=np.float32)
    nodes[..., 0:3] = out
    nodes[..., 3:6] = into
    nodes[..., 6:12] = analytic
    nodes[..., 12:15] = crossed(into, out)
    nodes[..., 15:18] = bends
    nodes[..., _BEND : _BEND + 1] = told = _told(bends, noise)
    firm = noise.snap * told
    firm += noise.firm
    # A bone whose ends coincide points where the analytic solution has it.
    shown = out + _TRACE * analytic[..., :3]
    shown /= np.sqrt((shown * shown) @ _ONES)
    before = None if previous is None else _remembered(body, previous, turn)
    return PoseInputs(nodes, figure, analytic, before, shown, firm, turn, solved.root)


def _told(bends: np.ndarray, noise: Noise) -> np.ndarray:
    """Return how far the twist of joints is told by a bend `(f, 22, 1)`: thighs, shins, upper arms, forearms; `bends` `(f, 22, 3)`."""
    bends = bends.take(_UPPER, axis=1)
    square = (bends * bends) @ _ONES
    found = np.zeros((len(bends), JOINT_COUNT, 1), np.float32)
    found[:, _BENT] = (square / (square + noise.bend_noise[..., None])).take(_LIMB, axis=1)
    return found


def _remembered(body: NetworkBody, previous: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the pose before as seen from the trunk, and 1 where there is one `(f, 22, 7)`, float32."""
    found = np.empty((len(turn), JOINT_COUNT, PREVIOUS_WIDTH), dtype=np.float32)
    found[..., :6] = _seen_columns(body, previous, turn)
    found[..., 6] = previous[:, :1, 0].any(axis=-1)
    return found


def _seen_columns(body: NetworkBody, rotations: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return columns y and x of the bone-aligned frames as seen from the trunk `(f, 22, 6)`, float32."""
    columns = body.aligned @ np.swapaxes(rotations, -1, -2) @ turn[:, None]
    return columns.reshape(len(rotations), JOINT_COUNT, 6).astype(np.float32)
