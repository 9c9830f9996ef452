"""The legs between pelvis and feet: how far they reach, to which side knees bend, and the two bones in closed
form."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Girdle
from ..character.character import Character
from ..character.motion import Motion
from ..easing import lesser
from ..geometry.limb import two_bones
from ..geometry.rotation import frame, normalized, norms, transposed
from ..skeleton.roles import SIDES, sided
from .feet import Feet
from .limb import pole_direction

# Most extended leg: at 1 the knee's speed is infinite, and below 0.99 people look crouched.
LONGEST_REACH = 0.9975
# For an instant, between two moments at which it was looked what legs demand; past 0.999 the report calls a
# leg stretched.
MOST_REACH = 0.9988
MOST_FOLDED = 1.001  # of how much longer one bone is than the other
# leg lengths from a knee to its pole; of limbs on toes, which are in each other's way
POLE_DISTANCE, POLE_NEAR = 0.6, 0.3
# leg lengths from the end of a leg's reach at which feet that are drawn into it begin to come nearer: not
# where a pelvis lets its legs stand
NARROW_BAND = MOST_REACH - LONGEST_REACH


def hips_of(body: Girdle, pelvis: Motion) -> np.ndarray:
    """Return the hip joints `(f, 2, 3)` as the pelvis carries them."""
    return np.stack([pelvis.carry(hip) for hip in body.hip], axis=1)


def within_reach(
    body: Girdle, hips: np.ndarray, ankles: np.ndarray, band: np.ndarray | float = NARROW_BAND
) -> np.ndarray:
    """Return ankles `(f, 2, 3)` no farther from the hips than legs are long, nor nearer than they are folded;
    within a `band` of leg lengths, one or `(f, 2)`, they come nearer softly."""
    longest = MOST_REACH * (body.thigh_length + body.shin_length)
    line = ankles - hips
    distance = norms(line)
    near = lesser(distance, longest, np.maximum(band * body.leg_length, 1e-9))
    near = np.maximum(near, MOST_FOLDED * np.abs(body.thigh_length - body.shin_length))
    return hips + line * (near / np.maximum(distance, 1e-9))[..., None]


def beyond_reach(body: Girdle, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return which ankles `(f, 2)` of `(f, 2, 3)` legs cannot reach from hips `(f, 2, 3)`."""
    return norms(ankles - hips) > MOST_REACH * (body.thigh_length + body.shin_length)


def ahead(character: Character, motions: Mapping[str, Motion], role: str) -> np.ndarray:
    """Return the direction `(f, 3)` of the side of a bone that faces forward in the reference pose: knees do,
    elbows face back."""
    return (motions[role].rotation @ character.reference[role].T)[..., 0]


def knee_directions(character: Character, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return each knee's direction `(f, 2, 3)`: that of the bend and, for a straight leg, of thigh and
    shin."""
    body = character.body
    directions = []
    for row, side in enumerate(SIDES):
        thigh = motions[sided("thigh", side)]
        shin = motions.get(sided("shin", side), thigh)
        straight = ahead(character, motions, sided("thigh", side))
        if sided("shin", side) in motions:
            straight = straight + ahead(character, motions, sided("shin", side))
        hip, knee, ankle = (
            thigh.carry(body.hip[row]),
            thigh.carry(body.knee[row]),
            shin.carry(body.ankle[row]),
        )
        directions.append(pole_direction(hip, knee, ankle, body.bends * straight, body.leg_length))
    return np.stack(directions, axis=1)


def pole_distance(body: Girdle) -> float:
    """Return the metres from a knee to its pole."""
    return (POLE_NEAR if body.on_toes else POLE_DISTANCE) * body.leg_length


def knee_pole(body: Girdle, row: int, knee: np.ndarray, forward: np.ndarray) -> Motion:
    """Return the pole of a side's knee `(f, 3)` that bends towards unit `forward` `(f, 3)`."""
    away = pole_distance(body)
    return Motion(
        np.broadcast_to(np.eye(3), (len(knee), 3, 3)),
        knee + away * forward,
        body.knee[row] + [body.bends * away, 0.0, 0.0],
    )


def leg_motions(
    body: Girdle, hips: np.ndarray, feet: Feet, forward: np.ndarray, flat: np.ndarray
) -> dict[str, Motion]:
    """Return thigh, shin, foot, toe and knee pole of both sides for hips `(f, 2, 3)`, feet, and knees towards
    `forward` `(f, 2, 3)`.

    `flat` `(2 parts, 2, 3, 3)`: rotations from rest of foot and toes that stand flat and point ahead. Toes
    that the body lacks
    are left out.
    """
    ankles = feet.ankle
    line = ankles - hips
    axes = frame(line, forward)
    ahead = axes[..., :, 1]
    if body.one_bone_legs:
        knees = hips + 0.5 * line
    else:
        knees, _ = two_bones(hips, ankles, ahead, body.thigh_length, body.shin_length, -axes[..., :, 2])
    thighs = frame(knees - hips, ahead) @ transposed(body.thigh_frame)
    shins = frame(ankles - knees, ahead) @ transposed(body.shin_frame)
    ahead = normalized(ahead)
    motions = {}
    for row, side in enumerate(SIDES):
        foot = Motion(feet.turn[:, row] @ flat[0, row], ankles[:, row], body.ankle[row])
        motions[sided("thigh", side)] = Motion(thighs[:, row], hips[:, row], body.hip[row])
        motions[sided("shin", side)] = Motion(shins[:, row], knees[:, row], body.knee[row])
        motions[sided("foot", side)] = foot
        motions[sided("knee", side)] = knee_pole(body, row, knees[:, row], ahead[:, row])
        if np.isfinite(body.toe_joint[row]).all():
            motions[sided("toe", side)] = Motion(
                feet.toe[:, row] @ flat[1, row], foot.carry(body.toe_joint[row]), body.toe_joint[row]
            )
    return motions


def rig_legs(character: Character, hips: np.ndarray, feet: Feet, forward: np.ndarray) -> dict[str, Motion]:
    """Return thigh, shin, foot, toe and knee pole of both sides (see `leg_motions`), as far as the rig has
    them."""
    reference = [
        [character.reference.get(sided(part, side), np.eye(3)) for side in SIDES] for part in ("foot", "toe")
    ]
    motions = leg_motions(character.body, hips, feet, forward, np.array(reference))
    # Without a foot bone the foot is still the place of an IK control.
    kept = {sided(part, side) for part in ("foot", "knee") for side in SIDES}
    return {role: motion for role, motion in motions.items() if role in kept or character.roles.has(role)}
