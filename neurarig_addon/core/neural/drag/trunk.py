"""The trunk of a dragged body: the smallest move, weighted by how easily people move, that brings held
targets to their places.

The unknowns are the numbers of its shape (`trunk_shape`). Points of the trunk have a place and a compliance;
limbs have bounds on the
distance between their start and their end's place. Which bounds are active follows from the
Karush-Kuhn-Tucker conditions
(`reach.trunk_step`). Every Gauss-Newton step finds the least move from the pose before, not from the last
step, so the result depends
on the places alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..reach.trunk_step import Bounds, Push, least_push
from .multipliers import Insist
from .trunk_shape import Shaped, TrunkShape

_MOST_STEPS = 14
_ARRIVED = 4e-6  # metres on a body of human size: converged once the next step would move points less
# radians, and metres on a body of human size: the limits of one step
_LARGEST_TURN, _LARGEST_SHIFT = 0.45, 0.3
_LONGEST_STEP = 0.1  # metres on a body of human size: the most of a point's gap that one step asks for
_NEAR = 0.05  # metres on a body of human size: a step that moves no more is near the last one
_FIRMER = 0.1  # share of its compliance that a point has once steps are near, while it may still pull harder
_CAREFUL = 0.3  # least weight that keeps a step near the end of the last one, while steps are not near
_MOST_CAREFUL = 12.0  # its largest weight
_ARM = 1.0  # metres on a body of human size: the lever arm on which pulls add to that weight
_TINY, _UNBENT = 1e-12, 1e6
_OVER = 0.15  # metres on a body of human size: hips this far above the ground's bound are not bounded by it
_FAR = 1e3  # metres: slack that switches a bound off
_ALL = 1.0 - 1e-9


class TrunkGoal(NamedTuple):
    """What is asked of a trunk: the places wanted of its `points` `(f, k, 3)` and of its limbs' `ends` `(f,
    l, 3)`, metres, followed in `ends` by the places that grounded limbs' starts keep away from `(f, g, 3)`.

    `gives` `(f, k + l + g, 3)`: the compliance of each along x, y, z, square metres (only x is used for
    limbs).
    `pull` `(f, k + l + g)`: how hard each may pull to its place, where the whole resists a shift by 1 m with
    1; places that need more are
    not reached. `shift` `(f, 3)`: the shift of the whole that meets no resistance, metres. `stooped` `(f, 3 b
    + 3)`: the numbers of the
    trunk that meet none.
    """

    points: np.ndarray
    ends: np.ndarray
    gives: np.ndarray
    pull: np.ndarray
    shift: np.ndarray
    stooped: np.ndarray


class Found(NamedTuple):
    """A solved trunk: its bones' rotations from the pose before `(f, b, 3, 3)`, and the pelvis' place `(f,
    3)`."""

    turns: np.ndarray
    root: np.ndarray


class Reaches(NamedTuple):
    """The `lines` from limbs' starts to their ends' places `(f, l, 3)` and, if some are low, also from
    grounded limbs' starts to the places under the ground `(f, l + g, 3)`; how `far` these reach, metres; and
    which limbs are `low` `(f, l)`."""

    lines: np.ndarray
    far: np.ndarray
    low: np.ndarray


class Under(NamedTuple):
    """The places under the ground: the `lines` to them from the ends of grounded limbs `(f, g, 3)`, and `low`
    `(f, l)`: the height of limbs' ends above their starts beyond which these may be too near to them;
    metres."""

    lines: np.ndarray
    low: np.ndarray


@dataclass(frozen=True, eq=False)
class DragTrunk:
    """A trunk in the pose before a drag.

    `shape`: the trunk, with the points that may have a place, followed by the starts of limbs. `spans` `(2, l
    + g)`: the least and the most distance of a limb's start from its end's place, metres. `grounded` `(g,)`:
    the limbs whose starts also keep away from places under the ground; `seen` `(g, 3, 3)`: the maps applied
    to the offsets to these before they are measured.
    """

    shape: TrunkShape
    spans: np.ndarray
    grounded: np.ndarray
    seen: np.ndarray

    def solve(self, places: TrunkGoal) -> Found:
        """Return the trunk solved for `places`."""
        shape, arrived = self.shape, _ARRIVED * self.shape.size
        ends = places.ends[:, : self._limbs]
        wanted = np.concatenate([places.points, ends], axis=1) - places.shift[:, None]
        under = self._under(places.ends[:, self._limbs :] - ends.take(self.grounded, axis=1))
        state, levers = shape.as_before(wanted)
        if places.stooped.any():
            state = shape.shaped(places.stooped, wanted)
            levers = shape.levers(state)
        reaches = self._reaches(state, under)
        insist = Insist.none(len(wanted), self._count, reaches.far.shape[1], self._limbs, 1.0 + _CAREFUL)
        insist = self._insist(insist, state, reaches, places)
        # 0 where a frame has converged: its result is independent of the other frames
        moves = np.ones((len(wanted), 1))
        for _ in range(_MOST_STEPS):
            before = state
            rows, push = self._push(state, levers, reaches, places, insist)
            step = ((push.along.swapaxes(1, 2) @ rows)[:, 0] - state.numbers + places.stooped) / insist.keeps
            state = shape.shaped(state.numbers + moves * self._calm(step, state) * step, wanted)
            moved = (
                np.abs(state.lines - before.lines)
                .reshape(len(wanted), -1)
                .max(axis=1, keepdims=True, initial=0.0)
            )
            # Steps shrink by a ratio that does not grow: `moved` times the last ratio bounds the next step.
            moves *= moved * np.minimum(moved, insist.moved) > arrived * np.minimum(insist.moved, shape.size)
            if not moves.any():
                break
            reaches, levers = self._reaches(state, under), shape.levers(state)
            insist = self._insist(
                self._pulled(insist, push, moved).of(reaches.far.shape[1]), state, reaches, places
            )
        return Found(state.turns, shape.root + places.shift + state.numbers[:, -3:] * shape.size)

    def is_low(self, under: np.ndarray, starts: np.ndarray) -> bool:
        """Return whether limbs that start at `starts` `(l, 3)` may be too near to the places `under` the
        ground `(g, 3)`."""
        above = starts[self.grounded, 2] - under[:, 2] - self.spans[0, self._limbs :]
        return bool((above < _OVER * self.shape.size).any())

    def _under(self, lines: np.ndarray) -> Under:
        """Return the places under the ground, offset by `lines` `(f, g, 3)` from limbs' ends."""
        low = np.full((len(lines), self._limbs), np.inf)
        deep = -lines[..., 2] - self.spans[0, self._limbs :] - _OVER * self.shape.size
        for at, limb in enumerate(self.grounded):
            low[:, limb] = np.minimum(low[:, limb], deep[:, at])
        return Under(lines, low)

    def _reaches(self, state: Shaped, under: Under) -> Reaches:
        """Return the distances of limbs' starts from their ends' places and, if some are low, from the places
        under the ground."""
        lines = state.lines[:, self._count :]
        low = lines[..., 2] > under.low
        if np.count_nonzero(low):
            ways = lines.take(self.grounded, axis=1) + under.lines
            lines = np.concatenate([lines, (self.seen @ ways[..., None])[..., 0]], axis=1)
        return Reaches(lines, np.maximum(_lengths(lines), _TINY), low)

    def _push(
        self, state: Shaped, levers: np.ndarray, reaches: Reaches, places: TrunkGoal, insist: Insist
    ) -> tuple[np.ndarray, Push]:
        """Return the rows of a step's system `(f, g, 3 b + 3)` and its solution; `levers`: the derivatives of
        points by numbers.

        A limb held at a bound moves on a sphere around its end's place: the harder it pulls, the less it may
        move sideways.
        """
        frames, count, keeps, all_limbs = len(state.numbers), self._count, insist.keeps, self._limbs
        bounded = reaches.far.shape[1]
        gives = places.gives[:, : count + bounded] * insist.gives[..., None]
        points, limbs = levers[:, :count].reshape(frames, 3 * count, levers.shape[-1]), levers[:, count:]
        round_ends = np.flatnonzero(insist.pulled.any(axis=0))  # limbs that do not pull move freely
        lines, far = reaches.lines, reaches.far
        towards = (lines / far[..., None])[..., None, :]
        along = leading = towards[:, :all_limbs] @ limbs
        if bounded > all_limbs:
            along = np.concatenate(
                [leading, towards[:, all_limbs:] @ self.seen @ limbs.take(self.grounded, axis=1)], axis=1
            )
        across = limbs[:, round_ends] - towards[:, round_ends].swapaxes(-1, -2) * leading[:, round_ends]
        exact = 3 * (count + len(round_ends))
        rows = np.concatenate(
            [points, across.reshape(frames, exact - 3 * count, limbs.shape[-1]), along[..., 0, :]], axis=1
        )
        want = (rows @ (state.numbers - places.stooped)[..., None])[..., 0]
        want, given = want[:, :exact], want[:, exact:]
        longest = _LONGEST_STEP * self.shape.size
        gaps = state.lines[:, :count]
        gaps = gaps * np.minimum(longest / np.maximum(_lengths(gaps), _TINY), 1.0)[..., None]
        want[:, : 3 * count] += keeps * (gaps + insist.points * gives[:, :count]).reshape(frames, -1)
        loose, (least, most) = gives[:, count:, 0], self.spans[:, :bounded]
        high = np.minimum(far - most, longest) + insist.nearer * loose
        low = np.maximum(far - least, -longest) + insist.farther * loose
        if bounded > all_limbs:
            low[:, all_limbs:] += _FAR * ~reaches.low.take(self.grounded, axis=1)
        bounds = Bounds(keeps * high + given, keeps * low + given)
        bent = np.minimum(
            far[:, round_ends] / np.maximum(insist.pulled[:, round_ends], _TINY), _UNBENT
        ).repeat(3, axis=1)
        gives = np.concatenate([gives[:, :count].reshape(frames, -1), bent, loose], axis=1)
        return rows, least_push(rows, want, bounds if bounded else None, keeps * gives, insist.sides)

    def _pulled(self, insist: Insist, push: Push, moved: np.ndarray) -> Insist:
        """Return `insist` updated with the pulls of a step, and with the most it `moved` a point `(f, 1)`."""
        pulls = np.abs(push.along[..., 0]) / insist.keeps
        limbs = pulls.shape[1] - insist.nearer.shape[1]
        hardest = np.maximum.reduce(pulls[:, : 3 * self._count], axis=1, keepdims=True)
        careful = np.minimum(_CAREFUL * self._is_far(moved) + _ARM * self.shape.size * hardest, _MOST_CAREFUL)
        return insist._replace(
            pulled=pulls[:, limbs : limbs + self._limbs], keeps=1.0 + careful, sides=push.sides, moved=moved
        )

    def _insist(self, insist: Insist, state: Shaped, reaches: Reaches, places: TrunkGoal) -> Insist:
        """Return `insist` with multipliers raised for what was not reached, limited to how hard each may
        pull.

        Near the end everything that may still pull harder gets less compliance, so that reachable places are
        met soon.
        """
        count, most = self._count, places.pull[:, : insist.gives.shape[1]]
        gives = places.gives[:, : most.shape[1], 0] * insist.gives
        points = insist.points + state.lines[:, :count] / gives[:, :count, None]
        pulls = _lengths(points)
        points *= np.minimum(most[:, :count] / np.maximum(pulls, _TINY), 1.0)[..., None]
        far, loose, hardest = reaches.far, gives[:, count:], most[:, count:]
        nearer = np.minimum(
            np.maximum(insist.nearer + (far - self.spans[1, : far.shape[1]]) / loose, 0.0), hardest
        )
        farther = np.maximum(
            np.minimum(insist.farther + (far - self.spans[0, : far.shape[1]]) / loose, 0.0), -hardest
        )
        pulls = np.concatenate([pulls, np.maximum(nearer, -farther)], axis=1)
        firm = (pulls < _ALL * most) & ~self._is_far(insist.moved)
        return insist._replace(
            points=points, nearer=nearer, farther=farther, gives=np.where(firm, _FIRMER, 1.0)
        )

    def _is_far(self, moved: np.ndarray) -> np.ndarray:
        return moved > _NEAR * self.shape.size

    def _calm(self, step: np.ndarray, state: Shaped) -> np.ndarray:
        """Return the share of a step that is taken `(f, 1)`."""
        turned = np.maximum.reduce(np.abs(step[:, :-3] * state.slopes), axis=1, keepdims=True)
        shifted = np.maximum.reduce(np.abs(step[:, -3:]), axis=1, keepdims=True)
        return 1.0 / np.maximum(np.maximum(turned / _LARGEST_TURN, shifted / _LARGEST_SHIFT), 1.0)

    @cached_property
    def _count(self) -> int:
        """The number of points of the trunk that have a place."""
        return self.shape.arms.shape[-1] - self._limbs

    @cached_property
    def _limbs(self) -> int:
        """The number of limbs that reach."""
        return self.spans.shape[1] - len(self.grounded)


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths `(...)` of vectors `(..., 3)`."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1))
