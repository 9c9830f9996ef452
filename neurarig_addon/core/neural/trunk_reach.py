"""Bending the trunk so that points on it are exactly where they are locked, with as little turning as possible.

Unknown are small turns of pelvis, spine, neck and clavicle bones in the world (a bone that turns carries the others along without
turning them) and, unless the pelvis is locked, the place of the whole.  Each step is the least of these moves, weighted by how easily a
part moves, that closes the gaps (Gauss-Newton in its dual form, after Levenberg and Marquardt where it does not get nearer): a 3 m x 3 m
system for m points, whatever the number of bones.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

ARRIVED = 1e-5  # metres: gaps below this are closed
_MOST_STEPS = 30
_LONGEST_STEP = 0.1  # metres of the widest gap that one step closes: out of reach, poses follow their targets without a jump
# Of the gain that a step promises: one that brings less wants more damping; one that brings still less, when damped, is the last.
_GOOD, _STALLED = 0.3, 1e-4
_FIRST_DAMPING, _HIGH_DAMPING, _MOST_DAMPING = 1e-9, 1e-2, 1e3
_LESS, _MORE, _LEAST_RAISED = 0.1, 30.0, 1e-6
_EYE = np.eye(3)


class _State(NamedTuple):
    """Frames under way: bones' turns, root, arms as they are carried `(f, b, 3, k)`, gaps `(f, k, 3)`.

    `along` `(f, l, 3)`: towards what a hip or shoulder is out of reach of, zero where it is within.
    """

    turns: np.ndarray
    root: np.ndarray
    arms: np.ndarray
    gap: np.ndarray
    along: np.ndarray

    @property
    def cost(self) -> np.ndarray:
        return (self.gap * self.gap).sum(axis=(-1, -2))

    def chosen(self, rows: np.ndarray) -> "_State":
        """Return some of the frames."""
        return _State(self.turns[rows], self.root[rows], self.arms[rows], self.gap[rows], self.along[rows])


@dataclass(frozen=True)
class TrunkReach:
    """A trunk of `b` bones and the `k` points on it that something is asked of.

    `arms` `(b, 3, k)`: from each bone's head towards each point, at rest: what the bone carries the point by, zero where it does not.
    `ease` `(b,)`: how easily each bone turns (rad^2); `root_ease`: and the whole moves (m^2), 0 where the pelvis is locked.
    The first points have a place to be at; the last, hips and shoulders, must be between `least` and `most` metres `(l,)` from one, for
    which they pull on the trunk by `pull` `(l,)` of what the first ones do: where not all can be met, those give way.
    `farthest`: metres that a trunk on a locked pelvis bends for anything.
    """

    arms: np.ndarray
    ease: np.ndarray
    root_ease: float
    least: np.ndarray
    most: np.ndarray
    pull: np.ndarray
    farthest: float

    def solve(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turned bones `(f, b, 3, 3)` and the pelvis' place `(f, 3)`; `places` `(f, k, 3)`: of the points, or to be near to."""
        state = self._state(turns, root, places)
        rows = np.flatnonzero(~self._arrived(state))
        if not len(rows):
            return turns, root
        if not self.root_ease and np.abs(state.gap).max() > self.farthest * self.pull.min(initial=1.0):
            places = self._drawn_in(state, places)
            state = self._state(turns, root, places)
        found, moved = turns.copy(), root.copy()
        state = state if len(rows) == len(turns) else state.chosen(rows)
        damping = np.full(len(rows), _FIRST_DAMPING)
        for _ in range(_MOST_STEPS):
            part = np.minimum(_LONGEST_STEP / np.abs(state.gap).max(axis=(-1, -2)), 1.0)
            tried = self._state(*self._step(state, part, damping), places[rows])
            before, after = state.cost, tried.cost
            better = after < before
            found[rows[better]], moved[rows[better]] = tried.turns[better], tried.root[better]
            if not better.all():
                tried = self._state(found[rows], moved[rows], places[rows])
            gain = (before - after) / (before * (1.0 - (1.0 - part) ** 2))
            damping = np.where(gain > _GOOD, damping * _LESS, np.maximum(damping, _LEAST_RAISED) * _MORE)
            stalled = better & (gain < _STALLED) & (damping > _HIGH_DAMPING)
            left = ~(self._arrived(tried) | stalled | (damping > _MOST_DAMPING))
            if not left.any():
                break
            state = tried if left.all() else tried.chosen(left)
            rows, damping = rows[left], damping[left]
        return found, moved

    def _drawn_in(self, state: _State, places: np.ndarray) -> np.ndarray:
        """Return places that are no farther than the trunk may have to bend for them."""
        gap = state.gap.copy()
        limbs = gap.shape[1] - len(self.least)
        gap[:, limbs:] /= self.pull[:, None]
        length = np.sqrt((gap * gap).sum(axis=-1, keepdims=True))
        return places - gap * (1.0 - np.minimum(self.farthest / np.maximum(length, ARRIVED), 1.0))

    def _arrived(self, state: _State) -> np.ndarray:
        return np.abs(state.gap).max(axis=(-1, -2)) < ARRIVED

    def _state(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> _State:
        """Return what is left to go."""
        arms = turns @ self.arms
        gap = places - arms.sum(axis=-3).swapaxes(-1, -2) - root[:, None, :]
        near = gap[:, gap.shape[1] - len(self.least) :]
        length = np.sqrt((near * near).sum(axis=-1))
        excess = length - np.minimum(np.maximum(length, self.least), self.most)
        along = near * ((excess != 0.0) / np.maximum(length, ARRIVED))[..., None]
        near[:] = (excess * self.pull)[..., None] * along
        return _State(turns, root, arms, gap, along)

    def _step(self, state: _State, part: np.ndarray, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turns and root after one step that closes `part` `(f,)` of the gaps."""
        axes = self._axes(state)
        count = state.gap.shape[1] if axes is not None else state.gap.shape[1] - len(self.least)
        arms, gap = state.arms[..., :count], state.gap[:, :count].reshape(len(state.gap), 3 * count, 1) * part[:, None, None]
        eased = arms * self.ease[:, None, None]
        system = self._together(arms, eased)
        if axes is not None:
            system = axes @ system @ axes.swapaxes(-1, -2)
            gap = axes @ gap
            gap[:, gap.shape[1] - len(self.pull) :] /= self.pull[:, None]
        diagonal = np.einsum("fii->fi", system)
        diagonal += (diagonal.max(axis=-1) * damping)[:, None] + 1e-12
        push = np.linalg.solve(system, gap)
        if axes is not None:
            push = axes.swapaxes(-1, -2) @ push
        push = push.reshape(len(arms), 1, count, 3)
        torque = eased @ push
        turned = turned_by(torque.swapaxes(-1, -2) - torque) @ state.turns
        return turned, state.root + self.root_ease * push[:, 0].sum(axis=-2)

    def _together(self, arms: np.ndarray, eased: np.ndarray) -> np.ndarray:
        """Return how points move together `(f, 3 k, 3 k)`: sums over bones of [a_k]x [a_l]x^T = (a_k.a_l) 1 - a_l a_k^T, and the root."""
        frames, bones, _, count = arms.shape
        flat = arms.swapaxes(-1, -2).reshape(frames, bones, 3 * count)
        heavy = eased.swapaxes(-1, -2).reshape(frames, bones, 3 * count)
        products = (heavy.swapaxes(-1, -2) @ flat).reshape(frames, count, 3, count, 3)
        dots = products.trace(axis1=2, axis2=4) + self.root_ease
        together = dots[:, :, None, :, None] * _EYE[:, None, :] - products.swapaxes(2, 4)
        return together.reshape(frames, 3 * count, 3 * count)

    def _axes(self, state: _State) -> np.ndarray | None:
        """Return along which axes of which points something is asked `(f, g, 3 k)`; None where all limbs are within reach."""
        if not state.along.any():
            return None
        count = state.gap.shape[1]
        exact = 3 * (count - len(self.least))
        axes = np.zeros((len(state.gap), exact + len(self.least), 3 * count))
        axes[:, np.arange(exact), np.arange(exact)] = 1.0
        for at in range(len(self.least)):
            axes[:, exact + at, exact + 3 * at : exact + 3 * at + 3] = self.pull[at] * state.along[:, at]
        return axes


def turned_by(skew: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of cross-product matrices of small rotation vectors (Cayley's map, exact to second order)."""
    square = skew @ skew
    return _EYE + (skew + 0.5 * square) * (4.0 / (4.0 - 0.5 * np.trace(square, axis1=-2, axis2=-1)))[..., None, None]
