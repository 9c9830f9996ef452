"""Where the middle of a body's mass is, and how far inside what it stands on."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..skeleton.roles import LEG_JOINTS, SIDES, sided, spine_of

# shares of the body's mass of its parts (de Leva 1996, the mean of women and men)
HEAD, TRUNK = 0.068, 0.430
# Share of the body, and how far from the upper joint to the lower the centre is.
UPPER_ARM, FOREARM, THIGH, SHIN = (0.0263, 0.576), (0.0150, 0.457), (0.1447, 0.385), (0.0457, 0.443)
HAND, FOOT = 0.0059, 0.0133
TRUNK_AT = 0.43  # from the hips to the base of the neck
HEAD_ABOVE = 0.12  # leg lengths that the head's centre is above its joint


def middle_of(body: Body, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return the middle of the mass `(f, 3)` of a body in the axes of its motions; limbs that it lacks weigh
    nothing."""
    hips = 0.5 * (motions[sided("thigh", "L")].position + motions[sided("thigh", "R")].position)
    arms = [
        motions[role].position for role in (sided("upper_arm", side) for side in SIDES) if role in motions
    ]
    spine = [motions[role].position for role in spine_of(motions)]
    # a spine of one bone begins low
    top = motions["neck"].position if "neck" in motions else np.mean(arms or spine[-1:] or [hips], axis=0)
    parts = [(TRUNK, hips + TRUNK_AT * (top - hips))]
    if "head" in motions:
        head = motions["head"]
        parts.append((HEAD, head.position + HEAD_ABOVE * body.leg_length * head.rotation[:, :, 2]))
    for side in SIDES:
        thigh, shin, foot = (motions[sided(part, side)].position for part in LEG_JOINTS)
        parts += [_between(thigh, shin, THIGH), _between(shin, foot, SHIN), (FOOT, foot)]
        if sided("hand", side) in motions:
            upper, fore, hand = (
                motions[sided(part, side)].position for part in ("upper_arm", "forearm", "hand")
            )
            parts += [_between(upper, fore, UPPER_ARM), _between(fore, hand, FOREARM), (HAND, hand)]
    shares, places = np.array([share for share, _ in parts]), np.stack([place for _, place in parts])
    return np.einsum("s,sfi->fi", shares / shares.sum(), places)


def _between(upper: np.ndarray, lower: np.ndarray, segment: tuple[float, float]) -> tuple[float, np.ndarray]:
    share, way = segment
    return share, upper + way * (lower - upper)


WAYS = np.radians(np.arange(0.0, 360.0, 10.0))  # in which it is looked how far away an edge is


def margin(standing: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Return how far a middle `(f, 3)` is inside of what a body stands on, points `(f, n, 3)`, seen from
    above `(f,)`; less than 0 outside."""
    ways = np.stack([np.cos(WAYS), np.sin(WAYS)])
    return (((standing - middle[:, None])[..., :2] @ ways).max(axis=1)).min(axis=1)
