"""Acts of the upper body without a recording: a few keys each (`keys.json`), eased from one to the next.

Tuned by eye, from the side and the front.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.acts.act import BODY, Act
from ...core.acts.curves import Curves
from ...core.acts.knots import with_few_knots
from ...core.contract.channels import CHANNELS
from ...core.easing import piece, smootherstep

RATE = 60.0  # samples a second
CREDIT = "Made of keys"
Keys = Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class MadeGesture:
    """An act to make: `keys` of channels, seconds and degrees, 0 before the first and at the end.

    `arm`: seconds in which the right arm comes into the act, and leaves it; None if the arms go on swinging.
    `hold` as in Act.
    """

    number: int
    name: str
    description: str
    seconds: float
    keys: Keys
    arm: tuple[float, float] | None
    hold: tuple[float, float] | None

    def act(self) -> Act:
        """Return it as an act."""
        at = np.linspace(0.0, self.seconds, round(self.seconds * RATE) + 1)
        values = np.zeros((len(at), len(CHANNELS)))
        for channel, points in self.keys.items():
            values[:, CHANNELS.index(channel)] = eased(at, points)
        arms = None
        if self.arm is not None:
            comes, goes = self.arm
            right = smootherstep(at / comes) * smootherstep((self.seconds - at) / goes)
            arms = Curves(at, np.stack([0.0 * right, right], axis=-1))
        travel = Curves(at, (at / self.seconds)[:, None])
        hold, description = self.hold and tuple(self.hold), f"{self.description} (made)"
        act = Act(
            self.name,
            BODY,
            Curves(at, values),
            travel,
            hold=hold,
            arms=arms,
            description=description,
            credit=CREDIT,
        )
        return with_few_knots(act)


def eased(at: np.ndarray, points: Sequence[tuple[float, float]]) -> np.ndarray:
    """Return radians `(f,)` at times `(f,)` through keys of seconds and degrees, level at each, 0 at both
    ends."""
    moments = np.array([at[0], *(moment for moment, _ in points), at[-1]])
    degrees = np.array([0.0, *(value for _, value in points), 0.0])
    row = piece(moments, at)
    share = (at - moments[row]) / (moments[row + 1] - moments[row])
    return np.radians(degrees[row] + smootherstep(share) * (degrees[row + 1] - degrees[row]))


_KEYS = json.loads(Path(__file__).with_name("keys.json").read_text(encoding="utf-8"))
# of somebody who stoops for something with the right hand, and who leaps off the right foot
ARMS: Mapping[str, Keys] = _KEYS["arms"]
GESTURES = tuple(MadeGesture(**row) for row in _KEYS["gestures"])
