"""What a rig's controls are tried with before they are used: poses, and who judges how the deforming bones took them."""

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
    """Poses to try controls with.

    `judge`: from the evaluated matrices `(f, bones, 4, 4)` in armature space, rows as the skeleton's, to what is wrong besides that
    the character comes apart, '' where nothing is.  `bending`: what to look at where a trunk of one control is wrong.
    """

    pose: Posed
    judge: Callable[[np.ndarray], str]
    bending: "Bending | None" = None


@dataclass(frozen=True)
class Bending:
    """Poses in which a trunk bends, what the evaluated matrices tell of it, if they do, and the tryout for a trunk that bends so."""

    pose: Posed
    seen: Callable[[np.ndarray], TrunkBend | None]
    tryout: Callable[[TrunkBend], Tryout]


# Skeleton (its `deform` says what carries the skin), the roles that controls are to pose, body -> what to try these with.
TryoutOf = Callable[[Skeleton, RoleMap, Body], Tryout]
