"""Legs that bring feet where they are wanted, by as little a change of the leg as that takes: none where the foot is there already."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..geometry.limb import across, two_bones
from ..geometry.rotation import between, dot, normalized, norms, rotated
from ..ground.legs import POLE_DISTANCE
from ..skeleton.roles import LEG_JOINTS, SIDES, sided

LONGEST = 0.9995  # share of a leg's length to which it may stretch while it blends
_STRAIGHT = 1e-3  # leg lengths off the line from hip to ankle below which the bones' own front helps find the knee's side


def reached(body: Body, motions: Mapping[str, Motion], ankles: np.ndarray) -> dict[str, Motion]:
    """Return thigh and shin of both sides, swung and bent so that they end at ankles `(f, 2, 3)`."""
    found = {}
    for row, side in enumerate(SIDES):
        thigh, shin, foot = (motions[sided(part, side)] for part in LEG_JOINTS)
        hip, knee, ankle, goal = thigh.position, shin.position, foot.position, ankles[:, row]
        swing = between(ankle - hip, goal - hip)
        upper, lower = rotated(swing, knee - hip), rotated(swing, ankle - knee)
        side_of_knee = rotated(swing, knee_side(body, motions, row))
        bent, end = two_bones(hip, goal, side_of_knee, norms(knee - hip), norms(ankle - knee), upper + lower)
        there = (norms(goal - ankle) < 1e-9)[:, None]
        bent = np.where(there, knee, bent)
        turned = between(upper, bent - hip) @ swing
        turned_shin = between(lower, np.where(there, ankle, end) - bent) @ swing
        found[sided("thigh", side)] = Motion(turned @ thigh.rotation, hip, thigh.rest)
        found[sided("shin", side)] = Motion(turned_shin @ shin.rotation, bent, shin.rest)
    return found


def knee_side(body: Body, motions: Mapping[str, Motion], row: int) -> np.ndarray:
    """Return the direction `(f, 3)`, across the line from hip to ankle, to which a knee bends."""
    thigh, shin, foot = (motions[sided(part, SIDES[row])] for part in LEG_JOINTS)
    line = normalized(foot.position - thigh.position)
    aside = shin.position - thigh.position
    aside = aside - line * dot(aside, line)[..., None]
    lacking = np.maximum(_STRAIGHT * body.leg_length - norms(aside), 0.0)[:, None]
    front = (thigh.rotation @ body.thigh_frame[row] + shin.rotation @ body.shin_frame[row])[..., 1]
    return normalized(aside + lacking * across(front, line))


def poles(body: Body, motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return the knees' poles."""
    away = POLE_DISTANCE * body.leg_length
    found = {}
    for row, side in enumerate(SIDES):
        shin = motions[sided("shin", side)]
        place = shin.position + away * knee_side(body, motions, row)
        rest = body.knee[row] + np.array([away, 0.0, 0.0])
        found[sided("knee", side)] = Motion(np.broadcast_to(np.eye(3), (len(place), 3, 3)), place, rest)
    return found


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
