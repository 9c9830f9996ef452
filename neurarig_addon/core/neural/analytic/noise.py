"""The points' noise as the pose network gets it: in radians of a bone's direction, and how far to trust what
is shown."""

from dataclasses import dataclass

import numpy as np

from ..points import INDEX, JOINTS, PARENTS, PRIMARY
from .figure_filter import FigureFilter
from .figure_shape import FigureShape
from .network_body import BENT_LIMBS, NetworkBody

NOISE_WIDTH = 6  # features of a node; those of the whole figure are two for each bone
HIDDEN = 0.02  # a weight below this counts as 0
_TALL = 1.75  # metres: the height of the body that lengths below are given for
_DOUBT = 0.03 / _TALL  # heights, times sqrt(1 / w - 1): error of a point of weight w besides the noise
_SNAP = 0.003 / _TALL  # noise in heights at which the network's own directions take over from what is shown
_HALF_NOISE = 0.1  # noise in radians that the network sees as one half
_FREEDOM = 2.0  # times a bone's uncertainty so seen: from 1 on the network turns it freely
_QUIET = 0.03  # noise in radians at which the trust in what a bone shows fades out
# Bends: the noise that no motion capture is free of, and the usual error of a twist that nothing shows, both
# in radians.
_FINEST, _USUAL_TWIST = 0.01, 0.2
_SPINE_TRUST = 0.15  # sine of the bend that shows half a twist of the spine, or of a limb that is not seen
_CLEANED = 0.75  # share of the noise that cleaning leaves
_SHORTEST = 1e-6  # metres
_PELVIS_POINTS = [INDEX[name] for name in ("pelvis", "hip.L", "hip.R", "spine1")]
# A turn has a real part and those about x, y and z. Then the columns of the anchor's `twists_shown` for
# limbs' upper and lower joints.
TURN_WIDTH = 4
_ABOUT_Y = 2
_TWISTS = 6
_TWIST_COLUMNS = ((BENT_LIMBS[:2], (0, 1)), (BENT_LIMBS[2:], (4, 5)))


@dataclass(frozen=True, eq=False)
class Noise:
    """What is known beforehand of the noise of a frame's points: the same for all frames, or for each.

    `weights` `(..., 27)` of the points.  `bends` `(f, 6, 3)`, or 1 for all, for the analytic solution.
    For the network, float32, with the frames first or 1 for all:
    `nodes` `(f, 22, 6)`, `figure` `(f, 52)`: features: which bones are shown, how uncertain they are once the
    points are cleaned, and how
    exact they are as shown. `free` `(f, 4, 22)`: 1, then how far the network may turn joints about the axes
    x, y, z of their bones;
    `twist_loss` `(f, 6, 88)`: how much of that a twist loses as the anchor's `twists_shown` shows it.
    `cleaning`: of the points, None if every joint is seen without noise.
    """

    weights: np.ndarray
    bends: np.ndarray
    nodes: np.ndarray
    figure: np.ndarray
    free: np.ndarray
    twist_loss: np.ndarray
    cleaning: FigureFilter | None

    @classmethod
    def of(
        cls,
        body: NetworkBody,
        shape: FigureShape,
        weights: np.ndarray,
        sigma: float | np.ndarray,
        around: np.ndarray | None = None,
    ) -> "Noise":
        """Return the features of noise `sigma` (metres, one number or `(f,)`) on points of weights 0..1
        `(27,)` or `(f, 27)`.

        `around` `(27, 3)`: the pose in which they are moved (`FigureFilter.of`).
        """
        weights = np.where(weights < HIDDEN, 0.0, np.minimum(weights, 1.0))
        squares = variances(body, weights, sigma)
        spread = np.sqrt(squares + squares[..., PARENTS])
        shown = np.broadcast_to(np.minimum(weights, weights[..., PARENTS]) * body.given > 0.0, spread.shape)
        angle = np.where(shown, spread / np.maximum(body.lengths, _SHORTEST), 0.0)
        likely = FigureFilter.of(shape, body, weights, squares, around)
        doubt = np.sqrt(2.0 * likely.left) / np.maximum(body.lengths, _SHORTEST) * body.given
        loud = doubt / (doubt + _HALF_NOISE)
        quiet = shown * np.exp(-((angle / _QUIET) ** 2))
        nodes = [
            feature[..., rows]
            for rows in (PRIMARY, slice(0, len(JOINTS)))
            for feature in (shown, loud, quiet)
        ]
        limit = _SNAP * body.height
        snap = shown * np.exp(-((spread / limit) ** 2) / 2.0)
        firm = np.zeros(shown.shape[:-1] + (len(JOINTS),))
        firm[..., 0] = body.firm_pelvis * np.exp(-squares[..., _PELVIS_POINTS].max(axis=-1) / limit**2)
        free, twist_loss = _freedom(body, loud[..., PRIMARY], snap[..., PRIMARY], firm)
        exact = np.max(sigma) == 0.0 and weights[..., : len(JOINTS)].min() == 1.0
        return cls(
            weights=weights,
            bends=_bends(_CLEANED * angle, shown),
            nodes=_single(np.stack(nodes, axis=-1), 3),
            figure=_single(np.concatenate([shown[..., 1:], loud[..., 1:]], axis=-1), 2),
            free=_single(free, 3),
            twist_loss=_single(twist_loss, 3),
            cleaning=None if exact else likely,
        )


