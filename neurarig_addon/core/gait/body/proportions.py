"""What other proportions than an adult's do to a walk.

All curves are an adult's.  On a longer foot the same pitch lifts the ankle higher, and the knees would come up to the chest; on a shorter
one it lifts it less, and the leg behind would be stiff.
"""

from dataclasses import dataclass

import numpy as np

from ...character.body import Body
from ...easing import smoothstep
from ...ground.sole import Sole

# An adult's foot in leg lengths (0.845 m, see core/human/adult): x to the toes and z up, from the point under the ankle.
ADULT_ANKLE, ADULT_HEEL, ADULT_BALL = np.array([[0.0, 0.08], [-0.06, 0.0], [0.125, 0.025]]) / 0.845
ADULT_LEVER = float(np.linalg.norm(ADULT_BALL - ADULT_ANKLE))
LONG_LEVER = 1.25  # x an adult's ankle to ball: up to here a foot pitches as people's do
STRIKE_POWER = 0.4  # toes up, less of the pitch is taken away than heel up: a long foot still lands on its heel
LEVEL = np.radians(10.0)  # within this pitch the one goes over to the other
# Pitch of the foot and lean of the leg at heel strike and toe-off of a natural walk.
STRIKE, LEAVE = np.radians([-20.0, 23.0]), np.radians([65.0, -27.0])
SETTLED_SHARE = 0.7  # of what both legs lack; the reach guard takes the rest as bob
HALF_SETTLED_VHAT = 0.1  # nobody who stands is lowered
LONG_ARM = 0.8  # of the leg (an adult's: 0.66): longer arms swing through a smaller angle, so that the hands go no farther than the feet

# Hanging wrists are this far outside the hip joints, in leg lengths (an adult's: 0.16), as far as arms are held out for that; arms hang
# beside the hips where their shoulders are no farther before or behind these.
WRIST_OFF_HIP, WIDEST_HANG, BESIDE = 0.13, np.radians(25.0), 0.3
LOWEST_WRIST = 0.22  # of the shoulder's height: arms that would hang lower are carried bent


@dataclass(frozen=True)
class FootBuild:
    """What other feet than an adult's do to steps.

    `roll` `(2,)`: how far they pitch, as a share of what an adult's do.  `lacking`: see `lacking_reach`.
    `lever` `(2, 2)`: how much farther ahead and up than an adult's the ankle is of the ball, in metres.
    """

    roll: np.ndarray
    lacking: float
    lever: np.ndarray

    def let_go(self, pitch: np.ndarray) -> np.ndarray:
        """Return how much farther ahead and up than an adult's an ankle is `(..., 2, 2)`, in metres, on a ball over which feet pitch."""
        heel_up = np.maximum(pitch, 0.0)
        cos, sin, ahead, up = np.cos(heel_up) - 1.0, np.sin(heel_up), self.lever[:, 0], self.lever[:, 1]
        return np.stack([cos * ahead + sin * up, cos * up - sin * ahead], axis=-1)


def foot_build(body: Body, sole: Sole) -> FootBuild:
    """Return how a body's feet are built."""
    side_on = (points[:, [0, 2]] / body.leg_length for points in (sole.ankle, sole.heel, sole.joint))
    lever = np.linalg.norm((sole.joint - sole.ankle)[:, [0, 2]], axis=-1)
    other = (sole.ankle - sole.joint)[:, [0, 2]] - (ADULT_ANKLE - ADULT_BALL) * body.leg_length
    return FootBuild(roll_share(lever, body.leg_length), lacking_reach(*side_on), other)


def roll_share(lever: np.ndarray, leg_length: float) -> np.ndarray:
    """Return how far feet pitch, as a share of what an adult's do, for metres `(2,)` from the ankle to where they roll over."""
    return 1.0 / np.maximum(lever / (LONG_LEVER * ADULT_LEVER * leg_length), 1.0)


def suited_pitch(pitch: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return an adult's foot pitch `(...)` for feet that roll a `share` `(...)` as far."""
    strike = share**STRIKE_POWER
    heel_up = np.clip(0.5 + 0.5 * pitch / LEVEL, 0.0, 1.0)
    return pitch * (strike + (share - strike) * smoothstep(heel_up))


def lacking_reach(ankle: np.ndarray, heel: np.ndarray, ball: np.ndarray) -> float:
    """Return how much farther than an adult's both legs must reach, in leg lengths, on feet with points `(2, 2)`: x and z in leg lengths.

    What a leg lacks at heel strike and at toe-off is how far its ankle, turned about heel or ball, falls short of an adult's.
    """
    lacking = 0.0
    for (pitch, lean), pivot, adult_pivot in ((STRIKE, heel, ADULT_HEEL), (LEAVE, ball, ADULT_BALL)):
        moved = np.array([[np.cos(pitch), np.sin(pitch)], [-np.sin(pitch), np.cos(pitch)]]) - np.eye(2)
        short = ((ADULT_ANKLE - adult_pivot) - (ankle - pivot)) @ moved.T @ np.array([-np.sin(lean), np.cos(lean)])
        lacking += float(np.maximum(short, 0.0).mean())
    return lacking


def settled(lacking: float, vhat: np.ndarray) -> np.ndarray:
    """Return how much lower the pelvis walks, in leg lengths, where legs lack reach, at dimensionless speeds `(...)`."""
    return SETTLED_SHARE * lacking * vhat / (vhat + HALF_SETTLED_VHAT)


def arm_swing_share(body: Body) -> float:
    """Return how far arms swing, as a share of what an adult's do; 1 for a body without arms."""
    arm = np.linalg.norm(body.elbow - body.shoulder, axis=-1) + np.linalg.norm(body.wrist - body.elbow, axis=-1)
    ratio = float(arm.mean()) / (LONG_ARM * body.leg_length)
    return 1.0 / ratio if ratio > 1.0 else 1.0


def hang_off_the_hips(body: Body) -> float:
    """Return how far out hanging arms are held in radians so that the hands pass the thighs; 0 where they do anyway."""
    arm = np.linalg.norm(body.elbow - body.shoulder, axis=-1) + np.linalg.norm(body.wrist - body.elbow, axis=-1)
    ahead, inside = np.abs(body.shoulder - body.hip).mean(axis=0)[0], (np.abs(body.hip) - np.abs(body.shoulder)).mean(axis=0)[1]
    if ahead > BESIDE * body.leg_length:
        return 0.0
    return float(np.clip(np.arcsin(np.clip((inside + WRIST_OFF_HIP * body.leg_length) / arm.mean(), 0.0, 1.0)), 0.0, WIDEST_HANG))


def elbow_off_the_ground(body: Body) -> float:
    """Return the bend of the elbows in radians with which the hands of hanging arms stay off the ground; 0 for arms that do anyway."""
    upper = float(np.linalg.norm(body.elbow - body.shoulder, axis=-1).mean())
    fore = float(np.linalg.norm(body.wrist - body.elbow, axis=-1).mean())
    longest = (1.0 - LOWEST_WRIST) * float(body.shoulder[:, 2].mean())
    if longest >= upper + fore:
        return 0.0
    return float(np.pi - np.arccos(np.clip((upper**2 + fore**2 - longest**2) / (2.0 * upper * fore), -1.0, 1.0)))
