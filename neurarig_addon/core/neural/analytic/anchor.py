"""The analytic pose: what points show about rotations without any learning.

Pelvis and chest have several points and are solved from two directions each; every other bone swings by the shortest rotation from what
carries it to where it points; thighs, upper arms and the spine are then twisted as bent knees and elbows, hips and shoulders show.  All
in closed form, for one frame as for many, and never undefined: a bone that is not seen stays with its parent.
"""

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ...geometry import rotation
from ..geometry.frames import BoneFrames
from ..geometry.triad import triad_rows, triads
from ..geometry.vectors import dotted, lengths
from ..points import JOINTS, PARENTS, POINTS
from .analytic_pose import Analytic, Sight
from .missing import Evidence, Neighbours, complete
from .sight_lines import BEND, BONES, FIRST, HOLDERS, SECOND, SHOWN, SHOWN_AT, SIDE, SWUNG, THIRD, TRUNK, TRUNK_LINES, TWISTED, sights
from .swings import Swing

# Sine of a bend: the more a bend exceeds it, the more it determines its limb's twist; below, the body above suggests the twist.
_BEND_TRUST = 0.15
SHORTEST = 1e-4  # of the body's height: nearer points make no bone
_END_HOLDERS = PARENTS[len(JOINTS) :]
# Frames are solved in this order: pelvis and chest, then the bones of each round; each joint's index, and the later rounds' holders.
_FOUND = np.concatenate([TRUNK, SWUNG])
_ORDER = np.array([int(np.flatnonzero(row == _FOUND)[-1]) for row in range(len(JOINTS))])
_AXES = (4 * _ORDER[:, None] + np.arange(3)).ravel()  # rows of the joints' axes among all frames' rows, four each
_HOLD_SECOND = _ORDER[HOLDERS[1]]
_HOLD_THIRD = slice(_ORDER[HOLDERS[2][0]], _ORDER[HOLDERS[2][-1]] + 1)
_FIRST, _SECOND, _THIRD = (slice(first, last) for first, last in pairwise(np.cumsum([len(TRUNK), len(FIRST), len(SECOND), len(THIRD)])))
_FIRST_LINES, _SECOND_LINES, _THIRD_LINES = (
    slice(BONES - len(TRUNK) + rows.start, BONES - len(TRUNK) + rows.stop) for rows in (_FIRST, _SECOND, _THIRD)
)
_TWISTED = slice(len(TRUNK) + TWISTED.start, len(TRUNK) + TWISTED.stop)
_TWISTED_LINES = slice(BONES + TWISTED.start, BONES + TWISTED.stop)
_EVERYTHING = np.ones(len(POINTS))
_BENDS = np.full((1, len(BEND), 3), _BEND_TRUST**2)
_MOST_REMEMBERED = 32


