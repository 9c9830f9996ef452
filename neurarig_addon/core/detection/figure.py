"""A skeleton turned upright and measured, in which limbs and trunk are searched."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..geometry.rotation import UP, between, normalized, norms
from ..skeleton.naming import plain_names
from ..skeleton.skeleton import Skeleton
from .conventions import NameVotes
from .words import word_votes

_UPRIGHT = 0.999  # cosine: an axis nearer to the world's up counts as equal to it
_LEVEL = 0.02  # share of the figure's size: joints whose heights differ by less are level
_DEEPER = 0.25  # share of the figure's size: how far something may reach below the feet
_AT_TAIL = 0.01  # share of the figure's size: a head nearer to a tail is at it
_OTHER_SIDE = {"L": "R", "R": "L"}
SAME_POINT = 1e-3  # share of the figure's size: heads nearer than this are one joint


def possible_ups(skeleton: Skeleton) -> list[np.ndarray]:
    """Return the world's up, then the armature's own axes in both directions, for figures that lie on their
    back, face or side."""
    axes = normalized(skeleton.to_world[:3, :3].T)
    return [UP, *(sign * axis for axis in axes for sign in (1.0, -1.0) if sign * axis @ UP < _UPRIGHT)]


@dataclass(frozen=True)
class Figure:
    """A skeleton turned so that `up` is along +z; points in world metres, so turned. `names`: the roles by
    names."""

    skeleton: Skeleton
    up: np.ndarray = field(default_factory=lambda: UP.copy())
    names: NameVotes = field(default_factory=NameVotes)

    @property
    def votes(self) -> Mapping[str, int]:
        """Role -> row, by a table of names."""
        return self.names.rows

    @cached_property
    def words(self) -> np.ndarray:
        """The votes of words for each bone `(bones, 13)`; see `words.word_votes`."""
        return word_votes(self.skeleton.names)

    @cached_property
    def counterparts(self) -> np.ndarray:
        """The bone of the same name on the other side `(bones,)`, -1 where there is none, several, or both
        hang on different bones."""
        plain = plain_names(self.skeleton.names)
        keys = [name._replace(side="") for name in plain]
        rows: dict[tuple, list[int]] = {}
        for row, (name, key) in enumerate(zip(plain, keys, strict=True)):
            rows.setdefault((name.side, key), []).append(row)
        found = np.full(len(plain), -1)
        for (side, key), same in rows.items():
            others = rows.get((_OTHER_SIDE.get(side, ""), key), [])
            if side and len(same) == len(others) == 1:
                found[same[0]] = others[0]
        parents = self.skeleton.parents
        for row in np.flatnonzero(found >= 0):  # parents come first
            above, other = parents[row], parents[found[row]]
            if above != other and (above < 0 or found[above] != other):
                found[row] = -1
        return found

    @cached_property
    def turn(self) -> np.ndarray:
        """Rotation `(3, 3)` that brings `up` to +z."""
        return between(self.up, UP)

    @cached_property
    def heads(self) -> np.ndarray:
        """Heads `(bones, 3)`."""
        return self.skeleton.heads @ self.turn.T

    @cached_property
    def tails(self) -> np.ndarray:
        """Tails `(bones, 3)`; many importers invent them, so they count only if they meet a child's head."""
        return self.skeleton.tails @ self.turn.T

    @cached_property
    def size(self) -> float:
        """The greatest extent of all heads in metres."""
        return float(np.max(np.ptp(self.heads, axis=0))) if len(self.heads) else 0.0

    @cached_property
    def floor(self) -> float:
        """Height of the lowest joint that has a counterpart at the same height, as feet have; a sword or a
        control may reach lower.

        Roots do not count, as they may lie anywhere.
        """
        candidates = np.flatnonzero(self.skeleton.parents >= 0)
        if not len(candidates):
            return 0.0
        candidates = (
            candidates[self.skeleton.deform[candidates]]
            if self.skeleton.deform[candidates].any()
            else candidates
        )
        points = self.heads[candidates[np.argsort(self.heads[candidates, 2], kind="stable")]]
        for point in points[points[:, 2] < points[0, 2] + _DEEPER * self.size]:
            level = np.abs(points[:, 2] - point[2]) < _LEVEL * self.size
            beside = norms(points[:, :2] - point[:2]) > _LEVEL * self.size
            if (level & beside).any():
                return float(point[2])
        return float(points[0, 2])

    @cached_property
    def joint_ids(self) -> list[int]:
        """A number per bone `(bones,)`, equal for bones that start at the same joint as the bone above."""
        ids = list(range(len(self.heads)))
        together = self._gaps < SAME_POINT * self.size
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            if parent >= 0 and together[row]:
                ids[row] = ids[parent]
        return ids

    @cached_property
    def joints(self) -> np.ndarray:
        """`joint_ids` as an array `(bones,)`."""
        return np.array(self.joint_ids, dtype=int)

    @cached_property
    def _gaps(self) -> np.ndarray:
        """Distance `(bones,)` from each head to the parent's; meaningless for roots."""
        return norms(self.heads - self.heads[self.skeleton.parents])

    @cached_property
    def moves_skin(self) -> np.ndarray:
        """Whether bones `(bones,)` deform or carry a bone that does; all if none is marked as deforming."""
        deform = self.skeleton.deform
        return self.over_below(deform, np.logical_or) if deform.any() else np.ones(len(deform), dtype=bool)

    @cached_property
    def ends_marked(self) -> float:
        """The share of chains with an extra bone at the last one's tail, with which some exporters mark all
        ends."""
        leaves = np.flatnonzero((self.below_count == 0) & self.moves_skin & (self.skeleton.parents >= 0))
        parents = self.skeleton.parents[leaves]
        single = np.array([len(self.skeleton.children[parent]) == 1 for parent in parents], dtype=bool)
        at_tail = norms(self.heads[leaves] - self.tails[parents]) < _AT_TAIL * self.size
        return float(np.mean(single & at_tail)) if len(leaves) else 0.0

    @cached_property
    def joint_above(self) -> np.ndarray:
        """The nearest bone above each `(bones,)` that starts elsewhere, or -1."""
        found = np.full(len(self.heads), -1)
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            if parent >= 0:
                found[row] = parent if self.joint_ids[parent] != self.joint_ids[row] else found[parent]
        return found

    @cached_property
    def depth(self) -> np.ndarray:
        """Number of bones above each bone `(bones,)`."""
        found = np.zeros(len(self.heads), dtype=int)
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            found[row] = found[parent] + 1 if parent >= 0 else 0
        return found

    @cached_property
    def joint_depth(self) -> np.ndarray:
        """Number of joints above each bone `(bones,)`."""
        found = np.zeros(len(self.heads), dtype=int)
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            if parent >= 0:
                found[row] = found[parent] + (self.joint_ids[parent] != self.joint_ids[row])
        return found

    @cached_property
    def next_joint(self) -> np.ndarray:
        """The bone `(bones,)` that continues the chain below each: the one at the next joint that carries
        most bones, or -1."""
        found = np.full(len(self.heads), -1)
        for row in range(len(found) - 1, -1, -1):
            best = -1
            for child in self.skeleton.children[row]:
                elsewhere = self.joint_ids[child] != self.joint_ids[row]
                weight = self.below_count[child]
                if weight > best and (elsewhere or found[child] >= 0):
                    found[row], best = (child if elsewhere else found[child]), weight
        return found

    @cached_property
    def is_above(self) -> np.ndarray:
        """`(bones, bones)`: whether, at [k, n], bone k is above bone n."""
        below = np.zeros((len(self.heads), len(self.heads)), dtype=bool)
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            if parent >= 0:
                below[row] = below[parent]
                below[row, parent] = True
        return np.ascontiguousarray(below.T)

    @cached_property
    def way(self) -> np.ndarray:
        """Distance `(bones,)` from the root to each head, joint by joint."""
        length = np.zeros(len(self.heads))
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            if parent >= 0:
                length[row] = length[parent] + self._gaps[row]
        return length

    @cached_property
    def below_count(self) -> np.ndarray:
        """Number of bones below each bone `(bones,)`."""
        return self.over_below(np.ones(len(self.heads), dtype=int), np.add) - 1

    def count_children(self, wanted: np.ndarray) -> np.ndarray:
        """Return the number of each bone's `(bones,)` children that are `wanted` `(bones,)`."""
        parents = self.skeleton.parents
        return np.bincount(parents[wanted & (parents >= 0)], minlength=len(parents))

    def over_below(self, values: np.ndarray, gather: np.ufunc) -> np.ndarray:
        """Return for each bone `(bones,)` the result of `gather` (add, minimum ...) over its value and those
        of all bones below it."""
        found = values.copy()
        order = np.argsort(self.depth, kind="stable")
        for rows in np.split(order, np.cumsum(np.bincount(self.depth))[:-1])[:0:-1]:
            gather.at(found, self.skeleton.parents[rows], found[rows])
        return found

    def deforming_twin(self, row: int) -> int:
        """Return the deforming bone of the same rest head and axis if `row` is a control or mechanism bone,
        else `row`."""
        if self.skeleton.deform[row]:
            return row
        near = norms(self.heads - self.heads[row]) < SAME_POINT * self.size
        axis = self.tails - self.heads
        length = norms(axis)
        along = axis @ axis[row] > 0.99 * length * length[row]
        twins = np.flatnonzero(near & along & self.skeleton.deform)
        return int(twins[0]) if len(twins) else row

    def below(self, row: int) -> list[int]:
        """Return the rows of a bone and of all bones below it."""
        found, waiting = [], [row]
        while waiting:
            found.append(waiting.pop())
            waiting.extend(self.skeleton.children[found[-1]])
        return found

    def common_ancestor(self, first: int, second: int) -> int:
        """Return the nearest common ancestor of two bones, which may be one of them, or -1."""
        above = {first, *self.skeleton.ancestors(first)}
        return next((row for row in [second, *self.skeleton.ancestors(second)] if row in above), -1)
