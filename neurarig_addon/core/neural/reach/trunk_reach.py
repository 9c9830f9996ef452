"""Bending the trunk so that points on it are exactly where they are locked, with as little turning as possible.

Unknown are small turns of pelvis, spine, neck and clavicle bones in the world (a bone that turns carries the others along without
turning them) and, unless the pelvis is locked, the place of the whole.  Each step is the least of these moves, weighted by how easily a
part moves, that closes the gaps (Gauss-Newton in its dual form, after Levenberg and Marquardt where it does not get nearer): a system
of three rows for a point and one for a limb that is too far away, whatever the number of bones.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...rotation import SKEW
from ..geometry.triad import nearest_rotation
from ..geometry.vectors import crossed
from .trunk_step import Asked, Push, State, turned

# Lengths in metres, for a body of human size.
_ARRIVED = 3e-5  # gaps that are smaller together are closed
_LONGEST_STEP = 0.1  # of the widest gap that one step closes: out of reach, poses follow their targets without a jump
_MOST_STEPS = 40
_LARGEST_TURN = 0.5  # radians in one step: a straight trunk that has to become shorter would turn without end
_STRAIGHTEST = 0.99999  # of what a trunk measures from a locked pelvis
_HELD_TO = 0.01  # square metres by which a pelvis is held to its turn where points do not tell it
_GOOD = 0.3  # of the gain that a step promises: one that brings less wants more damping
_WATCH, _STALLED = 10, 0.5  # so many steps that leave more than this of what was left to go, squared, are the last
_FIRST_DAMPING, _MOST_DAMPING = 1e-9, 1e3
_LESS, _MORE, _LEAST_RAISED = 0.1, 30.0, 1e-6
_NEARLY = 0.04  # of the squared gap: a step that leaves less can be mended without a new system
_TINY = 1e-12
_AXES = np.eye(3)


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

    def solve(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turned bones `(f, b, 3, 3)` and the pelvis' place `(f, 3)`; `places` `(f, k, 3)`: of the points, or to be near to.

        A pose far off, from which there is no way there, is given up for the trunk at rest, turned as a whole to them, where that arrives.
        """
        places = places.swapaxes(-1, -2)
        state = self._state(turns, root, places)
        if state.cost.max() <= self._arrived:
            return turns, root
        if not self.root_ease:
            drawn = self._drawn_in(root, places)
            state, places = (state, places) if drawn is places else (self._state(turns, root, drawn), drawn)
        far = state.cost > (_LONGEST_STEP * self.size) ** 2
        state = self._near(state, places)
        lost = np.flatnonzero(far & (state.cost > self._arrived)) if far.any() else np.zeros(0, dtype=int)
        if len(lost):
            again = self._near(self._at_rest(turns[lost], root[lost], places[lost]), places[lost])
            helped = again.cost <= self._arrived
            state = state.with_rows(lost[helped], again.chosen(helped))
        return self._given_way(state, places)

    def _given_way(self, state: State, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turns and root of frames in which, where not all can be met, limbs have given way, one by one, until the rest is met.

        First those that pull least, of them the one that misses most.
        """
        turns, root, exact = state.turns, state.root, places.shape[-1] - len(self.least)
        rows = np.flatnonzero(state.cost > self._arrived)
        wanted = places[rows]
        for _ in range(int((self.pull < 1.0).sum())):
            if not len(rows):
                break
            stuck = self._state(turns[rows], root[rows], wanted)
            lines = stuck.lines[..., exact:]
            length = np.sqrt((lines * lines).sum(axis=1))
            off = self.pull * np.abs(length - np.minimum(np.maximum(length, self.least), self.most))
            off[:, self.pull == 1.0] = 0.0
            off[off <= _ARRIVED * self.size] = 0.0
            weakest = np.where(off > 0.0, self.pull, 1.0).min(axis=1, keepdims=True)
            worst = np.where(self.pull == weakest, off, 0.0)
            given = (worst == worst.max(axis=1, keepdims=True)) & (worst > 0.0)
            # A place half a limb away asks nothing any more.
            wanted[..., exact:] -= lines * (given * (1.0 - 0.5 * (self.least + self.most) / np.maximum(length, _TINY)))[:, None]
            freed = self._near(self._state(turns[rows], root[rows], wanted), wanted)
            turns[rows], root[rows] = freed.turns, freed.root
            left = freed.cost > self._arrived
            rows, wanted = rows[left], wanted[left]
        return turns, root

    def _near(self, state: State, places: np.ndarray) -> State:
        """Return frames that have come as near as they can; not one that is there already is moved."""
        found, rows = state, np.flatnonzero(state.cost > self._arrived)
        if len(rows) < len(state.cost):
            state, places = state.chosen(rows), places[rows]
        damping, watched = np.full(len(rows), _FIRST_DAMPING), state.cost
        for step in range(_MOST_STEPS if len(rows) else 0):
            began, asked = state, self._asked(state)
            push = self._push(asked, damping)
            tried = self._state(*self._moved(state, asked, push.along), places)
            state, widened = (tried, None) if (tried.cost < state.cost).all() else self._better(state, tried)
            if state.cost.max() > self._arrived:
                state = self._again(began, state, asked, push, places)
            if state.cost.max() <= self._arrived:
                break
            gain = (began.cost - state.cost) / np.maximum(began.cost - push.left(asked), _TINY * began.cost)
            raised = np.where(gain > _GOOD, damping * _LESS, np.maximum(damping, _LEAST_RAISED) * _MORE)
            damping = raised if widened is None else np.where(widened, damping, raised)
            left = (state.cost > self._arrived) & (damping < _MOST_DAMPING)
            if step % _WATCH == _WATCH - 1:
                left &= state.cost < _STALLED * watched
                watched = state.cost
            if not left.all():
                found = found.with_rows(rows, state)
                state, rows, places, damping, watched = state.chosen(left), rows[left], places[left], damping[left], watched[left]
                if not len(rows):
                    return found
        return state if len(rows) == len(found.cost) else found.with_rows(rows, state)

    @cached_property
    def _arrived(self) -> float:
        """The cost at which all gaps are closed, square metres."""
        return (_ARRIVED * self.size) ** 2

    def _again(self, began: State, state: State, asked: Asked, push: Push, places: np.ndarray) -> State:
        """Return the state after a second step by the same system where the first one was nearly enough: a chord of Newton's method."""
        near = (state.cost < _NEARLY * began.cost) & (state.cost > self._arrived) & began.free() & state.free()
        if not near.any():
            return state
        exact = state.lines.shape[-1] - len(self.least)
        way = np.zeros_like(asked.way)
        way[:, : 3 * exact] = near[:, None] * state.lines[..., :exact].swapaxes(-1, -2).reshape(len(near), -1)
        tried = self._state(*self._moved(state, asked, push.inverse @ way[..., None]), places)
        return tried if (tried.cost <= state.cost).all() else self._better(state, tried)[0]

    def _at_rest(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> State:
        """Return the trunk as it is at rest, all bones turned alike, so that its points are in the direction of their places (Kabsch)."""
        points = self.arms.sum(axis=0)
        if self.root_ease:
            points = points - points.mean(axis=-1, keepdims=True)
            ways = places - places.mean(axis=-1, keepdims=True)
        else:
            ways = places - root[:, :, None]
        weights = np.append(np.ones(points.shape[-1] - len(self.pull)), self.pull)
        turn = nearest_rotation(ways @ (weights * points).T + _HELD_TO * self.size**2 * turns[:, 0])
        if self.root_ease:
            root = (places - turn @ self.arms.sum(axis=0)).mean(axis=-1)
        return self._state(np.repeat(turn[:, None], len(self.ease), axis=1), root, places)

    @cached_property
    def _eased(self) -> np.ndarray:
        """The arms `(b, 3, k)` times the roots of the bones' eases."""
        return np.sqrt(self.ease)[:, None, None] * self.arms

    @cached_property
    def _together(self) -> np.ndarray:
        """The arms of all bones below each other `(3 b, k)`."""
        return self.arms.reshape(-1, self.arms.shape[-1])

    @cached_property
    def _farthest(self) -> np.ndarray:
        """How far from a locked pelvis each place may be `(k,)`: the bones between, and the limb, straight."""
        bones = _STRAIGHTEST * np.sqrt((self.arms * self.arms).sum(axis=1)).sum(axis=0)
        bones[len(bones) - len(self.most) :] += self.most
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
        frames, exact = len(turns), places.shape[-1] - len(self.least)
        lines = places - turns.swapaxes(1, 2).reshape(frames, 3, -1) @ self._together - root[:, :, None]
        square = np.add.reduce(lines * lines, axis=1)
        cost = np.add.reduce(square[:, :exact], axis=1)
        if not len(self.least):
            return State(turns, root, lines, cost, None)
        near = square[:, exact:]
        if (near <= self.most**2).all() and (near >= self.least**2).all():
            return State(turns, root, lines, cost, None)
        length = np.sqrt(near)
        nearest = np.minimum(np.maximum(length, self.least), self.most)
        excess = self.pull * (length - nearest)
        return State(turns, root, lines, cost + np.add.reduce(excess * excess, axis=1), np.where(excess != 0.0, nearest, np.nan))

    def _better(self, state: State, tried: State) -> tuple[State, np.ndarray | None]:
        """Return the frames one step further where that brings them nearer, and where limbs that it brought out of reach are now held."""
        better = tried.cost < state.cost
        turns = np.where(better[:, None, None, None], tried.turns, state.turns)
        root = np.where(better[:, None], tried.root, state.root)
        lines = np.where(better[:, None, None], tried.lines, state.lines)
        free = np.full((len(better), len(self.least)), np.nan)
        before, after = (free if each.held is None else each.held for each in (state, tried))
        held = np.where(better[:, None] | np.isnan(before), after, before)
        widened = ~better & (np.isnan(before) & ~np.isnan(after)).any(axis=1)
        return State(turns, root, lines, np.where(better, tried.cost, state.cost), None if np.isnan(held).all() else held), widened

    def _push(self, asked: Asked, damping: np.ndarray) -> Push:
        """Return the least push that does what is asked."""
        system = asked.levers @ asked.levers.swapaxes(-1, -2)
        if self.root_ease:
            system += self.root_ease * (asked.axes @ asked.axes.swapaxes(-1, -2))
        diagonal = system.reshape(len(system), -1)[:, :: system.shape[-1] + 1]
        raised = diagonal.max(axis=-1, keepdims=True) * (damping + _TINY)[:, None]
        diagonal += raised
        inverse = np.linalg.inv(system)
        return Push(inverse, raised[..., None], inverse @ asked.way[..., None])

    def _moved(self, state: State, asked: Asked, push: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turns and root after a push `(f, g, 1)` along the axes."""
        push = push.swapaxes(-1, -2)
        vectors = (push @ asked.levers).reshape(state.turns.shape[:3]) * self._root_of_ease
        most = np.abs(vectors).max(axis=(1, 2), keepdims=True)
        if most.max() > _LARGEST_TURN:
            calm = _LARGEST_TURN / np.maximum(most, _LARGEST_TURN)
            push, vectors = calm * push, calm * vectors
        root = state.root + self.root_ease * (push @ asked.axes)[:, 0] if self.root_ease else state.root
        return turned(state.turns, vectors), root

    def _asked(self, state: State) -> Asked:
        """Return what one step is asked for: to close the gaps, or as much of them as one step may."""
        count, exact = len(state.cost), state.lines.shape[-1] - len(self.least)
        longest = _LONGEST_STEP * self.size
        part = np.minimum(longest / np.sqrt(state.cost), 1.0)[:, None] if state.cost.max() > longest**2 else np.ones((1, 1))
        arms = (state.turns @ self._eased).swapaxes(-1, -2)
        axes, levers = self._exact_axes, (arms[:, :, :exact] @ -SKEW).reshape(count, len(self.ease), -1, 3)
        whole = state.lines[..., :exact].swapaxes(-1, -2).reshape(count, -1)
        way = part * whole
        if state.held is not None:
            limbs = np.flatnonzero((state.held == state.held).any(axis=0))
            held, pull = state.held[:, limbs], self.pull[limbs]
            lines = state.lines[..., exact + limbs].swapaxes(-1, -2)
            length = np.sqrt((lines * lines).sum(axis=-1))
            excess = pull * np.nan_to_num(length - held)
            inside = (length > self.least[limbs]) & (length < self.most[limbs])
            along = lines * (np.where(np.isnan(held), 0.0, pull) / np.maximum(length, _TINY * self.size))[..., None]
            axes = np.concatenate([np.repeat(axes, count, axis=0), along], axis=1)
            levers = np.concatenate([levers, crossed(arms[:, :, exact + limbs], along[:, None])], axis=2)
            way = np.concatenate([way, np.where(inside, 1.0, part) * excess], axis=1)
            whole = np.concatenate([whole, excess], axis=1)
        return Asked(axes, levers.swapaxes(1, 2).reshape(count, -1, 3 * len(self.ease)), way, whole)

    @cached_property
    def _root_of_ease(self) -> np.ndarray:
        return np.sqrt(self.ease)[:, None]

    @cached_property
    def _exact_axes(self) -> np.ndarray:
        """The three axes `(1, 3 e, 3)` of each point that has a place to be at."""
        return np.tile(_AXES, (self.arms.shape[-1] - len(self.least), 1))[None]
