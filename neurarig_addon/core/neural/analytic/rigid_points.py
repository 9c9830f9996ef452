"""Points that keep their distance in every pose of a body: ends of bones, what pelvis and chest carry, and joints at the same place."""

from dataclasses import dataclass

import numpy as np

from ..points import INDEX, PARENTS, POINTS

COINCIDENT = 2e-3  # of the body's height: points nearer than this in the reference pose are one
# Rigid besides the bones: what pelvis and chest carry.
_CARRIED = (
    ("hip.L", "hip.R"),
    ("hip.L", "spine1"),
    ("hip.R", "spine1"),
    ("neck", "collar.L"),
    ("neck", "collar.R"),
    ("collar.L", "collar.R"),
)


@dataclass(frozen=True)
class RigidPoints:
    """The rigid pairs of a body.

    `places` `(27,)`: for each point the first of those at the same place.  `incidence` `(p, 27)`: each pair's second point minus its
    first; `ends` `(2, p)`: their rows.  `lengths` `(p,)`: metres.
    """

    places: np.ndarray
    ends: np.ndarray
    incidence: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray) -> "RigidPoints":
        """Return the rigid pairs of a body whose points in the reference pose are `rest` `(27, 3)`."""
        nearest = COINCIDENT * float(np.ptp(rest[:, 2]))
        pairs = [(int(PARENTS[row]), row) for row in range(1, len(POINTS))] + [(INDEX[a], INDEX[b]) for a, b in _CARRIED]
        places = np.arange(len(POINTS))
        for low, high in pairs:
            if np.linalg.norm(rest[high] - rest[low]) < nearest:
                places[places == places[high]] = places[low]
        distinct = {(min(ends), max(ends)) for pair in pairs if len(ends := {int(places[row]) for row in pair}) == 2}
        ends = np.array(sorted(distinct)).T
        incidence = np.eye(len(POINTS))[ends[1]] - np.eye(len(POINTS))[ends[0]]
        return cls(places, ends, incidence, np.linalg.norm(incidence @ rest, axis=-1))
