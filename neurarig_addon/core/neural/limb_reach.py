"""Two-bone limbs that end exactly where they are locked and bend in the plane in which they did before."""

from typing import NamedTuple

import numpy as np

from .triad import crossed
from .twist import shortest_turn

_STRAIGHT = 1e-9  # of the limb's length: how near to quite straight or folded a limb may come
_FAINT = 1e-3  # what the reference pose's bend counts, in limb lengths: it decides where a limb is straight
_TINY = 1e-12
_ONES = np.ones((3, 1))
_AROUND = np.array([1, 2, 0])


class Limbs(NamedTuple):
    """Limbs as they are: joints `start`, `middle`, `end` `(..., l, 3)`, and where they would bend if they were straight, `pole`."""

    start: np.ndarray
    middle: np.ndarray
    end: np.ndarray
    pole: np.ndarray


def reach_end(limbs: Limbs, spans: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the turns `(..., 2 l, 3, 3)` of all upper and then all lower bones that bring the ends to `target` `(..., l, 3)`.

    `spans` `(2, l, 1)`: the bones' lengths.  The whole limb turns the shortest way towards the target and bends in its own plane: its
    swivel stays.  A target out of reach is approached as near as may be.
    """
    a, b = spans
    upper, lower = limbs.middle - limbs.start, limbs.end - limbs.middle
    before = _unit(limbs.end - limbs.start, upper)
    line = target - limbs.start
    distance = _length(line)
    after = _unit(line, before)
    side = _unit(_beside(upper + (_FAINT * (a + b)) * limbs.pole, before), before[..., _AROUND])
    # The shortest turn from a to b moves what is square to a by (v.b) / (1 + a.b) (a + b).
    turned = side - (_dot(side, after) / np.maximum(1.0 + _dot(before, after), _TINY)) * (before + after)
    turned = _unit(_beside(turned, after), side)
    reach = np.minimum(np.maximum(distance, np.abs(a - b) + _STRAIGHT * (a + b)), (1.0 - _STRAIGHT) * (a + b))
    along = (reach * reach + a * a - b * b) / (2.0 * reach)
    middle = along * after + np.sqrt(np.maximum(a * a - along * along, 0.0)) * turned
    normals = crossed(np.concatenate([before, after], axis=-2), np.concatenate([side, turned], axis=-2))
    bones = np.concatenate([upper, middle, lower, reach * after - middle], axis=-2)
    frames = _frames(bones, np.concatenate([normals, normals], axis=-2)).reshape(bones.shape[:-2] + (2, 2, -1, 3, 3))
    turns = frames[..., 1, :, :, :] @ frames[..., 0, :, :, :].swapaxes(-1, -2)
    return turns.reshape(bones.shape[:-2] + (-1, 3, 3))


def point_at(line: np.ndarray, wanted: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    """Return the shortest turns `(..., 3, 3)` of bones along `line` towards `wanted` `(..., 3)`; of no length they turn nothing."""
    start = _unit(line, hinge)
    return shortest_turn(start, _unit(wanted, start), hinge)


def drawn_in(joint: np.ndarray, tip: np.ndarray, start: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """Return `joint` `(..., 3)`, moved around the `tip` so that it is no farther than `longest` `(..., 1)` from `start`, if that may be."""
    short = _length(joint - tip)
    line = tip - start
    distance = np.maximum(_length(line), _TINY)
    reach = np.minimum(np.maximum(distance, np.abs(longest - short)), longest + short)
    along = (reach * reach + longest * longest - short * short) / (2.0 * reach)
    towards = line / distance
    aside = _unit(_beside(joint - start, towards), crossed(towards, joint - tip))
    drawn = start + along * towards + np.sqrt(np.maximum(longest * longest - along * along, 0.0)) * aside
    return np.where(_length(joint - start) > longest, drawn, joint)


def _frames(bones: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: x along `bones`, y across, z as near to `normals` as may be."""
    frames = np.empty(bones.shape + (3,))
    frames[..., 0] = bones / np.maximum(_length(bones), _TINY)
    frames[..., 1] = _unit(crossed(normals, frames[..., 0]), normals)
    frames[..., 2] = crossed(frames[..., 0], frames[..., 1])
    return frames


def _beside(vector: np.ndarray, axis: np.ndarray) -> np.ndarray:
    return vector - _dot(vector, axis) * axis


def _unit(vector: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Return directions; a vector without length takes the direction of `otherwise`."""
    length = _length(vector)
    if length.min() > _TINY:
        return vector / length
    stand_in = otherwise / np.maximum(_length(otherwise), _TINY)
    return np.where(length > _TINY, vector / np.maximum(length, _TINY), stand_in)


def _length(vector: np.ndarray) -> np.ndarray:
    return np.sqrt((vector * vector) @ _ONES)


def _dot(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return (first * second) @ _ONES
