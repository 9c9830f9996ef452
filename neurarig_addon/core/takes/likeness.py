"""How close a take is to its clip: distances of joints, in millimetres on a person of 1.75 m."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from .played import Played

JOINTS = ("pelvis", "spine", "neck", "head", "thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")
ADULT_LEG = 0.845  # metres from hip to ankle of a person of 1.75 m


def joints_apart(body: Body, first: Mapping[str, Motion], second: Mapping[str, Motion]) -> dict[str, np.ndarray]:
    """Return the distances `(f,)` in mm, role -> distances, of the joints that both have, scaled to an adult's legs."""
    size = 1e3 * ADULT_LEG / body.leg_length
    shared = [role for role in first if role.partition(".")[0] in JOINTS and role in second]
    return {role: size * np.linalg.norm(first[role].position - second[role].position, axis=-1) for role in shared}


def off_the_clip(played: Played) -> dict[str, np.ndarray]:
    """Return the distances `(f,)` of a take's joints from its clip's, role -> distances, in mm on a person of 1.75 m."""
    return joints_apart(played.body, played.pose.motions, played.clip_seen())
