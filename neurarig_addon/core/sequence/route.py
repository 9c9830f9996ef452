"""Where a motion that goes on is led: along a line, to a place, or after one that moves.

A walker is thought ahead from where the body is: it turns towards what lies before it as people can, and
brakes in time. What is wished is where that walker would be in a second.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..errors import about
from ..geometry.rotation import norms, wrapped
from ..ikrig.encoding import Encoding
from ..path.curve import Curve
from ..path.table import bend_paces
from .figure import LEG, figure
from .network import AHEAD, SequenceWish
from .rows import RATE, Rows, hips_height_of, turned
from .stride import last_pace

# metres: who is nearer has arrived; who has arrived stands until the place is farther off
REACHED, LEFT = 0.15, 0.3
STANDS = 0.25  # metres a second: a clip that is slower at its end stands
WALKS = 1.2  # metres a second: of a clip that stands
# metres a second, each second: a walk stops in about two steps
SPEEDS_UP, BRAKES, BRAKES_HARD = 1.0, 1.0, 2.0
# radians a second; metres a second, each second: who is fast turns less
SHARPEST, SIDEWAYS = np.radians(90.0), 2.0
TURNS_IN = 2.0  # 1 / seconds in which a walker comes round to where it goes
STEADY = 0.5  # metres: so near a place it turns less and less
# metres along a line that are looked ahead; and metres more for each that the line is away
BEFORE, JOINING = 0.4, 0.7
SEARCHED, FINE = 1.0, 0.05  # metres along a line in which the nearest place is looked for, and how finely
CREEPS = 0.05  # metres a second: who is slower does not turn
HEEDED = 0.2  # share of what the body is turned off its course that is no swing of the hips


@dataclass(frozen=True)
class RouteWalker:
    """A walker seen from above: `place` `(2,)` metres, `course` radians, `speed` metres a second, metres of a
    line behind it."""

    place: np.ndarray
    course: float
    speed: float
    way: float = 0.0


@dataclass(frozen=True)
class RouteAim:
    """What lies ahead of a walker: the `place` `(2,)` to head for, the metres `left`, and the `way` made on a
    line."""

    place: np.ndarray
    left: float
    way: float = 0.0


def _from_the_end(clip: Encoding, points: np.ndarray) -> np.ndarray:
    """Return points `(n, 2)` on a clip's ground, in its units, forward and left of where it ends in metres of
    the figure."""
    unit = figure().hips_height / hips_height_of(clip)
    return turned((points - clip.ground[-1]) * unit, -clip.heading[-1])


def told_on(told: np.ndarray | float, frame: int) -> np.ndarray:
    """Return what is told `(n, ...)` on a frame; the last value stays."""
    values = np.atleast_1d(told)
    return values[min(frame, len(values) - 1)]


@dataclass(frozen=True)
class PlaceRoute:
    """A place `(n, 2)` on each frame at RATE, of which the last one stays: a motion goes there, and after it
    where it moves."""

    places: np.ndarray

    def seen(self, clip: Encoding) -> "PlaceRoute":
        """Return it in metres of the figure from where a clip ends."""
        return PlaceRoute(_from_the_end(clip, self.places))

    def begins(self) -> float:
        """Return the metres of its line behind a walker at the origin."""
        return 0.0

    def aim(self, walker: RouteWalker, frame: int) -> RouteAim:
        """Return what lies ahead of a walker, as known on a frame."""
        place = told_on(self.places, frame)
        return RouteAim(place, float(norms(place - walker.place)))


@dataclass(frozen=True)
class LineRoute:
    """A line through `points` `(n, 2)`, of a `name`: a motion goes along it from where it is nearest, to its
    end, or round and round."""

    points: np.ndarray
    is_closed: bool = False
    name: str = "the line"

    def seen(self, clip: Encoding) -> "CurveRoute":
        """Return it in metres of the figure from where a clip ends; raises NeuraRigError, naming the line, if
        it cannot be walked."""
        points = _from_the_end(clip, self.points)
        with about(self.name):
            return CurveRoute(
                Curve.through(np.column_stack([points, np.zeros(len(points))]), LEG, self.is_closed)
            )


@dataclass(frozen=True)
class CurveRoute:
    """A curve that is walked to its end, or round and round."""

    curve: Curve

    def begins(self) -> float:
        """Return the metres of it behind a walker at the origin, who is at its nearest place."""
        return self.curve.spacing * int(np.argmin(np.sum(self.curve.places[:, :2] ** 2, axis=1)))

    def aim(self, walker: RouteWalker, frame: int) -> RouteAim:
        """Return what lies ahead of a walker: some way ahead of the nearest place from the one before on."""
        near = walker.way + np.arange(0.0, SEARCHED, FINE)
        if not self.curve.is_closed:
            near = np.minimum(near, self.curve.length)
        off = np.linalg.norm(self.curve.at(near).place[:, :2] - walker.place, axis=1)
        nearest = int(np.argmin(off))
        way = float(near[nearest])
        ahead = self.curve.at(np.array(way + BEFORE + JOINING * off[nearest])).place[:2]
        left = np.inf if self.curve.is_closed else self.curve.length - way
        return RouteAim(ahead, left, way)


# Where a walker is led, in metres of the figure; what it does later than a frame is not known on that frame.
Route = PlaceRoute | CurveRoute


class Led:
    """What is wished of a motion that is led to a goal; made anew for every roll-out.

    `told` `(n,)`: speed on each frame, relative to the clip's; the last one stays. A clip that stands is led
    at a usual speed.
    """

    def __init__(self, goal: Route, past: Rows, told: float | np.ndarray) -> None:
        step, course = last_pace(past)
        velocity = step[:2] * RATE
        own = float(norms(velocity))
        walks = own > STANDS
        self._goal, self._told = goal, told
        self._fastest = own if walks else WALKS
        # who walks backwards is led backwards
        self._aside = float(np.arctan2(velocity[1], velocity[0])) if walks else 0.0
        self._arrived, self._asked_at = False, 0
        self._ahead = [RouteWalker(np.zeros(2), course + self._aside, own if walks else 0.0, goal.begins())]

    def __call__(self, frame: int, place: np.ndarray) -> SequenceWish:
        """Return what is wished from a frame on, which is at `place`; nothing that comes later is known."""
        due = self._ahead[frame - self._asked_at]
        walker = replace(
            due, place=place[:2], course=due.course + HEEDED * (place[2] + self._aside - due.course)
        )
        left = self._goal.aim(walker, frame).left
        self._arrived = left < (LEFT if self._arrived else REACHED)
        self._asked_at, self._ahead = frame, [walker]
        told = self._fastest * float(told_on(self._told, frame))
        for _ in range(AHEAD):
            aim = self._goal.aim(self._ahead[-1], frame)
            self._ahead.append(_stepped(self._ahead[-1], aim, 0.0 if self._arrived else told))
        end = self._ahead[-1]
        return SequenceWish.between(place, np.array([*end.place, end.course - self._aside]))


def _stepped(walker: RouteWalker, aim: RouteAim, told: float) -> RouteWalker:
    """Return a walker one frame later: no faster than told, than it can still stop, and than it can still
    turn to its aim."""
    to = aim.place - walker.place
    far = max(float(norms(to)), 1e-6)
    off = float(wrapped(np.arctan2(to[1], to[0]) - walker.course))
    sharpest = min(SHARPEST, SIDEWAYS / max(walker.speed, 1e-6))
    bend = 2.0 * np.sin(min(abs(off), np.pi / 2.0)) / far  # of the circle that leads to the aim
    in_bend = told * float(np.sqrt(bend_paces(np.array(bend), LEG)))
    fastest = min(in_bend, SHARPEST / max(bend, 1e-6), float(np.sqrt(2.0 * BRAKES * max(aim.left, 0.0))))
    speed = walker.speed + float(np.clip(fastest - walker.speed, -BRAKES_HARD / RATE, SPEEDS_UP / RATE))
    turn = 0.0
    if max(fastest, speed) > CREEPS:
        turn = float(
            np.clip(max(TURNS_IN, 2.0 * speed / far) * off * min(1.0, far / STEADY), -sharpest, sharpest)
        )
    course = walker.course + turn / RATE
    middle = walker.course + 0.5 * turn / RATE
    step = speed / RATE * np.array([np.cos(middle), np.sin(middle)])
    return RouteWalker(walker.place + step, course, speed, aim.way)
