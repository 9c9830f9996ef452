"""The most likely pose under what points show and what people do: Gauss-Newton steps on all rotations at once.

Minimised is  sum_k w_k |x_k - y_k|^2  +  s v' P v : x are the points of the pose, y those seen with weights w = visibility / noise^2, v the
turns of the joints away from the prior's mean pose, each as its parent sees it, P the prior's precision, s its strength.  A step shifts
the figure and turns each joint, with all that it carries, by u_j about the world's axes.  Then
    dx_k = sum_j u_j x (x_k - x_j)  over the joints j that carry point k,   and   dv_j = K_j u_j,   K_j = J^-1(v_j) E_j',
with the right Jacobian J of SO(3).

What points say is summed as the inertia of a robot's links is (composite bodies, Featherstone 2008): a motion of space (turn, shift) moves
point k by  Z_k = [-[x_k]x, I],  and joint j moves what it carries by the motion  S_j u_j,  S_j = [I, -[x_j]x]'.  So what the equations hold
of joints i and j above it is  S_j' (sum_k w_k Z_k' Z_k) S_i,  summed over the points that i carries: 6 x 6 matrices, however many points.

Joints that carry nothing seen are left out: the prior without them is exact, and they follow as it expects.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...rotation import SKEW
from ..points import JOINTS, PARENTS, POINTS, ways
from .pose_prior import PARENT_ROWS, PosePrior
from .rotation_vectors import log_slope, turn_of, turned

_JOINTS = len(JOINTS)
_WEAK = 1e-6  # 1/rad^2, 1/m^2: holds what neither points nor prior hold
_LONGEST_TURN = 1.0  # radians that a joint turns in one step
_BATCH = 16  # frames whose equations fit into a processor's cache
_EYE = np.eye(3)

_WAYS = ways()
_CARRIED = np.ascontiguousarray(_WAYS[:, :_JOINTS].T) - np.eye(_JOINTS, len(POINTS))  # which points each joint carries `(22, 27)`
_HOLDERS = np.maximum(PARENTS, 0)
# Which bones, by the points at their ends, lead from the pelvis to each point `(27, 27)`; which joints turn each joint `(22, 22)`.
_BONES = np.concatenate([np.zeros((len(POINTS), 1)), _WAYS[:, 1:]], axis=1)
_TURNING = np.ascontiguousarray(_WAYS[:_JOINTS, :_JOINTS])


@dataclass(frozen=True)
class _Moves:
    """The moves that a step is made of: a shift of the figure, then the turns of `joints` `(n,)`; `others` `(m,)` carry nothing seen.

    `moved` `(1 + n, 27)`: the points that each moves.  `above` `(3 + 3 n, 3 + 3 n)`: which of the others moves each, half for itself.
    """

    joints: np.ndarray
    others: np.ndarray
    moved: np.ndarray
    above: np.ndarray

    @staticmethod
    @lru_cache(maxsize=64)
    def of(carrying: bytes) -> "_Moves":
        """Return the moves for the bytes of a mask of joints `(22,)` that carry what is seen."""
        mask = np.frombuffer(carrying, dtype=bool).copy()
        mask[0] = True
        joints = np.flatnonzero(mask)
        moved = np.concatenate([np.ones((1, len(POINTS))), _CARRIED[joints]])
        above = np.eye(len(moved)) / 2.0
        above[1:, 0] = 1.0
        above[1:, 1:] += _CARRIED[np.ix_(joints, joints)].T
        return _Moves(joints, np.flatnonzero(~mask), moved, np.kron(above, np.ones((3, 3))))


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
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the pose after some steps from rotations `(f, 22, 3, 3)` with the pelvis at `root` `(f, 3)`.

        `points` `(f, 27, 3)` metres, and their `weights` `(27,)` or `(f, 27)`: visibility over the noise' variance, 1/m^2; 0 for a missing
        point, which may be NaN.  `strength`: what the prior counts, one number or `(f,)`.  `share`: how much of their way the rotations
        go in the end; the pelvis goes all of its way.  A step that makes a frame worse is not taken.
        """
        if len(points) > _BATCH:
            weights, strength = np.broadcast_to(weights, points.shape[:2]), np.broadcast_to(strength, len(points))
            parts = [slice(first, first + _BATCH) for first in range(0, len(points), _BATCH)]
            solved = [self.solve(rotations[part], root[part], points[part], weights[part], strength[part], steps, share) for part in parts]
            return np.concatenate([pose for pose, _ in solved]), np.concatenate([place for _, place in solved])
        finite = np.isfinite(points)
        if not finite.all():
            weights, points = weights * finite.all(axis=-1), np.where(finite, points, 0.0)
        seen = weights if weights.ndim == 1 else weights.max(axis=0)
        moves = _Moves.of((_CARRIED @ seen > 0.0).tobytes())
        task = _Task(self.offsets, self.prior, moves, points, weights[..., None], np.asarray(strength)[..., None])
        found, turns = rotations, np.zeros((len(points), _JOINTS, 3))
        for _ in range(steps):
            found, root, turns = task.step(found, root)
        if share == 1.0:
            return found, root
        if steps == 1:
            return turned(share * turns, share * _LONGEST_TURN) @ rotations, root
        return turned(share * turn_of(found @ rotations.swapaxes(-1, -2))) @ rotations, root


