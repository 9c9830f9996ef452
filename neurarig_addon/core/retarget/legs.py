"""The legs between pelvis and feet: knees where the source has them."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion
from ..ground import legs as ground_legs
from ..ground.feet import Feet
from ..ground.legs import LONGEST_REACH
from ..skeleton.roles import SIDES, sided
from .joints import STRAIGHTEST, ahead, pole_direction


def hips_of(body: Body, pelvis: Motion) -> np.ndarray:
    """Return the hip joints `(f, 2, 3)` as the pelvis carries them."""
    return np.stack([pelvis.carry(hip) for hip in body.hip], axis=1)


def within_reach(body: Body, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return ankles `(f, 2, 3)` no farther from the hips than the leg is long: a swinging foot comes nearer."""
    line = ankles - hips
    distance = np.linalg.norm(line, axis=-1)
    leg = body.thigh_length + body.shin_length
    begin, end = LONGEST_REACH * leg, STRAIGHTEST * leg
    over = np.maximum(distance - begin, 0.0)
    shortened = np.where(over > 0.0, begin + over / (1.0 + over / (end - begin)), distance)
    return hips + line * (shortened / np.maximum(distance, 1e-9))[..., None]


def knee_directions(character: Character, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return each knee's direction `(f, 2, 3)`: that of the bend and, for a straight leg, of thigh and shin."""
    body = character.body
    found = []
    for row, side in enumerate(SIDES):
        thigh = motions[sided("thigh", side)]
        shin = motions.get(sided("shin", side), thigh)
        straight = ahead(character, motions, sided("thigh", side))
        if sided("shin", side) in motions:
            straight = straight + ahead(character, motions, sided("shin", side))
        hip, knee, ankle = thigh.carry(body.hip[row]), thigh.carry(body.knee[row]), shin.carry(body.ankle[row])
        found.append(pole_direction(hip, knee, ankle, straight, body.leg_length))
    return np.stack(found, axis=1)


def leg_motions(character: Character, hips: np.ndarray, feet: Feet, forward: np.ndarray) -> dict[str, Motion]:
    """Return thigh, shin, foot, toe and knee pole of both sides (see `ground.legs`), as far as the rig has them."""
    reference = [[character.reference.get(sided(part, side), np.eye(3)) for side in SIDES] for part in ("foot", "toe")]
    found = ground_legs.leg_motions(character.body, hips, feet, forward, np.array(reference))
    # Without a foot bone the foot is still the place of an IK control.
    kept = {sided(part, side) for part in ("foot", "knee") for side in SIDES}
    return {role: motion for role, motion in found.items() if role in kept or character.roles.has(role)}
