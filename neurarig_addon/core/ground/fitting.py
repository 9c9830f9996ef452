"""Prints that fit the ground: a plane under the sole, within the ankles' range, not over an edge."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..body.sole import Sole
from ..geometry.rotation import ON_GROUND, about_z, rotated
from .prints import Prints
from .surface import Ground

STEEPEST, MOST_BANK = np.radians([30.0, 25.0])  # limits of a print's tilt along and across the foot
OVER_AN_EDGE = 0.15  # leg lengths: ground this much lower than under the rest of the sole does not bear
FITS = 0.005  # leg lengths the ground under a standing sole may be off its plane
HEEL, BALL, TIP, INNER, OUTER = range(5)
# square metres: weight towards level where the bearing points do not determine the tilt
LEAST_TILT = [1e-15, 1e-11, 1e-11]
BALL_WIDTH = 0.16  # share of the foot's length: half its width at the ball


@dataclass(frozen=True)
class Fit:
    """Prints `(...)` on the ground, and their misfit: the largest distance of the ground from the sole's
    plane, in metres `(...)`.

    It is infinite where heel or ball have nothing under them.
    """

    prints: Prints
    misfit: np.ndarray


def sole_points(sole: Sole) -> np.ndarray:
    """Return heel, ball, tip and both edges of the ball of feet that stand flat, `(2, 5, 3)`, level."""
    wide = BALL_WIDTH * sole.length * np.array([0.0, 1.0, 0.0])
    return np.stack([sole.heel, sole.ball, sole.toe, sole.ball + wide, sole.ball - wide], axis=1) * ON_GROUND


def fitted(
    ground: Ground,
    sole: Sole,
    places: np.ndarray,
    heading: np.ndarray,
    leg_length: float,
    edge: float = OVER_AN_EDGE,
) -> Fit:
    """Return prints at places `(..., 2, 3)` with `heading` `(..., 2)`, laid on the ground.

    `edge`: leg lengths by which ground that does not bear is lower.

    The least-squares plane through the ground under the sole, raised so that no point is below the ground.
    Without ground the
    place keeps its height.
    """
    flat = np.broadcast_to(sole_points(sole), heading.shape + (5, 3))
    lie = _lying(ground, places, heading, flat, edge * leg_length)
    # never by how much another print is tilted, which may not be asked for next time
    if lie.slope.any() or lie.bank.any():
        # A tilted sole lies on a shorter piece of the ground.
        shorter = np.stack([np.cos(lie.slope), np.cos(lie.bank), np.ones_like(lie.slope)], axis=-1)
        lie = _lying(ground, places, heading, flat * shorter[..., None, :], edge * leg_length)
    place = np.concatenate(
        [places[..., :2], np.where(lie.hit, lie.level, places[..., 2])[..., None]], axis=-1
    )
    misfit = np.where(lie.bears[..., HEEL] & lie.bears[..., BALL], lie.misfit, np.inf)
    return Fit(
        Prints(place, heading, np.where(lie.hit, lie.slope, 0.0), np.where(lie.hit, lie.bank, 0.0)),
        np.where(lie.hit, misfit, np.inf),
    )


class _Lie(NamedTuple):
    """How soles lie on their bearing points, `bears` `(..., 5)`: tilts `(...)` of the plane, distance `off`
    it `(..., 5)`."""

    bears: np.ndarray
    off: np.ndarray
    slope: np.ndarray
    bank: np.ndarray

    @property
    def level(self) -> np.ndarray:
        """The height of the plane under the ankle `(...)`: no bearing point is above it."""
        return np.max(np.where(self.bears, self.off, -np.inf), axis=-1)

    @property
    def misfit(self) -> np.ndarray:
        """The widest gap over bearing points `(...)`."""
        return np.max(np.where(self.bears, self.level[..., None] - self.off, 0.0), axis=-1)

    @property
    def hit(self) -> np.ndarray:
        """Whether there is any ground."""
        return np.isfinite(self.level)


def _lying(ground: Ground, places: np.ndarray, heading: np.ndarray, points: np.ndarray, edge: float) -> _Lie:
    """Return how soles with points `(..., 5, 3)` lie on the ground; `edge` in metres.

    Ground that much lower does not bear, unless the sole would be in it: then it is a slope and not an edge.
    """
    heights = ground.height(places[..., None, :] + rotated(about_z(heading)[..., None, :, :], points))
    highest = np.nanmax(np.where(np.isnan(heights), -np.inf, heights), axis=-1, initial=-np.inf)
    lie = _on(points, heights, heights > highest[..., None] - edge)
    in_ground = (lie.off > lie.level[..., None]) & ~lie.bears
    return _on(points, heights, lie.bears | in_ground) if in_ground.any() else lie


def _on(points: np.ndarray, heights: np.ndarray, bears: np.ndarray) -> _Lie:
    """Return how soles with points `(..., 5, 3)` lie on ground at `heights` `(..., 5)` that `bears` or
    not."""
    plane = _plane(points, heights, bears)
    slope = np.clip(np.arctan(-plane[..., 1]), -STEEPEST, STEEPEST)
    bank = np.clip(np.arctan(plane[..., 2] * np.cos(slope)), -MOST_BANK, MOST_BANK)
    along, across = -np.tan(slope), np.tan(bank) / np.cos(slope)
    off = heights - along[..., None] * points[..., 0] - across[..., None] * points[..., 1]
    return _Lie(bears, off, slope, bank)


def _plane(points: np.ndarray, heights: np.ndarray, bears: np.ndarray) -> np.ndarray:
    """Return height and slopes along x and y `(..., 3)` of the least-squares planes through points `(..., 5,
    3)` that bear `(..., 5)`.

    A small weight towards level keeps it defined for soles on two points or one.
    """
    weight = bears.astype(float)
    terms = np.concatenate([np.ones((*points.shape[:-1], 1)), points[..., :2]], axis=-1)
    known = np.where(bears, heights, 0.0)
    normal = np.einsum("...pi,...p,...pj->...ij", terms, weight, terms) + np.diag(LEAST_TILT)
    return np.linalg.solve(normal, np.einsum("...pi,...p->...i", terms, weight * known)[..., None])[..., 0]
