"""What hands and hips touch in an act: things that are gripped where they are, thighs, a seat."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..easing import smootherstep
from ..over.goal import HANDS, Goal
from ..over.reaching import reaching
from ..skeleton.roles import SIDES, sided

ROUNDS = 2  # of reaching: a trunk that has leaned is nearer than it looked
COMES_S = 0.45  # seconds in which a hand comes to what it touches, and leaves it
ON_THIGH = 0.3  # of the way from the knee to the hip that a wrist lies on a thigh
ABOVE_THIGH = 0.09  # leg lengths of a wrist above the line from hip to knee


@dataclass(frozen=True)
class Rest:
    """The hips at a `place` `(3,)` in the walk frame from `begin` to `end`, in seconds of play; None: on their own way."""

    begin: float
    end: float
    place: np.ndarray | None


@dataclass(frozen=True)
class Grip:
    """The wrist of a `side` at a `place` `(3,)` in the walk frame from `begin` to `end`; None: on its thigh.

    `comes`, `goes`: seconds in which it comes there and leaves.
    """

    side: int
    begin: float
    end: float
    place: np.ndarray | None
    comes: float = COMES_S
    goes: float = COMES_S

    def share(self, at: np.ndarray) -> np.ndarray:
        """Return how far the hand is there `(f,)`, 0..1."""
        return smootherstep(1.0 + np.minimum(at - self.begin, 0.0) / self.comes) * smootherstep(
            1.0 - np.maximum(at - self.end, 0.0) / self.goes
        )


def gripping(body: Body, motions: dict[str, Motion], root: Motion, grips: tuple[Grip, ...], at: np.ndarray) -> dict[str, Motion]:
    """Return motions relative to the root with hands where they touch things at times `(f,)`, the trunk helping them."""
    goals: dict[str, Goal] = {}
    for grip in grips:
        share = grip.share(at)
        if not share.any():
            continue
        place = on_thigh(body, motions, grip.side) if grip.place is None else _seen(root, grip.place, len(at))
        point = HANDS[grip.side]
        if point in goals:
            before = goals[point]
            more = (share > before.share)[:, None]
            place, share = np.where(more, place, before.place), np.maximum(share, before.share)
        goals[point] = Goal(place, share, leans=grip.place is not None)
    for _ in range(ROUNDS if goals else 0):
        motions = reaching(body, motions, goals)
    return motions


def on_thigh(body: Body, motions: Mapping[str, Motion], side: int) -> np.ndarray:
    """Return where a wrist lies on its thigh `(f, 3)`."""
    hip, knee = (motions[sided(part, SIDES[side])].position for part in ("thigh", "shin"))
    return knee + ON_THIGH * (hip - knee) + np.array([0.0, 0.0, ABOVE_THIGH * body.leg_length])


def _seen(root: Motion, place: np.ndarray, frames: int) -> np.ndarray:
    return root.seen(np.broadcast_to(place, (frames, 1, 3)))[:, 0]
