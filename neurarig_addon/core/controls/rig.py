"""A rig for probing: which bones and switches could be controls, what they could affect, and the trials that
Blender evaluates."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Switch:
    """A setting that may change what a control moves: a custom property, or the influence of a constraint.

    `path`: RNA path on the armature object.  `value`: as saved.  `others`: the values to try.
    """

    path: str
    value: float
    others: tuple[float, ...]

    @property
    def is_influence(self) -> bool:
        """Return whether it is the influence of a constraint."""
        return self.path.endswith(".influence")


@dataclass(frozen=True)
class ControlRig:
    """An armature's candidate controls; rows are bones, in Blender's order.

    `names`: bones. `depth` `(n,)`: the number of ancestors. `rest` `(n, 4, 4)`: rest matrices in armature
    space.
    `free_location`, `free_rotation` `(n, 3)`: channels that an animator may change; none if the bone is
    locked.
    `shown` `(n,)`: how much a bone looks like a control (shape, visible, colour); orders the trials and
    decides between equals.
    `reach` `(n, n)`: whether the column may depend on the row at all, by parents, constraints and drivers.
    `switches`; `switch_reach` `(s, n)`: the same for switches.
    """

    names: tuple[str, ...]
    depth: np.ndarray
    rest: np.ndarray
    free_location: np.ndarray
    free_rotation: np.ndarray
    shown: np.ndarray
    reach: np.ndarray
    switches: tuple[Switch, ...]
    switch_reach: np.ndarray

    @property
    def is_free(self) -> np.ndarray:
        """Return whether an animator can move each bone `(n,)`."""
        return np.asarray(self.free_location.any(axis=1) | self.free_rotation.any(axis=1))


@dataclass(frozen=True)
class Trial:
    """A pose and a setting to evaluate; everything else is at rest and as saved.

    `moves`: row of a bone -> its location and its rotation vector `(3,)`, each in its own axes. `switches`:
    number -> value.
    The answer is every bone's evaluated matrix `(n, 4, 4)` in armature space.
    """

    moves: Mapping[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    switches: Mapping[int, float] = field(default_factory=dict)


def closure(edges: np.ndarray) -> np.ndarray:
    """Return the reflexive transitive closure `(n, n)` of edges `(n, n)`, from row to column."""
    found = edges | np.eye(len(edges), dtype=bool)
    drains = [np.flatnonzero(row) for row in edges]
    while True:
        before = found.copy()
        for row in reversed(range(len(edges))):  # most edges lead to later rows, as to children
            if len(drains[row]):
                found[row] |= found[drains[row]].any(axis=0)
        if (before == found).all():
            return found
