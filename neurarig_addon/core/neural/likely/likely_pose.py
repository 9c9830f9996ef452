"""The network's pose, mixed with the pose most likely under points and prior.

The network knows what a Gaussian cannot, the Gauss-Newton step how all points and bones fit together: the
mixture is better than either.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from ...shipped import DATA
from ..analytic.network_body import NetworkBody
from ..points import JOINTS, PARENTS
from .pose_prior import PosePrior, read_pose_prior
from .refine import Moves, Refinement
from .rotation_vectors import turn_of, turned

PRIOR = DATA / "weights" / "pose_prior.safetensors"
# shares of the network's pose in the mixture: usually, and where few joints are seen
_OWN, _OWN_OF_FEW = 0.35, 0.2
_STRENGTH, _LOUD = 0.2, 0.05  # weight of the prior without noise; noise in body heights that adds 1 to it
_NEARLY_NONE = 1e-9
_BY_CHANCE = 1.3  # times the stated variance: the lengths of bones may deviate so much by chance
# body heights: least noise assumed, and the one for first steps where few joints are seen
_FINEST, _SOFT = 0.0005, 0.012
# Turns with a smaller spread among people hardly matter: radians per body height of noise, and at most.
_STIFF, _STIFFEST = 3.0, np.radians(1.5)
_FEW = 12  # joints: with fewer the network's pose may be far wrong


@dataclass(frozen=True)
class Trust:
    """How far the Gauss-Newton steps trust points, from body, weights and variances; all with the frames
    first, or without frames.

    `sharp`, `soft` `(..., 27)`: weights, 1/m^2, as the points are and as if they were noisy. `strength`
    `(...)`: the prior's weight.
    `few` `(...)`: few joints are seen; `any_few`: in some frame. `seen` `(27,)`: the points' largest weights
    over all frames;
    `stiffest`: turns with a smaller spread among people, radians, are not solved for.
    """

    sharp: np.ndarray
    soft: np.ndarray
    strength: np.ndarray
    few: np.ndarray
    any_few: bool
    seen: np.ndarray
    stiffest: float

    @classmethod
    def of(cls, body: NetworkBody, weights: np.ndarray, variances: np.ndarray, sigma: float = 0.0) -> "Trust":
        """Return the trust in points of `weights` 0..1 and `variances` in m^2, both `(27,)` or `(f, 27)`.

        `sigma`: metres, noise of all points; turns that people hardly make are not solved for where they
        would drown in it.
        """
        sharp, soft = (
            weights / np.maximum(variances, (least * body.height) ** 2) for least in (_FINEST, _SOFT)
        )
        noise = (
            np.sqrt((weights * variances).sum(axis=-1) / np.maximum(weights.sum(axis=-1), _NEARLY_NONE))
            / body.height
        )
        few = np.asarray(np.count_nonzero(weights[..., : len(JOINTS)], axis=-1) < _FEW)
        seen = np.atleast_2d(weights).max(axis=0)
        stiffest = min(_STIFF * sigma / body.height, _STIFFEST)
        return cls(sharp, soft, _STRENGTH + noise / _LOUD, few, bool(few.any()), seen, stiffest)

    def as_seen(self, body: NetworkBody, points: np.ndarray) -> "Trust":
        """Return the trust in points `(f, 27, 3)`, metres, whose bones may deviate from the body's more than
        the variances tell.

        Steps trust noisy points as far as their noise is known: where it is larger than stated, they lead
        away from a good pose.
        """
        spread = _variance(self.sharp) + _variance(self.sharp[..., PARENTS])
        shown = np.minimum(self.sharp, self.sharp[..., PARENTS]) * body.given > 0.0
        over = np.linalg.norm(points - points[:, PARENTS], axis=-1) - body.lengths
        squares = (shown * over * over / spread).sum(axis=-1) / np.maximum(
            np.count_nonzero(shown, axis=-1), 1
        )
        times = squares / _BY_CHANCE
        if times.max(initial=0.0) <= 1.0:
            return self
        times = np.maximum(times, 1.0)
        strength = _STRENGTH + (self.strength - _STRENGTH) * np.sqrt(times)
        return replace(
            self, sharp=self.sharp / times[:, None], soft=self.soft / times[:, None], strength=strength
        )

    @property
    def moves(self) -> Moves:
        """The moves that a step is made of."""
        return _moves(self.seen.tobytes(), self.stiffest)


def _variance(weights: np.ndarray) -> np.ndarray:
    return 1.0 / np.maximum(weights, _NEARLY_NONE)


@lru_cache(maxsize=64)
def _moves(seen: bytes, stiffest: float) -> Moves:
    return Moves.of(bundled_prior(), np.frombuffer(seen), stiffest)


def likely_pose(
    body: NetworkBody, rotations: np.ndarray, root: np.ndarray, points: np.ndarray, trust: Trust, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations `(f, 22, 3, 3)` between the network's and the most likely ones, and the pelvis' place
    `(f, 3)` of the latter.

    The arguments are those of `most_likely`.
    """
    trust = trust.as_seen(body, points)
    if not trust.any_few:
        return _refinement(body).solve(
            rotations, root, points, trust.sharp, trust.strength, steps, 1.0 - _OWN, trust.moves
        )
    found, place = most_likely(body, rotations, root, points, trust, steps)
    way = turn_of(found @ rotations.swapaxes(-1, -2))
    share = 1.0 - np.where(trust.few, _OWN_OF_FEW, _OWN)
    return turned(share[..., None, None] * way) @ rotations, place


def most_likely(
    body: NetworkBody, rotations: np.ndarray, root: np.ndarray, points: np.ndarray, trust: Trust, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` after some steps from any pose towards
    the most likely one.

    `points` `(f, 27, 3)` metres, finite. Frames in which few joints are seen take two more steps, the first
    of them as if all points were
    noisy: exact ones would keep a step from reaching a pose that is far away.
    """
    refinement = _refinement(body)
    if trust.few.all():
        for weights in (trust.soft, trust.sharp):
            rotations, root = refinement.solve(
                rotations, root, points, weights, trust.strength, moves=trust.moves
            )
    elif trust.any_few:
        few = trust.few
        begun, place = rotations[few], root[few]
        for weights in (trust.soft[few], trust.sharp[few]):
            begun, place = refinement.solve(
                begun, place, points[few], weights, trust.strength[few], moves=trust.moves
            )
        rotations, root = rotations.copy(), root.copy()
        rotations[few], root[few] = begun, place
    return refinement.solve(rotations, root, points, trust.sharp, trust.strength, steps, moves=trust.moves)


def _refinement(body: NetworkBody) -> Refinement:
    return Refinement(body.offsets, bundled_prior())


@cache
def bundled_prior() -> PosePrior:
    """Return the prior shipped with the add-on."""
    return read_pose_prior(PRIOR)
