"""Noise taken out of the trunk, which hardly bends: where its points most likely are, given what recorded people's trunks do.

Pelvis, hips, spine, neck, collars and shoulders together depart from their places in the reference pose by a few centimetres, and nearly
all of that along a few directions.  So eleven noisy points tell the trunk's shape and place far better than each tells its own: the
Kalman update of a linear Gaussian model, one product with a matrix that depends on the body, on the noise and on what is missing.

In the trunk's own frame, lengths in body heights: d are the points' departures from the reference pose's trunk, Gaussian with the
recorded mean m and covariance S, plus any small rigid motion J (six directions, as free as can be, because the frame itself was read from
noisy points); seen is y = d + noise N.  Then  d = m + G (y - m),  G = S' (S' + N)^-1,  S' = S + J J'.
"""

from dataclasses import dataclass

import numpy as np

from ..rotation import cross_matrix
from .points import INDEX
from .triad import nearest_rotation

TRUNK = np.array(
    [INDEX[name] for name in ("pelvis", "hip.L", "hip.R", "spine1", "spine2", "spine3", "neck", "collar.L", "collar.R")]
    + [INDEX["shoulder.L"], INDEX["shoulder.R"]]
)
_FINEST = 1e-5  # heights: the noise of points that are called exact
_UNSEEN = 1e3  # heights: the noise of a missing point
_HIDDEN = 0.02  # a weight below this is none
_TINY = 1e-9


@dataclass(frozen=True)
class TrunkShape:
    """How recorded trunks depart from their reference pose: `mean` `(33,)`, `covariance` `(33, 33)`, in body heights."""

    mean: np.ndarray
    covariance: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, rests: np.ndarray, heights: np.ndarray) -> "TrunkShape":
        """Return the shape of recorded points `(n, 27, 3)` on bodies whose reference poses are `rests` `(n, 27, 3)`, `heights` `(n,)`."""
        seen, known = (part - part.mean(axis=1, keepdims=True) for part in (points[:, TRUNK], rests[:, TRUNK]))
        turn = nearest_rotation(np.swapaxes(seen, 1, 2) @ known)
        away = ((seen @ turn - known) / heights[:, None, None]).reshape(len(points), -1)
        mean = away.mean(axis=0)
        return cls(mean, (away - mean).T @ (away - mean) / len(away))


@dataclass(frozen=True)
class TrunkFilter:
    """The update for one body, for the noise and the seen points of all frames or of each; build it with `of` and keep it.

    `centre` `(..., 1, 11)`: weights of the trunk's middle.  `gain` `(..., 33, 33)`, `constant` `(..., 1, 33)`: from seen places, in rows,
    to likely ones, metres.
    """

    centre: np.ndarray
    gain: np.ndarray
    constant: np.ndarray

    @classmethod
    def of(cls, shape: TrunkShape, rest: np.ndarray, height: float, weights: np.ndarray, sigma: float | np.ndarray) -> "TrunkFilter":
        """Return the update for a body with reference pose `rest` `(27, 3)` metres, points of `weights` 0..1 `(..., 27)` and noise `sigma`.

        `sigma`: metres, one number or `(...)`.
        """
        weights = np.where(weights[..., TRUNK] < _HIDDEN, 0.0, weights[..., TRUNK])
        centre = (weights + _TINY) / (weights + _TINY).sum(axis=-1, keepdims=True)
        known = rest[TRUNK] - (centre @ rest[TRUNK])[..., None, :]
        rigid = np.concatenate([np.broadcast_to(np.eye(3), known.shape + (3,)), -cross_matrix(known / height)], axis=-1)
        rigid = rigid.reshape(known.shape[:-2] + (-1, 6))
        spread = shape.covariance + rigid @ np.swapaxes(rigid, -1, -2)
        finest = np.maximum(np.asarray(sigma)[..., None] / height, _FINEST)
        noise = np.where(weights > 0.0, finest**2 / np.maximum(weights, _HIDDEN), _UNSEEN**2)
        back = np.linalg.solve(spread + np.repeat(noise, 3, axis=-1)[..., None] * np.eye(3 * len(TRUNK)), spread)
        usual = known.reshape(known.shape[:-2] + (1, -1)) + height * shape.mean
        return cls(centre[..., None, :], np.ascontiguousarray(back), usual - usual @ back)

    def apply(self, points: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Return points `(f, 27, 3)` with those of the trunk where they most likely are, missing ones too.

        `points`: finite, whatever a missing one is.  `turn` `(f, 3, 3)`: roughly how the trunk is turned away from the reference pose.
        """
        trunk = points[:, TRUNK]
        middle = self.centre @ trunk
        seen = ((trunk - middle) @ turn).reshape(len(points), 1, -1)
        likely = (seen @ self.gain + self.constant).reshape(trunk.shape)
        found = np.array(points)
        found[:, TRUNK] = likely @ np.swapaxes(turn, -1, -2) + middle
        return found
