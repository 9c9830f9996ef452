"""What a recorded walk adds to a walker's steps and body, as far as the slider says."""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT
from ..inputs.take import AHEAD, DUTY, OUTWARD, Take
from ..kinds.natural import dimensionless_speed
from ..moments import Moments
from ..sliders.manner import BodyManner
from ..walker import Walker
from .sideways import SIDE_SIGN

GROWS, LEAST_GROWN, MOST_GROWN = 0.56, 0.2, 2.0  # power of the speed for the prints' lead, as for strides (`natural_stride`)


def recorded_steps(walker: Walker, contact: np.ndarray, struck: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of the recorded walk in steps that begin at phases `contact` `(..., 2)`, on the frames `struck`.

    And its additions `(..., 2, 4)`: metres ahead, which grow with strides, metres outward, radians of toe-out, cycles on the ground.
    """
    kept, take = walker.track.at("as_recorded", struck), walker.gait.take
    if take is None:
        return kept, np.zeros((*contact.shape, DUTY + 1))
    if walker.gait.law.runs:  # a run is left alone
        kept = kept * (1.0 - walker.gait.law.running(walker.law_inputs(walker.rhythm.seconds_when(contact))))
    vhat = dimensionless_speed(walker.track.at("speed", struck), walker.body.leg_length)
    added = kept[..., None] * take.of_steps(walker.planned_phase(contact))
    added[..., [AHEAD, OUTWARD]] *= walker.body.leg_length
    added[..., AHEAD] *= np.clip((np.maximum(vhat, 0.0) / take.vhat) ** GROWS, LEAST_GROWN, MOST_GROWN)
    return kept, added


def recorded_channels(walker: Walker, take: Take, at: Moments) -> np.ndarray:
    """Return the recorded walk's additions to all channels `(f, 46)`."""
    return _kept(walker, at)[:, None] * take.of_body(walker.planned_phase(at.phase)[:, LEFT], walker.body.leg_length)[0]


def as_recorded(walker: Walker, take: Take, at: Moments, wish: BodyManner) -> BodyManner:
    """Return the manner with what a recorded walk adds beyond the channels: the knees' direction and bone rotations."""
    kept, phase = _kept(walker, at), walker.planned_phase(at.phase)[:, LEFT]
    outward = kept[:, None] * take.of_body(phase, walker.body.leg_length)[1]
    knees = SIDE_SIGN * outward + (0.0 if wish.knees is None else wish.knees)
    return replace(wish, knees=knees, turns=take.of_bones(phase, kept))


def _kept(walker: Walker, at: Moments) -> np.ndarray:
    kept = walker.track.at("as_recorded", at.frames)
    return kept * (1.0 - walker.gait.law.running(walker.law_inputs(at.seconds))) if walker.gait.law.runs else kept
