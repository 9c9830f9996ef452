"""Bending the trunk so that points on it are exactly where they are locked, with as little turning as
possible.

The unknowns are small turns of pelvis, spine, neck and clavicle bones in the world (a bone that turns carries
the others along without
turning them) and, unless the pelvis is locked, the place of the whole. Each step is the least of these moves,
weighted by how easily a
part moves, that closes the gaps (Gauss-Newton in its dual form, with Levenberg-Marquardt damping where it
does not get nearer): a
system of three rows for each point and, where some limbs are out of reach, one for each limb (`trunk_step`),
for any number of bones.
"""

import math
from functools import cached_property

import numpy as np

from ...geometry.vectors import nearest_rotation
from .trunk_step import TINY, Bounds, Push, StepState, TrunkTables, least_push, turned

# Lengths in metres, for a body of human size.
_ARRIVED = 3e-5  # gaps with a smaller root sum of squares are closed
# the most of a gap that one step closes: out of reach, poses follow their targets without a jump
_LONGEST_STEP = 0.1
_MOST_STEPS = 40
# radians in one step: a straight trunk that has to become shorter would turn without limit
_LARGEST_TURN = 0.5
_HELD_TO = 0.01  # square metres: weight that keeps the pelvis' rotation where points do not determine it
_HALVED = 0.25  # of the squared gap: a step that leaves less was good, and is corrected without a new system
_GOOD = 0.3  # of the gain that a step predicts: one that brings less needs more damping
# steps, and share of the cost: the solver stops where so many steps leave more than this
_WATCH, _STALLED = 10, 0.5
_FIRST_DAMPING, _MOST_DAMPING = 1e-9, 1e3  # of the largest diagonal entry that the system may have
_LESS, _MORE, _LEAST_DAMPING, _LEAST_RAISED = 0.1, 30.0, 1e-12, 1e-6
_ONES = np.ones(3)
# times the widest gap: from the second step on, limbs this near to a bound are checked against it
_WIDE = 3.0


