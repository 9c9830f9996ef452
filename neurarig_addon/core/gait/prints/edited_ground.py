"""Uneven ground under prints that were lowered or tilted: a hollow, so that clearance does not push feet off their prints."""

from dataclasses import dataclass

import numpy as np

from ...easing import smoothstep
from ...geometry.rotation import rotated
from ...ground.prints import Prints
from ...ground.sole import Sole
from ...ground.surface import Ground

# Distance from the foot's middle line up to which the ground is the print's plane, and from which it is as before, in foot lengths.
NEAR, FAR = 0.3, 1.5


@dataclass(frozen=True)
class EditedGround:
    """A `ground` that is nowhere above the planes of prints `(n,)` close to them.

    `place` `(n, 3)`; `slopes` `(n, 2)`: rise of a plane along x and y; `heel`, `tip` `(n, 2)`: both ends of the foot;
    `length`: metres of a foot.
    """

    ground: Ground
    place: np.ndarray
    slopes: np.ndarray
    heel: np.ndarray
    tip: np.ndarray
    length: float

    is_level = False

    @classmethod
    def under(cls, ground: Ground, sole: Sole, prints: Prints, sides: np.ndarray) -> "EditedGround":
        """Return the ground with hollows for prints `(n,)` of the feet `sides`."""
        heel, tip = (prints.place[:, :2] + rotated(prints.axes, point[sides])[:, :2] for point in (sole.heel, sole.toe))
        return cls(ground, prints.place, prints.rise, heel, tip, float(np.mean(sole.toe[:, 0] - sole.heel[:, 0])))

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        height = self.ground.height(places)
        at = places[..., None, :2]
        along = self.tip - self.heel
        share = np.clip(((at - self.heel) * along).sum(axis=-1) / (along * along).sum(axis=-1), 0.0, 1.0)
        away = np.linalg.norm(at - self.heel - share[..., None] * along, axis=-1) / self.length
        fade = np.clip((FAR - away) / (FAR - NEAR), 0.0, 1.0)
        plane = self.place[:, 2] + ((at - self.place[:, :2]) * self.slopes).sum(axis=-1)
        lower = np.minimum(plane - height[..., None], 0.0) * smoothstep(fade)
        return height + lower.min(axis=-1)

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground; not known."""
        return False
