"""The trunk of a body that is dragged: the least move, as people move, that brings what is held to where it is held.

Unknown are the numbers of its shape (`trunk_shape`).  Points of the trunk have a place, with a compliance each, limbs bounds for how far
from their ends' places they may start; where they bind follows from the conditions of Karush, Kuhn and Tucker (`reach.trunk_step`).
Every Gauss-Newton step looks for the least move from the pose before, not from the last step, so the answer belongs to the places alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..reach.trunk_step import Bounds, Push, least_push
from .insist import Insist
from .trunk_shape import Shaped, TrunkShape

_MOST_STEPS = 14
_ARRIVED = 4e-6  # of a body of human size, metres: what the next step would still move
_LARGEST_TURN, _LARGEST_SHIFT = 0.45, 0.3  # radians, metres of a body of human size: the most of one step
_LONGEST_STEP = 0.1  # of a body of human size, metres, of a point's gap that one step asks for
_NEAR = 0.05  # of a body of human size, metres: a step that moves no more is near the last one
_FIRMER = 0.1  # what of its compliance a point has there that does not yet pull as hard as it may
_CAREFUL = 0.3  # how far a step that is not near keeps to where the last one ended at least
_MOST_CAREFUL = 12.0
_ARM = 1.0  # of a body of human size, metres: an arm by which pulls go round
_TINY, _UNBENT = 1e-12, 1e6
_OVER = 0.15  # of a body of human size, metres: hips that are farther over the ground are not bounded by it
_FAR = 1e3  # metres: no bound
_ALL = 1.0 - 1e-9


class Places(NamedTuple):
    """What is asked of a trunk: where its `points` `(f, k, 3)` and its limbs' `ends` `(f, l, 3)` are to be, metres, and after these from
    where the limbs' starts that are grounded keep away `(f, g, 3)`.

    `gives` `(f, k + l + g, 3)`: how far each gives way along x, y, z, square metres (of limbs x counts).
    `pull` `(f, k + l + g)`: how hard each may insist on its place, where the whole resists a shift by one metre with 1; what would have to
    pull harder is not reached.  `gone` `(f, 3)`: by how much the whole is shifted without resistance.
    """

    points: np.ndarray
    ends: np.ndarray
    gives: np.ndarray
    pull: np.ndarray
    gone: np.ndarray


class Found(NamedTuple):
    """How a trunk has come to stand: its bones' turns away from the pose before `(f, b, 3, 3)`, and the pelvis' place `(f, 3)`."""

    turns: np.ndarray
    root: np.ndarray


class Reaches(NamedTuple):
    """The `lines` from limbs' starts to their ends' places `(f, l, 3)`, and, where some are low, from grounded ones to what is under the
    ground `(f, l + g, 3)`, how `far` these are, metres, and which are `low` `(f, l)`."""

    lines: np.ndarray
    far: np.ndarray
    low: np.ndarray


class Under(NamedTuple):
    """What is under the ground: the `lines` there from the ends of grounded limbs `(f, g, 3)`, and how far limbs' starts are
    below their ends where they may come too near `(f, l)`; metres."""

    lines: np.ndarray
    low: np.ndarray


@dataclass(frozen=True, eq=False)
class DragTrunk:
    """A trunk in the pose before a drag.

    `shape`: the trunk, with the points that may have a place and then those where limbs start.
    `spans` `(2, l + g)`: how near to its end's place a limb may start, and how far from it.
    `grounded` `(g,)`: the limbs whose starts also keep away from places under the ground; `seen` `(g, 3, 3)`: by what their ways there are
    multiplied before they are measured.
    """

    shape: TrunkShape
    spans: np.ndarray
    grounded: np.ndarray
    seen: np.ndarray

    def solve(self, places: Places) -> Found:
        """Return how the trunk stands where this is asked of it."""
        shape, arrived = self.shape, _ARRIVED * self.shape.size
        ends = places.ends[:, : self._limbs]
        wanted = np.concatenate([places.points, ends], axis=1) - places.gone[:, None]
        under = self._under(places.ends[:, self._limbs :] - ends.take(self.grounded, axis=1))
        state, levers = shape.as_before(wanted)
        reaches = self._reaches(state, under)
        insist = Insist.none(len(wanted), self._count, reaches.far.shape[1], self._limbs, 1.0 + _CAREFUL)
        insist = self._insist(insist, state, reaches, places)
        moves = np.ones((len(wanted), 1))  # 0 where a frame has arrived: it belongs to its own places, whatever others still need
        for _ in range(_MOST_STEPS):
            before = state
            rows, push = self._push(state, levers, reaches, places, insist)
            step = ((push.along.swapaxes(1, 2) @ rows)[:, 0] - state.numbers) / insist.keeps
            state = shape.shaped(state.numbers + moves * self._calm(step, state) * step, wanted)
            moved = np.abs(state.lines - before.lines).reshape(len(wanted), -1).max(axis=1, keepdims=True, initial=0.0)
            # A step moves less than the one before by a share, or by a smaller one, and so does the next.
            moves *= moved * np.minimum(moved, insist.moved) > arrived * np.minimum(insist.moved, shape.size)
            if not moves.any():
                break
            reaches, levers = self._reaches(state, under), shape.levers(state)
            insist = self._insist(self._pulled(insist, push, moved).of(reaches.far.shape[1]), state, reaches, places)
        return Found(state.turns, shape.root + places.gone + state.numbers[:, -3:] * shape.size)

    def is_low(self, under: np.ndarray, starts: np.ndarray) -> bool:
        """Say whether limbs that start at `starts` `(l, 3)` may be too near to what is `under` the ground `(g, 3)`."""
        above = starts[self.grounded, 2] - under[:, 2] - self.spans[0, self._limbs :]
        return bool((above < _OVER * self.shape.size).any())

    def _under(self, lines: np.ndarray) -> Under:
        """Return what is under the ground, which is a way of `lines` `(f, g, 3)` from limbs' ends."""
        low = np.full((len(lines), self._limbs), np.inf)
        deep = -lines[..., 2] - self.spans[0, self._limbs :] - _OVER * self.shape.size
        for at, limb in enumerate(self.grounded):
            low[:, limb] = np.minimum(low[:, limb], deep[:, at])
        return Under(lines, low)

    def _reaches(self, state: Shaped, under: Under) -> Reaches:
        """Return how far limbs' starts are from their ends' places, and, once some are low, from what is under the ground."""
        lines = state.lines[:, self._count :]
        low = lines[..., 2] > under.low
        if np.count_nonzero(low):
            ways = lines.take(self.grounded, axis=1) + under.lines
            lines = np.concatenate([lines, (self.seen @ ways[..., None])[..., 0]], axis=1)
        return Reaches(lines, np.maximum(_lengths(lines), _TINY), low)

    def _push(self, state: Shaped, levers: np.ndarray, reaches: Reaches, places: Places, insist: Insist) -> tuple[np.ndarray, Push]:
        """Return the rows of a step's system `(f, g, 3 b + 3)` and what solves it; `levers`: where numbers bring points.

        A limb that is held at a bound moves on a sphere about its end's place: the harder it pulls, the less may it go across.
        """
        frames, count, keeps, all_limbs = len(state.numbers), self._count, insist.keeps, self._limbs
        bounded = reaches.far.shape[1]
        gives = places.gives[:, : count + bounded] * insist.gives[..., None]
        points, limbs = levers[:, :count].reshape(frames, 3 * count, levers.shape[-1]), levers[:, count:]
        round_ends = np.flatnonzero(insist.pulled.any(axis=0))  # who pulls at nothing may go where it likes
        lines, far = reaches.lines, reaches.far
        towards = (lines / far[..., None])[..., None, :]
        along = leading = towards[:, :all_limbs] @ limbs
        if bounded > all_limbs:
            along = np.concatenate([leading, towards[:, all_limbs:] @ self.seen @ limbs.take(self.grounded, axis=1)], axis=1)
        across = limbs[:, round_ends] - towards[:, round_ends].swapaxes(-1, -2) * leading[:, round_ends]
        exact = 3 * (count + len(round_ends))
        rows = np.concatenate([points, across.reshape(frames, exact - 3 * count, limbs.shape[-1]), along[..., 0, :]], axis=1)
        want = (rows @ state.numbers[..., None])[..., 0]
        want, gone = want[:, :exact], want[:, exact:]
        longest = _LONGEST_STEP * self.shape.size
        gaps = state.lines[:, :count]
        gaps = gaps * np.minimum(longest / np.maximum(_lengths(gaps), _TINY), 1.0)[..., None]
        want[:, : 3 * count] += keeps * (gaps + insist.points * gives[:, :count]).reshape(frames, -1)
        loose, (least, most) = gives[:, count:, 0], self.spans[:, :bounded]
        high = np.minimum(far - most, longest) + insist.nearer * loose
        low = np.maximum(far - least, -longest) + insist.farther * loose
        if bounded > all_limbs:
            low[:, all_limbs:] += _FAR * ~reaches.low.take(self.grounded, axis=1)
        bounds = Bounds(keeps * high + gone, keeps * low + gone)
        bent = np.minimum(far[:, round_ends] / np.maximum(insist.pulled[:, round_ends], _TINY), _UNBENT).repeat(3, axis=1)
        gives = np.concatenate([gives[:, :count].reshape(frames, -1), bent, loose], axis=1)
        return rows, least_push(rows, want, bounds if bounded else None, keeps * gives, insist.sides)

    def _pulled(self, insist: Insist, push: Push, moved: np.ndarray) -> Insist:
        """Return what is asked with how hard everything pulled in a step, and by how much that `moved` points `(f, 1)`."""
        pulls = np.abs(push.along[..., 0]) / insist.keeps
        limbs = pulls.shape[1] - insist.nearer.shape[1]
        hardest = np.maximum.reduce(pulls[:, : 3 * self._count], axis=1, keepdims=True)
        careful = np.minimum(_CAREFUL * self._is_far(moved) + _ARM * self.shape.size * hardest, _MOST_CAREFUL)
        return insist._replace(pulled=pulls[:, limbs : limbs + self._limbs], keeps=1.0 + careful, sides=push.sides, moved=moved)

    def _insist(self, insist: Insist, state: Shaped, reaches: Reaches, places: Places) -> Insist:
        """Return how much harder is insisted on what was not reached, as far as each may pull.

        Near the end all that may still pull harder gives way less, so what can be met is soon met.
        """
        count, most = self._count, places.pull[:, : insist.gives.shape[1]]
        gives = places.gives[:, : most.shape[1], 0] * insist.gives
        points = insist.points + state.lines[:, :count] / gives[:, :count, None]
        pulls = _lengths(points)
        points *= np.minimum(most[:, :count] / np.maximum(pulls, _TINY), 1.0)[..., None]
        far, loose, hardest = reaches.far, gives[:, count:], most[:, count:]
        nearer = np.minimum(np.maximum(insist.nearer + (far - self.spans[1, : far.shape[1]]) / loose, 0.0), hardest)
        farther = np.maximum(np.minimum(insist.farther + (far - self.spans[0, : far.shape[1]]) / loose, 0.0), -hardest)
        pulls = np.concatenate([pulls, np.maximum(nearer, -farther)], axis=1)
        firm = (pulls < _ALL * most) & ~self._is_far(insist.moved)
        return insist._replace(points=points, nearer=nearer, farther=farther, gives=np.where(firm, _FIRMER, 1.0))

    def _is_far(self, moved: np.ndarray) -> np.ndarray:
        return moved > _NEAR * self.shape.size

    def _calm(self, step: np.ndarray, state: Shaped) -> np.ndarray:
        """Return which share of a step is taken `(f, 1)`."""
        turned = np.maximum.reduce(np.abs(step[:, :-3] * state.slopes), axis=1, keepdims=True)
        shifted = np.maximum.reduce(np.abs(step[:, -3:]), axis=1, keepdims=True)
        return 1.0 / np.maximum(np.maximum(turned / _LARGEST_TURN, shifted / _LARGEST_SHIFT), 1.0)

    @cached_property
    def _count(self) -> int:
        """How many points of the trunk have a place."""
        return self.shape.arms.shape[-1] - self._limbs

    @cached_property
    def _limbs(self) -> int:
        """How many limbs reach."""
        return self.spans.shape[1] - len(self.grounded)


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths `(...)` of vectors `(..., 3)`."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1))