@dataclass(frozen=True)
class _Task:
    """A few frames that are refined together: `points` `(f, 27, 3)`, `weights` `(..., 27, 1)`, `strength` `(..., 1)`."""

    offsets: np.ndarray
    prior: PosePrior
    moves: _Moves
    points: np.ndarray
    weights: np.ndarray
    strength: np.ndarray

    def step(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the pose `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` after a step, and how the joints were to turn `(f, 22, 3)`."""
        places, away = self._places(rotations), self._away(rotations)
        gaps = self.points - places - root[:, None]
        slopes = log_slope(away) @ rotations[:, 1:].swapaxes(-1, -2)
        shift, turns = self._solution(places, gaps, away, slopes)
        whole = _TURNING @ turns
        tried, moved = turned(whole, _LONGEST_TURN) @ rotations, root + shift
        left = self.points - self._places(tried) - moved[:, None]
        worse = self._gain(gaps, left, away, (slopes @ turns[:, 1:, :, None])[..., 0]) <= 0.0
        if worse.any():
            tried[worse], moved[worse], whole[worse] = rotations[worse], root[worse], 0.0
        return tried, moved, whole

    def _places(self, rotations: np.ndarray) -> np.ndarray:
        """Return where the points are `(f, 27, 3)`, from the pelvis."""
        return _BONES @ (rotations.take(_HOLDERS, axis=1) @ self.offsets[..., None])[..., 0]

    def _away(self, rotations: np.ndarray) -> np.ndarray:
        """Return the turns off the mean pose `(f, 21, 3)`."""
        local = rotations.take(PARENT_ROWS, axis=1).swapaxes(-1, -2) @ rotations[:, 1:]
        return turn_of(self.prior.mean_back @ local)

    def _solution(self, places: np.ndarray, gaps: np.ndarray, away: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how the figure is shifted `(f, 3)` and its joints turn `(f, 22, 3)`; `slopes` `(f, 21, 3, 3)`: the matrices K."""
        rows, others = self.moves.joints[1:] - 1, self.moves.others - 1
        habit = self.prior.habit(rows)
        known, own = away.take(rows, axis=1), slopes.take(rows, axis=1)
        normal, wanted = self._shown(places, gaps)
        _expect(normal[:, 6:, 6:], wanted[:, 2:], habit.precision, self.strength, known, own)
        normal.reshape(len(normal), -1)[:, :: normal.shape[-1] + 1] += _WEAK
        moves = np.linalg.solve(normal, wanted.reshape(len(wanted), -1, 1)).reshape(wanted.shape)
        if not len(others):
            return moves[:, 0], moves[:, 1:]
        turns = np.empty((len(moves), _JOINTS, 3))
        turns[:, self.moves.joints] = moves[:, 1:]
        known += (own @ moves[:, 2:, :, None])[..., 0]
        wanted = (known.reshape(len(known), -1) @ habit.follow).reshape(len(known), -1, 3) - away.take(others, axis=1)
        turns[:, self.moves.others] = np.linalg.solve(slopes.take(others, axis=1), wanted[..., None])[..., 0]
        return moves[:, 0], turns

    def _shown(self, places: np.ndarray, gaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what points ask of n moves: equations `(f, 3 n, 3 n)` and their right sides `(f, n, 3)`."""
        frames, count = len(places), len(self.moves.moved)
        # Of each point its gap and Z, of each joint S: they share an identity.
        table = np.empty((frames, len(POINTS), 3, 10))
        table[..., 0] = gaps
        table[..., 1:4] = table[..., 7:] = (places @ -SKEW).reshape(frames, -1, 3, 3)
        table[..., 4:7] = _EYE
        points = table[..., :7].swapaxes(-1, -2) @ (self.weights[..., None] * table[..., :7])
        bodies = (self.moves.moved @ points.reshape(frames, len(POINTS), -1)).reshape(frames, count, 7, 7)
        motions = np.zeros((frames, count, 3, 6))
        motions[:, 0, :, 3:] = _EYE
        motions[:, 1:] = table.take(self.moves.joints, axis=1)[..., 4:]
        forces = motions @ bodies[..., 1:, :]
        below = forces[..., 1:].reshape(frames, -1, 6) @ motions.reshape(frames, -1, 6).swapaxes(-1, -2)
        below *= self.moves.above
        return below + below.swapaxes(-1, -2), forces[..., 0]

    def _gain(self, gaps: np.ndarray, left: np.ndarray, away: np.ndarray, turned: np.ndarray) -> np.ndarray:
        """Return by how much what is minimised has become less `(f,)`: from `gaps` to those `left`, from `away` by K u."""
        frames = len(gaps)
        nearer = (gaps - left) * (self.weights * (gaps + left))
        away, turned = away.reshape(frames, -1), turned.reshape(frames, -1)
        dearer = (turned @ self.prior.precision) * (away + away + turned)
        return nearer.reshape(frames, -1).sum(axis=-1) - self.strength[..., 0] * dearer.sum(axis=-1)


def _expect(
    normal: np.ndarray, wanted: np.ndarray, precision: np.ndarray, strength: np.ndarray, away: np.ndarray, slopes: np.ndarray
) -> None:
    """Add, in place, what a prior's precision asks of joints `away` from its mean `(f, n, 3)`."""
    frames, size = len(away), len(precision)
    back = slopes.swapaxes(-1, -2)
    held = (strength[..., None, None] * back) @ precision.reshape(size // 3, 3, size)
    turned_back = back @ held.reshape(frames, size, size).swapaxes(-1, -2).reshape(frames, size // 3, 3, size)
    normal += turned_back.reshape(frames, size, size)
    wanted -= (held.reshape(frames, size, size) @ away.reshape(frames, size, 1)).reshape(wanted.shape)
