"""The character's own pose, to which the solver's changes are applied; what was not moved stays as it was.

A solver that sees a few points guesses the rest, and would replace an animator's pose by its own guess as
soon as it is asked. So it is
asked for the pose's own points first: the pose's difference from that answer is kept, joint by joint in the
joint's own axes, and fades
out where the answer to moved points turns away from the first one.

If no point shows the elbow, a straight arm may be turned about itself at will, and so may a hand: the
solver's guess swings by a quarter
turn while the other hand is dragged. So a limb's swivel about the line from its start to its end, the twist
of its lower bone, and the
rotation of its hand or foot stay as they were; all fade out as the end moves relative to what carries the
limb.
"""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import SKEW, cross_matrix, norms, rotation_vector, transposed
from ..geometry.vectors import dotted, lengths
from .likely.rotation_vectors import nearly_turned
from .points import INDEX, JOINTS, PARENTS

_FADE_RAD = 0.6  # a joint that has turned this far relative to its parent keeps a third of its difference
_ABOVE = PARENTS[: len(JOINTS)].clip(0)  # the pelvis has itself; its share is found from the vertical
_ONES = np.ones(9)


@dataclass(frozen=True)
class BasePose:
    """A pose's difference from a solver's answer to its own points.

    `solved` `(22, 3, 3)`: that answer, each joint relative to its parent, over the square of FADE_RAD;
    `upright` `(3, 3)`: used for the
    pelvis instead, to compare how upright it is: twice its vertical, over the same, in the last row, and
    zeros.
    `angles` `(22, 1)`: the angles, times 1j, by which the pose is turned from it, and `shift` `(3,)`: the
    pelvis' offset in its own axes;
    both over the exponential that an unchanged joint has. `turns` `(22, 2, 9)`, `still` `(22, 1, 9)`: the
    rotation by another angle about
    the same axis is cos, sin @ turns + still (Rodrigues).
    """

    solved: np.ndarray
    upright: np.ndarray
    angles: np.ndarray
    shift: np.ndarray
    turns: np.ndarray
    still: np.ndarray

    @classmethod
    def of(
        cls, solved: np.ndarray, solved_root: np.ndarray, rotations: np.ndarray, root: np.ndarray
    ) -> "BasePose":
        """Return the base of a pose `rotations` `(22, 3, 3)`, `root` `(3,)` to whose points a solver answers
        `solved`, `solved_root`."""
        turn = rotation_vector(transposed(solved) @ rotations)
        angle = norms(turn)
        skew = cross_matrix(turn / np.maximum(angle, 1e-12)[:, None])
        twice = skew @ skew
        unchanged = np.exp(np.array([2.0] + [3.0] * (len(JOINTS) - 1)) / _FADE_RAD**2)
        upright = np.zeros((3, 3))
        upright[2] = 2.0 * solved[0, 2] / _FADE_RAD**2
        return cls(
            solved=transposed(solved[_ABOVE]) @ solved / _FADE_RAD**2,
            upright=upright,
            angles=1j * (angle / unchanged)[:, None],
            shift=solved[0].T @ (root - solved_root) / unchanged[0],
            turns=np.stack([-twice, skew], axis=1).reshape(-1, 2, 9),
            still=(np.eye(3) + twice).reshape(-1, 1, 9),
        )

    def apply(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a solver's answer `(f, 22, 3, 3)`, `(f, 3)` with the pose's difference, as far as that has
        not faded."""
        # A joint turned by an angle from its rotation in the base has the scalar product 1 + 2 cos with that;
        # twice the pelvis' vertical
        # has 2 cos.  For small turns the angle squared is 2 - 2 cos, which needs no arc cosine.
        carried = rotations.take(_ABOVE, axis=1) @ self.solved
        carried[:, 0] = self.upright
        carried *= rotations
        kept = np.exp(carried.reshape(-1, 9).dot(_ONES)).reshape(-1, len(JOINTS), 1)
        cos_sin = np.exp(kept * self.angles).view(float)
        turn = cos_sin[:, :, None] @ self.turns
        turn += self.still
        return rotations @ turn.reshape(rotations.shape), root + kept[:, 0] * rotations[:, 0].dot(self.shift)


_LIMBS = [
    ("collar", "shoulder", "elbow", "wrist", "spine3", "hand_tip"),
    ("pelvis", "hip", "knee", "ankle", "pelvis", "ball"),
]
# Of both arms and both legs `(6, 4)`: the limb's carrier, its two bones, its end, what gives the end's
# heading, and what the end carries.
_ROWS = np.array(
    [[INDEX.get(f"{joint}.{side}", INDEX.get(joint)) for joint in limb] for limb in _LIMBS for side in "LR"]
).T
_BONES, _ENDS, _SHOWING = _ROWS[1:3], _ROWS[3], _ROWS[[2, 5]]
_HELD = 0.05  # lengths of the limb: an end that is nearer to where it was keeps its rotation in the world
_NEAREST = np.array(1e-9)
_NONE, _ONE, _TWO = np.array(0.0), np.array(1.0), np.array(2.0)
_COUNT = len(_ENDS)
_UP = np.tile([0.0, 0.0, 1.0], (1, _COUNT, 1))
# A rotation's nine numbers @ these: the axis times 2 sin of its angle, and its trace, 1 + 2 cos of it, three
# times.
_SINES, _TRACE = SKEW.T, np.repeat(np.eye(3).reshape(9, 1), 3, axis=1)


@dataclass(frozen=True)
class KeptLimbs:
    """The limbs of a pose: left arm, right arm, left leg, right leg.

    `spans` `(2, 4, 3, 1)`: upper and lower bone along the axes of their joints, in lengths of the limb.
    `line` `(4, 3, 1)`: from start to
    end, relative to what carries the limb. `ends` `(4, 3, 3)`: the rotations of hands and feet, `places` `(4,
    3)`: where they are, and
    `scale` `(4, 3)`: one over the square of _HELD limb lengths, three times.
    `lower` `(4, 3, 1)`: the direction of the lower bone along the axes of its joint.
    `twists` `(12, 9, 6)`, see `_twists`: from the upper bones, relative to what carries the limbs, to their
    twists since about these lines;
    from the lower bones, relative to the upper ones, to their twists about themselves; and from what gives
    the ends' heading to its twist
    about the vertical.
    """

    spans: np.ndarray
    line: np.ndarray
    ends: np.ndarray
    places: np.ndarray
    scale: np.ndarray
    lower: np.ndarray
    twists: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray, rotations: np.ndarray, points: np.ndarray) -> "KeptLimbs":
        """Return the limbs of a pose `rotations` `(22, 3, 3)`, `points` `(27, 3)`; `rest` `(27, 3)` is the
        body in the reference pose."""
        bones = np.stack([rest[_BONES[1]] - rest[_BONES[0]], rest[_ENDS] - rest[_BONES[1]]])
        long = np.maximum(norms(bones).sum(axis=0), _NEAREST)[:, None]
        spans = (bones / long)[..., None]
        carrier, upper, lower, facing = (rotations[_ROWS[row]] for row in (0, 1, 2, 4))
        line = transposed(carrier) @ (rotations[_BONES] @ spans).sum(axis=0)
        lower_bone = spans[1] / np.maximum(norms(spans[1, ..., 0])[:, None, None], _NEAREST)
        bent = transposed(upper) @ lower
        along = line[..., 0] / np.maximum(norms(line[..., 0])[:, None], _NEAREST)
        return cls(
            spans=spans,
            line=line,
            ends=rotations[_ENDS],
            places=points[_ENDS],
            scale=np.repeat(1.0 / (_HELD * long) ** 2, 3, axis=1),
            lower=lower_bone,
            twists=_twists(
                np.concatenate([transposed(carrier) @ upper, bent, facing]),
                np.concatenate([along, (bent @ lower_bone)[..., 0], _UP[0]]),
            ),
        )

    def apply(self, rotations: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Return a solver's answer `(f, 22, 3, 3)` to points `(f, 27, 3)`, NaN if not seen, with its limbs
        kept."""
        # no point shows the swivel of a limb, or the rotation of an end
        is_hidden = np.isnan(points.take(_SHOWING, axis=1))
        if not np.count_nonzero(is_hidden):
            return rotations
        carrier, upper, lower, ends, facing = rotations.take(_ROWS[:5], axis=1).swapaxes(0, 1)
        line = upper @ self.spans[0] + lower @ self.spans[1]
        moved, line = (line - carrier @ self.line)[..., 0], line[..., 0]
        away = points.take(_ENDS, axis=1) - self.places
        kept = _faded(dotted(moved, moved))
        held = np.fmax(_faded(dotted(away, away) * self.scale), _NONE)  # of an end that is not seen: 0

        twist = _twist(
            np.concatenate([transposed(carrier) @ upper, transposed(upper) @ lower, facing], axis=1),
            self.twists,
        )
        back = np.concatenate(
            [line / np.maximum(lengths(line), _NEAREST), (lower @ self.lower)[..., 0]], axis=1
        )
        axes = np.concatenate([-back, _UP.repeat(len(line), axis=0)], axis=1)
        free = kept * is_hidden[:, 0]
        turns = _turns(twist * axes, np.concatenate([free, free, _ONE - held], axis=1))
        about_line, about_bone, about_up = turns.reshape(-1, 3, _COUNT, 3, 3).swapaxes(0, 1)
        numbers = (transposed(ends) @ about_up @ self.ends).reshape(-1, 9)
        way = (numbers.dot(_SINES) / (numbers.dot(_TRACE) + _ONE + _NEAREST)).reshape(away.shape)

        found = rotations.copy()
        found[:, _BONES[0]] = about_line @ upper
        found[:, _BONES[1]] = about_line @ about_bone @ lower
        found[:, _ENDS] = ends @ _turns(way, np.maximum(kept, held) * is_hidden[:, 1])
        return found


def _faded(squares: np.ndarray) -> np.ndarray:
    """Return the share kept for squared distances moved, 1 at 0."""
    return np.exp(-squares * squares)


def _turns(tangents: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return rotations `(f, n, 3, 3)` by a `share` of angles; `tangents`: axes times tangents of half the
    angles; all `(f, n, 3)`."""
    long = lengths(tangents) + _NEAREST
    return nearly_turned(tangents * (_TWO * np.tan(share * np.arctan(long)) / long))


def _twists(before: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return the table `(n, 9, 6)` from rotations to their twists about `axes` `(n, 3)` since those `before`
    `(n, 3, 3)`."""
    # The twist of R B' follows from linear functions of R: its numbers times those of C B, with the cross
    # matrix C, and of B.
    sines = (axes @ SKEW).reshape(before.shape) @ before
    return np.repeat(np.stack([sines.reshape(-1, 9), before.reshape(-1, 9)], axis=-1), 3, axis=-1)


def _twist(rotations: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the tangents `(f, n, 3)` of half the twists of rotations `(f, n, 3, 3)`, by a table of
    `_twists`; each three times."""
    sums = (rotations.reshape(*rotations.shape[:2], 1, 9) @ table)[:, :, 0]
    return sums[..., :3] / (sums[..., 3:] + _ONE + _NEAREST)
