"""One step of a trunk that bends towards what is asked of it (see `trunk_reach`): where it is, what it is to do, and what that takes."""

from typing import NamedTuple

import numpy as np

from ...rotation import SKEW


class State(NamedTuple):
    """Frames under way: bones' turns, root, lines from points to places `(f, 3, k)`, and the square of all that is left to go `(f,)`.

    `held` `(f, l)`: the distance that a hip or shoulder, which is or would come out of reach, is to have; NaN where it is free, None
    where all are.
    """

    turns: np.ndarray
    root: np.ndarray
    lines: np.ndarray
    cost: np.ndarray
    held: np.ndarray | None

    def with_rows(self, rows: np.ndarray, other: "State") -> "State":
        """Return these frames with some of them, `rows`, replaced: only what comes out of the search, turns, root and cost."""
        turns, root, cost = self.turns.copy(), self.root.copy(), self.cost.copy()
        turns[rows], root[rows], cost[rows] = other.turns, other.root, other.cost
        return self._replace(turns=turns, root=root, cost=cost)

    def free(self) -> np.ndarray:
        """Say of which frames no hip or shoulder is held `(f,)`."""
        return np.full(len(self.cost), True) if self.held is None else np.asarray(np.isnan(self.held).all(axis=1))

    def chosen(self, rows: np.ndarray) -> "State":
        """Return some of the frames."""
        held = None if self.held is None else self.held[rows]
        return State(self.turns[rows], self.root[rows], self.lines[rows], self.cost[rows], held)


class Asked(NamedTuple):
    """What a step is to do: along `g` axes `(f, g, 3)`, by `levers` `(f, g, 3 b)`, to go so far `(f, g)` of the `whole` way `(f, g)`.

    A lever tells how far along its axis a bone brings the axis' point when it turns about x, y, z, times the root of its ease.
    """

    axes: np.ndarray
    levers: np.ndarray
    way: np.ndarray
    whole: np.ndarray


class Push(NamedTuple):
    """What answered to an Asked: the inverse of its system `(f, g, g)`, the damping on its diagonal and the push along each axis."""

    inverse: np.ndarray
    raised: np.ndarray
    along: np.ndarray

    def left(self, asked: Asked) -> np.ndarray:
        """Return the cost `(f,)` that the step promises to leave."""
        left = asked.whole - asked.way + (self.raised * self.along)[..., 0]
        return (left * left).sum(axis=-1)


def turned(turns: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)`, turned by small rotation vectors `(..., 3)` (Cayley's map, exact to second order)."""
    skew = (vectors @ SKEW).reshape(turns.shape)
    half = skew @ turns
    half += 0.5 * (skew @ half)
    half *= (4.0 / (4.0 + (vectors * vectors).sum(axis=-1)))[..., None, None]
    half += turns
    return half
