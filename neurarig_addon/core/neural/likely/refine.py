"""The most likely pose under what points show and what people do: Gauss-Newton steps on all rotations at once.

Minimised is  sum_k w_k |x_k - y_k|^2  +  s v' P v : x are the points of the pose, y those seen with weights w = visibility / noise^2, v the
turns of the joints away from the prior's mean pose, each as its parent sees it, P the prior's precision, s its strength.  A step shifts
the figure and changes each v by e: the joint turns, with all that it carries, by  u = E J(v) e  about the world's axes, with the right
Jacobian J of SO(3).  So the prior's part of the equations is s P whatever the pose; and of the points
    dx_k = sum_j u_j x (x_k - x_j)  over the joints j that carry point k.

What points say is summed as the inertia of a robot's links is (composite bodies, Featherstone 2008): a motion of space (turn, shift) moves
point k by  Z_k = [-[x_k]x, I],  and joint j moves what it carries by the motion  S_j u_j,  S_j = [I, -[x_j]x]'.  So what the equations hold
of joints i and j above it is  S_j' (sum_k w_k Z_k' Z_k) S_i,  summed over the points that i carries: 6 x 6 matrices, however many points.

Joints that carry nothing seen are left out: the prior without them is exact, and they follow as it expects.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...rotation import SKEW
from ..points import JOINTS, PARENTS, POINTS, ways
from .pose_prior import PARENT_ROWS, PosePrior
from .rotation_vectors import nearly_turned, turn_and_spread, turn_of, turned

_JOINTS = len(JOINTS)
_WEAK = 1e-6  # 1/rad^2, 1/m^2: holds what neither points nor prior hold
_BATCH = 16  # frames whose equations fit into a processor's cache
_EYE = np.eye(3)
_MOVED_BY_TURNS = -SKEW  # a point's place @ this: how turns about the axes through the pelvis move it

_WAYS = ways()
_CARRIED = np.ascontiguousarray(_WAYS[:, :_JOINTS].T) - np.eye(_JOINTS, len(POINTS))  # which points each joint carries `(22, 27)`
_HOLDERS = np.maximum(PARENTS, 0)
# Which bones, by the points at their ends, lead from the pelvis to each point `(27, 27)`; which joints turn each joint `(22, 22)`.
_BONES = np.concatenate([np.zeros((len(POINTS), 1)), _WAYS[:, 1:]], axis=1)
_TURNING = np.ascontiguousarray(_WAYS[:_JOINTS, :_JOINTS])
_FREE = 6  # unknowns that the prior does not hold: the figure's shift, and the turn of the pelvis


@dataclass(frozen=True)
class Moves:
    """The moves that a step is made of where some points are seen: a shift of the figure, then the turns of the pelvis and of n - 1 joints.

    `joints` `(n - 1,)`, `others` `(m,)`: rows among the 21 of the prior, the latter of those that carry nothing seen; `back` `(21,)`: from
    both, one after the other, to all.  `rows` `(n,)`: of the joints among the 22.  `moved` `(1 + n, 27)`: the points that each move moves;
    `above` `(3 + 3 n, 3 + 3 n)`: which of the others moves each, half for itself.  `held` `(3 + 3 n, 3 + 3 n)`: the precision of the prior,
    `precision` `(3 n - 3, 3 n - 3)`: the same without the six that it does not hold, `follow` `(3 n - 3, 3 m)`: what the others are
    expected to do.
    """

    joints: np.ndarray
    others: np.ndarray
    back: np.ndarray
    rows: np.ndarray
    moved: np.ndarray
    above: np.ndarray
    held: np.ndarray
    precision: np.ndarray
    follow: np.ndarray

    @classmethod
    def of(cls, prior: PosePrior, seen: np.ndarray) -> "Moves":
        """Return the moves for points of which some are `seen` `(27,)`, with weights of more than 0."""
        carrying = _CARRIED @ seen > 0.0
        carrying[0] = True
        rows, others = np.flatnonzero(carrying), np.flatnonzero(~carrying) - 1
        joints = rows[1:] - 1
        moved = np.concatenate([np.ones((1, len(POINTS))), _CARRIED[rows]])
        above = np.eye(len(moved)) / 2.0
        above[1:, 0] = 1.0
        above[1:, 1:] += _CARRIED[np.ix_(rows, rows)].T
        habit = prior.habit(joints)
        held = _WEAK * np.eye(3 * len(moved))
        held[_FREE:, _FREE:] += habit.precision
        back = np.argsort(np.concatenate([joints, others]))
        return cls(joints, others, back, rows, moved, above.repeat(3, axis=0).repeat(3, axis=1), held, habit.precision, habit.follow)


@dataclass(frozen=True)
class Refinement:
    """`offsets` `(27, 3)`: of the PointBody; `prior`: what people do."""

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

        `points` `(f, 27, 3)` metres, finite, and their `weights` `(27,)` or `(f, 27)`: visibility over the noise' variance, 1/m^2; 0 for a
        missing point.  `strength`: what the prior counts, one number or `(f,)`.  `share`: how much of their way the rotations go in the
        end; the pelvis goes all of its way.  `moves`: those of the weights, where they are known.
        """
        if moves is None:
            moves = Moves.of(self.prior, weights if weights.ndim == 1 else weights.max(axis=0))
        if len(points) > _BATCH:
            weights, strength = np.broadcast_to(weights, points.shape[:2]), np.broadcast_to(strength, len(points))
            parts = [slice(first, first + _BATCH) for first in range(0, len(points), _BATCH)]
            solved = [
                self.solve(rotations[part], root[part], points[part], weights[part], strength[part], steps, share, moves) for part in parts
            ]
            return np.concatenate([pose for pose, _ in solved]), np.concatenate([place for _, place in solved])
        task = _Task(self.offsets, self.prior, moves, points, weights[..., None, :], np.asarray(strength)[..., None])
        found = rotations
        for _ in range(steps - 1):
            shift, turns = task.step(found, root)
            found, root = nearly_turned(turns) @ found, root + shift
        shift, turns = task.step(found, root)
        if steps == 1:
            return nearly_turned(share * turns) @ found, root + shift
        found = nearly_turned(turns) @ found
        if share < 1.0:
            found = turned(share * turn_of(found @ rotations.swapaxes(-1, -2))) @ rotations
        return found, root + shift


