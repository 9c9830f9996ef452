"""The things of a character's acts as its walk sees them, each on the frame on which it is touched."""

from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ....core.acts.act import OBJECT, SEAT
from ....core.acts.program import Program
from ....core.errors import NeuraRigError
from . import deck, scenery, world
from .acts import act_of
from .things import Thing

SAME = 0.01  # metres by which a thing may be elsewhere than where a walk is planned for it
LOOKS = 25  # frames at most on which it is looked whether a seat stays


@dataclass(frozen=True)
class Sight:
    """What a character's acts have to do with, where they come to it.

    `walk_to_armature` `(4, 4)`. `first`: the frame on which a thing is seen of which is not known when it is
    touched. `touched`: from
    which frame to which an act of a number touches what it is for.
    """

    obj: bpy.types.Object
    scene: bpy.types.Scene
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

    def later(self, program: Program | None) -> "Sight":
        """Return the things as they are when a walk comes to them."""
        found = {}
        for span in program.spans if program else ():
            touches = [touch for touch in span.touches if touch.on in (OBJECT, SEAT)]
            middle = float(np.round(0.5 * (span.begin + span.end)))
            found[span.number] = (
                (float(np.ceil(touches[0].begin)), float(np.floor(touches[0].end)))
                if touches
                else (middle, middle)
            )
        return replace(self, touched=found)

    def is_as(self, other: "Sight") -> bool:
        """Return whether all things are where another sight has them."""
        for number in range(len(self.obj.neurarig.walk.acts)):
            for one, two in zip(self.of(number), other.of(number), strict=True):
                if one is not None and two is not None and np.abs(one.corners - two.corners).max() > SAME:
                    return False
        return True

    def moving(self) -> list[bpy.types.Object]:
        """Return the things that move."""
        return [
            thing
            for item in self.obj.neurarig.walk.acts
            for thing in (item.thing, item.place)
            if thing and scenery.moves(thing)
        ]

    def require_still(self) -> None:
        """Refuse seats that move while one sits on them."""
        for number, item in enumerate(self.obj.neurarig.walk.acts):
            if number in self.touched and item.thing in self.moving() and act_of(item).of(SEAT):
                begin, end = self.touched[number]
                frames = np.unique(np.round(np.linspace(begin, end, LOOKS)))
                places = np.stack([self._at(item.thing, float(frame)).corners for frame in frames])
                if np.abs(places - places[0]).max() > SAME:
                    raise NeuraRigError(
                        f"{item.name}: '{item.thing.name}' moves while one sits on it. Have it stand still"
                        " then."
                    )

    def _touch(self, number: int) -> tuple[float, float]:
        return self.touched.get(number, (self.first, self.first))

    def _at(self, thing: bpy.types.Object, frame: float) -> Thing:
        carriers = [*world.above(self.obj), *filter(None, [deck.of(self.obj)])]
        with world.at_start(self.scene, frame, carriers) as look:
            stand = deck.stand(self.obj, look)
        return Thing.of(scenery.seen(self.scene, thing, frame), np.linalg.inv(stand @ self.walk_to_armature))
