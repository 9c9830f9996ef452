"""Footing: prints laid on the ground, and moved along the path where the ground is too poor to stand on.

On moving ground a ride is no climb, however high the next print is above the last.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...character.motion import rows_of
from ...ground.fitting import FITS, OVER_AN_EDGE, Fit, fitted
from ...ground.ledges import LEDGE
from ...ground.moving_ground import GroundAt, MovingTerrain
from ...ground.prints import Prints
from ...ground.surface import Ground
from ..walker import Walker
from .placement import Apart, laid_flat

# Heights are sums over steps from wherever the plan begins: rounded to binary fractions of a metre, their
# differences are exact.
PART = 2.0**-40
# How far a print may be moved along the path to better ground, in leg lengths, and the cost of that against
# ground that misses the sole.
MOVES = np.arange(-12, 12 + 1) * 0.025
MOVE_COST, WORST_MISFIT = 8.0, 20.0
# Leg lengths that moved prints may lengthen a step, and the cost of each leg length beyond.
LONGER, LONGER_COST = 0.3, 60.0


def lifted_until(ground: GroundAt, place: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Return how far the ground has risen until each print is touched `(steps, 2)`, counted from the first
    one.

    `ground`: at touchdown.  `place` `(steps, 2, 3)`: of prints touched at phases `(steps, 2)` of the walk.
    It is how much the ground under the previous print is higher now than that print was.
    """
    order = np.argsort(phase.reshape(-1), kind="stable")
    flat = place.reshape(-1, 3)[order]
    before = np.concatenate([flat[:1, :2], flat[:-1, :2]])
    now = GroundAt(ground.ground, ground.samples.reshape(-1)[order]).height(
        np.concatenate([before, flat[:, 2:]], axis=-1)
    )
    climb = np.where(np.isnan(now), np.diff(flat[:, 2], prepend=flat[:1, 2]), flat[:, 2] - now)
    climb[0] = 0.0
    lifts = np.empty(len(flat))
    lifts[order] = flat[:, 2] - np.cumsum(_in_parts(climb))
    return lifts.reshape(phase.shape)


def unlifted(height: np.ndarray, lifted: np.ndarray) -> np.ndarray:
    """Return heights `(...)` without the rise of the ground."""
    return _in_parts(height - lifted)


def climbed(prints: Prints, heights: np.ndarray) -> Prints:
    """Return the prints at other heights `(...)`."""
    return replace(prints, place=np.concatenate([prints.place[..., :2], heights[..., None]], axis=-1))


def climbs(prints: Prints, leg_length: float) -> np.ndarray:
    """Return the climb from each print `(n, ...)` to the next `(n - 1, ...)`, as on stairs, in leg lengths.

    What the slopes of both prints explain is a hill, not a stair.
    """
    way, tilt = np.diff(prints.place, axis=0), prints.rise
    return (way[..., 2] - 0.5 * np.sum(way[..., :2] * (tilt[1:] + tilt[:-1]), axis=-1)) / leg_length


def _in_parts(metres: np.ndarray) -> np.ndarray:
    return np.round(metres / PART) * PART


@dataclass(frozen=True)
class Landing:
    """Where and when feet land `(steps, 2)`: phases of `contact`, `heading`, and whether they are `free` to
    be moved."""

    contact: np.ndarray
    heading: np.ndarray
    free: np.ndarray

    def take(self, rows: np.ndarray) -> "Landing":
        """Return the landings in the given rows."""
        return Landing(self.contact[rows], self.heading[rows], self.free[rows])