class _Task(NamedTuple):
    """A few frames that are refined together: `points` `(f, 27, 3)`, `weights` `(..., 1, 27)`, `strength` `(..., 1)`."""

    offsets: np.ndarray
    prior: PosePrior
    moves: Moves
    points: np.ndarray
    weights: np.ndarray
    strength: np.ndarray

    def step(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how the figure is to be shifted `(f, 3)` and how each joint is to turn in all `(f, 22, 3)`, world axes."""
        frames, moves = len(rotations), self.moves
        places = _BONES @ (rotations.take(_HOLDERS, axis=1) @ self.offsets[..., None])[..., 0]
        local = rotations.take(PARENT_ROWS, axis=1).swapaxes(-1, -2) @ rotations[:, 1:]
        away, spread = turn_and_spread(self.prior.mean_back @ local)
        onto = rotations[:, 1:] @ spread
        known, own = (away.take(moves.joints, axis=1), onto.take(moves.joints, axis=1)) if len(moves.others) else (away, onto)
        known = known.reshape(frames, -1)
        normal, wanted = self._shown(places, self.points - places - root[:, None], own)
        normal += self.strength[..., None] * moves.held
        wanted[:, _FREE:] -= self.strength * (known @ moves.precision)
        found = np.linalg.solve(normal, wanted[..., None])[..., 0]
        change = found[:, _FREE:]
        if len(moves.others):
            others = (known + change) @ moves.follow - away.take(moves.others, axis=1).reshape(frames, -1)
            change = np.concatenate([change, others], axis=1).reshape(frames, -1, 3).take(moves.back, axis=1)
        turns = onto @ change.reshape(frames, -1, 3, 1)
        return found[:, :3], _TURNING @ np.concatenate([found[:, None, 3:_FREE], turns[..., 0]], axis=1)

    def _shown(self, places: np.ndarray, gaps: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what points ask of moves: equations `(f, 3 + 3 n, 3 + 3 n)` and their right sides `(f, 3 + 3 n)`.

        `places` `(f, 27, 3)`: from the pelvis; `own` `(f, n - 1, 3, 3)`: from changes of the joints to their turns.
        """
        frames, moves = len(places), self.moves
        # Of each point its gap and Z, of each joint S: they share an identity.
        table = np.empty((frames, len(POINTS), 3, 10))
        table[..., 0] = gaps
        table[..., 1:4] = table[..., 7:] = places.reshape(-1, 3).dot(_MOVED_BY_TURNS).reshape(frames, -1, 3, 3)
        table[..., 4:7] = _EYE
        points = table[..., 1:7].swapaxes(-1, -2) @ table[..., :7]
        bodies = ((self.weights * moves.moved) @ points.reshape(frames, len(POINTS), -1)).reshape(frames, -1, 6, 7)
        motions = np.zeros((frames, len(moves.moved), 3, 6))
        motions[:, 0, :, 3:] = _EYE
        joints = table.take(moves.rows, axis=1)[..., 4:]
        motions[:, 1] = joints[:, 0]
        np.matmul(own.swapaxes(-1, -2), joints[:, 1:], out=motions[:, 2:])
        forces = motions @ bodies
        below = forces[..., 1:].reshape(frames, -1, 6) @ motions.reshape(frames, -1, 6).swapaxes(-1, -2)
        below *= moves.above
        return below + below.swapaxes(-1, -2), forces[..., 0].reshape(frames, -1)
