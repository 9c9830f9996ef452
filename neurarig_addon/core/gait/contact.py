"""The foot as a rocker: heel, flat, ball, toe tip.  The pivot never moves, whatever pitch it is given.

Pitch is about the foot's own left axis: negative has the toes up, positive the heel up.
"""

from dataclasses import dataclass

import numpy as np

from ..body import Body
from ..rotation import about_z
from .pose import BALL, FLAT, HEEL, TOE
from .proportions import lacking_reach, roll_share

# Pitch within this is flat: the change of pivot then happens at rest, so that the ankle has no jump in velocity.
FLAT_BAND = np.radians(2.0)
# The toes press flat until the heel is this much higher than they bend: the tip takes over only in the last moments.
TOE_PRESS = np.radians(6.0)


@dataclass(frozen=True)
class FootShape:
    """Pivots of both feet from the point under the ankle, in the foot's own heading: metres, `(2, 3)`, x to the toes.

    `ankle` stands above the origin.  `bends` `(2,)`: the foot has a toe joint; `ball` is then that joint, above the sole, so that the
    whole toe lies still while the heel rises.  Without one the foot rolls over its tip, else the tip would go through the ground.
    `roll` `(2,)`, `lacking`: how far it pitches, and by how much its steps are shorter, against an adult's (see `proportions`).
    """

    ankle: np.ndarray
    heel: np.ndarray
    ball: np.ndarray
    toe: np.ndarray
    bends: np.ndarray
    roll: np.ndarray
    lacking: float


def foot_shape(body: Body) -> FootShape:
    """Return the pivots of a body's feet."""
    turn = about_z(-body.foot_heading)
    under = body.ankle * np.array([1.0, 1.0, 0.0])

    def local(points: np.ndarray) -> np.ndarray:
        return np.einsum("sij,sj->si", turn, points - under)

    bends = np.asarray(np.isfinite(body.toe_joint).all(axis=-1))
    ankle, heel, toe = local(body.ankle), local(body.heel), local(body.toe)
    ball = np.where(bends[:, None], local(np.where(bends[:, None], body.toe_joint, body.toe)), toe)
    side_on = (points[:, [0, 2]] / body.leg_length for points in (ankle, heel, ball))
    lever = np.linalg.norm((ball - ankle)[:, [0, 2]], axis=-1)
    return FootShape(ankle, heel, ball, toe, bends, roll_share(lever, body.leg_length), lacking_reach(*side_on))


def flattened(pitch: np.ndarray) -> np.ndarray:
    """Return a pitch that is exactly 0 around flat, with a continuous slope (see FLAT_BAND)."""
    size = np.abs(pitch)
    bent = np.where(size < 3 * FLAT_BAND, np.maximum(size - FLAT_BAND, 0.0) ** 2 / (4 * FLAT_BAND), size - 2 * FLAT_BAND)
    return np.sign(pitch) * bent


def unflattened(pitch: np.ndarray) -> np.ndarray:
    """Return what `flattened` maps to a pitch (of several answers at 0, 0)."""
    size = np.abs(pitch)
    raw = np.where(size < FLAT_BAND, FLAT_BAND + np.sqrt(4 * FLAT_BAND * size), size + 2 * FLAT_BAND)
    return np.where(size > 0.0, np.sign(pitch) * raw, 0.0)


@dataclass(frozen=True)
class StancePose:
    """A foot on its print: ankle relative to the print `(..., 3)` in the foot's heading, foot and toe pitch `(...)`, active pivot."""

    ankle: np.ndarray
    pitch: np.ndarray
    toe_pitch: np.ndarray
    pivot: np.ndarray


def stance(shape: FootShape, side: np.ndarray, wanted_pitch: np.ndarray, wanted_bend: np.ndarray) -> StancePose:
    """Return the foot pose on the ground for a wanted pitch and toe bend in radians, `(...)` each; `side` `(...)` is 0 or 1.

    Toes up: the heel stays.  Heel up: the ball stays and the toes lie flat.  Toes pitched too: the tip stays.
    """
    pitch = flattened(wanted_pitch)
    toe_pitch = np.where(shape.bends[side] & (pitch > 0.0), flattened(np.maximum(wanted_pitch + wanted_bend - TOE_PRESS, 0.0)), 0.0)
    heel, ball, toe, ankle = shape.heel[side], shape.ball[side], shape.toe[side], shape.ankle[side]
    lifted_ball = toe + _turned(toe_pitch, ball - toe)
    about_ball = lifted_ball + _turned(pitch, ankle - ball)
    about_heel = heel + _turned(pitch, ankle - heel)
    over_tip = (toe_pitch > 0.0) | (~shape.bends[side] & (pitch > 0.0))
    pivot = np.where(pitch < 0.0, HEEL, np.where(over_tip, TOE, np.where(pitch > 0.0, BALL, FLAT)))
    rigid_toes = np.where(shape.bends[side] & (pitch >= 0.0), toe_pitch, pitch)
    return StancePose(np.where((pitch < 0.0)[..., None], about_heel, about_ball), pitch, rigid_toes, pivot)


def sole_heights(shape: FootShape, side: np.ndarray, ankle_z: np.ndarray, pitch: np.ndarray, toe_pitch: np.ndarray) -> np.ndarray:
    """Return the heights `(..., 3)` of heel, ball and toe tip above where each is when the foot stands flat."""
    heel, ball, toe, ankle = shape.heel[side], shape.ball[side], shape.toe[side], shape.ankle[side]
    ball_z = ankle_z + _turned(pitch, ball - ankle)[..., 2]
    tip = np.where(shape.bends[side][..., None], _turned(toe_pitch, toe - ball), _turned(pitch, toe - ball))
    heel_z = ankle_z + _turned(pitch, heel - ankle)[..., 2]
    return np.stack([heel_z - heel[..., 2], ball_z - ball[..., 2], ball_z + tip[..., 2] - toe[..., 2]], -1)


def _turned(pitch: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Return offsets `(..., 3)` turned by pitch about y, without building matrices."""
    cos, sin = np.cos(pitch), np.sin(pitch)
    x, z = offset[..., 0], offset[..., 2]
    turned = np.empty(np.broadcast_shapes(cos.shape, x.shape) + (3,))
    turned[..., 0], turned[..., 1], turned[..., 2] = cos * x + sin * z, offset[..., 1], cos * z - sin * x
    return turned
