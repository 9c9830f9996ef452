"""The analytic pose: what points show about rotations without any learning.

Pelvis and chest have several points and are solved from two directions each; every other bone swings by the
shortest rotation from what
carries it to where it points; thighs, upper arms and the spine are then twisted as bent knees and elbows,
hips and shoulders show. All
in closed form, for one frame as for many, and never undefined. All joints must be there: `figure_filter`
completes missing ones before.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...geometry import rotation
from ...geometry.rotation import rejected
from ...geometry.vectors import dotted, lengths, triad_rows, triads
from ..frames import BoneFrames
from ..points import JOINTS
from .sight_lines import (
    BEND,
    BONES,
    FIRST,
    HOLDERS,
    SECOND,
    SHOWN,
    SHOWN_AT,
    SIDE,
    SWUNG,
    THIRD,
    TRUNK,
    TRUNK_LINES,
    TWISTED,
    sights,
)

_NUDGE = 1e-9  # of a bone's length, aside: decides the plane of a turn by exactly half a circle
_HALVES = np.full((3, 3), 0.5)  # squared vectors @ this: half their squared lengths, three times


@dataclass(frozen=True)
class Swing:
    """Directions fixed in k bodies, equally many on each of h holders, to be turned to other directions.

    Frames are given by their axes, one in each row, and a fourth row of no meaning, so that nothing has to be
    cut out of the products. `mirror` `(h, 4 k / h, 4)`: from a holder's axes to each body's own axes after a
    half turn about its direction, and to that direction.
    """

    mirror: np.ndarray

    @classmethod
    def of(cls, directions: np.ndarray, aside: np.ndarray, axes: np.ndarray, holding: np.ndarray) -> "Swing":
        """Return the swing of directions `(k, 3)`; the axes of the bodies `(k, 3, 3)` and of their holders
        `(h, 3, 3)` in columns."""
        half_turn = 2.0 * directions[:, :, None] * directions[:, None, :] - np.eye(3)
        mirror = np.concatenate(
            [np.swapaxes(axes, -1, -2) @ half_turn, (directions + _NUDGE * aside)[:, None, :]], axis=1
        )
        mirror = mirror.reshape(len(holding), -1, 3) @ holding
        return cls(np.concatenate([mirror, np.zeros_like(mirror[..., :1])], axis=-1))

    def apply(self, held: np.ndarray, towards: np.ndarray, out: np.ndarray) -> None:
        """Write frames `(f, k, 4, 3)`: carried by their holders, then turned until they point `towards` `(f,
        k, 3)`.

        The rotation from a to d is a half turn about a, then one about m = a + d: no trigonometry, no cases.
        A `towards` shorter than 1
        is approached only in part, one of length zero not at all. `held` `(f, h, 4, 3)`: the holders' frames.
        """
        carried = (self.mirror @ held).reshape(out.shape)
        middle = carried.take(3, axis=-2)
        middle += towards
        along = carried @ middle[..., None]
        middle /= (middle * middle).reshape(-1, 3).dot(_HALVES).reshape(middle.shape)
        np.subtract(along @ middle[..., None, :], carried, out=out)


# Sine of a bend: the more a bend exceeds it, the more it determines its limb's twist; below, the body above
# suggests the twist.
_BEND_TRUST = 0.15
_SHORTEST = 1e-4  # of the body's height: nearer points make no bone
# Frames are solved in this order: pelvis and chest, then the bones of each round; each joint's index, and the
# later rounds' holders.
_FOUND = np.concatenate([TRUNK, SWUNG])
_ORDER = np.array([int(np.flatnonzero(row == _FOUND)[-1]) for row in range(len(JOINTS))])
# rows of the joints' axes among all frames' rows, four each
_AXES = (4 * _ORDER[:, None] + np.arange(3)).ravel()
_HOLD_SECOND = _ORDER[HOLDERS[1]]
_HOLD_THIRD = slice(_ORDER[HOLDERS[2][0]], _ORDER[HOLDERS[2][-1]] + 1)
_FIRST, _SECOND, _THIRD = (
    slice(first, last)
    for first, last in pairwise(np.cumsum([len(TRUNK), len(FIRST), len(SECOND), len(THIRD)]))
)
_FIRST_LINES, _SECOND_LINES, _THIRD_LINES = (
    slice(BONES - len(TRUNK) + rows.start, BONES - len(TRUNK) + rows.stop)
    for rows in (_FIRST, _SECOND, _THIRD)
)
_TWISTED = slice(len(TRUNK) + TWISTED.start, len(TRUNK) + TWISTED.stop)
_TWISTED_LINES = slice(BONES + TWISTED.start, BONES + TWISTED.stop)
_ENDS = np.flatnonzero(len(JOINTS) <= SHOWN_AT)  # of the swung bones, those that end in no joint
_END_LINES = BONES + _ENDS
_BENDS = np.full((1, len(BEND), 3), _BEND_TRUST**2)


class Analytic(NamedTuple):
    """An analytic pose in the walk frame.

    `axes` `(..., 22, 3, 3)`: axes y, x, z of the bone-aligned frames, in rows; `back` `(22, 3, 3)`: the same
    in the reference pose, in
    columns. `trunk` `(..., 3, 3)`: the rotation of pelvis and chest as one from the reference pose.
    `twists_shown` `(..., 6)`: how far
    points show the twists of hips, spine1, spine2 and shoulders, 0..1. `root` `(..., 3)`: place of the
    pelvis.
    """

    axes: np.ndarray
    back: np.ndarray
    trunk: np.ndarray
    twists_shown: np.ndarray
    root: np.ndarray

    @property
    def rotations(self) -> np.ndarray:
        """Rotations `(..., 22, 3, 3)` from the reference pose."""
        return np.swapaxes(self.back @ self.axes, -1, -2)


@dataclass(frozen=True)
class Anchor:
    """The analytic solver of one body; build it with `of` and keep it.

    `sight` `(29, 27)`: the lines that a pose is read from, as sums of points; `rest_lines` `(29, 3)`: the
    same in the reference pose.
    `given` `(1, 29, 3)`: 0 for a bone without length. `rest_axes` `(3, 4, 3)`: from the seen frames of
    pelvis, chest and both to their
    axes, in rows, and a fourth row of zeros.
    `trunk_sight` `(2, 27)`: the lines of pelvis and chest as one, from right to left and up.
    `back` `(22, 3, 3)`: axes y, x, z of the bone-aligned frames in the reference pose, in columns.
    """

    sight: np.ndarray
    rest_lines: np.ndarray
    given: np.ndarray
    rest_axes: np.ndarray
    trunk_sight: np.ndarray
    back: np.ndarray
    swings: tuple[Swing, ...]
    twist: Swing
    shortest: float

    @classmethod
    def of(cls, rest: np.ndarray) -> "Anchor":
        """Return the solver for a body whose points in the reference pose are `rest` `(27, 3)`."""
        size = float(np.ptp(rest, axis=0).max())
        sight = sights(rest, size)
        void = np.linalg.norm(sight @ rest, axis=-1) < _SHORTEST * size
        sight[void] = sight[SIDE]
        lines = sight @ rest
        back = np.ascontiguousarray(BoneFrames.of_points(rest).aligned[:, :, [1, 0, 2]])
        swings = tuple(
            Swing.of(back[rows, :, 0], back[rows, :, 1], back[rows], back[holders])
            for rows, holders in zip((FIRST, SECOND, THIRD), HOLDERS, strict=True)
        )
        twisted = back[FIRST[TWISTED]]
        bones = twisted[:, :, 0]
        bend = rotation.normalized(rejected(BEND, bones))
        whole = np.stack([*back[TRUNK], np.eye(3)])
        return cls(
            sight=sight,
            rest_lines=lines,
            given=np.repeat(
                np.where(void & (np.arange(len(void)) >= BONES), 0.0, 1.0)[None, :, None], 3, axis=-1
            ),
            rest_axes=np.pad(
                np.swapaxes(whole, -1, -2) @ triads(lines[:3], lines[3:6]), [(0, 0), (0, 1), (0, 0)]
            ),
            trunk_sight=sight[TRUNK_LINES],
            back=back,
            swings=swings,
            twist=Swing.of(bend, np.cross(bones, bend), twisted, twisted),
            shortest=_SHORTEST * size,
        )

    def solve(
        self, points: np.ndarray, seen: np.ndarray | None = None, bends: np.ndarray = _BENDS
    ) -> Analytic:
        """Return the pose shown by finite points `(f, 27, 3)`; a bone whose ends are at one place stays with
        its parent.

        Args:
            seen: weights 0..1, `(27,)` or `(f, 27)`; those of the ends of head, hands and toes say how far
            their bones point there.
                None: wholly.
            bends: squared sines of the bends that determine half of a limb's twist, three times for each of
            hips, spine1, spine2 and
                shoulders `(1, 6, 3)` or `(f, 6, 3)`; small where points are exact and elbows and knees are
                hinges.
        """
        given = self.given
        if seen is not None:
            given = np.repeat(given, 1 if seen.ndim == 1 else len(seen), axis=0)
            given[:, _END_LINES] *= seen[..., SHOWN_AT[_ENDS], None]
        lines = self.sight @ points
        long = lengths(lines)
        # of points at one place; the trunk is then as in the reference pose
        if long.item(long.argmin()) <= self.shortest:
            apart = long > self.shortest
            lines = np.where(apart, lines, self.rest_lines)
            long = lengths(lines)
            apart[:, :BONES] = True
            given = given * apart
        axes, trunk, twists_shown = self.axes(lines * (given / long), bends)
        return Analytic(axes, self.back, trunk, twists_shown, points[..., 0, :])

    def axes(self, lines: np.ndarray, bends: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the axes of all joints, in rows `(..., 22, 3, 3)`, the trunk's rotation `(..., 3, 3)`, and
        how far twists show `(..., 6)`.

        `lines` `(..., 29, 3)`: directions, shorter than 1 where less is known; `bends`: those of `solve`.
        """
        trunk = self.rest_axes @ triad_rows(lines[:, :3], lines[:, 3:6])
        found = np.empty((len(lines), len(_FOUND), 4, 3))
        found[:, : len(TRUNK)] = trunk[:, : len(TRUNK)]
        first, second, third = self.swings
        first.apply(found[:, : len(TRUNK)], lines[:, _FIRST_LINES], out=found[:, _FIRST])
        twisted, (directions, twists_shown) = found[:, _TWISTED], _twists(lines, bends)
        self.twist.apply(twisted, directions, out=twisted)
        second.apply(found.take(_HOLD_SECOND, axis=1), lines[:, _SECOND_LINES], out=found[:, _SECOND])
        third.apply(found[:, _HOLD_THIRD], lines[:, _THIRD_LINES], out=found[:, _THIRD])
        axes = found.reshape(len(found), -1, 3).take(_AXES, axis=1).reshape(len(found), len(JOINTS), 3, 3)
        return axes, trunk[:, 2, :3].swapaxes(-1, -2), twists_shown


def _twists(lines: np.ndarray, bends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the seen directions of the twisted bones' reference directions `(..., 6, 3)`, perpendicular to
    the bone, short if unsure, and how far to trust them `(..., 6)`."""
    bones = lines[:, _TWISTED_LINES]
    shown = SHOWN @ lines
    shown -= dotted(shown, bones) * bones
    square = dotted(shown, shown)
    whole = square + bends
    return shown * (np.sqrt(square) / whole), (square / whole)[..., 0]
