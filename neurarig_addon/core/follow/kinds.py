"""The kinds of what hangs on a body: how stiff, damped and heavy each is, and what it does of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..shipped import shipped

TAIL, EAR, HAIR, STRAP, BELLY, SKIRT, WING, ANTENNA = KINDS = (
    "TAIL", "EAR", "HAIR", "STRAP", "BELLY", "SKIRT", "WING", "ANTENNA",
)  # fmt: skip


@dataclass(frozen=True)
class Manner:
    """How a chain follows, as an animator sets it.

    `stiffness`: its slowest swing, as a multiple of that of a pendulum of its length. `damping`: share of the
    damping that lets it come to rest without a swing. `weight`: how far it yields to acceleration and to the
    turn of gravity, 1 as it is. `drag`: of the air, per second. `along`: stiffness of its last joint, as a
    share of its first one's.
    """

    stiffness: float
    damping: float
    weight: float
    drag: float
    along: float


@dataclass(frozen=True)
class Kind:
    """A kind of chain: the `words` that name it, its `manner`, the most that a joint bends (radians), and
    what it does of its own: radians by which it `lifts` at speed (leg lengths a second, in roots of gravity,
    `speeds`: from, to), radians by which it swings against each radian a second of its base's turn
    (`counter`), radians by which it is `pricked` where its bearer looks at something."""

    words: frozenset[str]
    manner: Manner
    limit: float
    lifts: float = 0.0
    speeds: tuple[float, float] = (1.0, 2.0)
    counter: float = 0.0
    pricked: float = 0.0


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all kinds by name."""
    found = {}
    for name, row in shipped("follow")["kinds"].items():
        angles = {key: float(np.radians(row[key])) for key in ("limit", "lifts", "pricked")}
        words, manner = frozenset(row["words"]), Manner(**row["manner"])
        found[name] = Kind(**(row | angles | {"words": words, "manner": manner}))
    return found


@cache
def never() -> frozenset[str]:
    """Return the words of bones that nothing hangs by: of faces, fingers and helpers."""
    return frozenset(shipped("follow")["never"])
