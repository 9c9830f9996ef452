"""Somebody's manner: how recorded people hold and move what is above their legs, and the curves in which one
differs from it."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..people.curves import equally_far, people_curves
from .learned_style import LearnedStyle, common_manner

CROWD = 256  # persons kept


@lru_cache(maxsize=CROWD)
def manner_of(person: int) -> LearnedStyle:
    """Return the manner of the person that a seed draws."""
    components = people_curves().persons
    sizes = equally_far(np.random.default_rng([person, len(components)]), len(components))
    common = common_manner()
    curves, knees = (
        np.tensordot(sizes, [getattr(one, name) for one in components], 1) for name in ("curves", "knees")
    )
    return replace(common, curves=common.curves + curves, knees=common.knees + knees)
