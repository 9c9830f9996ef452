"""A body on one knee: how far that foot steps back, how its heel rises, and where the hips are then."""

from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..geometry.rotation import about_y
from ..skeleton.roles import SIDES, sided
from .rocker import rolled
from .sole import Sole

# How far the heel of a foot rises whose knee is on the ground, as far as its ankle is then not too high.
HEEL_UP = np.radians([65.0, 55.0, 45.0, 35.0, 25.0])
STEEPEST = 0.7  # of a shin's length: the ankle above the knee
THICK, NEAR = 0.06, 0.06  # leg lengths: of a knee without skin, and how near to it the skin is its own
# Leg lengths that the hips are behind the other ankle as the thigh leans BACK, in radians; it leans less and
# more, the lower hands go.
BEHIND, BACK = 0.3, np.radians(25.0)
LOWEST, THIGH = 1.2, np.radians([15.0, 48.0])


@dataclass(frozen=True)
class Kneel:
    """One knee of a body on level ground, of the side `row`, metres.

    `back`: from where its foot stood to where it stands; `pitch`: radians by which that lifts its heel.
    `knee` `(2,)`: ahead of the other ankle, and above the ground; `thick`: of the knee.
    """

    row: int
    back: float
    pitch: float
    knee: np.ndarray
    thigh: float

    @classmethod
    def of(cls, body: Body, row: int) -> "Kneel | None":
        """Return how a body kneels with one knee; None if its feet are too long for its shins."""
        shin, thigh, leg = float(body.shin_length[row]), float(body.thigh_length[row]), body.leg_length
        sole, thick = Sole.of(body), knee_thickness(body, row)
        for pitch in HEEL_UP:
            pitches = np.full(2, pitch)
            ankle = rolled(sole, about_y(pitches), pitches, np.zeros(2)).ankle[row]
            rises = float(ankle[2]) - thick
            if rises <= STEEPEST * shin:
                ahead = thigh * float(np.sin(BACK)) - BEHIND * leg
                back = float(np.sqrt(shin**2 - rises**2)) + float(ankle[0]) - ahead
                return cls(row, back, float(pitch), np.array([ahead, thick]), thigh)
        return None

    def hips(self, much: float) -> np.ndarray:
        """Return where the hips are `(2,)`, ahead of the other ankle and above the ground, of a body that
        goes down so `much`, 0..1."""
        leans = np.interp(much, [0.0, LOWEST], THIGH)
        return self.knee + self.thigh * np.array([-np.sin(leans), np.cos(leans)])


def knee_thickness(body: Body, row: int) -> float:
    """Return how many metres the skin of a knee is ahead of its joint."""
    points = body.skin.get(sided("thigh", SIDES[row]), np.zeros((0, 3))) - body.knee[row]
    near = points[np.abs(points[:, 2]) < NEAR * body.leg_length, 0]
    return float(near.max(initial=THICK * body.leg_length))
