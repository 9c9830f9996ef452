"""One step of a trunk that bends towards its places (see `trunk_reach`): what depends on the trunk alone,
computed once, the state of a frame, and the least push within its bounds.

A hip or shoulder that is too far away, or too near, is held to the bound that it breaks; one that a push
would bring beyond a bound is held to it as well, and one that a bound would have to push the wrong way is
released: the Karush-Kuhn-Tucker conditions.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...geometry.blocks import BlockInverse
from ...geometry.rotation import cross_matrix
from ..likely.rotation_vectors import nearly_turned

_STRAIGHTEST = 0.99999  # of a trunk's length from a locked pelvis: as far as it reaches
TINY = 1e-12
_ONES = np.ones(3)


@dataclass(frozen=True)
class TrunkTables:
    """A trunk of `b` bones and the `k` points on it of which something is asked.

    `arms` `(b, 3, k)`: each bone's part of the offset of each point at rest; zero where the bone does not
    carry it. `ease` `(b,)`: how easily each bone turns (rad^2); `root_ease`: and the whole moves (m^2), 0 if
    the pelvis is locked. The first points have a place to be at; the last, hips and shoulders, must be
    between `least` and `most` metres `(l,)` from one, and pull on the trunk with `pull` `(l,)`, against 1 of
    the first ones: where not all can be met, weaker ones give way. `size`: of this body relative to a
    human's.
    """

    arms: np.ndarray
    ease: np.ndarray
    root_ease: float
    least: np.ndarray
    most: np.ndarray
    pull: np.ndarray
    size: float

    @cached_property
    def _exact(self) -> int:
        """The number of points that have a place to be at."""
        return self.arms.shape[-1] - len(self.least)

    @cached_property
    def _pulls(self) -> np.ndarray:
        """How hard each point pulls `(1, k)`."""
        return np.append(np.ones(self._exact), self.pull)[None]

    @cached_property
    def _spans(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the most distance of each point from its place `(1, k)`."""
        return np.append(np.zeros(self._exact), self.least)[None], np.append(
            np.zeros(self._exact), self.most
        )[None]

    @cached_property
    def _each(self) -> np.ndarray:
        return np.ones(self.arms.shape[-1])

    @cached_property
    def _together(self) -> np.ndarray:
        """The arms of all bones side by side `(k, 3 b)`."""
        return self.arms.reshape(-1, self.arms.shape[-1]).T.copy()

    @cached_property
    def _levers(self) -> np.ndarray:
        """Derivatives of each point by a bone's turn about its x, y, z, in its axes `(b, 3 k, 3)`, times the
        root of its ease."""
        levers = -cross_matrix(self.arms.swapaxes(1, 2)) * np.sqrt(self.ease)[:, None, None, None]
        return levers.transpose(0, 3, 1, 2).reshape(len(self.ease), -1, 3).copy()

    @cached_property
    def _shifts(self) -> np.ndarray:
        """Derivatives of each point by a shift of the whole along x, y, z `(1, 3, 3 k)`, times the root of
        its ease."""
        return np.sqrt(self.root_ease) * np.tile(np.eye(3), self.arms.shape[-1])[None]

    @cached_property
    def _roots_of_ease(self) -> np.ndarray:
        return np.repeat(np.sqrt(self.ease)[None, :, None], 3, axis=-1)

    @cached_property
    def _stiffest(self) -> float:
        """The largest diagonal entry that a push's system may have."""
        squares = (self.arms * self.arms).sum(axis=1)
        return float((self.ease @ squares).max(initial=0.0)) + self.root_ease

    @cached_property
    def _farthest(self) -> np.ndarray:
        """The squared farthest distance of each place from a locked pelvis `(1, k)`: the bones between, and
        the limb, straight."""
        bones = _STRAIGHTEST * np.sqrt((self.arms * self.arms).sum(axis=1)).sum(axis=0)
        bones[self._exact :] += self.most
        return bones[None] ** 2

    def _drawn_in(self, places: np.ndarray) -> np.ndarray:
        """Return places `(f, k, 3)` drawn in to where bones reach from the pelvis."""
        square = (places * places).reshape(-1, 3).dot(_ONES).reshape(places.shape[:2])
        beyond = square - self._farthest
        if beyond.item(beyond.argmax()) <= 0.0:
            return places
        return (
            places
            * np.sqrt(np.minimum(self._farthest / np.maximum(square, (TINY * self.size) ** 2), 1.0))[
                ..., None
            ]
        )


_MOST_CHANGES = 4  # changes of what is held, in one step
_FREE = 1e9  # of a system's largest diagonal entry: a row this stiff is not pushed
_SLACK = 1e-6  # of the way that a point goes: how far it may pass a bound


