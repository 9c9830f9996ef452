"""The legs between pelvis and feet: how far they reach, which limits the pelvis, and the two bones in closed
form.

The reach guard: the pelvis is never so high that a leg holding it would have to stretch.
"""

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..easing import over
from ..geometry.limb import two_bones
from ..geometry.rotation import frame, normalized, norms, transposed
from ..skeleton.roles import SIDES, sided
from .feet import Feet

# Most extended leg: at 1 the knee's speed is infinite, and below 0.99 people look crouched.
LONGEST_REACH = 0.9975
MOST_REACH = 0.9988  # for an instant, between two moments at which it was looked what legs demand
# leg lengths: the guard's soft band, on level ground and where feet stand at uneven heights
SOFT_BAND, UNEVEN_BAND = 0.012, 0.06
RELEASED = 3.0  # leg lengths the pelvis may be above the reach of a leg that does not hold it
# share of a leg that feet may be from their hips seen from above; leg lengths of its soft band
MOST_ACROSS, ACROSS_BAND = 0.85, 0.1
DRAWN_BAND = 0.04  # leg lengths: soft band in which swinging feet are drawn towards hips too far away
POLE_DISTANCE = 0.6  # leg lengths in front of the knee


def lowered(
    height: np.ndarray,
    hips: np.ndarray,
    ankles: np.ndarray,
    body: Body,
    holds: np.ndarray | None = None,
    soft: np.ndarray | float = SOFT_BAND,
) -> np.ndarray:
    """Return how far the pelvis must come down `(frames,)` from a `height` `(frames,)` for the legs that hold
    it to reach.

    See `highest`; `soft` `(frames,)`: the soft band in leg lengths.
    """
    return height - _softest(height, highest(height, hips, ankles, body, holds, soft), soft * body.leg_length)


def highest(
    height: np.ndarray,
    hips: np.ndarray,
    ankles: np.ndarray,
    body: Body,
    holds: np.ndarray | None = None,
    soft: np.ndarray | float = SOFT_BAND,
    extension: np.ndarray | float = LONGEST_REACH,
) -> np.ndarray:
    """Return how high the pelvis can be `(frames,)` on the legs that hold it, stretched to an `extension` of
    their length, one or `(2,)`.

    `hips`, `ankles` `(frames, 2, 3)` in metres for a pelvis at `height` `(frames,)`; `holds` `(frames, 2)`:
    the legs' weights, 0..1, 1 by default.
    """
    longest = extension * (body.thigh_length + body.shin_length)
    across = np.sum((hips[..., :2] - ankles[..., :2]) ** 2, axis=-1)
    tallest = np.sqrt(np.maximum(longest**2 - across, (0.25 * longest) ** 2))
    found = ankles[..., 2] + tallest - (hips[..., 2] - height[:, None])
    if holds is not None:
        found = found + (1.0 - holds) * RELEASED * body.leg_length
    # Left and right first: the order must not matter, or the walk would lean to one side.
    return _softest(found[:, 0], found[:, 1], soft * body.leg_length)


def held_near(hips: np.ndarray, ankles: np.ndarray, body: Body) -> np.ndarray:
    """Return how far the pelvis moves, seen from above `(frames, 2)`, towards feet that would otherwise be
    out of reach.

    However low it comes, a leg is only so long.
    """
    away = ankles[..., :2] - hips[..., :2]
    far = norms(away)
    longest = body.thigh_length + body.shin_length
    too_far = over(far - MOST_ACROSS * longest, ACROSS_BAND * body.leg_length)
    return np.sum(away * (too_far / np.maximum(far, 1e-9))[..., None], axis=1)


def _softest(a: np.ndarray, b: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return a smooth minimum that never exceeds either (Quilez's polynomial)."""
    share = np.maximum(band - np.abs(a - b), 0.0) / band
    return np.minimum(a, b) - 0.25 * band * share * share


def drawn(hips: np.ndarray, ankles: np.ndarray, body: Body, holds: np.ndarray) -> np.ndarray:
    """Return ankles `(frames, 2, 3)` within the legs' reach of the hips: swinging feet are drawn after them,
    softly.

    `holds` `(frames, 2)`: see `lowered`; a foot that holds the pelvis fully stays in place as far as its leg
    reaches.
    """
    longest = MOST_REACH * (body.thigh_length + body.shin_length)
    line = ankles - hips
    distance = norms(line)
    band = DRAWN_BAND * body.leg_length * (1.0 - holds)
    near = np.where(
        band > 0.0,
        _softest(distance, np.broadcast_to(longest, distance.shape), np.maximum(band, 1e-9)),
        np.minimum(distance, longest),
    )
    return hips + line * (near / np.maximum(distance, 1e-9))[..., None]


def knee_pole(body: Body, row: int, knee: np.ndarray, forward: np.ndarray) -> Motion:
    """Return the pole of a side's knee `(f, 3)` that bends towards unit `forward` `(f, 3)`."""
    away = POLE_DISTANCE * body.leg_length
    return Motion(
        np.broadcast_to(np.eye(3), (len(knee), 3, 3)),
        knee + away * forward,
        body.knee[row] + [away, 0.0, 0.0],
    )


def leg_motions(
    body: Body, hips: np.ndarray, feet: Feet, forward: np.ndarray, flat: np.ndarray
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
    found = {}
    for row, side in enumerate(SIDES):
        foot = Motion(feet.turn[:, row] @ flat[0, row], ankles[:, row], body.ankle[row])
        found[sided("thigh", side)] = Motion(thighs[:, row], hips[:, row], body.hip[row])
        found[sided("shin", side)] = Motion(shins[:, row], knees[:, row], body.knee[row])
        found[sided("foot", side)] = foot
        found[sided("knee", side)] = knee_pole(body, row, knees[:, row], ahead[:, row])
        if np.isfinite(body.toe_joint[row]).all():
            found[sided("toe", side)] = Motion(
                feet.toe[:, row] @ flat[1, row], foot.carry(body.toe_joint[row]), body.toe_joint[row]
            )
    return found
