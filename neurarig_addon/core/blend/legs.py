"""Legs that bring feet where they are wanted, by as little a change of the leg as that takes: none where the
foot is there already."""

from collections.abc import Mapping

import numpy as np

from ..body import limb
from ..body.legs import knee_pole
from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import between, normalized, norms
from ..skeleton.roles import LEG_JOINTS, SIDES, sided

LONGEST = 0.9995  # share of a leg's length to which it may stretch while it blends
# leg lengths off the line from hip to ankle below which the bones' own front helps find the knee's side
_STRAIGHT = 1e-3


def reached(body: Body, motions: Mapping[str, Motion], ankles: np.ndarray) -> dict[str, Motion]:
    """Return thigh and shin of both sides, swung and bent so that they end at ankles `(f, 2, 3)`."""
    found = {}
    for row, side in enumerate(SIDES):
        leg = [sided(part, side) for part in LEG_JOINTS]
        hip, ankle = motions[leg[0]].position, motions[leg[2]].position
        swing = between(ankle - hip, ankles[:, row] - hip)
        swung = {role: motions[role].turned(swing, hip) for role in leg}
        bones = limb.reached(*swung.values(), goal=ankles[:, row], pole=knee_side(body, swung, row))
        found |= dict(zip(leg[:2], bones[:2], strict=True))
    return found


def knee_side(body: Body, motions: Mapping[str, Motion], row: int) -> np.ndarray:
    """Return the direction `(f, 3)`, across the line from hip to ankle, to which a knee bends."""
    thigh, shin, foot = (motions[sided(part, SIDES[row])] for part in LEG_JOINTS)
    front = (thigh.rotation @ body.thigh_frame[row] + shin.rotation @ body.shin_frame[row])[..., 1]
    return normalized(
        limb.pole_direction(thigh.position, shin.position, foot.position, front, body.leg_length, _STRAIGHT)
    )


def poles(body: Body, motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return the knees' poles."""
    return {
        sided("knee", side): knee_pole(
            body, row, motions[sided("shin", side)].position, knee_side(body, motions, row)
        )
        for row, side in enumerate(SIDES)
    }


def too_long(body: Body, motions: Mapping[str, Motion], ankles: np.ndarray) -> np.ndarray:
    """Return how far the pelvis has to come down `(f,)` for both legs to reach ankles `(f, 2, 3)`."""
    needed = np.zeros(len(ankles))
    for row, side in enumerate(SIDES):
        thigh, shin, foot = (motions[sided(part, side)] for part in LEG_JOINTS)
        longest = LONGEST * (norms(shin.position - thigh.position) + norms(foot.position - shin.position))
        line = thigh.position - ankles[:, row]
        level = np.sqrt(np.maximum(longest**2 - np.sum(line[:, :2] ** 2, axis=-1), 0.0))
        needed = np.maximum(needed, line[:, 2] - level)
    return needed
