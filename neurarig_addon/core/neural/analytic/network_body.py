"""A body as the pose network sees it: its analytic solver, bone-aligned frames and bone lengths."""

from dataclasses import dataclass

import numpy as np

from ...geometry.rotation import norms, transposed
from ...skeleton.roles import SIDES
from ..frames import BoneFrames
from ..points import INDEX, PARENTS, POINTS, ways
from .anchor import Anchor

_COINCIDENT = 2e-3  # of the body's height: points nearer than this in the reference pose are one
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

    `places` `(27,)`: for each point the first of those at the same place. `incidence` `(p, 27)`: each pair's
    second point minus its
    first; `ends` `(2, p)`: their rows.  `lengths` `(p,)`: metres.
    """

    places: np.ndarray
    ends: np.ndarray
    incidence: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray) -> "RigidPoints":
        """Return the rigid pairs of a body whose points in the reference pose are `rest` `(27, 3)`."""
        nearest = _COINCIDENT * float(np.ptp(rest[:, 2]))
        pairs = [(int(PARENTS[row]), row) for row in range(1, len(POINTS))] + [
            (INDEX[a], INDEX[b]) for a, b in _CARRIED
        ]
        places = np.arange(len(POINTS))
        for low, high in pairs:
            if norms(rest[high] - rest[low]) < nearest:
                places[places == places[high]] = places[low]
        distinct = {
            (min(ends), max(ends)) for pair in pairs if len(ends := {int(places[row]) for row in pair}) == 2
        }
        ends = np.array(sorted(distinct)).T
        incidence = np.eye(len(POINTS))[ends[1]] - np.eye(len(POINTS))[ends[0]]
        return cls(places, ends, incidence, norms(incidence @ rest))


_SHORTEST = 0.01  # of the body's height: a shorter bone shows no direction
_PELVIS_LINES = ({"hip.L": 1.0, "hip.R": -1.0}, {"pelvis": 1.0, "spine1": 1.0, "hip.L": -1.0, "hip.R": -1.0})
# of the body's height: a pelvis whose joints are nearer to one line than this does not show its own rotation
_THICK = 0.06
# The bones whose bend shows the twist of each twisted joint, in the anchor's order; hips and shoulders show
# the spine's.
BENT_LIMBS = np.array(
    [[INDEX[f"{part}.{side}"] for side in SIDES] for part in ("hip", "knee", "shoulder", "elbow")]
)


@dataclass(frozen=True)
class NetworkBody:
    """The tables of one body; build them with `of` and keep them.

    `height`: metres. `lengths` `(27,)`: of the bone that ends in each point, metres; `given` `(27,)`: 0 where
    it is too short.
    `aligned` `(22, 2, 3)`: columns y and x of the bone-aligned frames in the reference pose, `back` `(22, 3,
    3)`: these frames, transposed.
    `chains` `(27, 26)`: which bones lead from the pelvis to each point; `reach` `(27,)`: the sum of their
    lengths, metres.
    `rest` `(27, 3)`: the points in the reference pose; `offsets` `(27, 3)`: each from the joint that carries
    it; `pairs`: those whose
    distance never changes.  `key`: identifies the body.
    `firm_pelvis`: the pelvis' own joints show its whole orientation.
    """

    anchor: Anchor
    height: float
    lengths: np.ndarray
    given: np.ndarray
    aligned: np.ndarray
    back: np.ndarray
    chains: np.ndarray
    reach: np.ndarray
    rest: np.ndarray
    offsets: np.ndarray
    pairs: RigidPoints
    key: bytes
    firm_pelvis: bool

    @classmethod
    def of(cls, rest: np.ndarray) -> "NetworkBody":
        """Return the tables of a body whose points in the reference pose are `rest` `(27, 3)`, metres."""
        rest = np.asarray(rest, dtype=float)
        height = float(np.ptp(rest[:, 2]))
        lengths = norms(rest - rest[np.maximum(PARENTS, 0)])
        given = np.where(lengths > _SHORTEST * height, 1.0, 0.0)
        across, upright = (_sum(line) @ rest for line in _PELVIS_LINES)
        frames = BoneFrames.of_points(rest).aligned
        return cls(
            anchor=Anchor.of(rest),
            height=height,
            lengths=lengths,
            given=given,
            aligned=np.ascontiguousarray(transposed(frames)[:, [1, 0]]),
            back=np.ascontiguousarray(transposed(frames)),
            chains=chains(),
            reach=chains() @ lengths[1:],
            rest=rest,
            offsets=rest - np.where(PARENTS[:, None] >= 0, rest[PARENTS], 0.0),
            pairs=RigidPoints.of(rest),
            key=rest.tobytes(),
            firm_pelvis=bool(norms(np.cross(upright, across)) > _THICK * height * norms(across)),
        )

    def places(self, rotations: np.ndarray) -> np.ndarray:
        """Return the points `(..., 27, 3)` of rotations `(..., 22, 3, 3)`, metres, relative to the pelvis."""
        return self.chains @ (rotations.take(PARENTS[1:], axis=-3) @ self.offsets[1:, :, None])[..., 0]


def chains() -> np.ndarray:
    """Return which bones, by the points at their ends but the pelvis, lead from the pelvis to each point
    `(27, 26)`."""
    return ways()[:, 1:]


def _sum(line: dict[str, float]) -> np.ndarray:
    return np.array([line.get(point, 0.0) for point in POINTS])
