"""What turning does to the body: in bends of the path, and facing away from the direction of travel.

In a bend it leans in, and looks and turns ahead. People turn the head first, then chest and pelvis (Grasso
1996, Courtine and Schieppati
2003), and lean so that gravity and the pull of the turn balance, the head upright. Amounts were measured on
figures of eight and turns
(`tests/core/test_curved_people.py`). Facing elsewhere, legs turn towards the direction of travel, pelvis and
chest less.
"""

from dataclasses import replace

import numpy as np

from ...body.pelvis import UNEVEN_BAND
from ...easing import smooth_between, within
from ..kinds.direction import ON_FOUR_LEGS, crossing, manner_of, shares_of
from ..kinds.natural import GRAVITY, SOLE_LEG_SHARE
from ..sliders.manner import BodyManner, Posture
from ..steps.foot_headings import PELVIS_AHEAD, heading_around
from ..steps.footsteps import BOTH
from ..steps.situation import Situation
from ..walker import Moments, Walker
from ..way.facing import legs_turned, way_of_legs

# How far ahead on the path the chest points, in leg lengths (hip to sole).
CHEST_AHEAD = 0.12
# The head averages the path ahead, up to this many leg lengths or this many seconds of an adult's walk; the
# near part counts most.
HEAD_AHEAD, HEAD_AHEAD_S = 1.2, 1.0
LOOKED_AT = (np.arange(6) + 0.5) / 6.0  # shares of the way looked at
ADULT_LEG = 0.92
MOST_HEAD_LEAD = np.radians(40.0)  # relative to the chest
# Radians turned in a step at which tightness is one half; how much lower the pelvis is in the tightest turns,
# in leg lengths.
HALF_TIGHT, TIGHT_SINKS = 0.25, 0.015
# Shares of the lean taken by the pelvis' shift over the feet, its roll and the chest's roll in a walk. A
# runner leans as a whole about
# the feet.  The mean over the whole body is the full lean, so legs lean farther than the trunk.
SHIFTS, PELVIS_ROLLS, CHEST_ROLLS = 1.35, 0.3, 0.75
MOST_LEAN, MOST_SHIFT = np.radians([45.0, 20.0])

# Facing elsewhere.
PELVIS_SHARE, CHEST_SHARE = 0.7, 0.2  # shares of the legs' turn
# Cycles by which chest and head lead in a turn, and the largest lead.
CHEST_SOONER, HEAD_SOONER, MOST_SOONER = 0.1, 0.35, np.radians(45.0)
BACK_LEANS = np.radians(3.0)  # forward, when walking backward
# On four legs, cycles by which withers and head lead in a turn, and radians that each end of the back turns
# to bend it towards sideways travel; the head looks there.
LEADS_ON_FOUR, BENDS, LOOKS_THERE = (0.25, 0.7), np.radians(6.0), np.radians(15.0)
CROSSED_TURNS = 0.16  # radians that the pelvis turns with legs that cross, and the chest against them
SURGE = 0.07  # strides: a sidestep starts and stops with each step, the body over the standing foot
# In sidesteps, slow and hurried: leg lengths the pelvis is lower, the reach guard's soft band, and the
# dimensionless speeds of both.
SINKS, SIDE_BANDS, HURRIES = (0.0, 0.045), (0.09, 0.16), (0.2, 0.35)
# leg lengths the pelvis is lower in a turn, and the reach guard's soft band, at most
TURN_SINKS, TURN_BAND = 0.025, 0.31


