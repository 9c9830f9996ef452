"""Which limb a bone belongs to, regardless of its name: keys are shared, and errors reduced, limb by limb."""

import numpy as np

from ..character.character import Character
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, SIDES, sided

TRUNK = "trunk"
LEGS = tuple(sided("leg", side) for side in SIDES)
MIDDLE = 0.05  # leg lengths: bones closer to the body's middle have no side


def limb_of_bones(character: Character) -> dict[str, str]:
    """Return each bone's limb, `leg.L`, `arm.R` ... or the trunk: that of the role's bone nearest to its head."""
    segments, limbs = [], []
    for role in character.roles.bones:
        row = character.row(role)
        if row is not None:
            segments.append((character.skeleton.heads[row], character.skeleton.tails[row]))
            limbs.append(limb_of_role(role))
    starts, ends = np.array(segments).swapaxes(0, 1)
    heads = character.skeleton.heads
    distance = _distances(heads, starts, ends)
    in_middle = np.abs(character.in_walk(heads)[:, 1]) < MIDDLE * character.body.leg_length
    sided_limbs = np.array([limb != TRUNK for limb in limbs])
    distance[np.ix_(in_middle, sided_limbs)] = np.inf
    nearest = distance.argmin(axis=1)
    return {name: limbs[nearest[row]] for row, name in enumerate(character.skeleton.names)}


def limb_of_role(role: str) -> str:
    """Return the limb of a role."""
    for limb, parts in (("leg", LEG_PARTS), ("arm", ARM_PARTS)):
        for side in SIDES:
            if role in [sided(part, side) for part in parts]:
                return sided(limb, side)
    return TRUNK


def _distances(points: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the distances `(p, s)` of points `(p, 3)` from segments `(s, 3)`."""
    along = ends - starts
    length = np.maximum(np.einsum("si,si->s", along, along), 1e-12)
    away = points[:, None] - starts
    share = np.clip(np.einsum("psi,si->ps", away, along) / length, 0.0, 1.0)
    return np.linalg.norm(away - share[..., None] * along, axis=-1)
