"""What a bend in the path does to the body: it leans in, and looks and turns ahead.

People turn the head first, then chest and pelvis (Grasso 1996, Courtine and Schieppati 2003), and lean so that gravity and the pull of
the turn balance, the head upright.  Amounts were measured on figures of eight and turns (`python -m benchmarks curved_people`).
"""

import numpy as np

from ...easing import within
from ..kinds.natural import GRAVITY, SOLE_LEG_SHARE
from ..moments import Moments
from ..sliders.manner import Posture
from ..steps.foot_headings import PELVIS_AHEAD, heading_around
from ..walker import Walker

# How far ahead on the path the chest points, in leg lengths (hip to sole).
CHEST_AHEAD = 0.12
# The head averages the path ahead, up to this many leg lengths or this many seconds of an adult's walk; the near part counts most.
HEAD_AHEAD, HEAD_AHEAD_S = 1.2, 1.0
LOOKED_AT = (np.arange(6) + 0.5) / 6.0  # shares of the way looked at
ADULT_LEG = 0.92
MOST_HEAD_LEAD = np.radians(40.0)  # relative to the chest
# Radians turned in a step at which tightness is one half; how much lower the pelvis is in the tightest turns, in leg
# lengths.
HALF_TIGHT, TIGHT_SINKS = 0.25, 0.015
# Shares of the lean taken by the pelvis' shift over the feet, its roll and the chest's roll in a walk.  A runner leans as a whole about
# the feet.  The mean over the whole body is the full lean, so legs lean farther than the trunk.
SHIFTS, PELVIS_ROLLS, CHEST_ROLLS = 1.35, 0.3, 0.75
MOST_LEAN, MOST_SHIFT = np.radians([45.0, 20.0])


def bend_at(walker: Walker, at: Moments) -> Posture:
    """Return how the path's bends change the posture at the given moments."""
    leg = SOLE_LEG_SHARE * walker.body.leg_length
    here = walker.path.drawn.heading_at(at.distance)
    step, hips = 0.5 * walker.rhythm.stride_at(at.seconds), float(walker.body.hip[:, 2].mean())

    def ahead(metres: np.ndarray | float) -> np.ndarray:
        return heading_around(walker, at.distance + metres, step) - here

    lean, runs = lean_at(walker, at), walker.gait.law.running(at.slow)
    shift = np.tan(within(SHIFTS * lean, MOST_SHIFT))
    chest, pace = ahead(CHEST_AHEAD * leg), walker.rhythm.felt_pace_at(at.seconds)
    lead = _looked_ahead(walker, at, np.minimum(HEAD_AHEAD * leg, HEAD_AHEAD_S * np.sqrt(leg / ADULT_LEG) * pace)) - here - chest
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


def lean_at(walker: Walker, at: Moments) -> np.ndarray:
    """Return the lean into the bend at the given moments, in radians to the left."""
    speed = walker.rhythm.felt_speed_at(at.seconds)
    return np.clip(np.arctan(speed**2 * walker.path.drawn.curvature(at.distance) / GRAVITY), -MOST_LEAN, MOST_LEAN)


def banked(walker: Walker, at: Moments) -> np.ndarray:
    """Return how much a whole-body lean, as in running, lowers the hips `(f,)`, in leg lengths."""
    high = float(walker.body.hip[:, 2].mean()) / walker.body.leg_length
    return walker.gait.law.running(at.slow) * high * (1.0 - np.cos(lean_at(walker, at)))


def tightness_at(walker: Walker, at: Moments) -> np.ndarray:
    """Return how tightly the path turns `(f,)` at the given moments, 0 to 1, judged over the steps before and after."""
    step = 0.5 * walker.rhythm.stride_at(at.seconds)
    around = at.distance + step * np.array([-1.0, -0.5, 0.0, 0.5, 1.0])[:, None]
    heading, goes_on = walker.path.drawn.heading_at(around), walker.path.advance(around)
    turned = np.abs(heading[2:] - heading[:-2]) * np.minimum(goes_on[2:], goes_on[:-2])  # no lunging in a turn on the spot
    much = (turned.mean(axis=0) / HALF_TIGHT) ** 2
    return much / (1.0 + much)
