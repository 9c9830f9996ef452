"""A hand pose of few sliders, and how far it bends each finger."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import from_axis_angle
from .digits import Digit

_FIST = np.radians([80.0, 100.0, 65.0])  # flexion of a finger's joints in a fist: knuckle, middle, last
_THUMB_FIST = np.radians([20.0, 40.0, 55.0])  # of a thumb's
_CASCADE = 0.4  # how much more the little finger curls than the middle ones, halfway to a fist; none in a flat hand or a fist
_SPREAD = np.radians(15.0)  # of the outer fingers, at full spread
_NATURAL_FAN = np.radians(3.0)  # of the outer fingers, in a hand that is half open
_GATHERED = 0.25  # curl from which fingers lie beside one another, however far apart they are at rest: bent knuckles hold them there


@dataclass(frozen=True)
class HandPose:
    """How a hand is held: `curl` of the fingers and of the `thumb`, 0 straight to 1 in a fist; `point`, 0 to 1: the index finger straight;
    `spread`, -1 closed to 1 fanned out."""

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


def turns(digits: Iterable[Digit], pose: HandPose) -> dict[int, np.ndarray]:
    """Return the rotation `(3, 3)` of each phalanx from rest, relative to the bone before it, in armature space as at rest, by its row."""
    digits, found = tuple(digits), {}
    first = min((digit.place for digit in digits if not digit.is_thumb), default=0.0)
    for digit in digits:
        wanted = _flexion(digit, pose, is_index=digit.place == first and not digit.is_thumb)
        for row, axis, angle in zip(digit.bones, digit.bends, wanted - digit.curled, strict=True):
            found[row] = from_axis_angle(axis, angle)
        found[digit.bones[0]] = from_axis_angle(digit.aside, np.array(_fanned(digit, pose))) @ found[digit.bones[0]]
    return found


def _fanned(digit: Digit, pose: HandPose) -> float:
    """Return how far a digit is to be turned towards the little finger from rest, radians."""
    if digit.is_thumb:
        return 0.0
    gathered = min(max(pose.curl, 0.0) / _GATHERED, 1.0) * (_NATURAL_FAN * digit.place - digit.fanned)
    return float(gathered + (1.0 - pose.curl) * _SPREAD * pose.spread * digit.place)  # a fist keeps its fingers together


def _flexion(digit: Digit, pose: HandPose, is_index: bool) -> np.ndarray:
    """Return how far each joint of a digit is to be bent `(n,)`, radians."""
    count = len(digit.bones)
    if digit.is_thumb:
        return pose.thumb * _THUMB_FIST[-count:]
    curl = min(max(pose.curl + _CASCADE * pose.curl * (1.0 - pose.curl) * digit.place, 0.0), 1.0)
    return curl * (1.0 - pose.point * is_index) * _FIST[:count]