class TrunkReach(TrunkTables):
    """A trunk that bends until its points are where they are asked to be."""

    def solve(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> StepState:
        """Return the solved trunk, starting from bones turned by `turns` `(f, b, 3, 3)` and the pelvis at
        `root` `(f, 3)`.

        `places` `(f, k, 3)`: where the points are to be, or to be near to. If the steps do not arrive from a
        pose, they start again
        from the trunk at rest, turned as a whole to the places or as the rig was made, and that is used if it
        arrives.
        """
        places = places - root[:, None]  # from here on relative to where the pelvis was
        state = began = self._state(np.ascontiguousarray(turns.swapaxes(2, 3)), np.zeros_like(root), places)
        if self._all_arrived(state):
            return state
        within = places if self.root_ease else self._drawn_in(places)
        if within is not places:
            state = began = self._state(state.axes, state.shift, within)
        state = self._near(state, within)
        if not self._all_arrived(state):
            for start in (self._turned_to, self._at_rest):
                lost = np.flatnonzero(state.cost > self._arrived)
                if len(lost):
                    again = self._near(start(began.axes[lost], within[lost]), within[lost])
                    helped = again.cost <= self._arrived
                    state = state.with_rows(lost[helped], again.chosen(helped))
            state = self._given_way(state, within)
        return state if within is places else self._state(state.axes, state.shift, places)

    def _given_way(self, state: StepState, places: np.ndarray) -> StepState:
        """Return the frames after limbs have given way, one by one, where not all can be met, until the rest
        is.

        First those that pull least; of them the one that misses most.
        """
        axes, shift, exact = state.axes.copy(), state.shift.copy(), self._exact
        stuck = rows = np.flatnonzero(state.cost > self._arrived)
        wanted = places[rows]
        for _ in range(int((self.pull < 1.0).sum())):
            if not len(rows):
                break
            now = self._state(axes[rows], shift[rows], wanted)
            off = self.pull * np.abs(now.over[:, exact:])
            off[:, self.pull == 1.0] = 0.0
            off[off <= _ARRIVED * self.size] = 0.0
            weakest = np.where(off > 0.0, self.pull, 1.0).min(axis=1, keepdims=True)
            worst = np.where(self.pull == weakest, off, 0.0)
            given = (worst == worst.max(axis=1, keepdims=True)) & (worst > 0.0)
            # A place at the middle of a limb's span asks for nothing any more.
            past = 1.0 - 0.5 * (self.least + self.most) / np.maximum(now.lengths[:, exact:], TINY)
            wanted[:, exact:] -= now.lines[:, exact:] * (given * past)[..., None]
            freed = self._near(self._state(axes[rows], shift[rows], wanted), wanted)
            axes[rows], shift[rows] = freed.axes, freed.shift
            left = freed.cost > self._arrived
            rows, wanted = rows[left], wanted[left]
        return self._state(axes, shift, places) if len(stuck) else state

    def _near(self, state: StepState, places: np.ndarray) -> StepState:
        """Return the frames, brought as near as they can come; those already there are not moved."""
        found, rows = state, np.flatnonzero(state.cost > self._arrived)
        if len(rows) < len(state.cost):
            state, places = state.chosen(rows), places[rows]
        damping, watched = np.full(len(rows), _FIRST_DAMPING * self._stiffest), state.cost
        for step in range(_MOST_STEPS if len(rows) else 0):
            began, push = state, self._push(state, damping, _WIDE if step else 0.0)
            state = state.better_of(self._moved(state, push.levers, push.along, places))
            if not self._all_arrived(state):
                state = self._again(began, state, push, places)
            if self._all_arrived(state):
                break
            if np.count_nonzero(state.cost < _HALVED * began.cost) < len(rows):
                gain = (began.cost - state.cost) / np.maximum(
                    began.cost - push.left(self._whole(began, push)), TINY * began.cost
                )
                less, more = (
                    np.maximum(damping * _LESS, _LEAST_DAMPING),
                    np.maximum(damping, _LEAST_RAISED * self._stiffest) * _MORE,
                )
                damping = np.where(gain > _GOOD, less, more)
            left = (state.cost > self._arrived) & (damping < _MOST_DAMPING * self._stiffest)
            if step % _WATCH == _WATCH - 1:
                left &= state.cost < _STALLED * watched
                watched = state.cost
            if np.count_nonzero(left) < len(left):
                found = found.with_rows(rows, state)
                state, rows, places, damping, watched = (
                    state.chosen(left),
                    rows[left],
                    places[left],
                    damping[left],
                    watched[left],
                )
                if not len(rows):
                    return found
        return state if len(rows) == len(found.cost) else found.with_rows(rows, state)

    @cached_property
    def _arrived(self) -> float:
        """The cost at which all gaps are closed, square metres."""
        return (_ARRIVED * self.size) ** 2

    def _all_arrived(self, state: StepState) -> bool:
        return max(state.cost.tolist(), default=0.0) <= self._arrived

    def _again(self, began: StepState, state: StepState, push: Push, places: np.ndarray) -> StepState:
        """Return the state after a second step by the same system where the first was nearly enough: Newton's
        method with a chord."""
        near = (state.cost < _HALVED * began.cost) & (state.cost > self._arrived)
        if not np.count_nonzero(near):
            return state
        along = push.inverse.times((near[:, None] * self._whole(state, push))[..., None])
        return state.better_of(self._moved(state, push.levers, along, places))

    def _whole(self, state: StepState, push: Push) -> np.ndarray:
        """Return the whole way left to go `(f, g)` along the axes of a push."""
        exact = self._exact
        whole = state.lines[:, :exact].reshape(len(state.cost), 3 * exact)
        if push.want.shape[1] == whole.shape[1]:
            return whole
        return np.concatenate([whole, self.pull * state.over[:, exact:]], axis=1)

    def _at_rest(self, axes: np.ndarray, places: np.ndarray) -> StepState:
        """Return the trunk at rest."""
        return self._state(np.tile(np.eye(3), (*axes.shape[:2], 1, 1)), np.zeros((len(axes), 3)), places)

    def _turned_to(self, axes: np.ndarray, places: np.ndarray) -> StepState:
        """Return the trunk at rest, all bones turned alike so that its points lie in the direction of their
        places (Kabsch)."""
        points, ways, shift = self.arms.sum(axis=0).T, places, np.zeros((len(axes), 3))
        if self.root_ease:
            points, ways = points - points.mean(axis=0), places - places.mean(axis=1, keepdims=True)
        back = nearest_rotation((self._pulls.T * points).T @ ways + _HELD_TO * self.size**2 * axes[:, 0])
        if self.root_ease:
            shift = (places - self.arms.sum(axis=0).T @ back).mean(axis=1)
        return self._state(np.repeat(back[:, None], len(self.ease), axis=1), shift, places)

    def _state(self, axes: np.ndarray, shift: np.ndarray, places: np.ndarray) -> StepState:
        """Return the state, with what is left to go to places `(f, k, 3)` relative to where the pelvis
        was."""
        lines = places - self._together @ axes.reshape(len(axes), -1, 3)
        if self.root_ease:
            lines -= shift[:, None]
        lengths = np.sqrt((lines * lines).reshape(-1, 3).dot(_ONES)).reshape(lines.shape[:2])
        least, most = self._spans
        over = lengths - np.minimum(np.maximum(lengths, least), most)
        gaps = self._pulls * over
        return StepState(axes, shift, lines, lengths, over, (gaps * gaps).dot(self._each))

    def _push(self, state: StepState, damping: np.ndarray, wide: float) -> Push:
        """Return the least push that closes the gaps, or as much of them as one step may; `wide`: see
        `_WIDE`."""
        count, exact, lines = len(state.cost), self._exact, state.lines
        levers = (self._levers @ state.axes).reshape(count, 3 * len(self.ease), -1)
        if self.root_ease:
            levers = np.concatenate([levers, self._shifts.repeat(count, axis=0)], axis=1)
        levers = levers.swapaxes(1, 2)
        rows, want = levers[:, : 3 * exact], lines[:, :exact].reshape(count, 3 * exact)
        widest, longest = max(state.cost.tolist()), _LONGEST_STEP * self.size
        bounds = self._bounds(state, wide * math.sqrt(widest))
        if bounds is not None:
            towards = (
                lines[:, exact:]
                * (self.pull / np.maximum(state.lengths[:, exact:], TINY * self.size))[..., None]
            )
            limbs = levers[:, 3 * exact :].reshape(count, len(self.least), 3, -1)
            rows = np.concatenate([rows, (towards[:, :, None] @ limbs)[:, :, 0]], axis=1)
        if widest > longest**2:
            part = np.minimum(longest / np.sqrt(state.cost), 1.0)[:, None]
            want = part * want
            if bounds is not None:
                spared = (1.0 - part) * self.pull * state.over[:, exact:]
                bounds = Bounds(bounds.high - spared, bounds.low - spared)
        return least_push(rows, want, bounds, damping)

    def _bounds(self, state: StepState, margin: float) -> Bounds | None:
        """Return how far limbs may go; None if all are within their bounds by at least `margin` metres."""
        if not len(self.least):
            return None
        least, most = self._spans
        high, low = (state.lengths - most)[:, self._exact :], (state.lengths - least)[:, self._exact :]
        past = np.maximum(high, -low)
        return Bounds(self.pull * high, self.pull * low) if past.item(past.argmax()) > -margin else None

    def _moved(
        self, state: StepState, levers: np.ndarray, along: np.ndarray, places: np.ndarray
    ) -> StepState:
        """Return the state after a push."""
        push, turning = (along.swapaxes(1, 2) @ levers)[:, 0], 3 * len(self.ease)
        vectors = push[:, :turning].reshape(len(push), -1, 3) * self._roots_of_ease
        if np.vdot(vectors, vectors) > _LARGEST_TURN**2:
            calm = _LARGEST_TURN / np.maximum(np.abs(vectors).max(axis=(1, 2)), _LARGEST_TURN)
            push, vectors = calm[:, None] * push, calm[:, None, None] * vectors
        shift = state.shift + math.sqrt(self.root_ease) * push[:, turning:] if self.root_ease else state.shift
        return self._state(turned(state.axes, vectors), shift, places)
