"""What differs between left and right and from stride to stride: a limp, a person's habits, variation."""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ...easing import over, smooth_between
from ...geometry.rotation import TURN
from ..sliders.manner import BodyManner, limp_of, person_of
from ..sliders.variation import varies
from ..steps.situation import Situation

# A full limp: radians that the trunk lurches over the sore leg, leg lengths that the pelvis drops onto the
# other one, and when.
LURCH, LURCH_AT = np.radians(8.0), 0.3
DROP, DROP_AT = 0.02, 0.12
# leg lengths: the reach guard's soft band where strides are unlike the natural ones
GIVING_BAND = 0.02
# Logarithm by which somebody bounces less at most at the second of two dimensionless speeds: in long strides,
# who hardly rises over a standing leg squats on it.
LESS_BOUNCE, QUICK = 0.05, (0.45, 0.6)
STEADY_LURCH = 0.35  # share of the lurch that is constant


def limping(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with a limp's lurch over the sore leg while it bears, and its drop onto the other."""
    limp, phase = limp_of(here.walker.track, here.body.frames), here.body.phase
    if not limp.any():
        return wish
    sore = np.where(limp > 0.0, phase[:, RIGHT], phase[:, LEFT])
    bearing, landing = np.cos(TURN * (sore - LURCH_AT)), np.cos(TURN * (sore + 0.5 - DROP_AT))
    lean = LURCH * limp * (STEADY_LURCH + (1.0 - STEADY_LURCH) * bearing)
    return replace(wish, limp_lean=lean, crouch=wish.crouch + DROP * np.abs(limp) * 0.5 * (1.0 + landing))


def with_habits(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with how a person holds the neck, and legs that give sooner in walks."""
    who, much = person_of(here.walker.track, here.body.frames)
    if not much.any():
        return wish
    walks = 1.0 - here.walker.gait.law.running(here.body.slow)
    still = over(np.array(-who.traits["bounce"] - LESS_BOUNCE), LESS_BOUNCE)
    return replace(
        _giving(wish, walks * much),
        bounce=wish.bounce * np.exp(much * walks * smooth_between(here.body.vhat, *QUICK) * still),
        turns=wish.and_turns({"neck": who.habits.bent_neck(much)}),
    )


def varying(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner of legs whose strides differ."""
    track = here.walker.track
    if not varies(track):
        return wish
    return _giving(wish, track.at("variation", here.body.frames))


def _giving(wish: BodyManner, much: np.ndarray) -> BodyManner:
    """Return the manner with a softer guard of the legs' reach, so that strides unlike the natural ones do
    not pull at the hips."""
    return replace(
        wish, guard=wish.guard + np.maximum(GIVING_BAND - wish.guard, 0.0) * np.clip(much, 0.0, 1.0)
    )