def variances(body: NetworkBody, weights: np.ndarray, sigma: float | np.ndarray) -> np.ndarray:
    """Return the variance of points `(..., 27)` along each axis, m^2: of the noise, and of doubt where their
    weight is less than 1."""
    doubt = (_DOUBT * body.height) ** 2 * (1.0 / np.maximum(weights, HIDDEN) - 1.0)
    return np.asarray(sigma, dtype=float)[..., None] ** 2 + doubt


def _bends(angle: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """Return the squared sines of bends that determine half a twist `(f, 6, 3)`, or 1 for all: those at which
    noise makes the twist as uncertain as it is without the bend."""
    hip, knee, shoulder, elbow = (PRIMARY[rows] for rows in BENT_LIMBS)
    trust = np.full(angle.shape[:-1] + (6,), _SPINE_TRUST)
    for columns, upper, lower in ((slice(0, 2), hip, knee), (slice(4, 6), shoulder, elbow)):
        noise = np.hypot(angle[..., upper], angle[..., lower]) / _USUAL_TWIST
        trust[..., columns] = np.where(
            shown[..., upper] & shown[..., lower], np.hypot(noise, _FINEST), _SPINE_TRUST
        )
    return np.repeat(np.square(trust)[..., None], 3, axis=-1).reshape(-1, trust.shape[-1], 3)


def _freedom(
    body: NetworkBody, loud: np.ndarray, snap: np.ndarray, firm: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return `free` `(..., 4, 22)` and `twist_loss` `(..., 6, 88)`, from uncertainty, snap and firmness of
    the joints `(..., 22)`.

    A bone swings as far as it is uncertain, the pelvis also if it has no bone of its own; a twist is free
    where nothing shows it.
    """
    uncertain = np.minimum(_FREEDOM * loud, 1.0)
    swing = uncertain * (1.0 - snap)
    swing[..., 0] = np.where(body.given[PRIMARY[0]], swing[..., 0], 1.0)
    swing *= 1.0 - firm
    free = np.stack([np.ones(firm.shape), swing, 1.0 - firm, swing], axis=-2)
    twist_loss = np.zeros((*firm.shape[:-1], _TWISTS, TURN_WIDTH, len(JOINTS)))
    for joints, rows in _TWIST_COLUMNS:
        for row, side in zip(rows, joints.T, strict=True):
            twist_loss[..., row, _ABOUT_Y, side] = 1.0 - uncertain[..., side]
    return free, twist_loss.reshape(*firm.shape[:-1], _TWISTS, -1)


def _single(array: np.ndarray, rank: int) -> np.ndarray:
    return np.ascontiguousarray(array.reshape(-1, *array.shape[array.ndim - rank + 1 :]), dtype=np.float32)
