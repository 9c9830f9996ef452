"""Two-bone limbs that end exactly where they are locked and bend in the plane in which they did before; bones that point somewhere.

All turns are made of mirrors: to mirror at the middle of two directions what was mirrored at the first one is the shortest turn to the
second.  Bones come mirrored at themselves by a table, and a mirror takes one product, wherever directions lie.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

_STRAIGHT = 1e-9  # of the limb's length: how near to quite straight or folded a limb may come
_BENT = 1e-3  # what the reference pose's bend counts, in limb lengths: it decides where a limb is straight
_FAINT = 1e-8  # of what decides where two directions are opposite, or one has no length: the root of what numbers tell apart
_TINY = 1e-30  # of nothing at all
_ONES = np.ones((3, 1))
_HALVES = np.full((3, 1), 0.5)
# Columns of the table of a limb's bones: the bone mirrored at itself, where it points, its arm, and to where the limb bends, faintly.
_POINTS, _ARM, _BEND = 3, 4, 5


@dataclass(frozen=True)
class Limbs:
    """Limbs `l` side by side: `bones` `(2 l,)`, all upper and then all lower ones, and their `arms` `(2 l, 3)` at rest, metres.

    `poles` `(l, 3)`: where limbs would bend if they were straight, at rest.
    """

    bones: np.ndarray
    arms: np.ndarray
    poles: np.ndarray

    def reached(self, turns: np.ndarray, way: np.ndarray) -> np.ndarray:
        """Return the bones' rotations away from rest `(f, 2 l, 3, 3)` that bring limbs' ends to their targets.

        `turns`: the rotations before; `way` `(f, l, 3)`: from starts to targets.  The whole limb turns the shortest way towards the target
        and bends in its own plane: its swivel stays.  A target out of reach is approached as near as may be.
        """
        frames, count = way.shape[:2]
        bones = (turns @ self._table).reshape(frames, 2, count, 3, 6)
        before = bones[:, 0, ..., _ARM] + bones[:, 1, ..., _ARM]
        lines = np.concatenate([before, way + _FAINT * before], axis=1)
        distance = np.sqrt((lines * lines) @ _ONES)
        lines /= distance
        before, after = lines[:, :count], lines[:, count:]
        # Twice mirrored, the whole limb has turned the shortest way.
        bones = mirrored(bones, before[:, None])
        bones = mirrored(bones, (before + after + bones[:, 0, ..., _BEND])[:, None])
        middle, end = self._placed(distance[:, count:], after, bones[:, 0, ..., _BEND])
        wanted = np.concatenate([middle, end], axis=1) / self._lengths
        bones = bones.reshape(frames, 2 * count, 3, 6)
        return mirrored(bones[..., :3], bones[..., _POINTS] + wanted)

    def _placed(self, distance: np.ndarray, after: np.ndarray, bend: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the arms `(f, l, 3)` of upper and lower bones of limbs whose ends are `distance` `(f, l, 1)` away, towards `after`."""
        (shortest, longest), (squared, half) = self._reach, self._triangle
        reach = np.minimum(np.maximum(distance, shortest), longest)
        along = 0.5 * reach + half / reach
        side = bend - (bend * after) @ _ONES * after
        side *= np.sqrt(np.maximum(squared - along * along, 0.0) / np.maximum((side * side) @ _ONES, _TINY))
        middle = along * after + side
        return middle, reach * after - middle

    @cached_property
    def _lengths(self) -> np.ndarray:
        """The lengths of the bones `(2 l, 1)`; never zero."""
        return np.maximum(np.linalg.norm(self.arms, axis=-1, keepdims=True), _TINY**0.25)

    @cached_property
    def _reach(self) -> tuple[np.ndarray, np.ndarray]:
        """The shortest and the longest way from start to end, each `(l, 1)`."""
        upper, lower = np.split(self._lengths, 2)
        whole = upper + lower
        return np.abs(upper - lower) + _STRAIGHT * whole, (1.0 - _STRAIGHT) * whole

    @cached_property
    def _triangle(self) -> tuple[np.ndarray, np.ndarray]:
        """The square of upper lengths, and half of what it is more than that of lower lengths, each `(l, 1)`: for the cosine rule."""
        upper, lower = np.split(self._lengths**2, 2)
        return upper, 0.5 * (upper - lower)

    @cached_property
    def _table(self) -> np.ndarray:
        """What a bone's rotation away from rest is multiplied by `(2 l, 3, 6)`."""
        count = len(self.poles)
        table = np.zeros((2 * count, 3, 6))
        along = self.arms / self._lengths
        table[..., :3] = mirror(along)
        table[..., _POINTS] = along
        table[..., _ARM] = self.arms
        table[:count, :, _ARM] *= 1.0 + _FAINT  # a limb that is folded upon itself has a direction too
        whole = self._lengths[:count] + self._lengths[count:]
        table[:count, :, _BEND] = _FAINT * (self.arms[:count] + _BENT * whole * self.poles)
        return table


@dataclass(frozen=True)
class Aims:
    """Bones `n` that do not hang on each other and are to point somewhere: their rows, and their `arms` `(n, 3)` at rest."""

    bones: np.ndarray
    arms: np.ndarray

    def turned(self, turns: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Return rotations away from rest `(f, n, 3, 3)`, turned the shortest way until bones point along `wanted` `(f, n, 3)`.

        What is wanted without length turns nothing.
        """
        bones = turns @ self._table
        length = np.sqrt((wanted * wanted) @ _ONES)
        return mirrored(bones[..., :3], bones[..., _POINTS] + wanted / np.maximum(length, _TINY))

    @cached_property
    def _table(self) -> np.ndarray:
        """What a bone's rotation away from rest is multiplied by `(n, 3, 4)`: it is mirrored at itself, and where it points."""
        along = self.arms / np.linalg.norm(self.arms, axis=-1, keepdims=True)
        # Where it points the other way it turns half a circle, about an axis across the body where that is not the bone's own.
        aside = np.where(np.abs(along[:, 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
        aside = np.cross(aside, along)
        return np.concatenate([mirror(along), (along + _FAINT * aside)[..., None]], axis=-1)


def mirror(normals: np.ndarray) -> np.ndarray:
    """Return the mirrors `(..., 3, 3)` of planes square to unit `normals` `(..., 3)`."""
    return np.eye(3) - 2.0 * normals[..., :, None] * normals[..., None, :]


def mirrored(columns: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return columns `(..., 3, n)` mirrored in planes square to `normals` `(..., 3)` of any length."""
    halves = (normals * normals) @ _HALVES
    return columns - normals[..., None] * ((normals / halves)[..., None, :] @ columns)


def drawn_in(joint: np.ndarray, tip: np.ndarray, start: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """Return `joint` `(..., 3)`, moved around the `tip` so that it is no farther than `longest` `(..., 1)` from `start`, if that may be."""
    short = _length(joint - tip)
    line = tip - start
    distance = np.maximum(_length(line), _TINY)
    reach = np.minimum(np.maximum(distance, np.abs(longest - short)), longest + short)
    along = (reach * reach + longest * longest - short * short) / (2.0 * reach)
    towards = line / distance
    aside = (joint - start) - ((joint - start) * towards) @ _ONES * towards
    aside /= np.maximum(_length(aside), _TINY)
    drawn = start + along * towards + np.sqrt(np.maximum(longest * longest - along * along, 0.0)) * aside
    return np.where(_length(joint - start) > longest, drawn, joint)


def _length(vector: np.ndarray) -> np.ndarray:
    return np.sqrt((vector * vector) @ _ONES)
