"""Stairs, kerbs, gaps and obstacles, found from the ground along a path, and where feet go on them.

A flight of stairs is walked tread by tread; a single ledge or a narrow obstacle has to come between two
prints.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...body.sole import Sole
from ...character.body import LEFT, RIGHT
from ...easing import smoothstep
from ...ground.ledges import NO_LEDGES, Ledges
from ...ground.surface import Ground
from ...memory import remembered
from ...path.path import Path
from ..inputs.proportions import POINTS_AHEAD
from .ledge_runs import OUTWARD, ledge_runs

LOW_RISE = 0.15  # leg lengths: steps lower than this are climbed two at a time where strides are long enough
TIP_CLEARS, HEEL_CLEARS = 0.01, 0.012  # leg lengths between a sole and the risers before and behind it
FREE_TIP_CLEARS, FREE_HEEL_CLEARS = 0.05, 0.14  # the same off flights
TIP_OVER = 0.15  # share of the sole over the edge on the way down (people: 10 to 25 %)
MOST_SPLAY = np.radians(20.0)  # most splay of feet that find no room on a tread
MOST_SLACK = 0.12  # leg lengths a heel stands behind the nose where there is room
NARROW = 0.8  # leg lengths: wider obstacles are not stepped over at once
# leg lengths by which the middle of a step precedes the ledge: trailing toes are nearer to it than leading
# heels
BEFORE_LEDGE = 0.07
ON_TREAD = 0.45  # share of a tread: prints planned this near to their place on it are put there
KERB_COUNTS = 0.7  # weight of the height of what is stepped onto or off, against what is stepped over
LEAST_INSIDE = 0.3  # least metres that the inner foot covers per metre of the path
# treads from where a foot stands in front of the first riser to the first print; and behind that foot
IN_FRONT, ROOM = 1.0, 0.5
BESIDE = 0.7  # leg lengths before and after the middle of a crossing in which a foot is above it
FADES = 1.8  # leg lengths beside that within which the walk becomes slower for it
LAPS = 20  # laps of a closed path


@dataclass(frozen=True)
class Flight:
    """A flight of stairs: distances on the path of its prints for the left and right foot `(n, 2)`, in the
    order they are taken.

    `stands` `(n or n + 1,)`: their means, and before them where a foot stands in front of the first riser on
    the way up, if there is room.
    `tread`: mean metres from one to the next; `rise`: metres up, negative downstairs. `splay`: extra toe-out
    on it, radians.
    """

    prints: np.ndarray
    stands: np.ndarray
    tread: float
    rise: float
    splay: float

    def outside(self, distance: np.ndarray) -> np.ndarray:
        """Return the metres `(...)` that distances are before it or after it; negative on it."""
        return np.maximum(self.stands[0] - distance, distance - self.stands[-1])

    def moved(self, way: float) -> "Flight":
        """Return the flight farther along the path."""
        return replace(self, prints=self.prints + way, stands=self.stands + way)


@dataclass(frozen=True)
class Treads:
    """All `ledges` of a path, their places to its left and right, its flights, and the distances `(m,)` of
    `crossings`.

    Crossings have to come between two prints. `heights` `(m,)`: metres that feet rise over each, and a share
    of
    a kerb's height. `drift` `(2, n)`: how much farther each ledge is under the left and the right foot per
    metre ahead on
    it, as feet point outward and ledges may be askew.
    """

    ledges: Ledges
    beside: tuple[Ledges, Ledges]
    flights: tuple[Flight, ...]
    crossings: np.ndarray
    heights: np.ndarray
    drift: np.ndarray

    def first_marks(self) -> np.ndarray:
        """Return the distances `(n,)` that strides must be in step with: the first print of each flight, and
        the crossings."""
        return np.concatenate([[flight.stands[0] for flight in self.flights], self.crossings])

    def at_crossings(self, distance: np.ndarray, leg_length: float) -> list[np.ndarray]:
        """Return, for each crossing, the nearness of distances to it `(...)`: 1 while either foot is above
        it, 0 far off."""
        outside = [np.abs(distance - crossing) / leg_length - BESIDE for crossing in self.crossings]
        return [smoothstep(1.0 - metres / FADES) for metres in outside]

    def cleared(self, distance: np.ndarray, sole: Sole, leg_length: float) -> np.ndarray:
        """Return prints at distances `(..., 2)` moved so that they keep off risers, except those deep inside
        them."""
        if not len(self.ledges.at):
            return distance
        margins = FREE_HEEL_CLEARS * leg_length, FREE_TIP_CLEARS * leg_length
        heel, tip = sole.heel[:, 0], sole.toe[:, 0]
        # A foot without a toe joint cannot bend over a riser in front of the ball.
        deep = np.where(sole.bends, margins[1], np.maximum(tip - sole.ball[:, 0], margins[1]))
        moved = [
            ledges.cleared(distance[..., row], (heel[row], tip[row]), margins, deep[row], self.drift[row])
            for row, ledges in enumerate(self.beside)
        ]
        return np.stack(moved, axis=-1)

    def placed(self, distance: np.ndarray, sole: Sole, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
        """Return prints planned at distances `(..., 2)` moved onto the treads of flights, and their extra
        toe-out there.

        The toe-out is NaN off flights, where prints are only kept off risers.
        """
        if not len(self.ledges.at):
            return distance, np.full(distance.shape, np.nan)
        splay, planned = np.full(distance.shape, np.nan), distance
        distance = self.cleared(planned, sole, leg_length)
        for flight in self.flights:
            near = flight.prints.mean(axis=1)[:, None, None] - planned.reshape(1, -1, 2)
            row = np.abs(near).argmin(axis=0)
            places = np.take_along_axis(flight.prints, row, axis=0).reshape(distance.shape)
            on_it = np.abs(places - planned) < ON_TREAD * flight.tread
            distance, splay = np.where(on_it, places, distance), np.where(on_it, flight.splay, splay)
        return distance, splay


NONE = Treads(NO_LEDGES, (NO_LEDGES, NO_LEDGES), (), np.zeros(0), np.zeros(0), np.zeros((2, 0)))


@dataclass(frozen=True)
class _Walker:
    """A walker as the search for treads needs it, in metres: soles, leg, half the step width, a usual step.
    `toe_out`: radians."""

    sole: Sole
    leg_length: float
    toe_out: float
    aside: float
    step: float

    def reach(
        self, points: np.ndarray, askew: np.ndarray, bends: np.ndarray, splay: float, step: float
    ) -> np.ndarray:
        """Return the metres of path `(n, 2)` from ledges at the ankle to `points` `(2,)` of the feet, metres
        ahead of it.

        Feet point outward and, in a bend, towards the path ahead; they are straight, and beside the path.
        `askew` `(n,)`: metres that
        ledges are farther per metre to the left; `bends` `(n,)`: radians per metre; `splay`: extra toe-out in
        radians; `step`: metres.
        """
        bends, x = bends[:, None], points
        out = OUTWARD * (self.toe_out + splay) + POINTS_AHEAD * step * bends
        ahead = x * np.cos(out) / np.maximum(1.0 - bends * self.aside * OUTWARD, LEAST_INSIDE)
        return ahead - askew[:, None] * (x * np.sin(out) - 0.5 * bends * x * x)


@remembered(objects=3)
def treads_of(
    ground: Ground, path: Path, sole: Sole, leg_length: float, toe_out: float, aside: float, step: float
) -> Treads:
    """Return the treads of the ground along a path, for soles and legs, toe-out in radians, half the step
    width, and a usual step."""
    if ground.is_level:
        return NONE
    who = _Walker(sole, leg_length, toe_out, aside, step)
    ledges, runs = ledge_runs(ground, path, leg_length, aside)
    if not len(ledges.at):
        return NONE
    left, right = np.concatenate([noses for _, noses in runs]).T
    beside = replace(ledges, at=np.maximum.accumulate(left)), replace(ledges, at=np.maximum.accumulate(right))
    flights: list[Flight] = []
    for run, noses in runs:
        if len(run) > 1:
            taken = max(
                [*ledges.at[: run[0]][-1:], *(flight.stands[-1] for flight in flights[-1:])], default=-np.inf
            )
            flights.append(
                _flight(noses, path.curvature(ledges.at[run]), float(ledges.rise[run].mean()), who, taken)
            )
    alone = [run[0] for run, _ in runs if len(run) == 1]
    crossings, heights = _crossings(ledges.at[alone], ledges.rise[alone], leg_length)
    tip = sole.toe[:, 0]
    drift = (
        1.0 - (who.reach(tip, (left - right) / (2.0 * aside), path.curvature(ledges.at), 0.0, step) / tip).T
    )
    if not path.lap:
        return Treads(ledges, beside, tuple(flights), crossings, heights, drift)
    laps = path.lap * np.arange(-1, LAPS)
    again = [flight.moved(shift) for shift in laps for flight in flights]
    left, right = (side.repeated(laps) for side in beside)
    rows = len(laps)
    crossings = (laps[:, None] + crossings).ravel()
    return Treads(
        ledges.repeated(laps),
        (left, right),
        tuple(again),
        crossings,
        np.tile(heights, rows),
        np.tile(drift, rows),
    )


def _flight(noses: np.ndarray, bends: np.ndarray, rise: float, who: _Walker, taken: float) -> Flight:
    """Return the flight with noses `(n, 2)`, each `rise` metres high, on a path of curvature `bends` `(n,)`,
    radians per metre.

    `taken`: the distance of the ledge or print before it.
    """
    tread = float(np.diff(noses, axis=0).mean())
    splay = 0.0 if rise > 0.0 else _splay(tread, who)
    askew, depth = (noses[:, LEFT] - noses[:, RIGHT]) / (2.0 * who.aside), np.diff(noses, axis=0)
    before, after = np.append(askew[:1], askew[:-1]), np.append(askew[1:], askew[-1:])
    behind, ahead = (askew, after) if rise > 0.0 else (before, askew)  # under heel and tip
    heel, tip = (
        who.reach(points, slant, bends, splay, tread)
        for points, slant in ((who.sole.heel[:, 0], behind), (who.sole.toe[:, 0], ahead))
    )
    prints = (_up if rise > 0.0 else _down)(
        noses, np.concatenate([depth[:1], depth, depth[-1:]]), heel, tip, who.leg_length
    )
    stride = 2 if 0.0 < rise < LOW_RISE * who.leg_length and 2.0 * tread <= who.step else 1
    prints, tread, rise = prints[::-1][::stride][::-1], stride * tread, stride * rise
    stands = prints.mean(axis=1)
    front = stands[0] - IN_FRONT * tread
    return Flight(
        prints,
        np.append(front, stands) if rise > 0.0 and front > taken + ROOM * tread else stands,
        tread,
        rise,
        splay,
    )


def _splay(tread: float, who: _Walker) -> float:
    """Return the extra toe-out in radians with which heel and ball find room on a tread on the way down."""
    needed = (who.sole.ball - who.sole.heel)[:, 0].max() + 2.0 * HEEL_CLEARS * who.leg_length
    return float(np.clip(np.arccos(min(tread / needed, 1.0)) - who.toe_out, 0.0, MOST_SPLAY))


def _up(noses: np.ndarray, depth: np.ndarray, heel: np.ndarray, tip: np.ndarray, leg: float) -> np.ndarray:
    """Return prints `(n, 2)` on the treads behind noses: the whole sole where there is room, otherwise its
    front.

    `depth` `(n + 1, 2)`: metres from nose to nose, from before the first one to after the last. `heel`, `tip`
    `(n, 2)`: metres ahead of
    prints.
    """
    slack = depth[1:] - (tip - heel)
    return (
        noses
        + depth[1:]
        - tip
        - np.maximum(np.maximum(0.5 * slack, TIP_CLEARS * leg), slack - MOST_SLACK * leg)
    )


def _down(noses: np.ndarray, depth: np.ndarray, heel: np.ndarray, tip: np.ndarray, leg: float) -> np.ndarray:
    """Return prints `(n + 1, 2)` before noses, the toes over the edge, and on the ground after the last one
    (see `_up`)."""
    prints = noses + np.maximum(TIP_OVER * (tip - heel) - tip, HEEL_CLEARS * leg - heel - depth[:-1])
    return np.concatenate([prints, prints[-1:] + depth[-1:]])


def _crossings(at: np.ndarray, rise: np.ndarray, leg: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the crossings `(m,)` for ledges outside flights, and their heights (see Treads)."""
    if not len(at):
        return at, at
    groups = np.split(np.arange(len(at)), np.flatnonzero(np.diff(at) > NARROW * leg) + 1)
    middle = np.array([0.5 * (at[group[0]] + at[group[-1]]) for group in groups])
    risen = [np.append(0.0, np.cumsum(rise[group])) for group in groups]
    return middle - BEFORE_LEDGE * leg, np.array(
        [up.max() - max(up[-1], 0.0) + KERB_COUNTS * abs(up[-1]) for up in risen]
    )