def bending(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what the path's bends add."""
    walker, at = here.walker, here.body
    if not walker.path.turns:
        return wish
    tight = _tightness(walker, at)
    guard = wish.guard + (UNEVEN_BAND - wish.guard) * tight
    crouch = wish.crouch + TIGHT_SINKS * tight + _banked(walker, at)
    return replace(wish, posture=wish.posture + _bent(walker, at), crouch=crouch, guard=guard)


def _bent(walker: Walker, at: Moments) -> Posture:
    """Return how the path's bends change the posture at the given moments."""
    leg = SOLE_LEG_SHARE * walker.body.leg_length
    here = walker.path.drawn.heading_at(at.distance)
    step, hips = 0.5 * walker.rhythm.stride_at(at.seconds), float(walker.body.hip[:, 2].mean())

    def ahead(metres: float) -> np.ndarray:
        return heading_around(walker, at.distance, metres, step) - here

    lean, runs = _lean(walker, at), walker.gait.law.running(at.slow)
    shift = np.tan(within(SHIFTS * lean, MOST_SHIFT))
    chest, pace = ahead(CHEST_AHEAD * leg), walker.rhythm.felt_pace_at(at.seconds)
    lead = (
        _looked_ahead(
            walker, at, np.minimum(HEAD_AHEAD * leg, HEAD_AHEAD_S * np.sqrt(leg / ADULT_LEG) * pace)
        )
        - here
        - chest
    )
    return Posture.of(
        len(at.frames),
        pelvis_yaw=ahead(PELVIS_AHEAD * leg),
        chest_yaw=chest,
        head_yaw=chest + within(lead, MOST_HEAD_LEAD),
        pelvis_roll=-(PELVIS_ROLLS + (1.0 - PELVIS_ROLLS) * runs) * lean,
        chest_roll=-(CHEST_ROLLS + (1.0 - CHEST_ROLLS) * runs) * lean,
        aside=hips * (shift + runs * (np.sin(lean) - shift)),
    )


def _looked_ahead(walker: Walker, at: Moments, way: np.ndarray) -> np.ndarray:
    """Return the path's mean heading `(f,)` over the next `way` `(f,)` metres; the near part counts most."""
    weights = (1.0 - LOOKED_AT) / (1.0 - LOOKED_AT).sum()
    return weights @ walker.path.drawn.heading_at(at.distance + LOOKED_AT[:, None] * way)


def _lean(walker: Walker, at: Moments) -> np.ndarray:
    """Return the lean into the bend at the given moments, in radians to the left."""
    speed = walker.rhythm.felt_speed_at(at.seconds)
    return np.clip(
        np.arctan(speed**2 * walker.path.drawn.curvature(at.distance) / GRAVITY), -MOST_LEAN, MOST_LEAN
    )


def _banked(walker: Walker, at: Moments) -> np.ndarray:
    """Return how much a whole-body lean, as in running, lowers the hips `(f,)`, in leg lengths."""
    high = float(walker.body.hip[:, 2].mean()) / walker.body.leg_length
    return walker.gait.law.running(at.slow) * high * (1.0 - np.cos(_lean(walker, at)))


def _tightness(walker: Walker, at: Moments) -> np.ndarray:
    """Return how tightly the path turns `(f,)` at the given moments, 0 to 1, judged over the steps before and
    after."""
    step = 0.5 * walker.rhythm.stride_at(at.seconds)
    around = at.distance + step * np.array([-1.0, -0.5, 0.0, 0.5, 1.0])[:, None]
    heading, goes_on = walker.path.drawn.heading_at(around), walker.path.advance(around)
    # no lunging in a turn on the spot
    turned = np.abs(heading[2:] - heading[:-2]) * np.minimum(goes_on[2:], goes_on[:-2])
    much = (turned.mean(axis=0) / HALF_TIGHT) ** 2
    return much / (1.0 + much)


def facing_elsewhere(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what is added at moments at which a walker faces away from the direction of
    travel."""
    walker, at, facing = here.walker, here.body, here.walker.facing
    if facing is None:
        return wish
    phase, duty = walker.rhythm.phase_at(at.seconds), walker.gait.law.duty(at.slow[:, None], BOTH)
    now = facing.at(phase)
    legs, way = legs_turned(now, facing.legs), way_of_legs(now, facing.legs)
    _, back, aside = shares_of(way)
    turning, on_four = facing.turning(phase), manner_of(walker.gait.law) is ON_FOUR_LEGS
    leads = LEADS_ON_FOUR if on_four else (CHEST_SOONER, HEAD_SOONER)
    chest, head = (_within(facing.at(phase + sooner) - now) for sooner in leads)
    bent: np.ndarray | float = 0.0
    if on_four:
        there, front = (1.0 - turning) ** 2 * np.sin(way), walker.body.fore is None
        bent = BENDS * there + chest if front else -BENDS * there
        head = head + LOOKS_THERE * there
    over, opened = (
        np.cos(2.0 * np.pi * (at.phase - 0.5 * duty + since)) @ (0.5 * np.array([1.0, -1.0]))
        for since in (0.0, 0.25)
    )
    crosses = crossing(at.slow)
    crossed = (1.0 - turning) * crosses
    added = Posture.of(
        len(at.frames),
        pelvis_yaw=PELVIS_SHARE * legs + bent + CROSSED_TURNS * crossed * opened,
        chest_yaw=CHEST_SHARE * legs + chest - CROSSED_TURNS * crossed * opened,
        head_yaw=head,
        aside=SURGE * (1.0 - turning - crossed) * aside * walker.rhythm.stride_at(at.seconds) * over,
    )
    hurry = (1.0 - crosses) * smooth_between(at.vhat, *HURRIES)
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
