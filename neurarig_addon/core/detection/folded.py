"""Legs folded at rest, on a character that kneels or lifts one: found by name, and judged with the character standing."""

from itertools import pairwise

from ..skeleton.roles import LEG_PARTS, SIDES, RoleMap, sided
from ..skeleton.skeleton import Skeleton
from ..skeleton.solved_stand import solved
from ..skeleton.standing_pose import stands, stood
from .conventions import NameVotes
from .pairs import LimbPair


def unfolded(skeleton: Skeleton, names: NameVotes, legs: LimbPair) -> Skeleton | None:
    """Return the skeleton standing on its legs by name; None if they are those of the shape, are not usable, or it stands at rest.

    `legs`: those found by the shape of the rest pose.
    """
    chains = [[names.rows.get(sided(part, side), -1) for part in LEG_PARTS[:3]] for side in SIDES]
    is_named = "pelvis" in names.rows and min(row for chain in chains for row in chain) >= 0
    if not is_named or sorted(chains) == sorted(legs.rows.tolist()):
        return None
    if any(upper not in skeleton.ancestors(lower) for chain in chains for upper, lower in pairwise(chain)):
        return None
    roles = RoleMap({role: skeleton.names[row] for role, row in names.rows.items()})
    return None if stands(skeleton, roles) else stood(skeleton, roles, solved(skeleton, roles))
