"""The test of a rig's controls before they are used: poses, and functions that judge the deforming bones in them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..character.motion import Posed
from ..posing.trunk_bend import TrunkBend
from ..skeleton.roles import RoleMap
from ..skeleton.skeleton import Skeleton


@dataclass(frozen=True)
class Tryout:
    """Poses for testing controls.

    `judge`: from the evaluated matrices `(f, bones, 4, 4)` in armature space, rows as the skeleton's, to what is wrong besides
    the character coming apart, '' if nothing is.  `bending`: what to test if a trunk with one control is wrong.
    """

    pose: Posed
    judge: Callable[[np.ndarray], str]
    bending: "Bending | None" = None


@dataclass(frozen=True)
class Bending:
    """Poses in which a trunk bends, what the evaluated matrices show of the bend, if anything, and the tryout for a trunk that bends so."""

    pose: Posed
    seen: Callable[[np.ndarray], TrunkBend | None]
    tryout: Callable[[TrunkBend], Tryout]


# Skeleton (its `deform` tells which bones carry the skin), the roles that the controls pose, body -> the tryout for them.
TryoutOf = Callable[[Skeleton, RoleMap, Body], Tryout]
