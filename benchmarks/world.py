"""A world to wander through: a drawn way of 500 steps over hills, planes, bumps and terraces, up and down
stairs, round sharp corners."""

from dataclasses import dataclass

import bpy
import numpy as np

from tests.blender import leading

Points = list[tuple[float, float]]
NEAR = 12.0  # metres from where the drawn way begins
LEGS, LEG_M = 120, 4.0  # stretches of the way, and metres of each
# where the way goes straight on, for so many stretches: there may be stairs
STRAIGHTS, STRAIGHT = (12, 32, 52, 72, 92), 4
CORNERS = (22, 42, 62, 82)  # where it turns by 90 degrees
# metres; how many up and down; the landing between; half the width
RISER, RISERS, LANDING, WIDE = 0.17, 6, 2.0, 3.0
LEVEL, EASES = 6.0, 5.0  # metres around stairs in which the ground is level, and in which it comes to be
APART = 5.0  # metres that the rest of the way is off the middle of stairs
ASKEW = np.radians([0.0, 12.0, -20.0, 8.0, -8.0])  # of stairs to the way
SLOPES = np.radians([33.0, 24.0, 42.0, 33.0, 24.0])


@dataclass(frozen=True)
class Stairs:
    """Stairs up to a landing and down again: where their middle is `(2,)`, where they lead, their tread in
    metres."""

    middle: np.ndarray
    heading: float
    tread: float

    @property
    def reach(self) -> float:
        """Metres from the middle to the first riser."""
        return 0.5 * LANDING + self.tread * RISERS

    def points(self, height: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the points `(n, 3)` and faces `(m, 4)` of the stairs on ground of a height."""
        edges = 0.5 * LANDING + self.tread * np.arange(RISERS, -1, -1)
        along = np.repeat(np.concatenate([-edges[:-1], edges[:-1][::-1]]), 2)
        tops = RISER * np.concatenate(
            [np.repeat(np.arange(RISERS + 1), 2)[1:-1], np.repeat(np.arange(RISERS, -1, -1), 2)[1:-1]]
        )
        ahead, left = towards(self.heading), towards(self.heading + 0.5 * np.pi)
        sides = [self.middle + side * WIDE * left + along[:, None] * ahead for side in (-1.0, 1.0)]
        points = np.concatenate([np.column_stack([side, height + tops]) for side in sides])
        row, count = np.arange(len(along) - 1), len(along)
        return points, np.stack([row, row + 1, row + count + 1, row + count], 1)


def wander(seed: int = 14) -> tuple[Points, list[Stairs]]:
    """Return a drawn way of some 480 m, more than 500 steps take, that turns back where it is far from where
    it began; and its stairs."""
    draw = np.random.default_rng(seed)
    places, heading, straight = (
        [np.zeros(2)],
        0.0,
        {first + row for first in STRAIGHTS for row in range(STRAIGHT)},
    )
    for number in range(LEGS):
        ahead, back = towards(heading), -places[-1]
        to_the_side = np.sign(ahead[0] * back[1] - ahead[1] * back[0]) * (np.linalg.norm(back) > NEAR)
        turn = draw.normal(0.0, 0.5) + 0.4 * to_the_side
        if number in CORNERS:
            turn = 0.5 * np.pi * np.sign(turn)
        heading += 0.0 if number in straight else turn
        places.append(places[-1] + LEG_M * towards(heading))
    points = np.array(places)
    found = []
    for first, askew, slope in zip(STRAIGHTS, ASKEW, SLOPES, strict=True):
        begin, end = points[first], points[first + STRAIGHT]
        stairs = Stairs(
            0.5 * (begin + end),
            float(np.arctan2(*(end - begin) * [1.0, -1.0])) + float(askew),
            RISER / float(np.tan(slope)),
        )
        if _is_free(points, first, stairs):
            found.append(stairs)
    return [tuple(place) for place in points], found


def _is_free(points: np.ndarray, first: int, stairs: Stairs) -> bool:
    """Say whether the rest of a way stays off stairs on its straight stretch."""
    share = np.linspace(0.0, 1.0, 20)[:, None, None]
    between = ((1.0 - share) * points[:-1] + share * points[1:])[
        :, np.r_[0 : first - 1, first + STRAIGHT + 1 : LEGS]
    ]
    return bool(np.linalg.norm(between - stairs.middle, axis=-1).min() > stairs.reach + APART - LANDING)


def towards(heading: float) -> np.ndarray:
    """Return where a way leads, seen from above; the character faces -Y."""
    return np.array([np.sin(heading), -np.cos(heading)])


def all_over() -> bpy.types.Object:
    """Return hills, planes, bumps and terraces, smoothly beside each other, and the stairs of the way."""
    stairs = wander()[1]

    def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        bumps = 0.05 * np.sin(1.9 * x + 0.7) * np.cos(1.5 * y)
        return (
            bumps
            + 1.2 * np.sin(0.16 * x) * np.cos(0.13 * y)
            + 0.34 * np.clip(np.round(3.0 * np.sin(0.09 * x + 0.11 * y)), -2.0, 2.0)
        )

    def levelled(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        found = height(x, y)
        for each in stairs:
            off = np.hypot(x - each.middle[0], y - each.middle[1]) - each.reach
            share = np.clip((LEVEL + EASES - LANDING - off) / EASES, 0.0, 1.0)
            found = found + share**2 * (3.0 - 2.0 * share) * (height(*each.middle) - found)
        return found

    ground = leading.sheet("World", levelled, 90.0, 400)
    parts = [leading.mesh("Stairs", *each.points(float(height(*each.middle)))) for each in stairs]
    with bpy.context.temp_override(active_object=ground, selected_editable_objects=[ground, *parts]):
        bpy.ops.object.join()
    return ground
