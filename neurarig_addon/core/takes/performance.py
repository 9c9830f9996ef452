"""A clip on the body that will walk it: its motion, and where and when its feet are planted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..body.feet import SWING, Feet
from ..body.legs import hips_of, knee_directions
from ..body.rocker import under
from ..body.sole import Sole
from ..character.body import LEFT, RIGHT
from ..character.character import Character
from ..character.motion import Motion
from ..errors import NeuraRigError
from ..ikrig.encoding import Encoding
from ..retarget.feet import read_feet
from ..retarget.retarget import retarget
from ..retarget.travel import smooth
from ..skeleton.roles import LEG_JOINTS, SIDES, sided
from ..styles.recording import TIMES, as_long

BOTH = (LEFT, RIGHT)
# seconds of smoothing: a walk's bob and sway belong to the pelvis, the path to the root
WAY_SMOOTHED_S = 0.25
MIDDLE = 0.25  # share of a stance, at either end, that is not used to place the print


@dataclass(frozen=True)
class Performance:
    """A clip on a character: every role's motion in its walk frame, with travel, and which feet are planted:
    `standing` `(f, 2)`."""

    character: Character
    motions: Mapping[str, Motion]
    standing: np.ndarray
    fps: float
    name: str

    @classmethod
    def of(cls, encoding: Encoding, character: Character) -> "Performance":
        """Return a clip on a character with its feet planted; a clip of a single cycle is repeated.

        Raises NeuraRigError for a body that has no knees or feet.
        """
        needed = {sided(part, side) for part in LEG_JOINTS for side in SIDES}
        if character.body.one_bone_legs or not all(character.roles.has(role) for role in needed):
            raise NeuraRigError(
                "A recorded walk needs thighs, shins and feet. Assign these bones in the panel Rig, or use"
                " Retarget."
            )
        found = retarget(encoding, character)
        motions, standing = found.pose.motions, found.pivots != SWING
        longer = as_long(motions, found.fps, character.body.leg_length)
        if longer is not motions:
            standing = np.tile(standing[:-1], (TIMES, 1))
        return cls(character, longer, standing, found.fps, encoding.name)

    @property
    def seconds(self) -> np.ndarray:
        """The times of its frames `(f,)`, from 0."""
        return np.arange(len(self.standing)) / self.fps

    @cached_property
    def feet(self) -> Feet:
        """Both feet, independent of rest poses."""
        return read_feet(self.character, self.motions)

    @cached_property
    def knees(self) -> np.ndarray:
        """The directions of the knees `(f, 2, 3)`."""
        return knee_directions(self.character, self.motions)

    @cached_property
    def hips(self) -> np.ndarray:
        """The middle between the hip joints `(f, 3)`."""
        return hips_of(self.character.body, self.motions["pelvis"]).mean(axis=1)

    @cached_property
    def way(self) -> np.ndarray:
        """The positions on the ground under the hips `(f, 2)`, without the sway of the steps."""
        return smooth(self.hips[:, :2], WAY_SMOOTHED_S * self.fps)

    @cached_property
    def under(self) -> tuple[np.ndarray, np.ndarray]:
        """The prints that both feet would have if planted: places `(f, 2, 3)` and headings `(f, 2)`."""
        return under(Sole.of(self.character.body), self.feet)

    def print_of(self, side: int, touch: float, lift: float) -> tuple[np.ndarray, float]:
        """Return the place `(3,)` and heading of the print on which a foot is planted between two rows."""
        quarter = MIDDLE * (lift - touch)
        first, last = max(int(np.ceil(touch + quarter)), 0), min(int(lift - quarter), len(self.standing) - 1)
        rows = slice(min(first, last), max(first, last) + 1)
        place, heading = self.under
        return np.median(place[rows, side], axis=0), float(np.median(heading[rows, side]))
