"""What uneven ground does to the body: it leans into hills, and its hips are lower, and ahead of the feet or
behind them."""

from dataclasses import replace

import numpy as np

from ...body.pelvis import SOFT_BAND, UNEVEN_BAND
from ...easing import within
from ..kinds.contacts import moving
from ..sliders.manner import BodyManner, Posture
from ..steps.situation import Going, Situation

LEDGE_BAND = 0.08  # leg lengths of the reach guard: steps to and over ledges may be longer than on the level
# Shares of a hill's angle by which the trunk leans into it, uphill and downhill, and the limits.
LEAN_UP, LEAN_DOWN, MOST_UP, MOST_DOWN = 0.4, 0.15, np.radians(12.0), np.radians(4.0)
# Where people's hips are, up and down, derived from their joints on slopes of 5 and 10 degrees (Reznick 2021)
# and on stairs (Bovi 2011). On hills, in leg lengths: how much lower; the grade at which it is half of that;
# how far ahead of the feet per unit of grade.
HILL_SINKS, HALF_SUNK, HILL_AHEAD = (-0.028, 0.03), 0.12, (-0.79, -0.66)
# On stairs, per leg length of rise: how far the hips are ahead, the amplitude of their swing ahead and back,
# and the phase when they are foremost, in cycles; how much lower they are, the amplitude of their bob, and
# the phase when they are highest.
STAIR_AHEAD, STAIR_SURGE, STAIR_FOREMOST = (-0.47, -0.78), (0.07, 0.295), (0.0, 0.016)
STAIR_SINKS, STAIR_BOB, STAIR_HIGHEST = (0.07, 0.28), (0.113, 0.14), (0.4375, 0.391)
MOST_HILL, MOST_STAIR = 0.45, 0.3  # grade and leg lengths: limits of what people were measured on
# grade and roughness at which the softening of the reach guard is half its maximum
HALF_UNEVEN, HALF_ROUGH = 0.06, 0.01


def on_uneven_ground(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what ledges and hills add; standing on a hill is upright, on straight legs, hips
    over the feet."""
    if len(here.walker.treads.ledges.at):
        wish = replace(wish, guard=np.maximum(wish.guard, LEDGE_BAND))
    going = here.going
    if going is None:
        return wish
    goes = moving(here.body.vhat)
    posture = wish.posture + Posture.of(
        len(going.height), ahead=goes * _ahead(going) * here.walker.body.leg_length
    )
    guard = np.maximum(wish.guard, SOFT_BAND + goes * (_guard(going) - SOFT_BAND))
    return replace(
        wish,
        posture=posture,
        lean=wish.lean + goes * _lean(going),
        crouch=wish.crouch + goes * _sunk(going),
        guard=guard,
    )


def _lean(going: Going) -> np.ndarray:
    """Return the forward lean of the trunk `(f,)`, in radians."""
    angle = np.arctan(going.grade)
    up, down = (
        MOST_UP * np.tanh(LEAN_UP * angle / MOST_UP),
        MOST_DOWN * np.tanh(LEAN_DOWN * angle / MOST_DOWN),
    )
    return np.where(angle > 0.0, up, down)


def _ahead(going: Going) -> np.ndarray:
    """Return how much farther ahead of the feet the hips are `(f,)`, in leg lengths: behind when going
    uphill, in front downhill."""
    hill, stair = within(going.hill, MOST_HILL), within(going.stair, MOST_STAIR)
    surge = _either(STAIR_SURGE, going.stair) * _in_step(going, STAIR_FOREMOST)
    return _either(HILL_AHEAD, hill) * hill + _either(STAIR_AHEAD, stair) * stair + surge * np.abs(stair)


def _sunk(going: Going) -> np.ndarray:
    """Return how much lower the pelvis is `(f,)`, in leg lengths; on stairs it also bobs more."""
    hill = _either(HILL_SINKS, going.hill) * _share((going.hill / HALF_SUNK) ** 2)
    bob = _either(STAIR_BOB, going.stair) * _in_step(going, STAIR_HIGHEST)
    return hill + (_either(STAIR_SINKS, going.stair) - bob) * np.abs(going.stair)


def _guard(going: Going) -> np.ndarray:
    """Return the reach guard's soft band `(f,)` in leg lengths (see `body.legs`): wider where the feet
    stand at uneven heights."""
    return SOFT_BAND + (UNEVEN_BAND - SOFT_BAND) * _share(
        (going.grade / HALF_UNEVEN) ** 2 + (going.roughness / HALF_ROUGH) ** 2
    )


def _in_step(going: Going, at: tuple[float, float]) -> np.ndarray:
    """Return a wave `(f,)` from -1 to 1 that peaks once per step, for stairs up and down."""
    return np.cos(4.0 * np.pi * (going.phase - _either(at, going.stair)))


def _either(values: tuple[float, float], way: np.ndarray) -> np.ndarray:
    """Return the first value uphill, the second downhill."""
    return np.where(way > 0.0, *values)


def _share(much: np.ndarray) -> np.ndarray:
    """Return a saturating share: 0 for 0, one half for 1, towards 1 for large values."""
    return much / (1.0 + much)
