"""The things that acts have to do with, as a walk sees them: seats, what hands take, where that is put
down, each on the frame on which it is touched."""

from dataclasses import dataclass, field, replace
from math import cos, sin

import numpy as np
from bpy.types import Object, Scene

from ....core.acts.act import OBJECT, SEAT, SURFACE
from ....core.acts.program import Program
from ....core.acts.seat import CELLS, Seat
from ....core.errors import NeuraRigError
from ....core.geometry.vectors import transformed
from ....core.ground.triangles import Triangles
from ....core.memory import remembered
from . import deck, scenery, support, world
from .acts import act_of
from .scenery import SeenThing

OFF_EDGE = 0.05  # metres that what is put down is off the edge of what it stands on


@dataclass(frozen=True)
class Thing:
    """A thing in the walk frame: where its origin is, `place` `(3,)`, and its box `corners` `(8, 3)`; `(1,
    3)` without size.

    `to_walk` `(4, 4)`: from the world.
    """

    seen: SeenThing
    to_walk: np.ndarray
    place: np.ndarray
    corners: np.ndarray

    @classmethod
    def of(cls, seen: SeenThing, to_walk: np.ndarray) -> "Thing":
        """Return a thing that is seen in the world."""
        return cls(seen, to_walk, *(transformed(points, to_walk) for points in (seen.place[:3, 3], seen.box)))

    def put_on(self, other: "Thing", way: np.ndarray) -> np.ndarray:
        """Return where the middle of the thing is `(3,)` when it is put on another, at the side of a way `(n,
        2)`, or where that is."""
        if not len(other.seen.points):
            return other.place + self.corners.mean(axis=0) - self.place
        spot = _spot(other.corners, self.corners, way)
        (height,) = other.heights(spot[None, :2], float(spot[2]))
        return np.append(spot[:2], height + np.ptp(self.corners[:, 2]) / 2.0)

    def touched(self, way: np.ndarray, reach: float) -> np.ndarray:
        """Return the point `(3,)` at which one touches it who comes along a way `(n, 2)`: half way up, or
        where it is higher than a hand's `reach` there."""
        low, high = self.corners.min(axis=0), self.corners.max(axis=0)
        off = np.linalg.norm(way - np.clip(way, low[:2], high[:2]), axis=1)
        near = np.clip(way[np.argmin(off)], low[:2], high[:2])
        size = float(high[2] - low[2])
        return np.append(near, low[2] + (reach if size > reach else 0.5 * size))

    def seat(self, leg_length: float) -> Seat:
        """Return the seat as it is seen from above; what has no faces is a stool."""
        return _seat(self.seen, leg_length, tuple(self.to_walk.ravel().tolist()))

    def width(self, heading: float) -> float:
        """Return how wide the thing is, in metres, seen by one who heads for it."""
        return float(np.ptp(self.corners[:, :2] @ np.array([-sin(heading), cos(heading)])))

    def heights(self, places: np.ndarray, nothing: float) -> np.ndarray:
        """Return how high the thing is, as it is seen from above, at places `(n, 2)`; `nothing` beside it."""
        found = np.full(len(places), -np.inf)
        points = transformed(self.seen.points, self.to_walk)
        for rows, heights, _ in Triangles.of(points, self.seen.corners).hits(places):
            np.maximum.at(found, rows, heights)
        return np.where(np.isfinite(found), found, nothing)


@remembered(objects=1)
def _seat(seen: SeenThing, leg_length: float, to_walk: tuple[float, ...]) -> Seat:
    thing = Thing.of(seen, np.array(to_walk).reshape(4, 4))
    low, high = thing.corners.min(axis=0), thing.corners.max(axis=0)
    middle, size = 0.5 * (low + high), float((high - low)[:2].max())
    across = size * ((np.arange(CELLS) + 0.5) / CELLS - 0.5)
    places = np.stack(np.meshgrid(middle[0] + across, middle[1] + across), axis=-1).reshape(-1, 2)
    top = thing.heights(places, -np.inf)
    return (
        Seat.of(np.column_stack([places, top]), leg_length, float(low[2]))
        if np.isfinite(top).any()
        else Seat(np.append(middle[:2], high[2]))
    )


