"""Two-bone limbs that end exactly where they are locked and bend in the plane in which they did before; bones that point somewhere.

All turns are made of mirrors: to mirror at the middle of two directions what was mirrored at the first one is the shortest turn to the
second.  Bones come mirrored at themselves by a table, and a mirror takes one product, wherever directions lie.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry.vectors import dotted, lengths

_STRAIGHT = 1e-9  # of the limb's length: how near to quite straight or folded a limb may come
_BENT = 1e-3  # what the reference pose's bend counts, in limb lengths: it decides where a limb is straight
_FAINT = np.array(1e-8)  # of what decides where two directions are opposite, or one has no length: the root of what numbers tell apart
_TINY = np.array(1e-30)  # of nothing at all
_NONE, _HALF = np.array(0.0), np.array(0.5)
_HALVES = np.full((3, 3), 0.5)  # vectors' squares @ this: half the squares of their lengths, three times
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
        before /= lengths(before)
        after = way + _FAINT * before
        distance = lengths(after)
        after /= distance
        # Twice mirrored, the whole limb has turned the shortest way.
        bones = mirrored(bones, before[:, None])
        bones = mirrored(bones, (before + after + bones[:, 0, ..., _BEND])[:, None])
        wanted = bones[..., _POINTS] + self._placed(distance, after, bones[:, 0, ..., _BEND])
        return mirrored(bones[..., :3], wanted).reshape(turns.shape)

    def _placed(self, distance: np.ndarray, after: np.ndarray, bend: np.ndarray) -> np.ndarray:
        """Return where upper and lower bones `(f, 2, l, 3)` point in limbs whose ends are `distance` away, towards `after`, `(f, l, 3)`."""
        (shortest, longest), (upper, lower), (squared, half) = self._reach, self._lengths, self._triangle
        reach = np.minimum(np.maximum(distance, shortest), longest)
        along = _HALF * reach + half / reach
        side = bend - dotted(bend, after) * after
        side *= np.sqrt(np.maximum(squared - along * along, _NONE) / np.maximum(dotted(side, side), _TINY))
        middle = along * after + side
        found = np.empty((len(after), 2, *after.shape[1:]))
        np.divide(middle, upper, out=found[:, 0])
        np.divide(reach * after - middle, lower, out=found[:, 1])
        return found

    @cached_property
    def _lengths(self) -> np.ndarray:
        """The lengths of upper and of lower bones `(2, 1, l, 3)`, never zero; each three times, as all that follows from them."""
        long = np.maximum(np.linalg.norm(self.arms, axis=-1), _TINY**0.25)
        return np.repeat(long.reshape(2, 1, -1, 1), 3, axis=-1)

    @cached_property
    def _reach(self) -> tuple[np.ndarray, np.ndarray]:
        """The shortest and the longest way from start to end, each `(1, l, 3)`."""
        upper, lower = self._lengths
        whole = upper + lower
        return np.abs(upper - lower) + _STRAIGHT * whole, (1.0 - _STRAIGHT) * whole

    @cached_property
    def _triangle(self) -> tuple[np.ndarray, np.ndarray]:
        """The square of upper lengths, and half of what it is more than that of lower lengths, each `(1, l, 3)`: for the cosine rule."""
        upper, lower = self._lengths**2
        return upper, 0.5 * (upper - lower)

    @cached_property
    def _table(self) -> np.ndarray:
        """What a bone's rotation away from rest is multiplied by `(2 l, 3, 6)`."""
        count = len(self.poles)
        table = np.zeros((2 * count, 3, 6))
        upper, lower = self._lengths[:, 0]
        along = self.arms / np.concatenate([upper, lower])
        table[..., :3] = mirror(along)
        table[..., _POINTS] = along
        table[..., _ARM] = self.arms
        table[:count, :, _ARM] *= 1.0 + _FAINT  # a limb that is folded upon itself has a direction too
        table[:count, :, _BEND] = _FAINT * (self.arms[:count] + _BENT * (upper + lower) * self.poles)
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
        return mirrored(bones[..., :3], bones[..., _POINTS] + wanted / np.maximum(lengths(wanted), _TINY))

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
    scaled = normals / (normals * normals).reshape(-1, 3).dot(_HALVES).reshape(normals.shape)
    return columns - normals[..., None] @ (scaled[..., None, :] @ columns)


def drawn_in(joint: np.ndarray, tip: np.ndarray, start: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """Return `joint` `(..., 3)`, moved around the `tip` so that it is no farther than `longest` metres from `start`, if that may be."""
    short = lengths(joint - tip)
    line = tip - start
    distance = np.maximum(lengths(line), _TINY)
    reach = np.minimum(np.maximum(distance, np.abs(longest - short)), longest + short)
    along = (reach * reach + longest * longest - short * short) / (2.0 * reach)
    towards = line / distance
    aside = (joint - start) - dotted(joint - start, towards) * towards
    aside /= np.maximum(lengths(aside), _TINY)
    drawn = start + along * towards + np.sqrt(np.maximum(longest * longest - along * along, 0.0)) * aside
    return np.where(lengths(joint - start) > longest, drawn, joint)
