"""How far a pose is from the recorded one: angles in degrees, places in millimetres."""

from dataclasses import dataclass

import numpy as np

from neurarig_addon.core.geometry.rotation import between
from neurarig_addon.training.pose.judge import angles


@dataclass(frozen=True)
class Errors:
    """The errors of `n` frames of 22 joints.

    `turn` `(n, 22)`: angle between the joint's rotation and the recorded one, both as seen from the world.
    `local` `(n, 22)`: the same, both as seen from the parent joint.
    `swing` `(n, 22)`: angle between the bone's direction and the recorded one.
    `twist` `(n, 22)`: angle about the bone that is left once its direction is corrected by the shortest turn.
    All in degrees.
    `place` `(n, 22)`: distance of the joint from where it was recorded, mm.
    """

    turn: np.ndarray
    local: np.ndarray
    swing: np.ndarray
    twist: np.ndarray
    place: np.ndarray

    def __len__(self) -> int:
        return len(self.turn)

    def rows(self, chosen: np.ndarray) -> "Errors":
        """Return some frames."""
        return Errors(
            self.turn[chosen], self.local[chosen], self.swing[chosen], self.twist[chosen], self.place[chosen]
        )

    @classmethod
    def joined(cls, parts: list["Errors"]) -> "Errors":
        """Return the frames of several one after the other."""
        names = cls.__dataclass_fields__
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def swing_and_twist(found: np.ndarray, truth: np.ndarray, bones: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the angles `(...)` in degrees by which rotations `(..., 3, 3)` miss a bone's direction, and miss
    the turn about it.

    `bones` `(..., 3)`: unit directions of the bones before they are rotated.
    """
    seen, wanted = (rotation @ bones[..., None] for rotation in (found, truth))
    seen, wanted = seen[..., 0], wanted[..., 0]
    swing = np.degrees(
        np.arctan2(np.linalg.norm(np.cross(seen, wanted), axis=-1), np.sum(seen * wanted, axis=-1))
    )
    return swing, angles(between(seen, wanted) @ found, truth)


def mean_jerk(points: np.ndarray, fps: float) -> float:
    """Return the mean length of the third derivative of paths `(frames, points, 3)`, in the points' unit per
    s^3."""
    third = np.diff(points, 3, axis=0) * fps**3
    return float(np.linalg.norm(third, axis=-1).mean())
