"""The pose in which targets are dragged."""

from dataclasses import dataclass

import numpy as np

from ..point_body import PointBody


@dataclass(frozen=True, eq=False)
class PoseBefore:
    """The pose in which targets are dragged: roles' rotations from rest `(r, 3, 3)`, the pelvis `(3,)` and the points `(27, 3)`.

    `seen` `(27, 3)`: the points as shown, where targets were made; they differ where bones had been moved away from their parents.
    """

    away: np.ndarray
    root: np.ndarray
    points: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, body: PointBody, rotations: np.ndarray, seen: np.ndarray) -> "PoseBefore":
        """Return the pose of the joints' rotations `(22, 3, 3)` from the reference pose and of the points as shown `(27, 3)`."""
        away = body.role_turns(rotations[None])
        return cls(away[0], seen[0], body.tree.points(away, body.tree.heads(away, seen[:1]))[0], seen)
