"""Two-bone limbs that end exactly where they are locked and keep their plane of bending; bones that are
aimed.

All rotations are pairs of reflections: reflecting at one direction, then at the midpoint between it and a
second one, is the shortest
rotation to the second. A table reflects bones at themselves, and the other reflection is one product, for any
directions.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry.limb import sides, two_bones
from ..geometry.rotation import norms
from ..geometry.vectors import dotted, lengths

_STRAIGHT = 1e-9  # of the limb's length: margin from fully straight and fully folded
_BENT = 1e-3  # limb lengths: weight of the reference pose's bend, which decides for straight limbs
# weight of what decides for opposite or zero directions: about the root of machine epsilon
_FAINT = np.array(1e-8)
_TINY = np.array(1e-30)  # keeps divisions finite
_LEAST = np.sqrt(_TINY)
_HALVES = np.full((3, 3), 0.5)  # squared vectors @ this: half their squared lengths, three times
# Columns of the table of a limb's bones: the bone reflected at itself, its direction, its arm, and the limb's
# bend times _FAINT.
_POINTS, _ARM, _BEND = 3, 4, 5


@dataclass(frozen=True)
class ReachingLimbs:
    """Limbs `l` side by side: `bones` `(2 l,)`, all upper and then all lower ones, and their `arms` `(2 l,
    3)` at rest, metres.

    `poles` `(l, 3)`: the directions in which straight limbs bend, at rest.
    """

    bones: np.ndarray
    arms: np.ndarray
    poles: np.ndarray

    def reached(self, turns: np.ndarray, way: np.ndarray) -> np.ndarray:
        """Return the bones' rotations from rest `(f, 2 l, 3, 3)` that bring limbs' ends to their targets.

        `turns`: the rotations before; `way` `(f, l, 3)`: from starts to targets. The whole limb turns by the
        shortest rotation towards the
        target and bends in its own plane: its swivel stays. A target out of reach is approached as near as
        possible.
        """
        frames, count = way.shape[:2]
        bones = (turns @ self._table).reshape(frames, 2, count, 3, 6)
        before = bones[:, 0, ..., _ARM] + bones[:, 1, ..., _ARM]
        before /= lengths(before)
        after = way + _FAINT * before
        distance = lengths(after)
        after /= distance
        # Two reflections turn the whole limb by the shortest rotation.
        bones = mirrored(bones, before[:, None])
        bones = mirrored(bones, (before + after + bones[:, 0, ..., _BEND])[:, None])
        wanted = bones[..., _POINTS] + self._placed(distance, after, bones[:, 0, ..., _BEND])
        return mirrored(bones[..., :3], wanted).reshape(turns.shape)

    def _placed(self, distance: np.ndarray, after: np.ndarray, bend: np.ndarray) -> np.ndarray:
        """Return the unit directions of upper and lower bones `(f, 2, l, 3)`; limbs' ends are `distance` away
        along `after` `(f, l, 3)`."""
        upper, lower = self._lengths
        reach, along, aside = sides(distance, upper, lower, _STRAIGHT)
        side = bend - dotted(bend, after) * after
        side *= aside / np.maximum(lengths(side), _LEAST)
        middle = along * after + side
        found = np.empty((len(after), 2, *after.shape[1:]))
        np.divide(middle, upper, out=found[:, 0])
        np.divide(reach * after - middle, lower, out=found[:, 1])
        return found

    @cached_property
    def _lengths(self) -> np.ndarray:
        """The lengths of upper and of lower bones `(2, 1, l, 3)`, never zero; each repeated three times, as
        is all that follows."""
        long = np.maximum(norms(self.arms), _TINY**0.25)
        return np.repeat(long.reshape(2, 1, -1, 1), 3, axis=-1)

    @cached_property
    def _table(self) -> np.ndarray:
        """The factors of bones' rotations from rest `(2 l, 3, 6)`."""
        count = len(self.poles)
        table = np.zeros((2 * count, 3, 6))
        upper, lower = self._lengths[:, 0]
        along = self.arms / np.concatenate([upper, lower])
        table[..., :3] = mirror(along)
        table[..., _POINTS] = along
        table[..., _ARM] = self.arms
        table[:count, :, _ARM] *= 1.0 + _FAINT  # a fully folded limb has a direction too
        table[:count, :, _BEND] = _FAINT * (self.arms[:count] + _BENT * (upper + lower) * self.poles)
        return table


@dataclass(frozen=True)
class Aims:
    """Bones `n` to be aimed, none a child of another: their rows, and their `arms` `(n, 3)` at rest."""

    bones: np.ndarray
    arms: np.ndarray

    def turned(self, turns: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Return rotations from rest `(f, n, 3, 3)`, turned by the shortest rotations that point bones along
        `wanted` `(f, n, 3)`.

        A `wanted` of zero turns nothing.
        """
        bones = turns @ self._table
        return mirrored(bones[..., :3], bones[..., _POINTS] + wanted / np.maximum(lengths(wanted), _TINY))

    @cached_property
    def _table(self) -> np.ndarray:
        """The factors of bones' rotations from rest `(n, 3, 4)`: the bone reflected at itself, and its
        direction."""
        along = self.arms / norms(self.arms)[..., None]
        # To the opposite direction a bone turns by half a circle, about the body's left-right axis unless
        # that is the bone's own.
        aside = np.where(np.abs(along[:, 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
        aside = np.cross(aside, along)
        return np.concatenate([mirror(along), (along + _FAINT * aside)[..., None]], axis=-1)


def mirror(normals: np.ndarray) -> np.ndarray:
    """Return the reflections `(..., 3, 3)` in planes of unit `normals` `(..., 3)`."""
    return np.eye(3) - 2.0 * normals[..., :, None] * normals[..., None, :]


def mirrored(columns: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return columns `(..., 3, n)` reflected in planes of `normals` `(..., 3)` of any length."""
    scaled = normals / (normals * normals).reshape(-1, 3).dot(_HALVES).reshape(normals.shape)
    return columns - normals[..., None] @ (scaled[..., None, :] @ columns)


def drawn_in(joint: np.ndarray, tip: np.ndarray, start: np.ndarray, longest: float) -> np.ndarray:
    """Return `joint` `(..., 3)`, moved around the `tip` to at most `longest` metres from `start`, if
    possible."""
    far = norms(joint - start) > longest
    if not far.any():
        return joint
    drawn, _ = two_bones(start, tip, joint - start, longest, norms(joint - tip), tip - start)
    return np.where(far[..., None], drawn, joint)
