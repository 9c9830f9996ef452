"""What differs between left and right and from stride to stride: a limp, a person's habits, variation."""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ..sliders.manner import BodyManner, Posture, limp_of, person_of
from ..sliders.variation import variation_of, varies
from ..steps.situation import Situation

# A full limp: radians that the trunk lurches over the sore leg, leg lengths that the pelvis drops onto the other one, and when.
LURCH, LURCH_AT = np.radians(8.0), 0.3
DROP, DROP_AT = 0.02, 0.12
STEADY_LURCH = 0.35  # share of the lurch that is constant
TURN = 2.0 * np.pi


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
    """Return the manner with a person's once-per-stride motion, and neck."""
    frames = here.body.frames
    who, much = person_of(here.walker.track, frames)
    if not much.any():
        return wish
    sinks, chest, head = much * who.habits.once_in_a_stride(here.walker.planned_phase(here.body.phase)[:, LEFT])
    posture = wish.posture + Posture.of(len(frames), chest_pitch=chest, head_pitch=head)
    return replace(wish, crouch=wish.crouch + sinks, posture=posture, turns=wish.and_turns({"neck": who.habits.bent_neck(much)}))


def varying(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what differs from stride to stride."""
    track = here.walker.track
    if not varies(track):
        return wish
    stride = here.walker.planned_phase(here.body.phase)[:, LEFT]
    return variation_of(track).manner(wish, stride, track.at("variation", here.body.frames))
