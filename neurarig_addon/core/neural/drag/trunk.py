"""The trunk of a body that is dragged: the least move, as people move, that brings what is held to where it is held.

Unknown are how far each part of the trunk is rolled, pitched and yawed away from the pose before (what it carries goes along), and how
far the whole is shifted.  A turn saturates: it goes as its number at first, and never beyond what a person does unasked.  Points of the
trunk have a place, with a compliance each, limbs bounds for how far from their ends' places they may start; where they bind follows
from the conditions of Karush, Kuhn and Tucker (`reach.trunk_step`).  Every Gauss-Newton step looks for the least move from the pose
before, not from the last step, so the answer belongs to the places alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...geometry.rotation import SKEW
from ..reach.trunk_step import Bounds, Push, least_push

_MOST_STEPS = 14
_ARRIVED = 2e-6  # of a body of human size, metres: what is missed, and what the last step still moved
_LARGEST_TURN, _LARGEST_SHIFT = 0.45, 0.3  # radians, metres of a body of human size: the most of one step
_LONGEST_STEP = 0.1  # of a body of human size, metres, of a point's gap that one step asks for
_CAREFUL = 0.3  # how far a step keeps to where the last one ended at least
_MOST_CAREFUL = 12.0
_ARM = 1.0  # of a body of human size, metres: an arm by which pulls go round
_TINY, _UNBENT = 1e-12, 1e6


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
    """By how much more than their gaps points `(f, k, 3)` and limbs ask to be brought `nearer` and `farther` `(f, l)`, metres, because they
    were not reached before, and how hard limbs `pulled` `(f, l)`.

    `keeps` `(f, 1)`: 1 and how far a step keeps to where the last one ended, against how far it keeps to the pose before: the more, the
    harder something pulls, for arms go round on arcs and a step sees straight lines.
    """

    points: np.ndarray
    nearer: np.ndarray
    farther: np.ndarray
    pulled: np.ndarray
    keeps: np.ndarray

    @classmethod
    def none(cls, frames: int, points: int, limbs: int) -> "Insist":
        """Return what is asked at first."""
        nearer, farther, pulled = np.zeros((3, frames, limbs))
        return cls(np.zeros((frames, points, 3)), nearer, farther, pulled, np.full((frames, 1), 1.0 + _CAREFUL))


class _State(NamedTuple):
    """Numbers `(f, 3 b + 3)` of which a trunk is made, what follows for its turns (rotation vectors `(f, b, 3)`, rotations), for the arms
    `(f, b, 3, k + l)` and, seen from where they were asked for, for its points `(f, k + l, 3)`."""

    numbers: np.ndarray
    vectors: np.ndarray
    turns: np.ndarray
    arms: np.ndarray
    lines: np.ndarray


@dataclass(frozen=True, eq=False)
class DragTrunk:
    """A trunk in the pose before a drag.

    `arms` `(b, 3, k + l)`: from each bone's head towards each point, then towards the start of each limb, in that pose; zero where a bone
    does not carry it.  `root` `(3,)`: the pelvis.  `carried` `(3 b, 3 b)`: how the bones' rotation vectors follow from their own turns.
    `ease`, `most` `(b, 3)`: see `ease`.  `spans` `(2, l)`: how near to its end's place a limb may start, and how far from it.
    """

    arms: np.ndarray
    root: np.ndarray
    carried: np.ndarray
    ease: np.ndarray
    most: np.ndarray
    spans: np.ndarray
    size: float

    def solve(self, places: Places) -> Found:
        """Return how the trunk stands where this is asked of it."""
        wanted = np.concatenate([places.points, places.ends], axis=1) - places.gone[:, None]
        state = self._state(np.zeros((len(wanted), 3 * len(self.ease) + 3)), wanted)
        insist = self._insist(Insist.none(len(wanted), self._count, self.spans.shape[1]), state, places)
        moves = np.ones((len(wanted), 1))  # 0 where a frame has arrived: it belongs to its own places, whatever others still need
        for _ in range(_MOST_STEPS):
            before = state
            rows, push = self._push(state, places, insist)
            step = ((push.along.swapaxes(1, 2) @ rows)[:, 0] - state.numbers) / insist.keeps
            state = self._state(state.numbers + moves * self._calm(step, state) * step, wanted)
            insist = self._insist(self._pulled(insist, push), state, places)
            moves *= self._move(before, state)
            if not moves.any():
                break
        return Found(state.turns, self.root + places.gone + state.numbers[:, -3:] * self._root_scale)

    def _move(self, before: _State, state: _State) -> np.ndarray:
        """Say which frames still move `(f, 1)`."""
        return (
            np.abs(state.lines - before.lines).reshape(len(state.lines), -1).max(axis=1, keepdims=True, initial=0.0) > _ARRIVED * self.size
        )

    def _push(self, state: _State, places: Places, insist: Insist) -> tuple[np.ndarray, Push]:
        """Return the rows of a step's system `(f, g, 3 b + 3)` and what solves it.

        A limb that is held at a bound moves on a sphere about its end's place: the harder it pulls, the less may it go across.
        """
        frames, count, keeps = len(state.numbers), self._count, insist.keeps
        levers = self._levers(state)
        points, limbs = levers[:, :count].reshape(frames, 3 * count, levers.shape[-1]), levers[:, count:]
        lines, far = state.lines[:, count:], np.sqrt((state.lines[:, count:] ** 2).sum(axis=-1))
        towards = (lines / np.maximum(far, _TINY)[..., None])[..., None, :]
        along = towards @ limbs
        across = (limbs - towards.swapaxes(-1, -2) * along).reshape(frames, 3 * limbs.shape[1], limbs.shape[-1])
        rows = np.concatenate([points, across, along[..., 0, :]], axis=1)
        want = (rows @ state.numbers[..., None])[..., 0]
        want, gone = want[:, : 3 * levers.shape[1]], want[:, 3 * levers.shape[1] :]
        longest = _LONGEST_STEP * self.size
        gaps = state.lines[:, :count]
        gaps = gaps * np.minimum(longest / np.maximum(np.sqrt((gaps * gaps).sum(axis=-1)), _TINY), 1.0)[..., None]
        want[:, : 3 * count] += keeps * (gaps + insist.points).reshape(frames, -1)
        high, low = np.minimum(far - self.spans[1], longest) + insist.nearer, np.maximum(far - self.spans[0], -longest) + insist.farther
        bounds = Bounds(keeps * high + gone, keeps * low + gone)
        bent = (np.maximum(far, _TINY) / np.maximum(insist.pulled, _TINY)).clip(_TINY, _UNBENT).repeat(3, axis=1)
        gives = np.concatenate([places.gives[:, :count].reshape(frames, -1), bent, places.gives[:, count:, 0]], axis=1)
        return rows, least_push(rows, want, bounds if self.spans.shape[1] else None, keeps * gives)

    def _pulled(self, insist: Insist, push: Push) -> Insist:
        """Return what is asked with how hard everything pulled in a step."""
        points, limbs = push.along[:, : 3 * self._count, 0], push.along[:, push.along.shape[1] - self.spans.shape[1] :, 0]
        hardest = np.abs(points).max(axis=1, keepdims=True) / insist.keeps
        return insist._replace(
            pulled=np.abs(limbs) / insist.keeps, keeps=1.0 + np.minimum(_CAREFUL + _ARM * self.size * hardest, _MOST_CAREFUL)
        )

    def _insist(self, insist: Insist, state: _State, places: Places) -> Insist:
        """Return by how much more is asked where something was not reached, as far as it may pull (the method of multipliers)."""
        count = self._count
        most = places.pull * places.gives[..., 0]
        points = insist.points + state.lines[:, :count]
        points *= np.minimum(most[:, :count] / np.maximum(np.sqrt((points * points).sum(axis=-1)), _TINY), 1.0)[..., None]
        far = np.sqrt((state.lines[:, count:] ** 2).sum(axis=-1))
        nearer = np.minimum(np.maximum(insist.nearer + far - self.spans[1], 0.0), most[:, count:])
        farther = np.maximum(np.minimum(insist.farther + far - self.spans[0], 0.0), -most[:, count:])
        return insist._replace(points=points, nearer=nearer, farther=farther)

    def _calm(self, step: np.ndarray, state: _State) -> np.ndarray:
        """Return which share of a step is taken `(f, 1)`."""
        slope = self._slopes(state.numbers)
        turned = np.abs(step[:, :-3] * slope).max(axis=1) / _LARGEST_TURN
        shifted = np.abs(step[:, -3:] * self._root_scale).max(axis=1) / (_LARGEST_SHIFT * self.size)
        return (1.0 / np.maximum(np.maximum(turned, shifted), 1.0))[:, None]

    def _state(self, numbers: np.ndarray, wanted: np.ndarray) -> _State:
        frames, bones = len(numbers), len(self.ease)
        turns = numbers[:, :-3] * self._scale
        turns /= np.sqrt(1.0 + (turns * self._per_most) ** 2)
        vectors = (turns @ self.carried.T).reshape(frames, bones, 3)
        rotations = _turned(vectors)
        arms = rotations @ self.arms
        shift = self.root + numbers[:, -3:] * self._root_scale
        lines = wanted - shift[:, None] - arms.sum(axis=1).swapaxes(1, 2)
        return _State(numbers, vectors, rotations, arms, lines)

    def _slopes(self, numbers: np.ndarray) -> np.ndarray:
        """Return how far own turns go with their numbers `(f, 3 b)`."""
        return self._scale * (1.0 + (numbers[:, :-3] * self._scale * self._per_most) ** 2) ** -1.5

    def _levers(self, state: _State) -> np.ndarray:
        """Return where the numbers bring each point `(f, k + l, 3, 3 b + 3)`."""
        frames, bones, _, points = state.arms.shape
        across = -(state.arms.swapaxes(2, 3).reshape(-1, 3) @ SKEW).reshape(frames, bones, points, 3, 3)
        across = across @ _jacobians(state.vectors)[:, :, None]
        turned = across.transpose(0, 2, 3, 1, 4).reshape(frames, points, 3, 3 * bones) @ self.carried
        found = np.empty((frames, points, 3, 3 * bones + 3))
        np.multiply(turned, self._slopes(state.numbers)[:, None, None], out=found[..., :-3])
        found[..., -3:] = np.eye(3) * self._root_scale
        return found

    @cached_property
    def _count(self) -> int:
        """How many points of the trunk have a place."""
        return self.arms.shape[-1] - self.spans.shape[1]

    @cached_property
    def _scale(self) -> np.ndarray:
        return np.sqrt(self.ease).ravel()

    @cached_property
    def _per_most(self) -> np.ndarray:
        return 1.0 / self.most.ravel()

    @cached_property
    def _root_scale(self) -> float:
        """How easily the whole is shifted: a body of human size by 1 m^2."""
        return self.size


def _turned(vectors: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of rotation vectors."""
    skew, twice, angle = _parts(vectors)
    return np.eye(3) + np.sinc(angle / np.pi) * skew + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * twice


def _jacobians(vectors: np.ndarray) -> np.ndarray:
    """Return SO(3)'s left Jacobians `(..., 3, 3)` at rotation vectors: about which axes small changes of these turn."""
    skew, twice, angle = _parts(vectors)
    squares = np.maximum(angle * angle, 1e-6)
    third = np.where(angle > 1e-2, (1.0 - np.sinc(angle / np.pi)) / squares, 1.0 / 6.0)
    return np.eye(3) + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * skew + third * twice


def _parts(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the cross matrices of vectors, their squares and the vectors' lengths `(..., 1, 1)`."""
    skew = (vectors.reshape(-1, 3) @ SKEW).reshape(*vectors.shape, 3)
    return skew, skew @ skew, np.sqrt((vectors * vectors).sum(axis=-1))[..., None, None]
