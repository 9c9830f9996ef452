"""The analytic pose: what points say about rotations without any learning.

Pelvis and chest see several points and are solved from two directions each; every other bone swings by the shortest turn from what
carries it to where it points; thighs, upper arms and the spine are then turned about themselves as bent knees and elbows, hips and
shoulders tell.  All in closed form, for one frame as for many, and never undefined: a bone that is not seen stays with its parent.
"""

from dataclasses import dataclass, field

import numpy as np

from .. import rotation
from ..roles import SIDES
from .frames import BoneFrames
from .missing import Evidence, Neighbours, complete
from .points import INDEX, JOINTS, PARENTS, POINTS, PRIMARY
from .triad import triads

# A bend tells a limb's twist as far as it exceeds this (sine); below, the twist is what the body above suggests.
BEND_TRUST = 0.15
SHORTEST = 1e-4  # of the body's height: nearer points make no bone
THIN = 0.03  # of the body's height: points that are nearer to one line than this do not tell a turn about it
_ONES = np.ones(3)
_NUDGE = 1e-9  # of a bone's length, aside: decides the plane of a turn by exactly half a circle


def _rows(*joints: str) -> np.ndarray:
    """Return the rows of joints; the stem of a limb's joint stands for left and right."""
    return np.array([INDEX[name] for joint in joints for name in ([joint] if joint in INDEX else [f"{joint}.{side}" for side in SIDES])])


# Bones in the order in which they are swung; what each hangs on is solved before it.
_FIRST = _rows("hip", "spine1", "spine2", "shoulder", "neck", "collar")
_SECOND = _rows("knee", "elbow", "head")
_THIRD = _rows("ankle", "ball", "wrist")
_SWUNG = np.concatenate([_FIRST, _SECOND, _THIRD])
_SHOWN_AT = PRIMARY[_SWUNG]
_HOLDERS = (
    _rows("pelvis", "pelvis", "pelvis", "pelvis", "spine3", "spine3", "spine3", "spine3", "spine3"),
    _rows("hip", "shoulder", "neck"),
    _rows("knee", "knee", "elbow"),
)
_TRUNK = _rows("pelvis", "spine3")
# What is looked at to orient pelvis, chest and both as one: the first three lines exactly, the others as near as may be; then the bones.
_SIDE, _SHOULDERS, _BONES = 0, 4, 6
_TRUNK_LINES = [2, 5]
# The lines that only the ends of head, hands and toes show, in the order of the sites.
_ENDS = np.array([_BONES + int(np.flatnonzero(row == _SHOWN_AT)[0]) for row in range(len(JOINTS), len(POINTS))])
_END_HOLDERS = PARENTS[len(JOINTS) :]
_HIP_LINE = {"hip.L": 1.0, "hip.R": -1.0}
_PELVIS_UPRIGHTS = ({"pelvis": 1.0, "spine1": 1.0}, {"spine2": 2.0}, {"spine3": 2.0}, {"neck": 2.0})
_CHEST_UPRIGHTS = ({"neck": 1.0, "spine3": -1.0}, {"neck": 1.0, "spine2": -1.0}, {"head": 1.0, "spine3": -1.0})
_SHOULDER_LINE = {"shoulder.L": 1.0, "shoulder.R": -1.0}
# Pelvis and chest as one: sums over many points, in which noise averages out.
_TRUNK_SIDE = _HIP_LINE | _SHOULDER_LINE
_TRUNK_UPRIGHT = {"hip.L": -1.0, "hip.R": -1.0, "pelvis": -1.0, "spine3": 1.0, "neck": 1.0, "shoulder.L": 0.5, "shoulder.R": 0.5}
# The first bones of _FIRST are turned about themselves: the reference directions that show it, and which lines they follow.
_TWISTED = 6
_BEND = np.array([[-1.0, 0.0, 0.0]] * 2 + [[0.0, 1.0, 0.0]] * 2 + [[1.0, 0.0, 0.0]] * 2)
_SPINE_SHARES = (1.0 / 3.0, 2.0 / 3.0)  # of the shoulders' turn against the hips


@dataclass(frozen=True)
class Analytic:
    """An analytic pose: `rotations` `(..., 22, 3, 3)` away from the reference pose; `points` `(..., 27, 3)`, missing ones completed.

    `trunk` `(..., 3, 3)`: the turn of pelvis and chest as one, away from the reference pose.
    """

    rotations: np.ndarray
    points: np.ndarray
    trunk: np.ndarray

    @property
    def root(self) -> np.ndarray:
        """Place of the pelvis `(..., 3)`."""
        return self.points[..., 0, :]


