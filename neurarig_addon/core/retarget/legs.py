"""The legs between pelvis and feet: knees where the source has them, and a pelvis as high above its feet as
the source's, but never so high that a standing leg must stretch.
"""

from collections.abc import Mapping

import numpy as np

from ..body import legs as body_legs
from ..body.feet import Feet
from ..body.legs import LONGEST_REACH, lowered
from ..body.limb import pole_direction
from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion
from ..geometry.rotation import ON_GROUND, UP, normalized, norms
from ..skeleton.roles import SIDES, sided
from .spans import held_on, smoothed

STRAIGHTEST = 0.9988  # share of the limb's length; past 0.999 the report calls a leg stretched


def ahead(character: Character, motions: Mapping[str, Motion], role: str) -> np.ndarray:
    """Return the direction `(f, 3)` of the side of a bone that faces forward in the reference pose: knees do,
    elbows face back."""
    return (motions[role].rotation @ character.reference[role].T)[..., 0]


def hips_of(body: Body, pelvis: Motion) -> np.ndarray:
    """Return the hip joints `(f, 2, 3)` as the pelvis carries them."""
    return np.stack([pelvis.carry(hip) for hip in body.hip], axis=1)


def within_reach(body: Body, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return ankles `(f, 2, 3)` no farther from the hips than the leg is long: a swinging foot comes
    nearer."""
    line = ankles - hips
    distance = norms(line)
    leg = body.thigh_length + body.shin_length
    begin, end = LONGEST_REACH * leg, STRAIGHTEST * leg
    over = np.maximum(distance - begin, 0.0)
    shortened = np.where(over > 0.0, begin + over / (1.0 + over / (end - begin)), distance)
    return hips + line * (shortened / np.maximum(distance, 1e-9))[..., None]


def knee_directions(character: Character, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return each knee's direction `(f, 2, 3)`: that of the bend and, for a straight leg, of thigh and
    shin."""
    body = character.body
    found = []
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
        found.append(pole_direction(hip, knee, ankle, straight, body.leg_length))
    return np.stack(found, axis=1)


def leg_motions(character: Character, hips: np.ndarray, feet: Feet, forward: np.ndarray) -> dict[str, Motion]:
    """Return thigh, shin, foot, toe and knee pole of both sides (see `body.legs`), as far as the rig has
    them."""
    reference = [
        [character.reference.get(sided(part, side), np.eye(3)) for side in SIDES] for part in ("foot", "toe")
    ]
    found = body_legs.leg_motions(character.body, hips, feet, forward, np.array(reference))
    # Without a foot bone the foot is still the place of an IK control.
    kept = {sided(part, side) for part in ("foot", "knee") for side in SIDES}
    return {role: motion for role, motion in found.items() if role in kept or character.roles.has(role)}


_ON_TIPTOE = 0.01  # weight of a foot on its toes, against 1 for a flat one
_CARRIED_S = 0.15  # half width of smoothing of the footholds' effect on the pelvis
_GUARD_S, _NEARER_S = 0.12, 0.25  # half widths of the reach guard's window, down and over the ground
_LOWEST_HIPS = 0.5  # share of the leg: from lower hips a leg reaches sideways, and lowering does not help


def carried(lift: np.ndarray, tiptoe: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis rises `(f,)` with standing feet raised by `lift` `(f, 2)`.

    A foot on tiptoe (see `Footholds`) beside a flat one does not count: its height depends on its length.
    """
    borne = standing.any(axis=1)
    weight = standing * (_ON_TIPTOE + (1.0 - tiptoe) ** 4)
    mean = (lift * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    if not borne.any():
        return mean
    rows = np.arange(len(mean))
    return smoothed(np.interp(rows, rows[borne], mean[borne]), _CARRIED_S, fps)


def reaching(body: Body, pelvis: Motion, ankles: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis moves `(f, 3)` for standing legs `(f, 2)` to reach their ankles `(f, 2,
    3)`."""
    hips = hips_of(body, pelvis)
    way = nearer(hips, ankles, standing, body, fps)
    height = pelvis.position[:, 2] + way[:, 2]
    down = drop(height, hips + way[:, None], ankles, standing, body, fps)
    return way - down[:, None] * UP


def nearer(hips: np.ndarray, ankles: np.ndarray, standing: np.ndarray, body: Body, fps: float) -> np.ndarray:
    """Return how far the pelvis moves over the ground `(f, 3)` towards standing feet that are too far aside
    to be reached by lowering.

    `hips`, `ankles` `(f, 2, 3)`.  Only in a squat or a lunge; feet on opposite sides cancel.
    """
    longest = LONGEST_REACH * (body.thigh_length + body.shin_length)
    line = (ankles - hips) * ON_GROUND
    above = np.minimum(hips[..., 2] - ankles[..., 2], _LOWEST_HIPS * longest)
    across = norms(line)
    missing = np.where(
        standing, np.maximum(across - np.sqrt(np.maximum(longest**2 - above**2, 0.0)), 0.0), 0.0
    )
    return (normalized(line) * _spread(missing, _NEARER_S, fps)[..., None]).sum(axis=1)


def drop(
    height: np.ndarray, hips: np.ndarray, ankles: np.ndarray, standing: np.ndarray, body: Body, fps: float
) -> np.ndarray:
    """Return how far the pelvis comes down `(f,)` for standing legs `(f, 2)` to reach, spread over time so
    that it does not kick.

    `height` `(f,)`: of the pelvis; `hips`, `ankles` `(f, 2, 3)` for that height.
    """
    return _spread(lowered(height, hips, ankles, body, standing), _GUARD_S, fps)


def _spread(needed: np.ndarray, half_width_s: float, fps: float) -> np.ndarray:
    """Return values `(f, ...)` that are nowhere less than needed, and change smoothly."""
    reach = max(1, round(half_width_s * fps))
    highest = np.lib.stride_tricks.sliding_window_view(
        held_on(needed, reach, reach), 2 * reach + 1, axis=0
    ).max(axis=-1)
    return smoothed(highest, half_width_s, fps)


def beyond_reach(body: Body, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return which ankles `(f, 2)` of `(f, 2, 3)` legs cannot reach from hips `(f, 2, 3)`."""
    return norms(ankles - hips) > STRAIGHTEST * (body.thigh_length + body.shin_length)
