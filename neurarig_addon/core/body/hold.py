"""What a body holds: a point of it that is to be somewhere, how strongly, and how it is come to and left."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..character.motion import Motion
from ..easing import outside, smootherstep, smoothstep

CHEST, HEAD, SEAT = "spine3", "head", "seat"
HANDS = ("wrist.L", "wrist.R")
REACHING = (*HANDS, CHEST, HEAD)  # the points that can be somewhere whatever the legs do


@dataclass(frozen=True)
class Hold:
    """A `point` of a body, one of REACHING or the SEAT, that is to be at a `place`.

    As planned: `place` `(3,)` metres in the walk frame, None for its natural one (a hand on its thigh, hips
    on their own way), from `begin` to `end`, come to within `comes` and left within `goes` of that unit.
    On `f` frames: `place` `(f, 3)` relative to the root, and `share` `(f,)` of the way that it goes there,
    0..1.
    `turn` `(3, 3)` or `(f, 3, 3)`: a hand's wanted rotation away from rest, relative to the root; None: as
    its forearm's. `turned` `(f,)`: its share. `leans`: the trunk may help a hand.
    """

    point: str
    place: np.ndarray | None
    share: np.ndarray = field(default_factory=lambda: np.ones(1))
    turn: np.ndarray | None = None
    turned: np.ndarray = field(default_factory=lambda: np.ones(1))
    leans: bool = True
    begin: float = -np.inf
    end: float = np.inf
    comes: float = 0.0
    goes: float = 0.0

    @property
    def there(self) -> np.ndarray:
        """The place of a hold that has one."""
        assert self.place is not None
        return self.place

    def weight(self, at: np.ndarray) -> np.ndarray:
        """Return how far the point is held `(f,)`, 0..1, at times `(f,)`."""
        return held(at, self.begin, self.end, self.comes, self.goes, smootherstep)

    def on_frames(self, at: np.ndarray, root: Motion, natural: np.ndarray) -> "Hold":
        """Return a planned hold on frames at times `(f,)`, relative to a root; `natural` `(f, 3)`: its
        natural place."""
        share, turn = self.weight(at), np.eye(3) if self.turn is None else self.turn
        return replace(
            self,
            place=natural if self.place is None else root.seen(self.place),
            share=share,
            turn=np.broadcast_to(turn, (len(at), 3, 3)),
            turned=share * (self.turn is not None),
        )


def most_held(holds: Sequence[Hold]) -> Hold:
    """Return the hold of one point that has several of them on the same frames: on each the strongest."""
    if len(holds) == 1:
        return holds[0]
    rows = np.argmax([hold.share for hold in holds], axis=0), np.arange(len(holds[0].share))
    parts = {
        name: np.stack([getattr(hold, name) for hold in holds])[rows]
        for name in ("place", "share", "turn", "turned")
    }
    return replace(holds[0], leans=any(hold.leans for hold in holds), **parts)


def held(
    at: np.ndarray,
    begin: float,
    end: float,
    comes: float,
    goes: float,
    eased: Callable[[np.ndarray], np.ndarray] = smoothstep,
) -> np.ndarray:
    """Return a weight `(f,)`, 0..1, at times `(f,)`: 1 from `begin` to `end`, eased in and out before and
    after."""
    before, after = outside(at, begin, np.inf), outside(at, -np.inf, end)
    away = [
        past / ease if ease > 0.0 else (past > 0.0).astype(float)
        for past, ease in ((before, comes), (after, goes))
    ]
    return eased(1.0 - np.maximum(*away))
