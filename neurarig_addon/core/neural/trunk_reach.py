"""Bending the trunk so that points on it are exactly where they are locked, with as little turning as possible.

Unknown are small turns of pelvis, spine, neck and clavicle bones in the world (a bone that turns carries the others along without
turning them) and, unless the pelvis is locked, the place of the whole.  Each step is the least of these moves, weighted by how easily a
part moves, that closes the gaps (Gauss-Newton in its dual form, after Levenberg and Marquardt where it does not get nearer): a system
of three rows for a point and one for a limb that is too far away, whatever the number of bones.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .triad import crossed, nearest_rotation

# Lengths in metres, for a body of human size.
_ARRIVED = 3e-5  # gaps that are smaller together are closed
_LONGEST_STEP = 0.1  # of the widest gap that one step closes: out of reach, poses follow their targets without a jump
_MOST_STEPS = 60
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
_SKEW = np.cross(_AXES[:, None], _AXES[None, :]).transpose(0, 2, 1).reshape(3, 9)  # vector @ _SKEW is the matrix of the cross product


class _State(NamedTuple):
    """Frames under way: bones' turns, root, lines from points to places `(f, 3, k)`, and the square of all that is left to go `(f,)`.

    `held` `(f, l)`: the distance that a hip or shoulder, which is or would come out of reach, is to have; NaN where it is free, None
    where all are.
    """

    turns: np.ndarray
    root: np.ndarray
    lines: np.ndarray
    cost: np.ndarray
    held: np.ndarray | None

    def with_rows(self, rows: np.ndarray, other: "_State") -> "_State":
        """Return these frames with some of them, `rows`, replaced: only what comes out of the search, turns, root and cost."""
        turns, root, cost = self.turns.copy(), self.root.copy(), self.cost.copy()
        turns[rows], root[rows], cost[rows] = other.turns, other.root, other.cost
        return self._replace(turns=turns, root=root, cost=cost)

    def free(self) -> np.ndarray:
        """Say of which frames no hip or shoulder is held `(f,)`."""
        return np.full(len(self.cost), True) if self.held is None else np.asarray(np.isnan(self.held).all(axis=1))

    def chosen(self, rows: np.ndarray) -> "_State":
        """Return some of the frames."""
        held = None if self.held is None else self.held[rows]
        return _State(self.turns[rows], self.root[rows], self.lines[rows], self.cost[rows], held)


class _Asked(NamedTuple):
    """What a step is to do: along `g` axes `(f, g, 3)`, by `levers` `(f, g, 3 b)`, to go so far `(f, g)` of the `whole` way `(f, g)`.

    A lever tells how far along its axis a bone brings the axis' point when it turns about x, y, z, times the root of its ease.
    """

    axes: np.ndarray
    levers: np.ndarray
    way: np.ndarray
    whole: np.ndarray


class _Push(NamedTuple):
    """What answered to an _Asked: the inverse of its system `(f, g, g)`, the damping on its diagonal and the push along each axis."""

    inverse: np.ndarray
    raised: np.ndarray
    along: np.ndarray

    def left(self, asked: _Asked) -> np.ndarray:
        """Return the cost `(f,)` that the step promises to leave."""
        left = asked.whole - asked.way + (self.raised * self.along)[..., 0]
        return (left * left).sum(axis=-1)


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
            state.turns[lost[helped]], state.root[lost[helped]] = again.turns[helped], again.root[helped]
        return state.turns, state.root

    def _near(self, state: _State, places: np.ndarray) -> _State:
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

    def _again(self, began: _State, state: _State, asked: _Asked, push: _Push, places: np.ndarray) -> _State:
        """Return the state after a second step by the same system where the first one was nearly enough: a chord of Newton's method."""
        near = (state.cost < _NEARLY * began.cost) & (state.cost > self._arrived) & began.free() & state.free()
        if not near.any():
            return state
        exact = state.lines.shape[-1] - len(self.least)
        way = np.zeros_like(asked.way)
        way[:, : 3 * exact] = near[:, None] * state.lines[..., :exact].swapaxes(-1, -2).reshape(len(near), -1)
        tried = self._state(*self._moved(state, asked, push.inverse @ way[..., None]), places)
        return tried if (tried.cost <= state.cost).all() else self._better(state, tried)[0]

    def _at_rest(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> _State:
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

    def _state(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> _State:
        """Return what is left to go."""
        frames, exact = len(turns), places.shape[-1] - len(self.least)
        lines = places - turns.swapaxes(1, 2).reshape(frames, 3, -1) @ self._together - root[:, :, None]
        square = np.add.reduce(lines * lines, axis=1)
        cost = np.add.reduce(square[:, :exact], axis=1)
        if not len(self.least):
            return _State(turns, root, lines, cost, None)
        near = square[:, exact:]
        if (near <= self.most**2).all() and (near >= self.least**2).all():
            return _State(turns, root, lines, cost, None)
        length = np.sqrt(near)
        nearest = np.minimum(np.maximum(length, self.least), self.most)
        excess = self.pull * (length - nearest)
        return _State(turns, root, lines, cost + np.add.reduce(excess * excess, axis=1), np.where(excess != 0.0, nearest, np.nan))

    def _better(self, state: _State, tried: _State) -> tuple[_State, np.ndarray | None]:
        """Return the frames one step further where that brings them nearer, and where limbs that it brought out of reach are now held."""
        better = tried.cost < state.cost
        turns = np.where(better[:, None, None, None], tried.turns, state.turns)
        root = np.where(better[:, None], tried.root, state.root)
        lines = np.where(better[:, None, None], tried.lines, state.lines)
        free = np.full((len(better), len(self.least)), np.nan)
        before, after = (free if each.held is None else each.held for each in (state, tried))
        held = np.where(better[:, None] | np.isnan(before), after, before)
        widened = ~better & (np.isnan(before) & ~np.isnan(after)).any(axis=1)
        return _State(turns, root, lines, np.where(better, tried.cost, state.cost), None if np.isnan(held).all() else held), widened

    def _push(self, asked: _Asked, damping: np.ndarray) -> _Push:
        """Return the least push that does what is asked."""
        system = asked.levers @ asked.levers.swapaxes(-1, -2)
        if self.root_ease:
            system += self.root_ease * (asked.axes @ asked.axes.swapaxes(-1, -2))
        diagonal = system.reshape(len(system), -1)[:, :: system.shape[-1] + 1]
        raised = diagonal.max(axis=-1, keepdims=True) * (damping + _TINY)[:, None]
        diagonal += raised
        inverse = np.linalg.inv(system)
        return _Push(inverse, raised[..., None], inverse @ asked.way[..., None])

    def _moved(self, state: _State, asked: _Asked, push: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return turns and root after a push `(f, g, 1)` along the axes."""
        push = push.swapaxes(-1, -2)
        turned = (push @ asked.levers).reshape(state.turns.shape[:3]) * self._root_of_ease
        most = np.abs(turned).max(axis=(1, 2), keepdims=True)
        if most.max() > _LARGEST_TURN:
            calm = _LARGEST_TURN / np.maximum(most, _LARGEST_TURN)
            push, turned = calm * push, calm * turned
        root = state.root + self.root_ease * (push @ asked.axes)[:, 0] if self.root_ease else state.root
        return _turned(state.turns, turned), root

    def _asked(self, state: _State) -> _Asked:
        """Return what one step is asked for: to close the gaps, or as much of them as one step may."""
        count, exact = len(state.cost), state.lines.shape[-1] - len(self.least)
        longest = _LONGEST_STEP * self.size
        part = np.minimum(longest / np.sqrt(state.cost), 1.0)[:, None] if state.cost.max() > longest**2 else np.ones((1, 1))
        arms = (state.turns @ self._eased).swapaxes(-1, -2)
        axes, levers = self._exact_axes, (arms[:, :, :exact] @ -_SKEW).reshape(count, len(self.ease), -1, 3)
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
        return _Asked(axes, levers.swapaxes(1, 2).reshape(count, -1, 3 * len(self.ease)), way, whole)

    @cached_property
    def _root_of_ease(self) -> np.ndarray:
        return np.sqrt(self.ease)[:, None]

    @cached_property
    def _exact_axes(self) -> np.ndarray:
        """The three axes `(1, 3 e, 3)` of each point that has a place to be at."""
        return np.tile(_AXES, (self.arms.shape[-1] - len(self.least), 1))[None]


def _turned(turns: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)`, turned by small rotation vectors `(..., 3)` (Cayley's map, exact to second order)."""
    skew = (vectors @ _SKEW).reshape(turns.shape)
    half = skew @ turns
    half += 0.5 * (skew @ half)
    half *= (4.0 / (4.0 + (vectors * vectors).sum(axis=-1)))[..., None, None]
    half += turns
    return half