@dataclass(frozen=True)
class _Swing:
    """Directions fixed in bodies that are to be brought to others: for each a half turn about it beside itself, `mirror` `(k, 3, 4)`."""

    mirror: np.ndarray

    @classmethod
    def of(cls, directions: np.ndarray, aside: np.ndarray) -> "_Swing":
        half_turn = 2.0 * directions[:, :, None] * directions[:, None, :] - np.eye(3)
        return cls(np.concatenate([half_turn, (directions + _NUDGE * aside)[:, :, None]], axis=-1))

    def apply(self, carried: np.ndarray, towards: np.ndarray) -> np.ndarray:
        """Return `carried` rotations `(..., k, 3, 3)`, turned the shortest way that brings the directions to `towards` `(..., k, 3)`.

        From a to d is a half turn about a and one about a + d: without trigonometry or cases.  A `towards` shorter than one is
        approached only in part, one of length zero not at all.
        """
        turned = carried @ self.mirror
        middle = turned[..., 3] + towards
        turned = turned[..., :3]
        row = middle[..., None, :]
        along = row @ turned
        along *= 2.0 / (row @ middle[..., None])
        return middle[..., None] * along - turned


@dataclass(frozen=True)
class _Ends:
    """Ends of head, hands and toes that are missing: their `points`, the joints that hold them, the lines `hidden` with them.

    `arms` `(n, 3, 1)`: the points from their joints.  `given` `(26,)`: as `Anchor.given`, 0 also for the hidden lines.
    """

    points: slice | np.ndarray
    holders: np.ndarray
    hidden: np.ndarray
    arms: np.ndarray
    given: np.ndarray

    @classmethod
    def of(cls, seen: np.ndarray, given: np.ndarray, arms: np.ndarray) -> "_Ends | None":
        """Return the ends that weights `(27,)` lack, None where they lack none, or something else."""
        ends = seen[len(JOINTS) :]
        if seen[: len(JOINTS)].min() < 1.0 or not np.isin(ends, (0.0, 1.0)).all() or ends.all():
            return None
        rows = len(JOINTS) + np.flatnonzero(ends == 0.0)
        hidden = _ENDS[ends == 0.0]
        given = np.where(np.isin(np.arange(len(given)), hidden), 0.0, given)
        points = slice(len(JOINTS), len(POINTS)) if not ends.any() else rows
        return cls(points, PARENTS[rows], hidden, arms[rows, :, None], given)


