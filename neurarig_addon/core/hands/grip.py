"""Hand poses held over time: the rotations of the bones that pose a hand, more or less of them on each frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, rotation_vector
from ..posing.channels import Channels, Property, in_mode, rotation_path
from .digits import Digit
from .hand_pose import HandPose, turns


class FingerBone(NamedTuple):
    """A bone that poses a phalanx: its `name`, its rotation `mode`, and its axes at rest `(3, 3)` as columns, armature space."""

    name: str
    mode: str
    axes: np.ndarray


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand that can be posed: its digits, and the bones of their phalanges by row of the skeleton."""

    digits: tuple[Digit, ...]
    bones: dict[int, FingerBone]

    def basis(self, pose: HandPose) -> dict[str, np.ndarray]:
        """Return the rotation `(3, 3)` of each bone from rest, about its own axes, in a hand pose."""
        found = [(self.bones[row], turn) for row, turn in turns(self.digits, pose).items() if row in self.bones]
        return {bone.name: bone.axes.T @ turn @ bone.axes for bone, turn in found}


Grip = tuple[Hand, HandPose]


def grip_channels(grips: Sequence[Grip], amounts: Sequence[np.ndarray]) -> Channels | None:
    """Return the channels of the bones of held hands, None if nothing is held.

    `amounts`: of each hand `(f,)`, from 0, the rest pose, to 1, the hand pose.  Amounts that never change give a single row.
    """
    if not grips:
        return None
    table = np.stack([np.asarray(amount, dtype=float) for amount in amounts], axis=1)
    if (table == table[:1]).all():
        return _still(tuple(grips), tuple(table[0].tolist()))
    return _channels(tuple(grips), table)


@lru_cache(maxsize=256)
def _still(grips: tuple[Grip, ...], amounts: tuple[float, ...]) -> Channels:
    return _channels(grips, np.array([amounts]))


def _channels(grips: tuple[Grip, ...], amounts: np.ndarray) -> Channels:
    """Return the channels for amounts `(f, hands)`, mode by mode."""
    parts = [_vectors(*grip) for grip in grips]
    vectors = np.concatenate([amounts[:, at, None, None] * part for at, (_, part) in enumerate(parts)], axis=1)
    angles = np.linalg.norm(vectors, axis=-1)
    matrices = from_axis_angle(normalized(vectors), angles)
    bones = [bone for listed, _ in parts for bone in listed]
    properties, blocks, column = [], [], 0
    for mode in dict.fromkeys(bone.mode for bone in bones):
        rows = [at for at, bone in enumerate(bones) if bone.mode == mode]
        values = in_mode(matrices[:, rows], mode)
        width = values.shape[-1]
        for row in rows:
            properties.append(Property(bones[row].name, rotation_path(mode), mode, slice(column, column + width)))
            column += width
        blocks.append(values.reshape(len(values), -1))
    return Channels(tuple(properties), np.concatenate(blocks, axis=1))


@lru_cache(maxsize=256)
def _vectors(hand: Hand, pose: HandPose) -> tuple[list[FingerBone], np.ndarray]:
    """Return a hand's bones, and their rotation vectors `(n, 3)` from rest about their own axes."""
    basis = hand.basis(pose)
    bones = [bone for bone in hand.bones.values() if bone.name in basis]
    return bones, rotation_vector(np.array([basis[bone.name] for bone in bones]).reshape(-1, 3, 3))
