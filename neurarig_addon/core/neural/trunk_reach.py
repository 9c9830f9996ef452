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
# Of the gain that a step promises: one that brings less wants more damping; one that brings still less, when damped, is the last.
_GOOD, _STALLED = 0.3, 1e-4
_FIRST_DAMPING, _HIGH_DAMPING, _MOST_DAMPING = 1e-9, 1e-2, 1e3
_LESS, _MORE, _LEAST_RAISED = 0.1, 30.0, 1e-6
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

    def chosen(self, rows: np.ndarray) -> "_State":
        """Return some of the frames."""
        held = None if self.held is None else self.held[rows]
        return _State(self.turns[rows], self.root[rows], self.lines[rows], self.cost[rows], held)


class _Asked(NamedTuple):
    """What a step is to do: along axes `(f, g, 3)` of points `(g,)` how far to go, `way` `(f, g)`, of the `whole` `(f, g)`."""

    axes: np.ndarray
    points: np.ndarray
    way: np.ndarray
    whole: np.ndarray


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

        A pose from which there is no way there is given up for the trunk at rest, turned as a whole towards them, where that arrives.
        """
        places, arrived = places.swapaxes(-1, -2), (_ARRIVED * self.size) ** 2
        state = self._state(turns, root, places)
        if state.cost.max() > arrived and not self.root_ease:
            places = self._drawn_in(root, places)
            state = self._state(turns, root, places)
        if state.cost.max() <= arrived:
            return turns, root
        state = self._near(state, places)
        lost = np.flatnonzero(state.cost > arrived)
        if len(lost):
            again = self._near(self._at_rest(turns[lost], root[lost], places[lost]), places[lost])
            helped = again.cost <= arrived
            state.turns[lost[helped]], state.root[lost[helped]] = again.turns[helped], again.root[helped]
        return state.turns, state.root

    def _near(self, state: _State, places: np.ndarray) -> _State:
        """Return frames that have come as near as they can."""
        arrived = (_ARRIVED * self.size) ** 2
        rows = np.flatnonzero(state.cost > arrived)
        found = state._replace(turns=state.turns.copy(), root=state.root.copy(), cost=state.cost.copy())
        if len(rows) < len(found.cost):
            state, places = state.chosen(rows), places[rows]
        damping = np.full(len(rows), _FIRST_DAMPING)
        for _ in range(_MOST_STEPS):
            before, part = state.cost, np.minimum(_LONGEST_STEP * self.size / np.sqrt(state.cost), 1.0)
            asked = self._asked(state, part)
            turned, moved, left = self._step(state, asked, damping)
            tried = self._state(turned, moved, places)
            state, widened = (tried, None) if (tried.cost < before).all() else self._better(state, tried)
            if state.cost.max() < arrived:
                break
            gain = (before - state.cost) / np.maximum(before - left, _TINY * before)
            raised = np.where(gain > _GOOD, damping * _LESS, np.maximum(damping, _LEAST_RAISED) * _MORE)
            damping = raised if widened is None else np.where(widened, damping, raised)
            stalled = (gain > 0.0) & (gain < _STALLED) & (damping > _HIGH_DAMPING)
            left = (state.cost > arrived) & ~stalled & (damping < _MOST_DAMPING)
            if not left.all():
                found.turns[rows], found.root[rows], found.cost[rows] = state.turns, state.root, state.cost
                if not left.any():
                    return found
                state, rows, places, damping = state.chosen(left), rows[left], places[left], damping[left]
        found.turns[rows], found.root[rows], found.cost[rows] = state.turns, state.root, state.cost
        return found

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
        length = np.sqrt((way * way).sum(axis=-2, keepdims=True))
        return root[:, :, None] + way * np.minimum(self._farthest / np.maximum(length, _TINY * self.size), 1.0)

    def _state(self, turns: np.ndarray, root: np.ndarray, places: np.ndarray) -> _State:
        """Return what is left to go."""
        frames, exact = len(turns), places.shape[-1] - len(self.least)
        lines = places - turns.swapaxes(1, 2).reshape(frames, 3, -1) @ self._together - root[:, :, None]
        square = np.add.reduce(lines * lines, axis=1)
        cost = np.add.reduce(square[:, :exact], axis=1)
        if not len(self.least):
            return _State(turns, root, lines, cost, None)
        length = np.sqrt(square[:, exact:])
        nearest = np.minimum(np.maximum(length, self.least), self.most)
        excess = self.pull * (length - nearest)
        if not excess.any():
            return _State(turns, root, lines, cost, None)
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

    def _step(self, state: _State, asked: _Asked, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return turns and root after the least moves that do what is asked, and the cost that they promise to leave `(f,)`."""
        frames, bones = state.turns.shape[:2]
        levers = crossed((state.turns @ self._eased).swapaxes(-1, -2)[:, :, asked.points], asked.axes[:, None])
        levers = levers.swapaxes(1, 2).reshape(frames, len(asked.points), 3 * bones)
        system = levers @ levers.swapaxes(-1, -2)
        if self.root_ease:
            system += self.root_ease * (asked.axes @ asked.axes.swapaxes(-1, -2))
        raised = (system.diagonal(axis1=-2, axis2=-1).max(axis=-1) * (damping + _TINY))[:, None, None]
        push = np.linalg.solve(system + raised * np.eye(len(asked.points)), asked.way[..., None])
        turned = (push.swapaxes(-1, -2) @ levers).reshape(frames, bones, 3) * np.sqrt(self.ease)[:, None]
        most = np.sqrt((turned * turned).sum(axis=-1).max(axis=-1))[:, None, None]
        calm = np.minimum(_LARGEST_TURN / np.maximum(most, _TINY), 1.0)
        push *= calm
        root = state.root + self.root_ease * (push.swapaxes(-1, -2) @ asked.axes)[:, 0] if self.root_ease else state.root
        left = asked.whole - (system @ push)[..., 0]
        return _turned(state.turns, calm * turned), root, (left * left).sum(axis=-1)

    def _asked(self, state: _State, part: np.ndarray) -> _Asked:
        """Return what one step is asked for: to close `part` `(f,)` of the gaps."""
        count, exact = len(part), state.lines.shape[-1] - len(self.least)
        whole = state.lines[..., :exact].swapaxes(-1, -2).reshape(count, -1)
        axes, points = self._exact_axes
        axes = np.broadcast_to(axes, (count, *axes.shape))
        if state.held is None:
            return _Asked(axes, points, whole * part[:, None], whole)
        lines = state.lines[..., exact:].swapaxes(-1, -2)
        length = np.sqrt((lines * lines).sum(axis=-1))
        excess = self.pull * np.nan_to_num(length - state.held)
        inside = (length > self.least) & (length < self.most)
        along = lines * (np.where(np.isnan(state.held), 0.0, self.pull) / np.maximum(length, _TINY * self.size))[..., None]
        return _Asked(
            np.concatenate([axes, along], axis=1),
            np.concatenate([points, np.arange(exact, exact + len(self.least))]),
            np.concatenate([whole * part[:, None], np.where(inside, 1.0, part[:, None]) * excess], axis=1),
            np.concatenate([whole, excess], axis=1),
        )

    @cached_property
    def _exact_axes(self) -> tuple[np.ndarray, np.ndarray]:
        """The three axes `(3 e, 3)` of the points that have a place to be at, and the points `(3 e,)`."""
        exact = self.arms.shape[-1] - len(self.least)
        return np.tile(_AXES, (exact, 1)), np.repeat(np.arange(exact), 3)


def _turned(turns: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)`, turned by small rotation vectors `(..., 3)` (Cayley's map, exact to second order)."""
    skew = (vectors @ _SKEW).reshape(turns.shape)
    half = skew @ turns
    half += 0.5 * (skew @ half)
    half *= (4.0 / (4.0 + (vectors * vectors).sum(axis=-1)))[..., None, None]
    half += turns
    return half
