"""A motion as the parameters of six IK chains (docs/ikrig.md).

The frame is the heading frame: x where the hips face, y to the character's left, z up; quaternions are w, x, y, z.  Orientations are
away from the reference pose that all characters share, so bone rolls and rest poses are not in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

LIMBS = ("leg.L", "leg.R", "arm.L", "arm.R")
CHAINS = ("spine", "neck", *LIMBS)
CONTACT_POINTS = tuple(f"{point}.{side}" for side in ("L", "R") for point in ("heel", "ball", "hand"))


@dataclass(frozen=True)
class Chain:
    """One chain over time.

    `root`: of the spine its place `(f, 3)` from the global frame's origin in hips heights; of the others the shortest turn `(f, 4)` of the
    direction from hips or chest to the chain's root away from its direction in the reference pose.
    `effector` `(f, 3)`: from root to effector, in chain lengths.  `up` `(f, 3)`: unit vector from that line to the middle joint.
    `orientation` `(f, 4)`: of the end bone, away from the reference pose.
    """

    root: np.ndarray
    effector: np.ndarray
    up: np.ndarray
    orientation: np.ndarray


@dataclass(frozen=True)
class Measures:
    """The source's proportions in metres.

    `hips_height`: head of the pelvis bone above the ground at rest.  `leg_length`: thigh plus shin.  `ankle_height`: above the sole.
    `hip_offset` `(3,)`: from the head of the pelvis bone to the middle between the hip joints, at rest in the walk frame.
    `lengths`: chain -> length.
    """

    hips_height: float
    leg_length: float
    ankle_height: float
    hip_offset: np.ndarray
    lengths: Mapping[str, float]


@dataclass(frozen=True)
class Contacts:
    """When points are planted: `intervals` maps each of CONTACT_POINTS to rows `(n, 2)` of first and last frame, both included."""

    intervals: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Encoding:
    """A motion free of proportions.

    `frames` `(f,)`: scene frames; `fps` a second.  `ground` `(f, 2)`: hips forward and left of the start frame's axes, in hips heights.
    `heading` `(f,)`: radians about z, unwrapped.  `chains`: by name; a chain that the source lacks is left out.
    `extras`: role -> orientation `(f, 4)` that the chains alone do not tell: `pelvis`, `clavicle.L`, `toe.R`, ..., in the heading frame.
    """

    name: str
    fps: float
    frames: np.ndarray
    ground: np.ndarray
    heading: np.ndarray
    chains: Mapping[str, Chain]
    measures: Measures
    extras: Mapping[str, np.ndarray] = field(default_factory=dict)
    contacts: Contacts = field(default_factory=Contacts)

    def __len__(self) -> int:
        return len(self.frames)
