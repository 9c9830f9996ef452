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
_ALL = 1.0 - 1e-9


class Places(NamedTuple):
    """What is asked of a trunk: where its `points` `(f, k, 3)` and its limbs' `ends` `(f, l, 3)` are to be, metres.

    `gives` `(f, k + l, 3)`: how far each gives way along x, y, z, square metres (of limbs x counts).
    `pull` `(f, k + l)`: how hard each may insist on its place, where the whole resists a shift by one metre with 1; what would have to
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


class Insist(NamedTuple):
    """How hard points `(f, k, 3)` insist on their places, and limbs on being brought `nearer` and `farther` `(f, l)`, because they were not
    there (the method of multipliers), and how hard limbs `pulled` `(f, l)`.

    `gives` `(f, k + l)`: the share of its compliance that each has.  `keeps` `(f, 1)`: 1 and how far a step keeps to where the last one
    ended, against how far it keeps to the pose before: the more, the harder something pulls, for arms go round on arcs and a step sees
    straight lines.  `sides` `(f, l)`: the bounds to which limbs were held, as in `least_push`; None at first.  `moved` `(f, 1)`: by how
    much the last step moved a point at most, metres.
    """

    points: np.ndarray
    nearer: np.ndarray
    farther: np.ndarray
    pulled: np.ndarray
    gives: np.ndarray
    keeps: np.ndarray
    sides: np.ndarray | None
    moved: np.ndarray

    @classmethod
    def none(cls, frames: int, points: int, limbs: int) -> "Insist":
        """Return what is asked at first."""
        nearer, farther, pulled = np.zeros((3, frames, limbs))
        once = np.ones((frames, points + limbs))
        return cls(
            np.zeros((frames, points, 3)),
            nearer,
            farther,
            pulled,
            once,
            np.full((frames, 1), 1.0 + _CAREFUL),
            None,
            np.full((frames, 1), np.inf),
        )


@dataclass(frozen=True, eq=False)
class DragTrunk:
    """A trunk in the pose before a drag.

    `shape`: the trunk, with the points that may have a place and then those where limbs start.
    `spans` `(2, l)`: how near to its end's place a limb may start, and how far from it.
    """

    shape: TrunkShape
    spans: np.ndarray

    def solve(self, places: Places) -> Found:
        """Return how the trunk stands where this is asked of it."""
        shape, arrived = self.shape, _ARRIVED * self.shape.size
        wanted = np.concatenate([places.points, places.ends], axis=1) - places.gone[:, None]
        state = shape.as_before(wanted)
        insist = self._insist(Insist.none(len(wanted), self._count, self.spans.shape[1]), state, places)
        moves = np.ones((len(wanted), 1))  # 0 where a frame has arrived: it belongs to its own places, whatever others still need
        for _ in range(_MOST_STEPS):
            before = state
            rows, push = self._push(state, places, insist)
            step = ((push.along.swapaxes(1, 2) @ rows)[:, 0] - state.numbers) / insist.keeps
            state = shape.shaped(state.numbers + moves * self._calm(step, state) * step, wanted)
            moved = np.abs(state.lines - before.lines).reshape(len(wanted), -1).max(axis=1, keepdims=True, initial=0.0)
            # A step moves less than the one before by a share, or by a smaller one, and so does the next.
            moves *= moved * np.minimum(moved, insist.moved) > arrived * np.minimum(insist.moved, shape.size)
            if not moves.any():
                break
            insist = self._insist(self._pulled(insist, push, moved), state, places)
        return Found(state.turns, shape.root + places.gone + state.numbers[:, -3:] * shape.size)

    def _push(self, state: Shaped, places: Places, insist: Insist) -> tuple[np.ndarray, Push]:
        """Return the rows of a step's system `(f, g, 3 b + 3)` and what solves it.

        A limb that is held at a bound moves on a sphere about its end's place: the harder it pulls, the less may it go across.
        """
        frames, count, keeps = len(state.numbers), self._count, insist.keeps
        levers, gives = self.shape.levers(state), places.gives * insist.gives[..., None]
        points, limbs = levers[:, :count].reshape(frames, 3 * count, levers.shape[-1]), levers[:, count:]
        lines, far = state.lines[:, count:], np.maximum(_lengths(state.lines[:, count:]), _TINY)
        towards = (lines / far[..., None])[..., None, :]
        along = towards @ limbs
        across = (limbs - towards.swapaxes(-1, -2) * along).reshape(frames, 3 * limbs.shape[1], limbs.shape[-1])
        rows = np.concatenate([points, across, along[..., 0, :]], axis=1)
        want = (rows @ state.numbers[..., None])[..., 0]
        want, gone = want[:, : 3 * levers.shape[1]], want[:, 3 * levers.shape[1] :]
        longest = _LONGEST_STEP * self.shape.size
        gaps = state.lines[:, :count]
        gaps = gaps * np.minimum(longest / np.maximum(_lengths(gaps), _TINY), 1.0)[..., None]
        want[:, : 3 * count] += keeps * (gaps + insist.points * gives[:, :count]).reshape(frames, -1)
        loose = gives[:, count:, 0]
        high = np.minimum(far - self.spans[1], longest) + insist.nearer * loose
        low = np.maximum(far - self.spans[0], -longest) + insist.farther * loose
        bounds = Bounds(keeps * high + gone, keeps * low + gone)
        bent = np.minimum(far / np.maximum(insist.pulled, _TINY), _UNBENT).repeat(3, axis=1)
        gives = np.concatenate([gives[:, :count].reshape(frames, -1), bent, loose], axis=1)
        return rows, least_push(rows, want, bounds if self.spans.shape[1] else None, keeps * gives, insist.sides)

    def _pulled(self, insist: Insist, push: Push, moved: np.ndarray) -> Insist:
        """Return what is asked with how hard everything pulled in a step, and by how much that `moved` points `(f, 1)`."""
        pulls = np.abs(push.along[..., 0]) / insist.keeps
        hardest = np.maximum.reduce(pulls[:, : 3 * self._count], axis=1, keepdims=True)
        careful = np.minimum(_CAREFUL * self._is_far(moved) + _ARM * self.shape.size * hardest, _MOST_CAREFUL)
        return insist._replace(pulled=pulls[:, pulls.shape[1] - self.spans.shape[1] :], keeps=1.0 + careful, sides=push.sides, moved=moved)

    def _insist(self, insist: Insist, state: Shaped, places: Places) -> Insist:
        """Return how much harder is insisted on what was not reached, as far as each may pull.

        Near the end all that may still pull harder gives way less, so what can be met is soon met.
        """
        count, gives, most = self._count, places.gives[..., 0] * insist.gives, places.pull
        points = insist.points + state.lines[:, :count] / gives[:, :count, None]
        pulls = _lengths(points)
        points *= np.minimum(most[:, :count] / np.maximum(pulls, _TINY), 1.0)[..., None]
        far, loose, hardest = _lengths(state.lines[:, count:]), gives[:, count:], most[:, count:]
        nearer = np.minimum(np.maximum(insist.nearer + (far - self.spans[1]) / loose, 0.0), hardest)
        farther = np.maximum(np.minimum(insist.farther + (far - self.spans[0]) / loose, 0.0), -hardest)
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
        return self.shape.arms.shape[-1] - self.spans.shape[1]


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths `(...)` of vectors `(..., 3)`."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1))
