"""Ground that is one sheet: it lies nowhere over itself, and goes up and down at once at its rim alone.

Hills and floors are; to know it saves looking for ledges and floors along a whole path.  Where all triangles face up, as many lie over a
place as the rim goes round it.  So whoever starts where there is one, and does not cross the rim, finds one everywhere.
"""

from dataclasses import dataclass

import numpy as np

from .triangles import Triangles


@dataclass(frozen=True)
class Sheet:
    """The boxes around the edges of the rim, `low` and `high` `(n, 2)`, and the `steepest` rise over way."""

    low: np.ndarray
    high: np.ndarray
    steepest: float

    @classmethod
    def of(cls, triangles: Triangles, count: int, rim: np.ndarray) -> "Sheet | None":
        """Return the sheet that triangles are; None where some face down, or are left out as walls are.

        `count`: how many there are with those.  `rim` `(n, 2, 3)`: the ends of the edges along which not as many triangles go one way as
        the other.
        """
        if not count or len(triangles.faces_up) < count or not triangles.faces_up.all():
            return None
        steepest = float(np.sqrt((triangles.height[:, :2] ** 2).sum(axis=1).max()))
        return cls(rim[..., :2].min(axis=1), rim[..., :2].max(axis=1), steepest)

    def has_rim_between(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Return whether the rim may come into a box `(2,)`."""
        return bool(((self.low <= high) & (self.high >= low)).all(axis=1).any())
