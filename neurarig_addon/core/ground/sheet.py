"""Ground that is a single sheet: it never overlaps itself, and jumps in height only at its rim.

Hills and floors are sheets; knowing it saves the search for ledges and floors along a path.  If all triangles face up, as many lie over a
place as the rim winds around it.  So a line that starts over one and does not cross the rim has one everywhere.
"""

from dataclasses import dataclass

import numpy as np

from .triangles import Triangles


@dataclass(frozen=True)
class Sheet:
    """The bounding boxes of the rim edges, `low` and `high` `(n, 2)`, and the `steepest` rise over run."""

    low: np.ndarray
    high: np.ndarray
    steepest: float

    @classmethod
    def of(cls, triangles: Triangles, count: int, rim: np.ndarray) -> "Sheet | None":
        """Return the sheet of triangles; None if some face down or are left out, as walls are.

        `count`: number of triangles including those.  `rim` `(n, 2, 3)`: the ends of edges along which not as many triangles run one way as
        the other.
        """
        if not count or len(triangles.faces_up) < count or not triangles.faces_up.all():
            return None
        steepest = float(np.sqrt((triangles.height[:, :2] ** 2).sum(axis=1).max()))
        return cls(rim[..., :2].min(axis=1), rim[..., :2].max(axis=1), steepest)

    def has_rim_between(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Return whether the rim may come into a box `(2,)`."""
        return bool(((self.low <= high) & (self.high >= low)).all(axis=1).any())
