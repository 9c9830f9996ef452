"""The legs between pelvis and feet: two bones in closed form, what they carry, and the pole in front of the knee."""

from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..geometry.limb import two_bones
from ..geometry.rotation import frame, normalized, transposed
from ..skeleton.roles import SIDES, sided
from .feet import Feet

POLE_DISTANCE = 0.6  # leg lengths in front of the knee


@dataclass(frozen=True)
class Legs:
    """Both legs: knees `(frames, 2, 3)`, rotations of thigh and shin from rest `(frames, 2, 3, 3)`, the knees' direction."""

    knee: np.ndarray
    thigh: np.ndarray
    shin: np.ndarray
    forward: np.ndarray


def bend_legs(body: Body, hips: np.ndarray, ankles: np.ndarray, forward: np.ndarray) -> Legs:
    """Return the two-bone solution for hips and ankles `(frames, 2, 3)` with knees towards `forward` `(frames, 2, 3)`."""
    line = ankles - hips
    axes = frame(line, forward)
    if body.one_bone_legs:
        knee = hips + 0.5 * line
    else:
        knee, _ = two_bones(hips, ankles, axes[..., :, 1], body.thigh_length, body.shin_length, -axes[..., :, 2])
    return Legs(
        knee=knee,
        thigh=frame(knee - hips, axes[..., :, 1]) @ transposed(body.thigh_frame),
        shin=frame(ankles - knee, axes[..., :, 1]) @ transposed(body.shin_frame),
        forward=normalized(axes[..., :, 1]),
    )


def leg_motions(body: Body, hips: np.ndarray, feet: Feet, forward: np.ndarray, flat: np.ndarray) -> dict[str, Motion]:
    """Return thigh, shin, foot, toe and knee pole of both sides for hips `(f, 2, 3)`, feet, and knees towards `forward` `(f, 2, 3)`.

    `flat` `(2 parts, 2, 3, 3)`: rotations from rest of foot and toes that stand flat and point ahead.  Toes that the body lacks
    are left out.
    """
    legs = bend_legs(body, hips, feet.ankle, forward)
    away = np.array([POLE_DISTANCE * body.leg_length, 0.0, 0.0])
    pole = legs.knee + legs.forward * POLE_DISTANCE * body.leg_length
    found = {}
    for row, side in enumerate(SIDES):
        foot = Motion(feet.turn[:, row] @ flat[0, row], feet.ankle[:, row], body.ankle[row])
        found[sided("thigh", side)] = Motion(legs.thigh[:, row], hips[:, row], body.hip[row])
        found[sided("shin", side)] = Motion(legs.shin[:, row], legs.knee[:, row], body.knee[row])
        found[sided("foot", side)] = foot
        found[sided("knee", side)] = Motion(np.broadcast_to(np.eye(3), foot.rotation.shape), pole[:, row], body.knee[row] + away)
        if np.isfinite(body.toe_joint[row]).all():
            found[sided("toe", side)] = Motion(feet.toe[:, row] @ flat[1, row], foot.carry(body.toe_joint[row]), body.toe_joint[row])
    return found
