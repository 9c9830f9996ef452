"""The adult on whom motions are learned and rolled out: the IK Rig's parameters become places on this body,
whoever moved."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from ..body.sole import Sole
from ..character.character import Character
from ..geometry.rotation import norms
from ..ikrig.anatomy import Anatomy
from ..neural.points import JOINTS, PARENTS, adult_offsets
from ..skeleton.bvh import clip_of_joints
from ..skeleton.bvh_text import BvhJoint

LEG = 0.82  # metres from hip to ankle
_TOE = (0.06, 0.0, -0.02)  # the end of a ball
_HIPS_RISE = 0.93  # metres: about where an adult's pelvis is, so that the figure stands on the ground


@dataclass(frozen=True)
class AdultFigure:
    """The adult as a character, and the sizes of its chains in metres; `roots`: from hips or chest to a
    chain's root at rest `(3,)`.

    `toe` `(3,)`: from the left ankle to the toe joint at rest.
    """

    character: Character
    hips_height: float
    lengths: dict[str, float]
    roots: dict[str, np.ndarray]
    toe: np.ndarray

    @cached_property
    def sole(self) -> Sole:
        """Its soles."""
        return Sole.of(self.character.body)


@cache
def figure() -> AdultFigure:
    """Return the figure; it is the same at every call."""
    offsets = adult_offsets()
    offsets *= LEG / norms(offsets[[JOINTS.index("knee.L"), JOINTS.index("ankle.L")]]).sum()
    offsets[0, 2] = _HIPS_RISE
    joints = [
        BvhJoint(name, int(parent), offset, ends=[np.array(_TOE)] if name.startswith("ball") else [])
        for name, parent, offset in zip(JOINTS, PARENTS[: len(JOINTS)], offsets, strict=True)
    ]
    turns, places = np.tile(np.eye(3), (1, len(JOINTS), 1, 1)), np.zeros((1, len(JOINTS), 3))
    clip = clip_of_joints("figure", joints, turns, places, 30.0, np.ones(1), np.eye(4))
    character = Character.of(clip.skeleton)
    anatomy = Anatomy.of(character)
    chains = anatomy.chains.items()
    return AdultFigure(
        character,
        anatomy.hips_height,
        {name: chain.length for name, chain in chains},
        {name: chain.root_direction for name, chain in chains},
        offsets[JOINTS.index("ball.L")],
    )