def footing(walker: Walker, distance: np.ndarray, apart: Apart, lands: Landing) -> tuple[Prints, np.ndarray]:
    """Return prints `(steps, 2)` laid on the ground beside the path, `apart` from it, and their distances
    along it.

    Prints that are free to move go to the nearest good place along the path where the ground is poor. A step
    depends on its
    neighbours, so the first and the last row can change when more rows are asked for.
    """
    if walker.ground.is_level:
        return laid_flat(walker, distance, apart, lands.heading), distance
    fit = _lying(walker, distance, apart, lands)
    bad = (fit.misfit > FITS * walker.body.leg_length) & lands.free
    rows = np.flatnonzero(bad.any(axis=-1))
    if not len(rows):
        return fit.prints, distance
    moved = distance[rows] + MOVES[:, None, None] * walker.body.leg_length
    # with its tip at a riser a foot may fit, but cannot swing
    moved = walker.treads.cleared(moved, walker.sole, walker.body.leg_length)
    tried = _lying(walker, moved, rows_of(apart, rows), lands.take(rows))
    cost = (
        np.minimum(tried.misfit / (FITS * walker.body.leg_length), WORST_MISFIT)
        + MOVE_COST * np.abs(MOVES)[:, None, None]
    )
    cost = np.where(bad[rows] | (MOVES == 0.0)[:, None, None], cost, np.inf)
    best = _in_step_with_others(walker, cost, rows, lands.contact)[None]

    def mended(planned: np.ndarray, others: np.ndarray) -> np.ndarray:
        values, index = planned.copy(), best if others.ndim == best.ndim else best[..., None]
        values[rows] = np.take_along_axis(others, index, axis=0)[0]
        return values

    own_prints, others = fit.prints, tried.prints
    place, slope, bank = (
        mended(getattr(own_prints, name), getattr(others, name)) for name in ("place", "slope", "bank")
    )
    return Prints(place, lands.heading, slope, bank), mended(distance, moved)


def _in_step_with_others(
    walker: Walker, cost: np.ndarray, rows: np.ndarray, contact: np.ndarray
) -> np.ndarray:
    """Return the cheapest of MOVES `(n, 2)` for the steps in the given rows; `cost` `(moves, n, 2)`: of each
    print by itself.

    The best move of each print by itself gives the steps' lengths; steps that become too long or short are
    reconsidered.
    """
    alone = np.zeros(contact.shape)
    alone[rows] = MOVES[np.argmin(cost, axis=0)]
    order = np.argsort(walker.rhythm.phase_when(contact), axis=None, kind="stable")
    in_order = alone.ravel()[order]
    before, after = np.empty(alone.size), np.empty(alone.size)
    before[order], after[order] = (
        np.append(in_order[:1], in_order[:-1]),
        np.append(in_order[1:], in_order[-1:]),
    )
    move, before, after = (
        MOVES[:, None, None],
        before.reshape(alone.shape)[rows],
        after.reshape(alone.shape)[rows],
    )
    longer = np.maximum(move - before, after - move)
    return np.argmin(cost + LONGER_COST * np.maximum(longer - LONGER, 0.0), axis=0)


def _lying(walker: Walker, distance: np.ndarray, apart: Apart, lands: Landing) -> Fit:
    """Return prints `(..., steps, 2)` beside the path at the given distances, laid on the ground."""
    heading = np.broadcast_to(lands.heading, distance.shape)
    edge = LEDGE if len(walker.treads.ledges.at) else OVER_AN_EDGE
    places = laid_flat(walker, distance, apart, heading).place
    return fitted(
        ground_for(walker, lands.contact), walker.sole, places, heading, walker.body.leg_length, edge
    )


def ground_for(walker: Walker, contact: np.ndarray) -> Ground:
    """Return the ground of steps that begin at phases `contact` `(n, 2)`; moving ground as it is at each
    touchdown."""
    ground = walker.ground
    return ground.at(touched_on(walker, contact)[..., None]) if isinstance(ground, MovingTerrain) else ground


def touched_on(walker: Walker, contact: np.ndarray) -> np.ndarray:
    """Return the frames `(..., 2)` on which steps with phases `contact` `(..., 2)` touch the ground."""
    return walker.clock.frames(walker.rhythm.seconds_when(contact))
