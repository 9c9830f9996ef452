"""Prints that fit the ground: a plane under the sole, within what ankles can do, on nothing that is not there."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..geometry.rotation import about_z, rotated
from .prints import Prints
from .sole import Sole
from .surface import Ground

STEEPEST, MOST_BANK = np.radians([30.0, 25.0])  # of a print along and across the foot
OVER_AN_EDGE = 0.15  # leg lengths: what lies so much lower than the rest of the sole is not what it stands on
SHORTENS = np.radians(2.0)  # of a print: what is tilted more lies on a noticeably shorter piece of ground
FITS = 0.005  # leg lengths that ground under a standing sole may be off its plane
HEEL, BALL, TIP, INNER, OUTER = range(5)
LEAST_TILT = [1e-15, 1e-11, 1e-11]  # square metres that draw a print level where what bears does not say how it is tilted
BALL_WIDTH = 0.16  # of the foot's length: half of its width at the ball


@dataclass(frozen=True)
class Fit:
    """Prints `(...)` on the ground, and how good they are: the worst that ground is off the sole's plane, in metres `(...)`.

    Where heel or ball have nothing under them, that is infinite.
    """

    prints: Prints
    misfit: np.ndarray


def sole_points(sole: Sole) -> np.ndarray:
    """Return heel, ball, tip and both edges of the ball of feet that stand flat, `(2, 5, 3)`, level."""
    wide = BALL_WIDTH * sole.length * np.array([0.0, 1.0, 0.0])
    return np.stack([sole.heel, sole.ball, sole.toe, sole.ball + wide, sole.ball - wide], axis=1) * [1.0, 1.0, 0.0]


def fitted(ground: Ground, sole: Sole, places: np.ndarray, heading: np.ndarray, leg_length: float, edge: float = OVER_AN_EDGE) -> Fit:
    """Return prints at places `(..., 2, 3)` that point to `heading` `(..., 2)`, as they lie on the ground.

    `edge`: leg lengths that what the sole does not stand on is lower.

    The plane of least squares through what lies under the sole, raised so that nothing of it is below the ground.  Where nothing is, the
    place keeps its height.
    """
    flat = np.broadcast_to(sole_points(sole), heading.shape + (5, 3))
    lie = _lying(ground, places, heading, flat, edge * leg_length)
    if max(np.abs(lie.slope).max(initial=0.0), np.abs(lie.bank).max(initial=0.0)) > SHORTENS:
        # A tilted sole lies on a shorter piece of the ground.
        shorter = np.stack([np.cos(lie.slope), np.cos(lie.bank), np.ones_like(lie.slope)], axis=-1)
        lie = _lying(ground, places, heading, flat * shorter[..., None, :], edge * leg_length)
    place = np.concatenate([places[..., :2], np.where(lie.hit, lie.level, places[..., 2])[..., None]], axis=-1)
    misfit = np.where(lie.bears[..., HEEL] & lie.bears[..., BALL], lie.misfit, np.inf)
    return Fit(
        Prints(place, heading, np.where(lie.hit, lie.slope, 0.0), np.where(lie.hit, lie.bank, 0.0)), np.where(lie.hit, misfit, np.inf)
    )


class _Lie(NamedTuple):
    """How soles lie on what `bears` them `(..., 5)`: the tilts `(...)` of their plane, and ground `off` the one through 0 `(..., 5)`."""

    bears: np.ndarray
    off: np.ndarray
    slope: np.ndarray
    bank: np.ndarray

    @property
    def level(self) -> np.ndarray:
        """The height of the plane under the ankle `(...)`: nothing that bears is above it."""
        return np.max(np.where(self.bears, self.off, -np.inf), axis=-1)

    @property
    def misfit(self) -> np.ndarray:
        """The widest gap over what bears `(...)`."""
        return np.max(np.where(self.bears, self.level[..., None] - self.off, 0.0), axis=-1)

    @property
    def hit(self) -> np.ndarray:
        """Whether there is any ground."""
        return np.isfinite(self.level)


def _lying(ground: Ground, places: np.ndarray, heading: np.ndarray, points: np.ndarray, edge: float) -> _Lie:
    """Return how soles whose points `(..., 5, 3)` are there as seen from above lie on the ground; `edge` in metres.

    What is so much lower than the rest does not bear, unless the sole would be in it: that is a slope and no edge.
    """
    heights = ground.height(places[..., None, :] + rotated(about_z(heading)[..., None, :, :], points))
    highest = np.nanmax(np.where(np.isnan(heights), -np.inf, heights), axis=-1, initial=-np.inf)
    lie = _on(points, heights, heights > highest[..., None] - edge)
    in_ground = (lie.off > lie.level[..., None]) & ~lie.bears
    return _on(points, heights, lie.bears | in_ground) if in_ground.any() else lie


def _on(points: np.ndarray, heights: np.ndarray, bears: np.ndarray) -> _Lie:
    """Return how soles lie whose points `(..., 5, 3)` have ground at `heights` `(..., 5)` under them, which `bears` or not."""
    plane = _plane(points, heights, bears)
    slope = np.clip(np.arctan(-plane[..., 1]), -STEEPEST, STEEPEST)
    bank = np.clip(np.arctan(plane[..., 2] * np.cos(slope)), -MOST_BANK, MOST_BANK)
    along, across = -np.tan(slope), np.tan(bank) / np.cos(slope)
    off = heights - along[..., None] * points[..., 0] - across[..., None] * points[..., 1]
    return _Lie(bears, off, slope, bank)


def _plane(points: np.ndarray, heights: np.ndarray, bears: np.ndarray) -> np.ndarray:
    """Return height and slopes along x and y `(..., 3)` of the planes of least squares through points `(..., 5, 3)` that bear `(..., 5)`.

    A little is added that draws slopes to none, for soles on two points or one.
    """
    weight = bears.astype(float)
    terms = np.concatenate([np.ones((*points.shape[:-1], 1)), points[..., :2]], axis=-1)
    known = np.where(bears, heights, 0.0)
    normal = np.einsum("...pi,...p,...pj->...ij", terms, weight, terms) + np.diag(LEAST_TILT)
    return np.linalg.solve(normal, np.einsum("...pi,...p->...i", terms, weight * known)[..., None])[..., 0]