def _spot(there: np.ndarray, corners: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return where a thing stands on another, both by their corners, at the side of a way `(n, 2)`; `(3,)`,
    as high as that other is."""
    low, high = there[:, :2].min(axis=0), there[:, :2].max(axis=0)
    middle = 0.5 * (low + high)
    inside = 0.5 * float(np.ptp(corners[:, :2], axis=0).max()) + OFF_EDGE
    # at the edge that a way comes to which leads across
    over = np.all((way > low) & (way < high), axis=1)
    near = way[np.argmax(over) if over.any() else np.argmin(np.linalg.norm(way - middle, axis=1))]
    return np.append(
        np.clip(near, np.minimum(low + inside, middle), np.maximum(high - inside, middle)), there[:, 2].max()
    )


SAME = 0.01  # metres by which a thing may be elsewhere than where a walk is planned for it
LOOKS = 25  # frames at most on which it is looked whether a seat stays


@dataclass(frozen=True)
class ThingSight:
    """What a character's acts have to do with, where they come to it.

    `walk_to_armature` `(4, 4)`. `first`: the frame on which a thing is seen of which is not known when it is
    touched. `touched`: from
    which frame to which an act of a number touches what it is for.
    """

    obj: Object
    scene: Scene
    walk_to_armature: np.ndarray
    first: float
    touched: dict[int, tuple[float, float]] = field(default_factory=dict)

    def of(self, number: int) -> tuple[Thing | None, Thing | None]:
        """Return the thing of an act and what that is put on, or is near; None for none."""
        items = list(self.obj.neurarig.walk.acts)
        item, by = items[number], number
        takes = act_of(item).takes
        if takes:  # as it is when it is taken
            by = next(
                row for row, other in enumerate(items) if other.thing == item.thing and act_of(other).takes
            )
        thing = None if item.thing is None else self._at(item.thing, self._touch(by)[0])
        return thing, (
            None if item.place is None else self._at(item.place, self._touch(number)[1 if takes else 0])
        )

    def under(self, number: int, thing: Thing | None) -> Thing | None:
        """Return what that stands on which an act takes, None if it takes nothing or that is on nothing."""
        item = self.obj.neurarig.walk.acts[number]
        if thing is None or item.place is not None or not act_of(item).takes:
            return None
        found = support.under(self.scene, item.thing, thing.seen.box)
        return None if found is None else self._at(found, self._touch(number)[0])

    def later(self, program: Program | None) -> "ThingSight":
        """Return the things as they are when a walk comes to them."""
        found = {}
        for span in program.spans if program else ():
            touches = [touch for touch in span.touches if touch.on in (OBJECT, SEAT, SURFACE)]
            middle = float(np.round(0.5 * (span.begin + span.end)))
            found[span.number] = (
                (float(np.ceil(touches[0].begin)), float(np.floor(touches[0].end)))
                if touches
                else (middle, middle)
            )
        return replace(self, touched=found)

    def is_as(self, other: "ThingSight") -> bool:
        """Return whether all things are where another sight has them."""
        for number in range(len(self.obj.neurarig.walk.acts)):
            for one, two in zip(self.of(number), other.of(number), strict=True):
                if one is not None and two is not None and np.abs(one.corners - two.corners).max() > SAME:
                    return False
        return True

    def moving(self) -> list[Object]:
        """Return the things that move."""
        return [
            thing
            for item in self.obj.neurarig.walk.acts
            for thing in (item.thing, item.place)
            if thing and scenery.moves(thing)
        ]

    def require_still(self) -> None:
        """Refuse seats that move while one sits on them, and what moves while a hand only touches it."""
        for number, item in enumerate(self.obj.neurarig.walk.acts):
            act = act_of(item)
            stays = act.of(SEAT) or (act.reaches and not act.takes)
            if number in self.touched and item.thing in self.moving() and stays:
                begin, end = self.touched[number]
                frames = np.unique(np.round(np.linspace(begin, end, LOOKS)))
                places = np.stack([self._at(item.thing, float(frame)).corners for frame in frames])
                if np.abs(places - places[0]).max() <= SAME:
                    continue
                if act.of(SEAT):
                    raise NeuraRigError(
                        f"{item.name}: '{item.thing.name}' moves while one sits on it. Have it stand still"
                        " then."
                    )
                raise NeuraRigError(
                    f"{item.name}: '{item.thing.name}' moves while a hand is on it. Have it stand still then."
                )

    def _touch(self, number: int) -> tuple[float, float]:
        return self.touched.get(number, (self.first, self.first))

    def _at(self, thing: Object, frame: float) -> Thing:
        carriers = [*world.above(self.obj), *filter(None, [deck.of(self.obj)])]
        with world.at_start(self.scene, frame, carriers) as look:
            stand = deck.stand(self.obj, look)
        return Thing.of(scenery.seen(self.scene, thing, frame), np.linalg.inv(stand @ self.walk_to_armature))
