"""A hand pose of few sliders, how far it bends each finger, and the rotations of the bones that hold it, more
or less on each frame."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, norms, rotation_vector
from ..posing.channels import Channels, Property, in_mode, rotation_path
from .digits import Digit

_FIST = np.radians([80.0, 100.0, 65.0])  # flexion of a finger's joints in a fist: knuckle, middle, last
_THUMB_FIST = np.radians([20.0, 40.0, 55.0])  # of a thumb's
# how much more the little finger curls than the middle ones, halfway to a fist; none in a flat hand or a fist
_CASCADE = 0.4
_SPREAD = np.radians(15.0)  # of the outer fingers, at full spread
_NATURAL_FAN = np.radians(3.0)  # of the outer fingers, in a hand that is half open
# curl from which fingers lie beside one another, however far apart they are at rest: bent knuckles hold them
# there
_GATHERED = 0.25


@dataclass(frozen=True)
class HandPose:
    """How a hand is held: `curl` of the fingers and of the `thumb`, 0 straight to 1 in a fist; `point`, 0 to
    1: the index finger straight; `spread`, -1 closed to 1 fanned out."""

    curl: float = 0.0
    thumb: float = 0.0
    point: float = 0.0
    spread: float = 0.0


POSES: Mapping[str, HandPose] = {
    "RELAXED": HandPose(curl=0.3, thumb=0.25),
    "FIST": HandPose(curl=1.0, thumb=1.0),
    "FLAT": HandPose(),
    "POINT": HandPose(curl=1.0, thumb=0.9, point=1.0),
}


def _turns(digits: Iterable[Digit], pose: HandPose) -> dict[int, np.ndarray]:
    """Return the rotation `(3, 3)` of each phalanx from rest, relative to the bone before it, in armature
    space as at rest, by its row."""
    digits, found = tuple(digits), {}
    first = min((digit.place for digit in digits if not digit.is_thumb), default=0.0)
    for digit in digits:
        wanted = _flexion(digit, pose, is_index=digit.place == first and not digit.is_thumb)
        for row, axis, angle in zip(digit.bones, digit.bends, wanted - digit.curled, strict=True):
            found[row] = from_axis_angle(axis, angle)
        found[digit.bones[0]] = (
            from_axis_angle(digit.aside, np.array(_fanned(digit, pose))) @ found[digit.bones[0]]
        )
    return found


def _fanned(digit: Digit, pose: HandPose) -> float:
    """Return how far a digit is to be turned towards the little finger from rest, radians."""
    if digit.is_thumb:
        return 0.0
    gathered = min(max(pose.curl, 0.0) / _GATHERED, 1.0) * (_NATURAL_FAN * digit.place - digit.fanned)
    # a fist keeps its fingers together
    return float(gathered + (1.0 - pose.curl) * _SPREAD * pose.spread * digit.place)


def _flexion(digit: Digit, pose: HandPose, is_index: bool) -> np.ndarray:
    """Return how far each joint of a digit is to be bent `(n,)`, radians."""
    count = len(digit.bones)
    if digit.is_thumb:
        return pose.thumb * _THUMB_FIST[-count:]
    curl = min(max(pose.curl + _CASCADE * pose.curl * (1.0 - pose.curl) * digit.place, 0.0), 1.0)
    return curl * (1.0 - pose.point * is_index) * _FIST[:count]


class FingerBone(NamedTuple):
    """A bone that poses a phalanx: its `name`, its rotation `mode`, and its axes at rest `(3, 3)` as columns,
    armature space."""

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
        found = [
            (self.bones[row], turn) for row, turn in _turns(self.digits, pose).items() if row in self.bones
        ]
        return {bone.name: bone.axes.T @ turn @ bone.axes for bone, turn in found}


Grip = tuple[Hand, HandPose]


def grip_channels(grips: Sequence[Grip], amounts: Sequence[np.ndarray]) -> Channels | None:
    """Return the channels of the bones of held hands, None if nothing is held.

    `amounts`: of each hand `(f,)`, from 0, the rest pose, to 1, the hand pose. Amounts that never change give
    a single row.
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
    vectors = np.concatenate(
        [amounts[:, at, None, None] * part for at, (_, part) in enumerate(parts)], axis=1
    )
    angles = norms(vectors)
    matrices = from_axis_angle(normalized(vectors), angles)
    bones = [bone for listed, _ in parts for bone in listed]
    properties, blocks, column = [], [], 0
    for mode in dict.fromkeys(bone.mode for bone in bones):
        rows = [at for at, bone in enumerate(bones) if bone.mode == mode]
        values = in_mode(matrices[:, rows], mode)
        width = values.shape[-1]
        for row in rows:
            properties.append(
                Property(bones[row].name, rotation_path(mode), mode, slice(column, column + width))
            )
            column += width
        blocks.append(values.reshape(len(values), -1))
    return Channels(tuple(properties), np.concatenate(blocks, axis=1))


@lru_cache(maxsize=256)
def _vectors(hand: Hand, pose: HandPose) -> tuple[list[FingerBone], np.ndarray]:
    """Return a hand's bones, and their rotation vectors `(n, 3)` from rest about their own axes."""
    basis = hand.basis(pose)
    bones = [bone for bone in hand.bones.values() if bone.name in basis]
    return bones, rotation_vector(np.array([basis[bone.name] for bone in bones]).reshape(-1, 3, 3))
