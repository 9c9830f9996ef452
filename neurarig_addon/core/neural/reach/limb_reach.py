"""Two-bone limbs that end exactly where they are locked and bend in the plane in which they did before."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry.twist import shortest_turn
from ..geometry.vectors import crossed

_STRAIGHT = 1e-9  # of the limb's length: how near to quite straight or folded a limb may come
_FAINT = 1e-3  # what the reference pose's bend counts, in limb lengths: it decides where a limb is straight
_TINY = 1e-12
_ONES = np.ones((3, 1))
_AROUND = np.array([1, 2, 0])


@dataclass(frozen=True)
class LimbLengths:
    """The lengths of the `upper` and `lower` bones of `l` limbs, each `(l, 1)`, metres."""

    upper: np.ndarray
    lower: np.ndarray

    @cached_property
    def bones(self) -> np.ndarray:
        """All upper and then all lower lengths `(2 l, 1)`; never zero."""
        return np.maximum(np.concatenate([self.upper, self.lower]), _TINY)

    @cached_property
    def faint(self) -> np.ndarray:
        """How much of its pole is added to an upper bone `(l, 1)`."""
        return _FAINT * (self.upper + self.lower)

    @cached_property
    def reach(self) -> tuple[np.ndarray, np.ndarray]:
        """The shortest and the longest way from start to end, each `(l, 1)`."""
        whole = self.upper + self.lower
        return np.abs(self.upper - self.lower) + _STRAIGHT * whole, (1.0 - _STRAIGHT) * whole


def reach_end(lines: np.ndarray, pole: np.ndarray, lengths: LimbLengths) -> np.ndarray:
    """Return the turns `(..., 2 l, 3, 3)` of all upper and then all lower bones that bring limbs' ends to their targets.

    `lines` `(..., 4 l, 3)`: all upper bones, all lower ones, and from all starts to their ends and to their targets.  `pole` `(..., l, 3)`:
    where limbs would bend if they were straight.  The whole limb turns the shortest way towards the target and bends in its own plane: its
    swivel stays.  A target out of reach is approached as near as may be.
    """
    count = pole.shape[-2]
    upper, way = lines[..., :count, :], lines[..., 2 * count :, :]
    distance = _length(way)
    if distance.min() > _TINY:
        way = way / distance
    else:
        way = np.concatenate([_unit(way[..., :count, :], upper)] * 2, axis=-2)
        way[..., count:, :] = _unit(lines[..., 3 * count :, :], way[..., :count, :])
    before, after, distance = way[..., :count, :], way[..., count:, :], distance[..., count:, :]
    normal = _unit(crossed(before, upper + lengths.faint * pole), before[..., _AROUND])
    # The shortest turn from a to b moves what is square to a by (v.b) / (1 + a.b) (a + b).
    dots = (np.concatenate([normal, before], axis=-2) * np.concatenate([after, after], axis=-2)) @ _ONES
    share = dots[..., :count, :] / np.maximum(1.0 + dots[..., count:, :], _TINY)
    side = crossed(normal - share * (before + after), after)
    side = _unit(side, before[..., _AROUND])
    shortest, longest = lengths.reach
    reach = np.minimum(np.maximum(distance, shortest), longest)
    squared = lengths.upper * lengths.upper
    along = 0.5 * (reach + (squared - lengths.lower * lengths.lower) / reach)
    middle = along * after + np.sqrt(np.maximum(squared - along * along, 0.0)) * side
    bones = np.concatenate(
        [lines[..., : 2 * count, :] / lengths.bones, np.concatenate([middle, reach * after - middle], axis=-2) / lengths.bones], axis=-2
    )
    turned = crossed(after, side)
    frames = _frames(bones, np.concatenate([normal, normal, turned, turned], axis=-2))
    return frames[..., 2 * count :, :, :].swapaxes(-1, -2) @ frames[..., : 2 * count, :, :]


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
    """Return frames `(..., 3, 3)`, axes in rows: x along unit `bones`, y across, z as near to `normals` as may be."""
    across = _unit(crossed(normals, bones), normals)
    return np.concatenate([bones, across, crossed(bones, across)], axis=-1).reshape(bones.shape + (3,))


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