class StepState(NamedTuple):
    """Frames being solved: the bones' turned `axes` in rows `(f, b, 3, 3)`, the `shift` of the whole `(f,
    3)`, the `lines` from points to places `(f, k, 3)`, and the `cost`, the sum of squares of all that is left
    to go `(f,)`.

    `lengths` `(f, k)`: of the lines; `over` `(f, k)`: how much longer than allowed they are, negative where
    too short.
    """

    axes: np.ndarray
    shift: np.ndarray
    lines: np.ndarray
    lengths: np.ndarray
    over: np.ndarray
    cost: np.ndarray

    def with_rows(self, rows: np.ndarray, other: "StepState") -> "StepState":
        """Return these frames with some of them, `rows`, replaced."""
        return StepState(*(_replaced(mine, rows, others) for mine, others in zip(self, other, strict=True)))

    def chosen(self, rows: np.ndarray) -> "StepState":
        """Return some of the frames."""
        return StepState(*(part[rows] for part in self))

    def better_of(self, other: "StepState") -> "StepState":
        """Return each frame from this or the other state, whichever is nearer."""
        nearer = other.cost < self.cost
        return (
            other if np.count_nonzero(nearer) == len(nearer) else self.with_rows(nearer, other.chosen(nearer))
        )


class Bounds(NamedTuple):
    """How much nearer to its place a hip or shoulder must come at least, `high`, and may come at most, `low`,
    each `(f, l)`."""

    high: np.ndarray
    low: np.ndarray


class Push(NamedTuple):
    """The least push that does what is wanted: its share `along` each of `g` axes `(f, g, 1)`, and their
    `levers` `(f, g, n)`.

    `want` `(f, g)`: how far to go along the axes; `inverse` of the system; `damping` `(f,)` on its diagonal.
    `sides` `(f, l)`: the bound to which limbs are held, 1 the high one, -1 the low one, 0 none; None where
    there are no limbs.
    """

    levers: np.ndarray
    want: np.ndarray
    inverse: BlockInverse
    damping: np.ndarray
    along: np.ndarray
    sides: np.ndarray | None = None

    def left(self, whole: np.ndarray) -> np.ndarray:
        """Return the cost `(f,)` that the push is predicted to leave of the `whole` way `(f, g)`."""
        left = whole - self.want + self.damping[:, None] * self.along[..., 0]
        return np.add.reduce(left * left, axis=1)


def least_push(
    levers: np.ndarray,
    want: np.ndarray,
    bounds: Bounds | None,
    damping: np.ndarray,
    sides: np.ndarray | None = None,
) -> Push:
    """Return the least push that goes the whole way along the first axes, and as far along the last ones as
    their bounds ask.

    `damping` `(f,)` or `(f, g)`: added to the diagonal of the system, `levers` times their transpose.
    `sides` `(f, l)`: a first guess, from the step before, of the bounds to which limbs are held.
    """
    system = levers @ levers.swapaxes(1, 2)
    diagonal = _diagonal(system)
    diagonal += damping.reshape(len(damping), -1)
    wanted = want[..., None]
    if bounds is None:
        inverse = BlockInverse.of(system, system.shape[1])
        return Push(levers, want, inverse, damping, inverse.times(wanted))

    (high, low), exact = bounds, want.shape[1]
    free = _FREE * np.maximum.reduce(diagonal, axis=1, keepdims=True)
    inverse, ends = BlockInverse.of(system, exact), system[:, exact:]

    def solved(side: np.ndarray) -> Push:
        stiff = inverse.stiffer(free * (side == 0.0))
        gaps = np.concatenate([want, np.where(side > 0.0, high, side * -low)], axis=1)
        return Push(levers, gaps, stiff, damping, stiff.times(gaps[..., None]), side)

    side = sides if sides is not None else np.where(high > 0.0, 1.0, np.where(low < 0.0, -1.0, 0.0))
    push = solved(side)
    for _ in range(_MOST_CHANGES):
        changed = _changed(side, bounds, (ends @ push.along)[..., 0], push.along[:, exact:, 0])
        if changed is side:
            break
        side, push = changed, solved(changed)
    return push


def _changed(side: np.ndarray, bounds: Bounds, reached: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """Return the bounds to hold limbs to `(f, l)`, 1 the high one, -1 the low one, 0 none, after a push that
    held them to `side`.

    `reached`: how far the push brings them; `pull`: how hard they pull for it. Returns `side` itself if all
    were held correctly.
    """
    short, far = bounds.high - reached, reached - bounds.low
    breaks = np.maximum(short, far) > _SLACK * np.abs(reached)
    is_wrong = np.where(side == 0.0, breaks, (side * pull < 0.0) & (bounds.high < bounds.low))
    if not np.count_nonzero(is_wrong):
        return side
    return np.where(is_wrong, np.where(side == 0.0, np.where(short > far, 1.0, -1.0), 0.0), side)


def _diagonal(matrices: np.ndarray) -> np.ndarray:
    """Return a view of the diagonals `(f, g)` of matrices `(f, g, g)`."""
    return matrices.reshape(len(matrices), -1)[:, :: matrices.shape[-1] + 1]


def turned(axes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return axes, in rows `(..., 3, 3)`, turned by small rotation vectors `(..., 3)` in their own frame."""
    return nearly_turned(-vectors) @ axes


def _replaced(mine: np.ndarray, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    found = mine.copy()
    found[rows] = others
    return found
