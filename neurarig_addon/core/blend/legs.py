"""Legs that bring feet where they are wanted, by as little a change of the leg as that takes: none where the
foot is there already."""

from collections.abc import Mapping

import numpy as np

from ..body.legs import knee_pole
from ..body.limb import STRAIGHT, brought, pole_direction
from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import normalized
from ..skeleton.roles import LEG_JOINTS, SIDES, sided

LONGEST = 0.9995  # share of a leg's length to which it may stretch while it blends


def reached(body: Body, motions: Mapping[str, Motion], ankles: np.ndarray) -> dict[str, Motion]:
    """Return thigh and shin of both sides, swung and bent so that they end at ankles `(f, 2, 3)`."""
    bones = {}
    for row, side in enumerate(SIDES):
        roles = [sided(part, side) for part in LEG_JOINTS]
        thigh, shin, foot = (motions[role] for role in roles)
        front = _front(body, thigh, shin, row)
        leg = brought((thigh, shin, foot), ankles[:, row], front)
        bones |= dict(zip(roles[:2], leg[:2], strict=True))
    return bones


def poles(body: Body, motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return the knees' poles."""
    poles_by_role = {}
    for row, side in enumerate(SIDES):
        thigh, shin, foot = (motions[sided(part, side)] for part in LEG_JOINTS)
        hip, knee, ankle = (bone.position for bone in (thigh, shin, foot))
        front = _front(body, thigh, shin, row)
        bends = normalized(pole_direction(hip, knee, ankle, front, body.leg_length, STRAIGHT))
        poles_by_role[sided("knee", side)] = knee_pole(body, row, knee, bends)
    return poles_by_role


def _front(body: Body, thigh: Motion, shin: Motion, row: int) -> np.ndarray:
    """Return the direction `(f, 3)` in which the bones of a leg face."""
    return (thigh.rotation @ body.thigh_frame[row] + shin.rotation @ body.shin_frame[row])[..., 1]
