"""The ground of a path that is drawn up and down: a ribbon along it, level across."""

import numpy as np

from .terrain import CLIMB, Part, Terrain
from .triangles import Triangles

HALF_WIDTH = 1.0  # leg lengths to both sides of the path


def ribbon(places: np.ndarray, left: np.ndarray, leg_length: float) -> Terrain:
    """Return ground along places `(n, 3)` in order, `left` `(n, 3)` what lies to the left of each, for legs of a length in metres."""
    wide = HALF_WIDTH * leg_length * left
    points = np.concatenate([places - wide, places + wide])
    right = np.arange(len(places) - 1)
    other = right + len(places)
    corners = np.concatenate([np.stack([right, right + 1, other + 1], axis=1), np.stack([right, other + 1, other], axis=1)])
    return Terrain((Part(Triangles.of(points, corners), np.eye(4)),), CLIMB * leg_length)
