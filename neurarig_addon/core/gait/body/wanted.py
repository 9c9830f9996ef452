"""The pose a body should have, before its legs limit it."""

from dataclasses import dataclass, replace

import numpy as np

from ...character.body import Body
from ...ground.legs import held_near, lowered
from ..feet.stance import Stand
from ..sliders.manner import BodyManner

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class WantedBody:
    """At frames `(f,)`, relative to the root: the manner, both feet, and the pelvis' `turn` and `place` (see `wanted_pelvis`).

    `values` `(f, 46)`: the gait's channels for the upper body; `hands`: the channels that hands follow.
    `reaches`: the legs reach as they are.
    """

    manner: BodyManner
    stand: Stand
    turn: np.ndarray
    place: np.ndarray
    values: np.ndarray
    hands: np.ndarray
    reaches: bool = False

    def hips(self, body: Body) -> np.ndarray:
        """Return the places of the hips `(f, 2, 3)`."""
        return np.einsum("fij,sj->fsi", self.turn, body.hip - body.pelvis) + self.place[:, None]

    def drop(self, body: Body) -> np.ndarray:
        """Return how far the pelvis must come down `(f,)` for the legs to reach."""
        if self.reaches:
            return np.zeros(len(self.place))
        return lowered(self.place[:, 2], self.hips(body), self.stand.feet.ankle, body, self.manner.holds, self.manner.guard)

    def in_reach(self, body: Body) -> "WantedBody":
        """Return the same with the pelvis near enough to both feet as seen from above."""
        shift = held_near(self.hips(body), self.stand.feet.ankle, body)
        return replace(self, place=self.place + np.concatenate([shift, np.zeros((len(shift), 1))], axis=1))

    def sunk(self, metres: np.ndarray) -> "WantedBody":
        """Return the same with the pelvis lower by metres `(f,)`."""
        return replace(self, place=self.place - metres[:, None] * UP)
