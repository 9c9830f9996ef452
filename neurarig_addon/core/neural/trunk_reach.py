"""Bending the trunk so that points on it are exactly where they are locked, with as little turning as possible.

Unknown are small turns of pelvis, spine, neck and clavicle bones in the world (a bone that turns carries the others along without
turning them) and, unless the pelvis is locked, the place of the whole.  Each step is the least of these moves, weighted by how easily a
part moves, that closes the gaps (Gauss-Newton in its dual form, after Levenberg and Marquardt where it does not get nearer): a 3 m x 3 m
system for m points, whatever the number of bones.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

_ARRIVED = 3e-5  # metres: gaps that are smaller together are closed
_MOST_STEPS = 30
_LONGEST_STEP = 0.1  # metres of the widest gap that one step closes: out of reach, poses follow their targets without a jump
# Of the gain that a step promises: one that brings less wants more damping; one that brings still less, when damped, is the last.
_GOOD, _STALLED = 0.3, 1e-4
_FIRST_DAMPING, _HIGH_DAMPING, _MOST_DAMPING = 1e-9, 1e-2, 1e3
_LESS, _MORE, _LEAST_RAISED = 0.1, 30.0, 1e-6
_EYE = np.eye(3)


class _State(NamedTuple):
    """Frames under way: bones' turns, root, eased arms as they are carried `(f, b, 3 k)`, gaps `(f, 3, k)` and their squares' sum `(f,)`.

    `along` `(f, 3, l)`: towards what a hip or shoulder is out of reach of, zero where it is within; None where all are.
    """

    turns: np.ndarray
    root: np.ndarray
    arms: np.ndarray
    gap: np.ndarray
    cost: np.ndarray
    along: np.ndarray | None

    def chosen(self, rows: np.ndarray) -> "_State":
        """Return some of the frames."""
        along = None if self.along is None else self.along[rows]
        return _State(self.turns[rows], self.root[rows], self.arms[rows], self.gap[rows], self.cost[rows], along)


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
        places = places.swapaxes(-1, -2)
        state = self._state(turns, root, places)
        if not self.root_ease and state.cost.max() > (self.farthest * self.pull.min(initial=1.0)) ** 2:
            places = self._drawn_in(state, places)
            state = self._state(turns, root, places)
        rows = np.flatnonzero(state.cost > _ARRIVED**2)
        if not len(rows):
            return turns, root
        found, moved = turns.copy(), root.copy()
        if len(rows) < len(turns):
            state, places = state.chosen(rows), places[rows]
        damping = np.full(len(rows), _FIRST_DAMPING)
        for _ in range(_MOST_STEPS):
            before, part = state.cost, np.minimum(_LONGEST_STEP / np.sqrt(state.cost), 1.0)
            state = self._advanced(state, part, damping, places)
            found[rows], moved[rows] = state.turns, state.root
            if state.cost.max() < _ARRIVED**2:
                break
            gain = (before - state.cost) / (before * part * (2.0 - part))
            damping = np.where(gain > _GOOD, damping * _LESS, np.maximum(damping, _LEAST_RAISED) * _MORE)
            stalled = (gain > 0.0) & (gain < _STALLED) & (damping > _HIGH_DAMPING)
            left = (state.cost > _ARRIVED**2) & ~stalled & (damping < _MOST_DAMPING)
            if not left.any():
                break
            if not left.all():
                state, rows, places, damping = state.chosen(left), rows[left], places[left], damping[left]
        return found, moved

    def _advanced(self, state: _State, part: np.ndarray, damping: np.ndarray, places: np.ndarray) -> _State:
        """Return the frames one step further, where that brings them nearer."""
        tried = self._state(*self._step(state, part, damping), places)
        better = tried.cost < state.cost
        if better.all():
            return tried
        turns = np.where(better[:, None, None, None], tried.turns, state.turns)
        return self._state(turns, np.where(better[:, None], tried.root, state.root), places)

    @cached_property
    def _eased(self) -> np.ndarray:
        """The arms `(b, 3, k)` times the roots of the bones' eases."""
        return np.sqrt(self.ease)[:, None, None] * self.arms

    @cached_property
    def _uneased(self) -> np.ndarray:
        """What sums eased arms over the bones `(1, b)`."""
        return 1.0 / np.sqrt(self.ease)[None]

    def _drawn_in(self, state: _State, places: np.ndarray) -> np.ndarray:
        """Return places that are no farther than the trunk may have to bend for them."""
        gap = state.gap.copy()
        gap[..., gap.shape[-1] - len(self.least) :] /= self.pull
        length = np.sqrt((gap * gap).sum(axis=-2, keepdims=True))
        return places - gap * (1.0 - np.minimum(self.farthest / np.maximum(length, _ARRIVED), 1.0))

    def _state(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> _State:
        """Return what is left to go."""
        arms = (turns @ self._eased).reshape(len(turns), len(self.ease), -1)
        gap = places - (self._uneased @ arms).reshape(places.shape) - root[:, :, None]
        near = gap[..., gap.shape[-1] - len(self.least) :]
        along = None
        if len(self.least):
            length = np.sqrt((near * near).sum(axis=-2, keepdims=True))
            excess = length - np.minimum(np.maximum(length, self.least), self.most)
            if excess.any():
                along = near * ((excess != 0.0) / np.maximum(length, _ARRIVED))
                near[:] = excess * self.pull * along
            else:
                near[:] = 0.0
        flat = gap.reshape(len(gap), 1, -1)
        return _State(turns, root, arms, gap, (flat @ flat.swapaxes(-1, -2))[:, 0, 0], along)

    def _step(self, state: _State, part: np.ndarray, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turns and root after one step that closes `part` `(f,)` of the gaps."""
        frames, count = len(state.turns), state.gap.shape[-1]
        wanted = state.gap * part[:, None, None]
        arms, axes = state.arms, self._axes(state)
        if axes is None and len(self.least):
            count -= len(self.least)
            arms = arms.reshape(frames, len(self.ease), 3, -1)[..., :count].reshape(frames, len(self.ease), 3 * count)
            wanted = wanted[..., :count]
        wanted = wanted.reshape(frames, 3 * count, 1)
        system = self._together(arms, count)
        if axes is not None:
            system = axes @ system @ axes.swapaxes(-1, -2)
            wanted = axes @ wanted
            wanted[:, wanted.shape[1] - len(self.pull) :] /= self.pull[:, None]
        diagonal = np.einsum("fii->fi", system)
        diagonal += (diagonal.max(axis=-1) * damping)[:, None] + 1e-12
        push = np.linalg.solve(system, wanted)
        if axes is not None:
            push = axes.swapaxes(-1, -2) @ push
        push = push.reshape(frames, 1, 3, count)
        torque = arms.reshape(frames, len(self.ease), 3, count) @ push.swapaxes(-1, -2)
        torque *= np.sqrt(self.ease)[:, None, None]
        turned = turned_by(torque.swapaxes(-1, -2) - torque) @ state.turns
        return turned, state.root + self.root_ease * push[:, 0].sum(axis=-1)

    def _together(self, arms: np.ndarray, count: int) -> np.ndarray:
        """Return how points move together `(f, 3 k, 3 k)`: sums over bones of [a_k]x [a_l]x^T = (a_k.a_l) 1 - a_l a_k^T, and the root."""
        products = (arms.swapaxes(-1, -2) @ arms).reshape(len(arms), 3, count, 3, count)
        dots = products[:, 0, :, 0] + products[:, 1, :, 1] + products[:, 2, :, 2] + self.root_ease
        together = _EYE[:, None, :, None] * dots[:, None, :, None, :] - products.swapaxes(1, 3)
        return together.reshape(len(arms), 3 * count, 3 * count)

    def _axes(self, state: _State) -> np.ndarray | None:
        """Return along which axes of which points something is asked `(f, g, 3 k)`; None where all limbs are within reach."""
        if state.along is None:
            return None
        count, limbs = state.gap.shape[-1], len(self.least)
        exact = count - limbs
        axes = np.zeros((len(state.gap), 3 * exact + limbs, 3, count))
        for axis in range(3):
            axes[:, axis * exact + np.arange(exact), axis, np.arange(exact)] = 1.0
        rows, columns = 3 * exact + np.arange(limbs), exact + np.arange(limbs)
        axes[:, rows, :, columns] = np.moveaxis(state.along * self.pull, -1, 0)
        return axes.reshape(len(state.gap), 3 * exact + limbs, 3 * count)


def turned_by(skew: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of cross-product matrices of small rotation vectors (Cayley's map, exact to second order)."""
    square = skew @ skew
    return _EYE + (skew + 0.5 * square) * (4.0 / (4.0 - 0.5 * np.trace(square, axis1=-2, axis2=-1)))[..., None, None]