@dataclass(frozen=True)
class Anchor:
    """The analytic solver of one body; build it with `of` and keep it.

    `sight` `(29, 27)`: the lines that a pose is read from, as sums of points; `rest_lines` `(29, 3)`: the same in the reference pose.
    `given` `(1, 29, 3)`: 0 for a bone without length.  `rest_axes` `(3, 4, 3)`: from the seen frames of pelvis, chest and both to their
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
    neighbours: Neighbours
    _remembered: dict[bytes, Evidence] = field(default_factory=dict, compare=False, repr=False)
    _sights: dict[bytes, Sight | None] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, rest: np.ndarray) -> "Anchor":
        """Return the solver for a body whose points in the reference pose are `rest` `(27, 3)`."""
        size = float(np.ptp(rest, axis=0).max())
        sight = sights(rest, size)
        void = np.linalg.norm(sight @ rest, axis=-1) < SHORTEST * size
        sight[void] = sight[SIDE]
        lines = sight @ rest
        back = np.ascontiguousarray(BoneFrames.of_points(rest).aligned[:, :, [1, 0, 2]])
        swings = tuple(
            Swing.of(back[rows, :, 0], back[rows, :, 1], back[rows], back[holders])
            for rows, holders in zip((FIRST, SECOND, THIRD), HOLDERS, strict=True)
        )
        twisted = back[FIRST[TWISTED]]
        bones = twisted[:, :, 0]
        bend = rotation.normalized(BEND - np.sum(BEND * bones, axis=-1, keepdims=True) * bones)
        whole = np.stack([*back[TRUNK], np.eye(3)])
        return cls(
            sight=sight,
            rest_lines=lines,
            given=np.repeat(np.where(void & (np.arange(len(void)) >= BONES), 0.0, 1.0)[None, :, None], 3, axis=-1),
            rest_axes=np.pad(np.swapaxes(whole, -1, -2) @ triads(lines[:3], lines[3:6]), [(0, 0), (0, 1), (0, 0)]),
            trunk_sight=sight[TRUNK_LINES],
            back=back,
            swings=swings,
            twist=Swing.of(bend, np.cross(bones, bend), twisted, twisted),
            shortest=SHORTEST * size,
            neighbours=Neighbours.of(rest),
        )

    def solve(self, points: np.ndarray, seen: np.ndarray | None = None, bends: np.ndarray = _BENDS) -> Analytic:
        """Return the pose shown by points `(f, 27, 3)`.

        Args:
            seen: weights 0..1, `(27,)` or `(f, 27)`, 0 for a missing point, None for all seen; points that are not finite are missing.
            bends: squared sines of the bends that determine half of a limb's twist, three times for each of hips, spine1, spine2 and
                shoulders `(1, 6, 3)` or `(f, 6, 3)`; small where points are exact and elbows and knees are hinges.
        """
        sight = self._sight(seen)
        if sight is not None:
            lines = sight.lines @ points
            long = lengths(lines)
            if long.item(long.argmin()) > self.shortest:  # not where points coincide or are NaN
                axes, trunk, twists_shown = self._axes(lines * (sight.given / long), bends)
                return Analytic(axes, self.back, trunk, twists_shown, points, sight)
        evidence, points = self._evidence(points, seen)
        points, figure = complete(self.neighbours, evidence, points)
        axes, trunk, twists_shown = self._axes(self._known_lines(evidence, points, figure), bends)
        # Missing ends go where their joints carry them.
        found = Analytic(axes, self.back, trunk, twists_shown, points)
        arms = (found.rotations[..., _END_HOLDERS, :, :] @ self.neighbours.arms[len(JOINTS) :, :, None])[..., 0]
        hidden = evidence.weights[..., len(JOINTS) :, None] == 0.0
        points[..., len(JOINTS) :, :] = np.where(hidden, points[..., _END_HOLDERS, :] + arms, points[..., len(JOINTS) :, :])
        return found

    def _sight(self, seen: np.ndarray | None) -> Sight | None:
        """Return the lines to read; None unless all joints are seen, and each end of head, hands and toes is seen or not, not in part."""
        if seen is None or seen.ndim > 1:
            if seen is not None and seen.min() < 1.0:
                return None
            seen = _EVERYTHING
        key = seen.tobytes()
        if key not in self._sights:
            if len(self._sights) >= _MOST_REMEMBERED:
                self._sights.clear()
            self._sights[key] = self._sight_of(seen)
        return self._sights[key]

    def _sight_of(self, seen: np.ndarray) -> Sight | None:
        ends = seen[len(JOINTS) :]
        if seen[: len(JOINTS)].min() < 1.0 or not np.isin(ends, (0.0, 1.0)).all():
            return None
        lines, given, missing = self.sight.copy(), self.given.copy(), ends == 0.0
        rows = len(JOINTS) + np.flatnonzero(missing)
        unseen = BONES + np.flatnonzero(np.isin(SHOWN_AT, rows))
        lines[unseen] = self.sight[SIDE]
        given[:, unseen] = 0.0
        holders = PARENTS[rows]
        arms = self.neighbours.arms[rows, None, :] @ self.back[holders]
        return Sight(lines, given, slice(len(JOINTS), len(POINTS)) if missing.all() else rows, holders, arms)

    def _evidence(self, points: np.ndarray, seen: np.ndarray | None) -> tuple[Evidence, np.ndarray]:
        """Return the evidence of the points that are seen and finite, and the points with zeros for the others."""
        weights = _EVERYTHING if seen is None else np.asarray(seen, dtype=float)
        if not math.isfinite(np.vdot(points, points)):
            finite = np.asarray(np.isfinite(points).all(axis=-1))
            points = np.where(finite[..., None], points, 0.0)
            if not (finite | (weights == 0.0)).all():
                weights = weights * finite
        evidence = self._remembered_evidence(weights) if weights.ndim == 1 else Evidence.of(self.neighbours, _from_0_to_1(weights))
        return evidence, points * evidence.shown

    def _remembered_evidence(self, weights: np.ndarray) -> Evidence:
        key = weights.tobytes()
        if key not in self._remembered:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = Evidence.of(self.neighbours, _from_0_to_1(weights))
        return self._remembered[key]

    def _known_lines(self, evidence: Evidence, points: np.ndarray, figure: np.ndarray) -> np.ndarray:
        """Return the directions of the lines `(..., 29, 3)` of completed points, shorter than 1 where less is known of them."""
        lines = self.sight @ points
        long = lengths(lines)
        apart = long > self.shortest
        known = self.given * apart
        known[..., :BONES, :] = 1.0
        known[..., BONES:, :] *= evidence.trusted[..., SHOWN_AT, None]
        if not apart.all():
            lines = np.where(apart, lines, self.rest_lines @ rotation.transposed(figure))
            long = lengths(lines)
        return lines * (known / long)

    def _axes(self, lines: np.ndarray, bends: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the axes of all joints, in rows `(..., 22, 3, 3)`, the trunk's rotation `(..., 3, 3)`, and how far twists show `(..., 6)`.

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


def _from_0_to_1(weights: np.ndarray) -> np.ndarray:
    return np.clip(np.nan_to_num(weights), 0.0, 1.0)


def _twists(lines: np.ndarray, bends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the seen directions of the twisted bones' reference directions `(..., 6, 3)`, perpendicular to the bone, short if unsure,
    and how far to trust them `(..., 6)`."""
    bones = lines[:, _TWISTED_LINES]
    shown = SHOWN @ lines
    shown -= dotted(shown, bones) * bones
    square = dotted(shown, shown)
    whole = square + bends
    return shown * (np.sqrt(square) / whole), (square / whole)[..., 0]
