"""What facing another way than it goes asks of the body.

Legs are turned towards the way, pelvis and chest less.  In a turn the head goes first, then the chest.
"""

from dataclasses import replace

import numpy as np

from ...easing import smoothstep
from ..kinds.any_way import shares_of
from ..moments import Moments
from ..sliders.manner import BodyManner, Posture
from ..steps.facing import Facing, legs_turned, way_of_legs
from ..steps.footsteps import BOTH
from ..walker import Walker

PELVIS_SHARE, CHEST_SHARE = 0.7, 0.2  # of how far legs are turned
# Cycles for which the chest and the head are ahead in a turn, and how far at most.
CHEST_SOONER, HEAD_SOONER, MOST_SOONER = 0.1, 0.35, np.radians(45.0)
BACK_LEANS = np.radians(3.0)  # forward, of who goes back
SURGE = 0.07  # strides: who goes sideways starts and stops with each step, and is over the foot that stands
# Leg lengths that who goes sideways is lower, and how softly legs hold the pelvis then, as slow as people do it and faster; vhat.
SINKS, SIDE_BANDS, HURRIES = (0.0, 0.045), (0.09, 0.16), (0.2, 0.35)
# Who turns is half as low and half as soft as he ever is where it is so much in a cycle.
HALF_TURNED, TURN_SINKS, TURN_BAND = np.radians(30.0), 0.025, 0.25


def turned_body(walker: Walker, facing: Facing, at: Moments, wish: BodyManner) -> BodyManner:
    """Return a manner with what is added at some moments where a walker faces another way than it goes."""
    phase, duty = walker.rhythm.phase_at(at.seconds), walker.gait.law.duty(at.slow[:, None], BOTH)
    now = facing.at(phase)
    legs, (_, back, aside) = legs_turned(now), shares_of(way_of_legs(now))
    chest, head = (_within(facing.at(phase + sooner) - now) for sooner in (CHEST_SOONER, HEAD_SOONER))
    over = np.cos(2.0 * np.pi * (at.phase - 0.5 * duty)) @ (0.5 * np.array([1.0, -1.0]))
    added = Posture.of(
        len(at.frames),
        pelvis_yaw=PELVIS_SHARE * legs,
        chest_yaw=CHEST_SHARE * legs + chest,
        head_yaw=head,
        aside=SURGE * aside * walker.rhythm.stride_at(at.seconds) * over,
    )
    turning = ((facing.at(phase + 0.5) - facing.at(phase - 0.5)) / HALF_TURNED) ** 2
    turning = turning / (1.0 + turning)
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
    """Return what a bend of the path asks of a body that is turned off it: to lean the same way in space."""
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
