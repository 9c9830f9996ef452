"""The gait's curves as the body follows them: parts of it trail, learned styles and a recorded walk add to
them.

Hips may be behind the feet, the chest behind the hips, arms behind the chest, hands behind the arms: a late
part follows the curves some
frames behind. Feet are never late, so they stay planted; neither is the height of the hips, which the legs
determine. A person's habits
can delay chest and arms too.
"""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT
from ...contract.channels import BLOCKS, CHANNELS, SLICES
from ...people.curves import of_body
from ..kinds.contacts import eased_phase
from ..sliders.manner import BodyManner, person_of
from ..sliders.variation import variation_of, varies
from ..steps.placement import SIDE_SIGN
from ..steps.situation import Situation

TWICE = 4.0 * np.pi  # a cycle has two contacts
TRAILS = 0.3  # cycles by which the end of a tail behind four legs is later than its root
SIDEWAYS_AND_TURNS = ("y", "pitch", "yaw", "roll")


def _columns(*blocks: str, axes: tuple[str, ...] = ()) -> list[int]:
    return [CHANNELS.index(f"{block}.{axis}") for block in blocks for axis in axes or BLOCKS[block]]


# Each slider and the channels it delays; the channels of later sliders are delayed by as much again.
HIPS, CHEST, ARMS = _columns("pelvis", axes=SIDEWAYS_AND_TURNS), _columns("chest"), _columns("arm_l", "arm_r")
PARTS = {"drag_hips": HIPS, "drag_chest": CHEST, "drag_arms": ARMS}
SLIDERS = (*PARTS, "drag_hands", "slow_in")


def channels(here: Situation) -> tuple[np.ndarray, np.ndarray]:
    """Return the gait's channels `(f, 46)` with late parts, and the channels at the moment that the hands
    follow, or the end of a tail."""
    walker, at = here.walker, here.body
    track, frames = walker.track, at.frames
    none = np.zeros((len(frames), 2))
    values, late = _sampled(here, none), np.zeros(len(frames))
    trails = TRAILS * (walker.body.fore is not None and len(walker.body.tail) > 1)
    who, much = person_of(track, frames)
    if not (much.any() or any(track.at(slider, frames).any() for slider in SLIDERS)):
        return values, _sampled(here, none + trails) if trails else values
    slow_in = np.clip(track.at("slow_in", frames), -1.0, 1.0)
    by_habit = much[:, None] * who.habits.late

    def so_late(lingers: bool, trails: float = 0.0) -> np.ndarray:
        delay = walker.rhythm.phases_at(at.seconds) - walker.rhythm.phases_at(
            at.seconds - late / walker.clock.fps
        )
        lag = (
            slow_in / TWICE * np.sin(TWICE * (at.phase[:, 0] - delay[:, 0]))
            if lingers
            else np.zeros(len(frames))
        )
        delay = delay + lag[:, None] + (by_habit if lingers else 0.0) + trails
        return _sampled(here, delay) if delay.any() else values

    values_late = values.copy()
    for slider, columns in PARTS.items():
        late = late + track.at(slider, frames)
        values_late[:, columns] = so_late(lingers=columns is not HIPS)[:, columns]
    late = late + track.at("drag_hands", frames)
    return values_late, so_late(True, trails)


def _sampled(here: Situation, late: np.ndarray) -> np.ndarray:
    """Return the gait's channels `(f, 46)`, `late` `(f, 2)` cycles behind, with the root under the hips."""
    gait, at = here.walker.gait, here.body
    law, number = gait.law, np.floor(at.phase)
    if gait.curve_duty is None:
        natural = law.duty(at.slow[:, None], law.contacts.which(number))
        phase = law.contacts.order(number) + eased_phase(at.phase, here.duty, natural) - late
    else:
        phase = at.phase + here.walker.rhythm.beat_off(at.seconds) - late
    values = gait.shapes.sample(at.slow, phase[:, 1], phase[:, 0])
    values[:, SLICES["pelvis"].start] -= law.lead(at.slow)
    planned = here.walker.planned_phase(at.phase)
    if gait.take is not None:
        values = (
            values
            + _kept(here)[:, None] * gait.take.of_body(planned[:, LEFT], here.walker.body.leg_length)[0]
        )
    if varies(here.walker.track):
        added = of_body(planned, variation_of(here.walker.track).sizes(planned), here.walker.body.leg_length)
        added[:, SLICES["pelvis"]] *= 1.0 - law.running(at.slow)[:, None]
        values = values + here.walker.varied(at.seconds, at.slow)[:, None] * added
    return values


def with_styled_knees(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the knees' direction of learned styles."""
    styling, at = here.walker.gait.styling, here.body
    return wish if styling is None else replace(wish, knees=SIDE_SIGN * styling.knees(at.slow, at.phase))


def as_recorded(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what a recorded walk adds beyond the channels: the knees' direction and bone
    rotations."""
    take = here.walker.gait.take
    if take is None:
        return wish
    kept, phase = _kept(here), here.walker.planned_phase(here.body.phase)[:, LEFT]
    outward = kept[:, None] * take.of_body(phase, here.walker.body.leg_length)[1]
    knees = SIDE_SIGN * outward + (0.0 if wish.knees is None else wish.knees)
    return replace(wish, knees=knees, turns=wish.and_turns(take.of_bones(phase, kept)))


def _kept(here: Situation) -> np.ndarray:
    """Return how much of a recorded walk the body keeps `(f,)`: a run is left alone."""
    walker, at = here.walker, here.body
    kept = walker.track.at("as_recorded", at.frames)
    return (
        kept * (1.0 - walker.gait.law.running(walker.inputs.for_law(at.seconds)))
        if walker.gait.law.runs
        else kept
    )
