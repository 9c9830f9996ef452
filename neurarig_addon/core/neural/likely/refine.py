"""The most likely pose given what points show and what people do: Gauss-Newton steps on all rotations at
once.

Minimised is sum_k w_k |x_k - y_k|^2 + s v' P v : x are the points of the pose, y those seen with weights w =
visibility / noise^2, v the
rotation vectors of the joints from the prior's mean pose, each relative to its parent, P the prior's
precision, s its strength. A step
shifts the figure and changes each v by e: the joint turns, with all that it carries, by u = E J(v) e about
the world's axes, with the
joint's rotation E in the world and the right Jacobian J of SO(3). So the prior's part of the equations is s P
whatever the pose; and of
the points
    dx_k = sum_j u_j x (x_k - x_j)  over the joints j that carry point k.

The unknowns are only the changes that move something seen and, if `stiffest` is given, that people make at
all: an elbow hinges. The
prior of these, with the others marginalised, is exact, and the others follow as it expects; where they move
something seen, that is moved
before the step is solved for.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...geometry.rotation import SKEW, rotated, transposed
from ..points import JOINTS, PARENTS, POINTS, ways
from .pose_prior import PosePrior
from .rotation_vectors import axes_of_change, nearly_turned, turn_of, turned

_JOINTS = len(JOINTS)
_WEAK = 1e-6  # 1/rad^2, 1/m^2: weight that holds what neither points nor prior hold
_BATCH = 16  # frames whose equations fit into a CPU's cache
_EYE = np.eye(3)

_WAYS = ways()
# which points each joint carries `(22, 27)`
_CARRIED = np.ascontiguousarray(_WAYS[:, :_JOINTS].T) - np.eye(_JOINTS, len(POINTS))
_HOLDERS = np.maximum(PARENTS, 0)
# Which bones, by the points at their ends, lead from the pelvis to each point `(27, 27)`; which joints' three
# axes turn each joint `(22, 66)`.
_BONES = np.concatenate([np.zeros((len(POINTS), 1)), _WAYS[:, 1:]], axis=1)
_TURNING = _WAYS[:_JOINTS, :_JOINTS].repeat(3, axis=1)
_SHIFTS = _EYE.reshape(9, 1).repeat(len(POINTS), axis=1)
_AXES, _NUMBERS = 3 * _JOINTS, 3 * _JOINTS - 3
_FREE = 6  # unknowns that the prior does not hold: the figure's shift, and the turn of the pelvis


@dataclass(frozen=True)
class Moves:
    """The moves that a step is made of when some points are seen: a shift of the figure, then turns about
    some of the joints' axes.

    Of the 66 axes, three for each joint, the pelvis' are the world's; those of another joint are the axes
    about which changes of its three
    prior numbers turn it. `axes` `(m,)`: those that move something seen, first the n that are solved for,
    then the `stiff` `(m - n,)`.
    `own` `(3 m,)`: the flat indices of the joints' own places in a table `(3 m, 27)` of how turns about the
    axes move points; `moved`
    `(9 + 3 m, 27)`: 1 where the shifts, in the first nine rows, and these turns move points.
    `held` `(3 + n, 3 + n)`: the prior's precision; `known` `(63, n - 3)`: the same, applied to all its
    numbers. `turned` `(n, 66)`,
    `expected` `(63, 66)`: from the turns solved for, and from the prior's numbers before, to turns about all
    axes.
    """

    axes: np.ndarray
    stiff: np.ndarray
    own: np.ndarray
    moved: np.ndarray
    held: np.ndarray
    known: np.ndarray
    turned: np.ndarray
    expected: np.ndarray

    @classmethod
    def of(cls, prior: PosePrior, seen: np.ndarray, stiffest: float = 0.0) -> "Moves":
        """Return the moves for points of which some are `seen` `(27,)`, with weights of more than 0.

        `stiffest`: turns with a smaller spread among people, radians, are not solved for.
        """
        carrying = _CARRIED @ seen > 0.0
        carrying[0] = True
        loose = np.diagonal(prior.covariance) > stiffest**2
        solved = carrying[1:].repeat(3) & loose
        joints = np.flatnonzero(carrying)
        own = (3 * joints[:, None] + np.arange(3)).ravel()
        chosen = np.concatenate([np.ones(3, bool), solved])  # the pelvis turns freely
        axes, stiff = own[chosen[own]], own[~chosen[own]]
        order = np.concatenate([axes, stiff])
        rows = (order // 3).repeat(3)
        habit, free, follow = prior.habit(solved), np.flatnonzero(solved), np.flatnonzero(~solved)
        held = _WEAK * np.eye(3 + len(axes))
        held[_FREE:, _FREE:] += habit.precision
        known, turned, expected = (
            np.zeros(shape) for shape in ((_NUMBERS, len(free)), (len(axes), _AXES), (_NUMBERS, _AXES))
        )
        known[free] = habit.precision
        turned[np.arange(len(axes)), axes] = 1.0
        turned[3:, 3 + follow] = habit.follow
        expected[free[:, None], 3 + follow] = habit.follow
        expected[follow, 3 + follow] = -1.0
        moved = np.concatenate([_SHIFTS, _CARRIED[rows]])
        return cls(
            order, stiff, rows + len(POINTS) * np.arange(len(rows)), moved, held, known, turned, expected
        )


class Refinement(NamedTuple):
    """`offsets` `(27, 3)`: of the PointBody; `prior`: which poses people take."""

    offsets: np.ndarray
    prior: PosePrior

    def solve(
        self,
        rotations: np.ndarray,
        root: np.ndarray,
        points: np.ndarray,
        weights: np.ndarray,
        strength: float | np.ndarray = 1.0,
        steps: int = 1,
        share: float = 1.0,
        moves: Moves | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the pose after some steps from rotations `(f, 22, 3, 3)` with the pelvis at `root` `(f, 3)`.

        `points` `(f, 27, 3)` metres, finite, and their `weights` `(27,)` or `(f, 27)`: visibility over the
        variance of the noise, 1/m^2; 0
        for a missing point. `strength`: the prior's weight, one number or `(f,)`. `share`: the share of their
        whole change that the
        rotations take in the end; the pelvis takes all of its own.  `moves`: those of the weights, if known.
        """
        if moves is None:
            moves = Moves.of(self.prior, weights if weights.ndim == 1 else weights.max(axis=0))
        if len(points) > _BATCH:
            weights, strength = (
                np.broadcast_to(weights, points.shape[:2]),
                np.broadcast_to(strength, len(points)),
            )
            parts = [slice(first, first + _BATCH) for first in range(0, len(points), _BATCH)]
            solved = [
                self.solve(
                    rotations[part],
                    root[part],
                    points[part],
                    weights[part],
                    strength[part],
                    steps,
                    share,
                    moves,
                )
                for part in parts
            ]
            return np.concatenate([pose for pose, _ in solved]), np.concatenate(
                [place for _, place in solved]
            )
        trust = np.sqrt(weights / np.asarray(strength)[..., None])
        task = _Task(self.offsets, self.prior, moves, points, trust[..., None, :])
        found = rotations
        for _ in range(steps - 1):
            shift, turns = task.step(found, root)
            found, root = nearly_turned(turns) @ found, root + shift
        shift, turns = task.step(found, root)
        if steps == 1:
            return nearly_turned(share * turns) @ found, root + shift
        found = nearly_turned(turns) @ found
        if share < 1.0:
            found = turned(share * turn_of(found @ transposed(rotations))) @ rotations
        return found, root + shift


