"""Acts of the upper body without a recording: a few keys each, eased from one to the next.

Tuned by eye, from the side and the front.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.acts.act import BODY, Act
from ...core.acts.curves import Curves
from ...core.acts.knots import with_few_knots
from ...core.contract.channels import CHANNELS
from ...core.easing import smootherstep

RATE = 60.0  # samples a second
CREDIT = "Made of keys"
Keys = Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class Gesture:
    """An act to make: `keys` of channels, seconds and degrees, 0 before the first and at the end.

    `arm`: seconds in which the right arm comes into the act, and leaves it; None if the arms go on swinging.  `hold` as in Act.
    """

    number: int
    name: str
    description: str
    seconds: float
    keys: Keys
    arm: tuple[float, float] | None = None
    hold: tuple[float, float] | None = None

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
        description = f"{self.description} (made)"
        act = Act(self.name, BODY, Curves(at, values), travel, hold=self.hold, arms=arms, description=description, credit=CREDIT)
        return with_few_knots(act)


def eased(at: np.ndarray, points: Sequence[tuple[float, float]]) -> np.ndarray:
    """Return radians `(f,)` at times `(f,)` through keys of seconds and degrees, level at each, 0 at both ends."""
    moments = np.array([at[0], *(moment for moment, _ in points), at[-1]])
    degrees = np.array([0.0, *(value for _, value in points), 0.0])
    row = np.clip(np.searchsorted(moments, at, side="right") - 1, 0, len(moments) - 2)
    share = (at - moments[row]) / (moments[row + 1] - moments[row])
    return np.radians(degrees[row] + smootherstep(share) * (degrees[row + 1] - degrees[row]))


def _waved(begin: float, often: int, period: float, middle: float, size: float) -> list[tuple[float, float]]:
    """Return keys of something that goes to and fro."""
    return [(begin + 0.5 * period * number, middle + size * (1.0 if number % 2 else -1.0)) for number in range(2 * often)]


# In the order of the menu.
GESTURES = (
    Gesture(
        10,
        "Wave",
        "The hand up beside the head, to and fro",
        2.7,
        {
            "arm_r.flexion": [(0.65, 78.0), (2.05, 74.0)],
            "arm_r.abduction": [(0.6, 42.0), (2.05, 42.0)],
            "arm_r.rotation": [(0.6, -8.0), (2.05, -8.0)],
            "arm_r.elbow": [(0.5, 98.0), *_waved(0.72, 3, 0.44, 92.0, 20.0), (2.2, 70.0)],
            "chest.roll": [(0.7, -3.5), (2.0, -3.5)],
            "chest.yaw": [(0.7, 4.0), (2.0, 3.0)],
            "chest.pitch": [(0.7, -2.5), (2.0, -2.0)],
            "head.roll": [(0.8, 5.0), (1.9, 4.0)],
            "head.pitch": [(0.7, -4.0), (1.2, -1.0), (1.6, -4.0)],
        },
        arm=(0.5, 0.6),
    ),
    Gesture(
        11,
        "Point",
        "The arm stretched out ahead, and held there",
        2.4,
        {
            "arm_r.flexion": [(0.55, 92.0), (0.75, 86.0), (1.75, 86.0)],
            "arm_r.abduction": [(0.6, 6.0), (1.75, 6.0)],
            "arm_r.elbow": [(0.3, 45.0), (0.62, -6.0), (1.75, -4.0)],
            "chest.yaw": [(0.55, 9.0), (0.8, 7.0), (1.75, 7.0)],
            "chest.pitch": [(0.6, 4.0), (1.75, 3.0)],
            "head.pitch": [(0.35, -3.0), (0.8, 1.0), (1.6, 1.0)],
        },
        arm=(0.35, 0.6),
        hold=(0.9, 1.6),
    ),
    Gesture(
        12,
        "Nod",
        "Yes, twice",
        1.3,
        {
            "head.pitch": [(0.12, -4.0), (0.36, 17.0), (0.62, -3.0), (0.86, 10.0)],
            "chest.pitch": [(0.4, 2.0), (0.9, 1.2)],
        },
    ),
    Gesture(
        13,
        "Look Back",
        "Over the right shoulder, and ahead again",
        2.6,
        {
            "head.yaw": [(0.62, -74.0), (0.95, -72.0), (1.7, -72.0)],
            "head.pitch": [(0.3, 5.0), (0.65, -2.0), (1.7, -2.0), (2.05, 4.0)],
            "head.roll": [(0.7, 4.0), (1.7, 4.0)],
            "chest.yaw": [(0.8, -30.0), (1.7, -29.0)],
            "chest.roll": [(0.8, 3.0), (1.7, 3.0)],
        },
        hold=(1.0, 1.6),
    ),
    Gesture(
        14,
        "Shake Head",
        "No, from side to side",
        1.6,
        {
            "head.yaw": [(0.22, 24.0), (0.52, -24.0), (0.82, 21.0), (1.12, -14.0)],
            "head.pitch": [(0.3, 4.0), (1.1, 3.0)],
            "chest.yaw": [(0.3, 2.5), (0.6, -2.5), (0.9, 2.0), (1.2, -1.0)],
        },
    ),
)
