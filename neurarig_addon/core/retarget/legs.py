"""The legs between pelvis and feet: knees where the source has them."""

from collections.abc import Mapping

import numpy as np

from ..body import Body
from ..character import Character
from ..gait.reach import LONGEST_REACH, Legs, bend_legs
from ..motion import Motion
from ..roles import SIDES, sided
from .feet import Feet
from .joints import STRAIGHTEST, ahead, pole_direction

POLE_DISTANCE = 0.6  # leg lengths in front of the knee, as in a generated walk


def hips_of(body: Body, pelvis: Motion) -> np.ndarray:
    """Return the hip joints `(f, 2, 3)` as the pelvis carries them."""
    return np.stack([pelvis.carry(hip) for hip in body.hip], axis=1)


def within_reach(body: Body, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return ankles `(f, 2, 3)` no farther from the hips than the leg is long: a foot in the air comes nearer."""
    line = ankles - hips
    distance = np.linalg.norm(line, axis=-1)
    leg = body.thigh_length + body.shin_length
    begin, end = LONGEST_REACH * leg, STRAIGHTEST * leg
    over = np.maximum(distance - begin, 0.0)
    shortened = np.where(over > 0.0, begin + over / (1.0 + over / (end - begin)), distance)
    return hips + line * (shortened / np.maximum(distance, 1e-9))[..., None]


def knee_directions(character: Character, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return where each knee points `(f, 2, 3)`: as it is bent, and where it is straight as thigh and shin are turned."""
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
    """Return thigh, shin, foot, toe and knee pole of both sides for hips `(f, 2, 3)`, feet, and knees towards `forward` `(f, 2, 3)`."""
    body = character.body
    legs: Legs = bend_legs(body, hips, feet.ankle, forward)
    pole = legs.knee + POLE_DISTANCE * body.leg_length * legs.forward
    found = {}
    for row, side in enumerate(SIDES):
        rest_pole = body.knee[row] + [POLE_DISTANCE * body.leg_length, 0.0, 0.0]
        foot = Motion(_from_flat(character, feet.turn[:, row], sided("foot", side)), feet.ankle[:, row], body.ankle[row])
        parts = {
            "thigh": Motion(legs.thigh[:, row], hips[:, row], body.hip[row]),
            "shin": Motion(legs.shin[:, row], legs.knee[:, row], body.knee[row]),
            "foot": foot,
            "toe": Motion(
                _from_flat(character, feet.toe[:, row], sided("toe", side)), foot.carry(body.toe_joint[row]), body.toe_joint[row]
            ),
        }
        # A foot that the rig has no bone for is still where an IK control has to be.
        found |= {sided(part, side): motion for part, motion in parts.items() if part == "foot" or character.roles.has(sided(part, side))}
        found[sided("knee", side)] = Motion(np.broadcast_to(np.eye(3), legs.thigh[:, row].shape), pole[:, row], rest_pole)
    return found


def _from_flat(character: Character, turn: np.ndarray, role: str) -> np.ndarray:
    """Return turns away from standing flat and pointing ahead as rotations away from rest."""
    return turn @ character.reference.get(role, np.eye(3))
