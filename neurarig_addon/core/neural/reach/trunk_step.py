"""One step of a trunk that bends towards its places (see `trunk_reach`): its state, and the least push within its bounds.

A hip or shoulder that is too far away, or too near, is held to the bound that it breaks; one that a push would bring beyond a bound is
held to it as well, and one that a bound would have to push the wrong way is released: the Karush-Kuhn-Tucker conditions.
"""

from typing import NamedTuple

import numpy as np

from ...geometry.block_inverse import BlockInverse
from ..likely.rotation_vectors import nearly_turned

_MOST_CHANGES = 4  # changes of what is held, in one step
_FREE = 1e9  # of a system's largest diagonal entry: a row this stiff is not pushed
_SLACK = 1e-6  # of the way that a point goes: how far it may pass a bound


class State(NamedTuple):
    """Frames being solved: the bones' turned `axes` in rows `(f, b, 3, 3)`, the `shift` of the whole `(f, 3)`, the `lines` from points to
    places `(f, k, 3)`, and the `cost`, the sum of squares of all that is left to go `(f,)`.

    `lengths` `(f, k)`: of the lines; `over` `(f, k)`: how much longer than allowed they are, negative where too short.
    """

    axes: np.ndarray
    shift: np.ndarray
    lines: np.ndarray
    lengths: np.ndarray
    over: np.ndarray
    cost: np.ndarray

    def with_rows(self, rows: np.ndarray, other: "State") -> "State":
        """Return these frames with some of them, `rows`, replaced."""
        return State(*(_replaced(mine, rows, others) for mine, others in zip(self, other, strict=True)))

    def chosen(self, rows: np.ndarray) -> "State":
        """Return some of the frames."""
        return State(*(part[rows] for part in self))

    def better_of(self, other: "State") -> "State":
        """Return each frame from this or the other state, whichever is nearer."""
        nearer = other.cost < self.cost
        return other if np.count_nonzero(nearer) == len(nearer) else self.with_rows(nearer, other.chosen(nearer))


class Bounds(NamedTuple):
    """How much nearer to its place a hip or shoulder must come at least, `high`, and may come at most, `low`, each `(f, l)`."""

    high: np.ndarray
    low: np.ndarray


class Push(NamedTuple):
    """The least push that does what is wanted: its share `along` each of `g` axes `(f, g, 1)`, and their `levers` `(f, g, n)`.

    `want` `(f, g)`: how far to go along the axes; `inverse` of the system; `damping` `(f,)` on its diagonal.
    `sides` `(f, l)`: the bound to which limbs are held, 1 the high one, -1 the low one, 0 none; None where there are no limbs.
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


def least_push(levers: np.ndarray, want: np.ndarray, bounds: Bounds | None, damping: np.ndarray, sides: np.ndarray | None = None) -> Push:
    """Return the least push that goes the whole way along the first axes, and as far along the last ones as their bounds ask.

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
        asked = np.concatenate([want, np.where(side > 0.0, high, side * -low)], axis=1)
        return Push(levers, asked, stiff, damping, stiff.times(asked[..., None]), side)

    side = sides if sides is not None else np.where(high > 0.0, 1.0, np.where(low < 0.0, -1.0, 0.0))
    push = solved(side)
    for _ in range(_MOST_CHANGES):
        changed = _changed(side, bounds, (ends @ push.along)[..., 0], push.along[:, exact:, 0])
        if changed is side:
            break
        side, push = changed, solved(changed)
    return push


def _changed(side: np.ndarray, bounds: Bounds, reached: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """Return the bounds to hold limbs to `(f, l)`, 1 the high one, -1 the low one, 0 none, after a push that held them to `side`.

    `reached`: how far the push brings them; `pull`: how hard they pull for it.  Returns `side` itself if all were held correctly.
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
