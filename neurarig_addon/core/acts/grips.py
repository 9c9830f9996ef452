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
    """The hips at a `place` `(3,)` in the walk frame from `begin` to `end`, in seconds of play; None: on
    their own way."""

    begin: float
    end: float
    place: np.ndarray | None


@dataclass(frozen=True)
class Grip:
    """The wrist of a `side` at a `place` `(3,)` in the walk frame from `begin` to `end`; None: on its thigh.

    `comes`, `goes`: seconds in which it comes there and leaves. `turn` `(3, 3)`: of the hand relative to the
    root; None: the arm's own.
    """

    side: int
    begin: float
    end: float
    place: np.ndarray | None
    comes: float = COMES_S
    goes: float = COMES_S
    turn: np.ndarray | None = None

    def share(self, at: np.ndarray) -> np.ndarray:
        """Return how far the hand is there `(f,)`, 0..1."""
        return smootherstep(1.0 + np.minimum(at - self.begin, 0.0) / self.comes) * smootherstep(
            1.0 - np.maximum(at - self.end, 0.0) / self.goes
        )


@dataclass(frozen=True)
class Holding:
    """How hands hold a thing that they have taken, so that they put it down as it stood.

    `sides` `(n,)`: which hands. `turns` `(n, 3, 3)`: of them, and `offsets` `(n, 3)`: from what each holds to
    its wrist, relative to the
    root as they take it.  `apart`: metres from hand to hand; None: in one.
    """

    sides: tuple[int, ...]
    turns: np.ndarray
    offsets: np.ndarray
    apart: float | None


def gripping(
    body: Body, motions: dict[str, Motion], root: Motion, grips: tuple[Grip, ...], at: np.ndarray
) -> dict[str, Motion]:
    """Return motions relative to the root with hands where they touch things at times `(f,)`, the trunk
    helping them."""
    goals = {}
    for side, point in enumerate(HANDS):
        own = [grip for grip in grips if grip.side == side]
        if own and (shares := np.stack([grip.share(at) for grip in own])).any():
            goals[point] = _goal(own, shares, [_places(body, motions, root, grip) for grip in own])
    for _ in range(ROUNDS if goals else 0):
        motions = reaching(body, motions, goals)
    return motions


def _goal(grips: list[Grip], shares: np.ndarray, places: list[np.ndarray]) -> Goal:
    """Return the goal of a hand with some grips, at shares `(n, f)`: at each frame that of which there is
    most."""
    most = np.argmax(shares, axis=0)
    rows = np.arange(shares.shape[1])
    share = shares[most, rows]
    turns = np.stack([np.eye(3) if grip.turn is None else grip.turn for grip in grips])
    turned = np.array([grip.turn is not None for grip in grips])[most] * share
    return Goal(
        np.stack(places)[most, rows],
        share,
        turns[most],
        turned,
        leans=any(grip.place is not None for grip in grips),
    )


def _places(body: Body, motions: Mapping[str, Motion], root: Motion, grip: Grip) -> np.ndarray:
    """Return where the wrist of a grip is relative to the root `(f, 3)`."""
    if grip.place is None:
        return on_thigh(body, motions, grip.side)
    return root.seen(np.broadcast_to(grip.place, (len(root.position), 1, 3)))[:, 0]


def on_thigh(body: Body, motions: Mapping[str, Motion], side: int) -> np.ndarray:
    """Return where a wrist lies on its thigh `(f, 3)`."""
    hip, knee = (motions[sided(part, SIDES[side])].position for part in ("thigh", "shin"))
    return knee + ON_THIGH * (hip - knee) + np.array([0.0, 0.0, ABOVE_THIGH * body.leg_length])