@dataclass(frozen=True)
class Anchor:
    """The analytic solver of one body; build it with `of` and keep it.

    `sight` `(26, 27)`: the lines that are looked at as sums of points; three to be met by pelvis, chest and trunk, three beside them, then
    the swung bones.  `rest_lines` `(26, 3)`: what they are in the reference pose.  `given` `(26,)`: 0 for a bone that has no length.
    """

    sight: np.ndarray
    rest_lines: np.ndarray
    given: np.ndarray
    rest_axes: np.ndarray
    swings: tuple[_Swing, _Swing, _Swing, _Swing]
    shortest: float
    neighbours: Neighbours
    _remembered: dict[bytes, Evidence] = field(default_factory=dict, compare=False, repr=False)
    _remembered_ends: "dict[bytes, _Ends | None]" = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, rest: np.ndarray) -> "Anchor":
        """Return the solver for a body whose points in the reference pose are `rest` `(27, 3)`."""
        size = float(np.ptp(rest, axis=0).max())
        sight = _sights(rest, size)
        void = np.linalg.norm(sight @ rest, axis=-1) < SHORTEST * size
        sight[void] = sight[_SIDE]
        lines = sight @ rest
        frames = BoneFrames.of_points(rest).aligned
        first, second, third = (_Swing.of(frames[rows, :, 1], frames[rows, :, 0]) for rows in (_FIRST, _SECOND, _THIRD))
        bones = frames[_FIRST[:_TWISTED], :, 1]
        bend = rotation.normalized(_BEND - np.sum(_BEND * bones, axis=-1, keepdims=True) * bones)
        return cls(
            sight=sight,
            rest_lines=lines,
            given=np.where(void, 0.0, 1.0),
            rest_axes=rotation.transposed(triads(lines[:3], lines[3:6])),
            swings=(first, _Swing.of(bend, np.cross(bones, bend)), second, third),
            shortest=SHORTEST * size,
            neighbours=Neighbours.of(rest),
        )

    def solve(self, points: np.ndarray, seen: np.ndarray | None = None, bend_trust: float | np.ndarray = BEND_TRUST) -> Analytic:
        """Return the pose that points `(..., 27, 3)` show.

        Args:
            seen: weights 0..1, `(27,)` or `(..., 27)`, 0 for a missing point, None for all seen; what is not finite is missing too.
            bend_trust: sine of a bend that tells half of a limb's twist, one number or one for each of hips, spine1, spine2 and
                shoulders `(..., 6)`; small where points are exact and elbows and knees are hinges.
        """
        trust = np.square(bend_trust)
        if seen is not None and seen.ndim == 1 and (ends := self._lacking_ends(seen)) is not None:
            found = self._without_ends(points, ends, trust)
            if found is not None:
                return found
        lines = self.sight @ points
        lengths = np.sqrt((lines * lines) @ _ONES)
        if (seen is None or seen.min() == 1.0) and lengths.min() > self.shortest:
            return self._analytic(lines * (self.given / lengths)[..., None], trust, points)
        evidence, points = self._evidence(points, seen)
        points, figure = complete(self.neighbours, evidence, points)
        lines = self.sight @ points
        lengths = np.sqrt((lines * lines) @ _ONES)
        apart = lengths > self.shortest
        known = self.given * apart
        known[..., :_BONES] = 1.0
        known[..., _BONES:] *= evidence.trusted[..., _SHOWN_AT]
        if not apart.all():
            lines = np.where(apart[..., None], lines, self.rest_lines @ rotation.transposed(figure))
            lengths = np.sqrt((lines * lines) @ _ONES)
        found = self._analytic(lines * (known / lengths)[..., None], trust, points)
        # Missing ends go where their joints carry them.
        arms = (found.rotations[..., _END_HOLDERS, :, :] @ self.neighbours.arms[len(JOINTS) :, :, None])[..., 0]
        hidden = evidence.weights[..., len(JOINTS) :, None] == 0.0
        points[..., len(JOINTS) :, :] = np.where(hidden, points[..., _END_HOLDERS, :] + arms, points[..., len(JOINTS) :, :])
        return found

    def completed(self, points: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """Return points `(..., 27, 3)` with the missing ones where closed form has them."""
        evidence, points = self._evidence(points, seen)
        return complete(self.neighbours, evidence, points)[0]

    def trunk_turn(self, points: np.ndarray) -> np.ndarray:
        """Return the turn `(..., 3, 3)` of pelvis and chest as one, away from the reference pose, of points that are all there."""
        lines = self.sight[_TRUNK_LINES] @ points + _NUDGE * self.rest_lines[_TRUNK_LINES]
        return triads(lines[..., 0, :], lines[..., 1, :]) @ self.rest_axes[2]

    def _lacking_ends(self, seen: np.ndarray) -> "_Ends | None":
        """Return which ends of head, hands and toes are missing, None where all are there or something else is missing too."""
        key = seen.tobytes()
        if key not in self._remembered_ends:
            self._remembered_ends.clear()
            self._remembered_ends[key] = _Ends.of(seen, self.given, self.neighbours.arms)
        return self._remembered_ends[key]

    def _without_ends(self, points: np.ndarray, ends: "_Ends", trust: np.ndarray) -> Analytic | None:
        """Return the pose of points without some ends, whose bones stay with the bone above; None where others coincide or are NaN."""
        full = np.array(points)
        full[..., ends.points, :] = 0.0
        lines = self.sight @ full
        lengths = np.sqrt((lines * lines) @ _ONES)
        lengths[..., ends.hidden] = 1.0
        if not lengths.min() > self.shortest:
            return None
        found = self._analytic(lines * (ends.given / lengths)[..., None], trust, full)
        carried = found.rotations.take(ends.holders, axis=-3) @ ends.arms
        full[..., ends.points, :] = full.take(ends.holders, axis=-2) + carried[..., 0]
        return found

    def _evidence(self, points: np.ndarray, seen: np.ndarray | None) -> tuple[Evidence, np.ndarray]:
        """Return what the points that are seen and finite tell, and the points with zeros for the others."""
        weights = np.ones(len(POINTS)) if seen is None else np.clip(np.nan_to_num(np.asarray(seen, dtype=float)), 0.0, 1.0)
        finite = np.isfinite(points).all(axis=-1)
        if weights.ndim > 1 or not (finite | (weights == 0.0)).all():
            weights = weights * finite
        points = np.where((weights > 0.0)[..., None], points, 0.0)
        if weights.ndim > 1:
            return Evidence.of(self.neighbours, weights), points
        key = weights.tobytes()
        if key not in self._remembered:
            self._remembered.clear()
            self._remembered[key] = Evidence.of(self.neighbours, weights)
        return self._remembered[key], points

    def _analytic(self, lines: np.ndarray, trust: np.ndarray, points: np.ndarray) -> Analytic:
        """Return the pose of directions `(..., 26, 3)` of the lines, shorter than one where less is known, and of all points."""
        found = np.empty(lines.shape[:-2] + (len(JOINTS), 3, 3))
        trunk = triads(lines[..., :3, :], lines[..., 3:6, :]) @ self.rest_axes
        found[..., _TRUNK, :, :] = trunk[..., :2, :, :]
        first, twist, second, third = self.swings
        at, to = _BONES, _BONES + len(_FIRST)
        swung = first.apply(found.take(_HOLDERS[0], axis=-3), lines[..., at:to, :])
        swung[..., :_TWISTED, :, :] = twist.apply(swung[..., :_TWISTED, :, :], _twists(lines, trust))
        found[..., _FIRST, :, :] = swung
        at, to = to, to + len(_SECOND)
        found[..., _SECOND, :, :] = second.apply(found.take(_HOLDERS[1], axis=-3), lines[..., at:to, :])
        found[..., _THIRD, :, :] = third.apply(found.take(_HOLDERS[2], axis=-3), lines[..., to:, :])
        return Analytic(found, points, trunk[..., 2, :, :])


def _twists(lines: np.ndarray, trust: np.ndarray) -> np.ndarray:
    """Return where the reference directions of the twisted bones are seen to point `(..., 6, 3)`: square to the bone, short if unsure."""
    bones = lines[..., _BONES : _BONES + _TWISTED, :]
    shown = _SHOWN @ lines
    shown -= ((shown * bones) @ _ONES)[..., None] * bones
    square = (shown * shown) @ _ONES
    return shown * (np.sqrt(square) / (square + trust))[..., None]


def _shown() -> np.ndarray:
    """Return the sums of lines `(6, 26)` that show the twist of the first bones: what they bend into, or hips and shoulders."""
    table = np.zeros((_TWISTED, _BONES + len(_SWUNG)))
    knees_and_elbows = _BONES + len(_FIRST) + np.arange(4)
    table[[0, 1, 4, 5], knees_and_elbows] = 1.0
    for row, share in zip((2, 3), _SPINE_SHARES, strict=True):
        table[row, [_SIDE, _SHOULDERS]] = 1.0 - share, share
    return table


_SHOWN = _shown()


def _sights(rest: np.ndarray, size: float) -> np.ndarray:
    """Return the lines that are looked at, as sums of points `(26, 27)`."""
    hips = _line(_HIP_LINE)
    below = _line({"hip.L": -1.0, "hip.R": -1.0})
    uprights = [_line(above) + below for above in _PELVIS_UPRIGHTS]
    side = rotation.normalized(hips @ rest)
    tall = [line for line in uprights if np.linalg.norm(np.cross(line @ rest, side)) > 2.0 * THIN * size]
    chest = [line for line in map(_line, _CHEST_UPRIGHTS) if np.linalg.norm(line @ rest) > THIN * size]
    bones = np.zeros((len(_SWUNG), len(POINTS)))
    bones[np.arange(len(_SWUNG)), PRIMARY[_SWUNG]] += 1.0
    bones[np.arange(len(_SWUNG)), _SWUNG] -= 1.0
    exactly = [hips, (chest or [uprights[-1]])[0], _line(_TRUNK_SIDE)]
    nearly = [(tall or uprights[-1:])[0], _line(_SHOULDER_LINE), _line(_TRUNK_UPRIGHT)]
    return np.concatenate([np.stack(exactly + nearly), bones])


def _line(sums: dict[str, float]) -> np.ndarray:
    return np.array([sums.get(point, 0.0) for point in POINTS])