class _Task(NamedTuple):
    """A few frames refined together: `points` `(f, 27, 3)`, `trust` `(..., 1, 27)`: roots of the ratios of
    their weights to the prior's."""

    offsets: np.ndarray
    prior: PosePrior
    moves: Moves
    points: np.ndarray
    trust: np.ndarray

    def step(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the shift of the figure `(f, 3)` and the whole turn of each joint `(f, 22, 3)`, world
        axes."""
        frames, moves = len(rotations), self.moves
        holders = rotations.take(_HOLDERS, axis=1)
        away, axes = self._habits(rotations, holders[:, 1:_JOINTS])
        places = (_BONES @ rotated(holders, self.offsets)).swapaxes(-1, -2)
        gaps = (self.points - root[:, None]).swapaxes(-1, -2) - places
        gaps *= self.trust
        gaps = gaps.reshape(frames, -1, 1)
        expected = away.dot(moves.expected)
        shown = self._shown(axes.take(moves.axes, axis=1), places)
        # their expected turns are applied to the points before the others are solved for
        if len(moves.stiff):
            shown, stiff = shown[:, : -len(moves.stiff)], shown[:, -len(moves.stiff) :]
            gaps -= stiff.swapaxes(-1, -2) @ expected.take(moves.stiff, axis=1)[..., None]
        normal = shown @ shown.swapaxes(-1, -2)
        normal += moves.held
        wanted = shown @ gaps
        wanted[:, _FREE:, 0] -= away.dot(moves.known)
        found = np.linalg.solve(normal, wanted)[..., 0]
        expected += found[:, 3:].dot(moves.turned)
        return found[:, :3], (_TURNING * expected[:, None]) @ axes

    def _habits(self, rotations: np.ndarray, holders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the prior's numbers `(f, 63)`, and the axes `(f, 66, 3)` that joints turn about, the pelvis'
        first.

        `holders` `(f, 21, 3, 3)`: the rotations of the joints' parents.
        """
        turns = self.prior.mean_back @ (transposed(holders) @ rotations[:, 1:])
        axes = np.empty_like(rotations)
        axes[:, 0] = _EYE
        np.matmul(axes_of_change(turns), transposed(rotations[:, 1:]), out=axes[:, 1:])
        return turn_of(turns).reshape(-1, _NUMBERS), axes.reshape(-1, _AXES, 3)

    def _shown(self, axes: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return how shifts and turns about axes `(f, m, 3)` move points `(f, 3 + m, 81)`, times the trust in
        these.

        `places` `(f, 3, 27)`: the points relative to the pelvis.
        """
        frames, moves = len(places), self.moves
        table = np.empty((frames, *moves.moved.shape))
        table[:, :9] = 1.0
        crossed = axes.reshape(-1, 3).dot(SKEW).reshape(frames, -1, 3) @ places
        own = crossed.reshape(frames, -1).take(moves.own, axis=1)
        np.subtract(crossed, own[..., None], out=table[:, 9:])
        table *= moves.moved
        table *= self.trust
        return table.reshape(frames, -1, 3 * len(POINTS))
