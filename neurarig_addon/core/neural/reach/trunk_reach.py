"""Bending the trunk so that points on it are exactly where they are locked, with as little turning as possible.

Unknown are small turns of pelvis, spine, neck and clavicle bones in the world (a bone that turns carries the others along without
turning them) and, unless the pelvis is locked, the place of the whole.  Each step is the least of these moves, weighted by how easily a
part moves, that closes the gaps (Gauss-Newton in its dual form, after Levenberg and Marquardt where it does not get nearer): a system
of three rows for a point and one for each limb where some are out of reach (`trunk_step`), whatever the number of bones.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...rotation import cross_matrix
from ..geometry.triad import nearest_rotation
from .trunk_step import Bounds, Push, State, least_push, turned

# Lengths in metres, for a body of human size.
_ARRIVED = 3e-5  # gaps that are smaller together are closed
_LONGEST_STEP = 0.1  # of the widest gap that one step closes: out of reach, poses follow their targets without a jump
_MOST_STEPS = 40
_LARGEST_TURN = 0.5  # radians in one step: a straight trunk that has to become shorter would turn without end
_STRAIGHTEST = 0.99999  # of what a trunk measures from a locked pelvis
_HELD_TO = 0.01  # square metres by which a pelvis is held to its turn where points do not tell it
_HALVED = 0.25  # of the squared gap: a step that leaves less was a good one
_GOOD = 0.3  # of the gain that a step promises: one that brings less wants more damping
_WATCH, _STALLED = 10, 0.5  # so many steps that leave more than this of what was left to go, squared, are the last
_FIRST_DAMPING, _MOST_DAMPING = 1e-9, 1e3
_LESS, _MORE, _LEAST_RAISED = 0.1, 30.0, 1e-6
_NEARLY = 0.09  # of the squared gap: a step that leaves less can be mended without a new system
_TINY = 1e-12
_WIDE = 3.0  # times the widest gap: from the second step on, limbs with less way left are asked whether a step takes them out of reach


@dataclass(frozen=True)
class TrunkReach:
    """A trunk of `b` bones and the `k` points on it that something is asked of.

    `arms` `(b, 3, k)`: from each bone's head towards each point, at rest: what the bone carries the point by, zero where it does not.
    `ease` `(b,)`: how easily each bone turns (rad^2); `root_ease`: and the whole moves (m^2), 0 where the pelvis is locked.
    The first points have a place to be at; the last, hips and shoulders, must be between `least` and `most` metres `(l,)` from one, for
    which they pull on the trunk by `pull` `(l,)` of what the first ones do: where not all can be met, those give way.
    `size`: metres of this body for one of a human's.
    """

    arms: np.ndarray
    ease: np.ndarray
    root_ease: float
    least: np.ndarray
    most: np.ndarray
    pull: np.ndarray
    size: float

    def solve(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> State:
        """Return how the trunk comes to stand, from bones turned by `turns` `(f, b, 3, 3)` and the pelvis at `root` `(f, 3)`.

        `places` `(f, k, 3)`: where the points are to be, or to be near to.  A pose far off, from which there is no way there, is given up
        for the trunk at rest, turned as a whole to them or as the rig was made, where that arrives.
        """
        places = places.swapaxes(-1, -2)
        state = self._state(turns, root, places)
        if self._all_arrived(state):
            return state
        within = places if self.root_ease else self._drawn_in(root, places)
        if within is not places:
            state = self._state(turns, root, within)
        far = state.cost > (_LONGEST_STEP * self.size) ** 2
        state = self._near(state, within)
        if not self._all_arrived(state):
            for start in (self._turned_to, self._at_rest):
                lost = np.flatnonzero(far & (state.cost > self._arrived))
                if len(lost):
                    again = self._near(start(turns[lost], root[lost], within[lost]), within[lost])
                    helped = again.cost <= self._arrived
                    state = state.with_rows(lost[helped], again.chosen(helped))
            state = self._given_way(state, within)
        return state if within is places else self._state(state.turns, state.root, places)

    def _given_way(self, state: State, places: np.ndarray) -> State:
        """Return frames in which, where not all can be met, limbs have given way, one by one, until the rest is met.

        First those that pull least, of them the one that misses most.
        """
        turns, root, exact = state.turns.copy(), state.root.copy(), self._exact
        stuck = rows = np.flatnonzero(state.cost > self._arrived)
        wanted = places[rows]
        for _ in range(int((self.pull < 1.0).sum())):
            if not len(rows):
                break
            now = self._state(turns[rows], root[rows], wanted)
            off = self.pull * np.abs(now.over[:, exact:])
            off[:, self.pull == 1.0] = 0.0
            off[off <= _ARRIVED * self.size] = 0.0
            weakest = np.where(off > 0.0, self.pull, 1.0).min(axis=1, keepdims=True)
            worst = np.where(self.pull == weakest, off, 0.0)
            given = (worst == worst.max(axis=1, keepdims=True)) & (worst > 0.0)
            # A place half a limb away asks nothing any more.
            past = 1.0 - 0.5 * (self.least + self.most) / np.maximum(now.lengths[:, exact:], _TINY)
            wanted[..., exact:] -= now.lines[..., exact:] * (given * past)[:, None]
            freed = self._near(self._state(turns[rows], root[rows], wanted), wanted)
            turns[rows], root[rows] = freed.turns, freed.root
            left = freed.cost > self._arrived
            rows, wanted = rows[left], wanted[left]
        return self._state(turns, root, places) if len(stuck) else state

    def _near(self, state: State, places: np.ndarray) -> State:
        """Return frames that have come as near as they can; not one that is there already is moved."""
        found, rows = state, np.flatnonzero(state.cost > self._arrived)
        if len(rows) < len(state.cost):
            state, places = state.chosen(rows), places[rows]
        damping, watched = np.full(len(rows), _FIRST_DAMPING), state.cost
        for step in range(_MOST_STEPS if len(rows) else 0):
            began, push = state, self._push(state, damping, _WIDE if step else 0.0)
            state = state.better_of(self._moved(state, push.levers, push.along, places))
            if not self._all_arrived(state):
                state = self._again(began, state, push, places)
            if self._all_arrived(state):
                break
            if np.count_nonzero(state.cost < _HALVED * began.cost) < len(rows):
                gain = (began.cost - state.cost) / np.maximum(began.cost - push.left(self._whole(began, push)), _TINY * began.cost)
                damping = np.where(gain > _GOOD, damping * _LESS, np.maximum(damping, _LEAST_RAISED) * _MORE)
            left = (state.cost > self._arrived) & (damping < _MOST_DAMPING)
            if step % _WATCH == _WATCH - 1:
                left &= state.cost < _STALLED * watched
                watched = state.cost
            if np.count_nonzero(left) < len(left):
                found = found.with_rows(rows, state)
                state, rows, places, damping, watched = state.chosen(left), rows[left], places[left], damping[left], watched[left]
                if not len(rows):
                    return found
        return state if len(rows) == len(found.cost) else found.with_rows(rows, state)

    @cached_property
    def _arrived(self) -> float:
        """The cost at which all gaps are closed, square metres."""
        return (_ARRIVED * self.size) ** 2

    def _all_arrived(self, state: State) -> bool:
        return bool(np.maximum.reduce(state.cost, initial=0.0) <= self._arrived)

    def _again(self, began: State, state: State, push: Push, places: np.ndarray) -> State:
        """Return the state after a second step by the same system where the first one was nearly enough: a chord of Newton's method."""
        near = (state.cost < _NEARLY * began.cost) & (state.cost > self._arrived)
        if not np.count_nonzero(near):
            return state
        along = push.inverse @ (near[:, None] * self._whole(state, push))[..., None]
        return state.better_of(self._moved(state, push.levers, along, places))

    def _whole(self, state: State, push: Push) -> np.ndarray:
        """Return the whole way `(f, g)` along the axes of a push that is left to go."""
        exact = self._exact
        whole = state.lines[..., :exact].swapaxes(-1, -2).reshape(len(state.cost), 3 * exact)
        if push.want.shape[1] == whole.shape[1]:
            return whole
        return np.concatenate([whole, self.pull * state.over[:, exact:]], axis=1)

    def _at_rest(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> State:
        """Return the trunk as it is at rest."""
        return self._state(np.broadcast_to(np.eye(3), turns.shape), root, places)

    def _turned_to(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> State:
        """Return the trunk as it is at rest, all bones turned alike, so that its points are in the direction of their places (Kabsch)."""
        points = self.arms.sum(axis=0)
        if self.root_ease:
            points = points - points.mean(axis=-1, keepdims=True)
            ways = places - places.mean(axis=-1, keepdims=True)
        else:
            ways = places - root[:, :, None]
        turn = nearest_rotation(ways @ (self._pulls * points).T + _HELD_TO * self.size**2 * turns[:, 0])
        if self.root_ease:
            root = (places - turn @ self.arms.sum(axis=0)).mean(axis=-1)
        return self._state(np.repeat(turn[:, None], len(self.ease), axis=1), root, places)

    @cached_property
    def _exact(self) -> int:
        """How many points have a place to be at."""
        return self.arms.shape[-1] - len(self.least)

    @cached_property
    def _pulls(self) -> np.ndarray:
        """How hard each point pulls `(k,)`."""
        return np.append(np.ones(self._exact), self.pull)

    @cached_property
    def _spans(self) -> tuple[np.ndarray, np.ndarray]:
        """How near to its place, and how far from it, each point may be `(k,)`."""
        return np.append(np.zeros(self._exact), self.least), np.append(np.zeros(self._exact), self.most)

    @cached_property
    def _together(self) -> np.ndarray:
        """The arms of all bones below each other `(3 b, k)`."""
        return self.arms.reshape(-1, self.arms.shape[-1])

    @cached_property
    def _levers(self) -> np.ndarray:
        """How far a bone that turns about its x, y, z brings each point in its axes `(b, 3, 3 k)`, times the root of its ease."""
        levers = -cross_matrix(self.arms.swapaxes(1, 2)) * self._root_of_ease[..., None, None]
        return levers.swapaxes(1, 2).reshape(len(self.ease), 3, -1)

    @cached_property
    def _root_of_ease(self) -> np.ndarray:
        return np.sqrt(self.ease)[:, None]

    @cached_property
    def _farthest(self) -> np.ndarray:
        """How far from a locked pelvis each place may be `(k,)`: the bones between, and the limb, straight."""
        bones = _STRAIGHTEST * np.sqrt((self.arms * self.arms).sum(axis=1)).sum(axis=0)
        bones[self._exact :] += self.most
        return bones

    def _drawn_in(self, root: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return places `(f, 3, k)` that are no farther from the pelvis than bones reach."""
        way = places - root[:, :, None]
        square = np.add.reduce(way * way, axis=1)
        if (square <= self._farthest**2).all():
            return places
        return root[:, :, None] + way * np.minimum(self._farthest / np.sqrt(np.maximum(square, (_TINY * self.size) ** 2)), 1.0)[:, None]

    def _state(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> State:
        """Return what is left to go."""
        lines = places - turns.swapaxes(1, 2).reshape(len(turns), 3, len(self._together)) @ self._together - root[:, :, None]
        lengths = np.sqrt(np.add.reduce(lines * lines, axis=1))
        least, most = self._spans
        over = lengths - np.minimum(np.maximum(lengths, least), most)
        gaps = self._pulls * over
        return State(turns, root, lines, lengths, over, np.add.reduce(gaps * gaps, axis=1))

    def _push(self, state: State, damping: np.ndarray, wide: float) -> Push:
        """Return the least push that closes the gaps, or as much of them as one step may; `wide` as in `_bounds`."""
        count, bones, exact, points = len(state.cost), len(self.ease), self._exact, self.arms.shape[-1]
        levers = (state.turns @ self._levers).reshape(count, bones, 3, points, 3)
        levers = levers.transpose(0, 3, 2, 1, 4).reshape(count, points, 3, 3 * bones)
        if self.root_ease:
            whole = np.broadcast_to(np.sqrt(self.root_ease) * np.eye(3), (count, points, 3, 3))
            levers = np.concatenate([levers, whole], axis=3)
        lines = state.lines.swapaxes(1, 2)
        rows, want = levers[:, :exact].reshape(count, 3 * exact, levers.shape[-1]), lines[:, :exact].reshape(count, 3 * exact)
        widest, longest = float(np.maximum.reduce(state.cost)), _LONGEST_STEP * self.size
        bounds = self._bounds(state, wide * math.sqrt(widest))
        if bounds is not None:
            towards = lines[:, exact:] * (self.pull / np.maximum(state.lengths[:, exact:], _TINY * self.size))[..., None]
            rows = np.concatenate([rows, (towards[:, :, None] @ levers[:, exact:])[:, :, 0]], axis=1)
        if widest > longest**2:
            part = np.minimum(longest / np.sqrt(state.cost), 1.0)[:, None]
            want = part * want
            if bounds is not None:
                spared = (1.0 - part) * self.pull * state.over[:, exact:]
                bounds = Bounds(bounds.high - spared, bounds.low - spared)
        return least_push(rows, want, bounds, damping)

    def _bounds(self, state: State, margin: float) -> Bounds | None:
        """Return how far limbs may go; None where all are in reach, by `margin` metres at least."""
        lengths = state.lengths[:, self._exact :]
        if not np.count_nonzero((lengths > self.most - margin) | (lengths < self.least + margin)):
            return None
        return Bounds(self.pull * (lengths - self.most), self.pull * (lengths - self.least))

    def _moved(self, state: State, levers: np.ndarray, along: np.ndarray, places: np.ndarray) -> State:
        """Return the state after a push."""
        count, bones = len(along), len(self.ease)
        push = along.swapaxes(1, 2) @ levers
        vectors = push[..., : 3 * bones].reshape(count, bones, 3) * self._root_of_ease
        most = np.maximum.reduce(np.abs(vectors), axis=(1, 2), keepdims=True)
        if np.maximum.reduce(most, axis=None) > _LARGEST_TURN:
            calm = _LARGEST_TURN / np.maximum(most, _LARGEST_TURN)
            push, vectors = calm * push, calm * vectors
        root = state.root + np.sqrt(self.root_ease) * push[:, 0, 3 * bones :] if self.root_ease else state.root
        return self._state(turned(state.turns, vectors), root, places)
