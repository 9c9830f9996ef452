"""What facing away from the direction of travel does to the body.

Legs turn towards the direction of travel, pelvis and chest less.  In a turn the head leads, then the chest.
"""

from dataclasses import replace

import numpy as np

from ...easing import smoothstep
from ..kinds.any_way import shares_of
from ..moments import Moments
from ..sliders.manner import BodyManner, Posture
from ..steps.footsteps import BOTH
from ..walker import Walker
from ..way.facing import Facing, legs_turned, way_of_legs

PELVIS_SHARE, CHEST_SHARE = 0.7, 0.2  # shares of the legs' turn
# Cycles by which chest and head lead in a turn, and the largest lead.
CHEST_SOONER, HEAD_SOONER, MOST_SOONER = 0.1, 0.35, np.radians(45.0)
BACK_LEANS = np.radians(3.0)  # forward, when walking backward
SURGE = 0.07  # strides: a sidestep starts and stops with each step, the body over the standing foot
# In sidesteps, slow and hurried: leg lengths the pelvis is lower, the reach guard's soft band, and the dimensionless speeds of both.
SINKS, SIDE_BANDS, HURRIES = (0.0, 0.045), (0.09, 0.16), (0.2, 0.35)
TURN_SINKS, TURN_BAND = 0.025, 0.31  # leg lengths the pelvis is lower in a turn, and the reach guard's soft band, at most


def turned_body(walker: Walker, facing: Facing, at: Moments, wish: BodyManner) -> BodyManner:
    """Return the manner with what is added at moments at which a walker faces away from the direction of travel."""
    phase, duty = walker.rhythm.phase_at(at.seconds), walker.gait.law.duty(at.slow[:, None], BOTH)
    now = facing.at(phase)
    legs, (_, back, aside) = legs_turned(now), shares_of(way_of_legs(now))
    chest, head = (_within(facing.at(phase + sooner) - now) for sooner in (CHEST_SOONER, HEAD_SOONER))
    over = np.cos(2.0 * np.pi * (at.phase - 0.5 * duty)) @ (0.5 * np.array([1.0, -1.0]))
    turning = facing.turning(phase)
    added = Posture.of(
        len(at.frames),
        pelvis_yaw=PELVIS_SHARE * legs,
        chest_yaw=CHEST_SHARE * legs + chest,
        head_yaw=head,
        aside=SURGE * (1.0 - turning) * aside * walker.rhythm.stride_at(at.seconds) * over,
    )
    hurry = smoothstep((at.vhat - HURRIES[0]) / (HURRIES[1] - HURRIES[0]))
    sinks, band = (slow + hurry * (fast - slow) for slow, fast in (SINKS, SIDE_BANDS))
    soft = np.maximum(band * np.sqrt(aside), TURN_BAND * turning)
    return replace(
        wish,
        posture=_leaning(wish.posture, now) + added,
        lean=wish.lean + BACK_LEANS * back,
        crouch=wish.crouch + np.maximum(sinks * aside, TURN_SINKS * turning),
        guard=np.maximum(wish.guard, soft),
    )


def _leaning(bent: Posture, facing: np.ndarray) -> Posture:
    """Return the posture of a bend for a body turned off the path: the lean keeps its direction in space."""
    cos, sin = np.cos(facing), np.sin(facing)
    return replace(
        bent,
        pelvis_roll=cos * bent.pelvis_roll,
        chest_roll=cos * bent.chest_roll,
        chest_pitch=bent.chest_pitch - sin * bent.chest_roll,
        aside=cos * bent.aside,
        ahead=bent.ahead + sin * bent.aside,
    )


def _within(angle: np.ndarray) -> np.ndarray:
    return MOST_SOONER * np.tanh(angle / MOST_SOONER)
