"""Where feet are put before anything is in their way: beside the line of travel, by speed, manner, style and recording."""

from dataclasses import dataclass, replace

import numpy as np

from ..inputs.proportions import spacing_of
from ..inputs.take import AHEAD, DUTY, OUTWARD, TOE_OUT
from ..kinds.contacts import moving
from ..kinds.law import GaitLaw, duty_bounds
from ..kinds.natural import dimensionless_speed
from ..sliders.manner import StepManner, step_height, step_manner
from ..sliders.variation import variation_of, varies
from ..walker import NATURAL_TOE_OUT, Walker
from ..way.strides import stance_of
from .sideways import SIDE_SIGN

# Runners set their feet on nearly one line, but legs lean inward only so far: hips may be wide for the legs.
NARROWER, MOST_NARROWER = 0.85, 0.12  # share of the distance from the line; limit in leg lengths
GROWS, LEAST_GROWN, MOST_GROWN = 0.56, 0.2, 2.0  # power of the speed for the prints' lead, as for strides (`natural_stride`)
STEADIER = 0.6  # how much less runners' feet vary sideways from step to step


@dataclass(frozen=True)
class Placing:
    """Steps on a straight, level way; all arrays `(steps, 2)`.

    `wish`: their manner.  `duty`: share of the step on the ground.  `kept`: weight of the recorded walk.
    `distance`: metres on the path.  `aside`: metres off it, left positive.  `toe_out`: radians outward.
    """

    wish: StepManner
    duty: np.ndarray
    kept: np.ndarray
    distance: np.ndarray
    aside: np.ndarray
    toe_out: np.ndarray


def placing(walker: Walker, contact: np.ndarray, strikes: np.ndarray, begun: np.ndarray) -> Placing:
    """Return how feet are put that strike at phases `contact` `(steps, 2)`, `strikes` in seconds.

    `begun` `(steps, 2, n)`: a law's inputs for them.
    """
    law, pace, leg = walker.gait.law, walker.rhythm, walker.body.leg_length
    struck = walker.clock.frames(strikes)
    wish = step_manner(walker.track, struck)
    wish = replace(wish, duty_factor=wish.duty_factor * stance_of(walker.build, walker.gait, begun))
    natural = law.duty(begun, law.contacts.which(contact))
    duty = duty_of(law, natural, wish)
    kept, added = _recorded(walker, contact, struck)
    duty = duty if walker.gait.take is None else np.clip(duty + added[..., DUTY], *duty_bounds(law, natural))
    wish = replace(wish, step_height=step_height(walker.track, walker.clock.frames(pace.seconds_when(contact + 0.5 * (duty + 1.0)))))
    aside = _beside_the_line(walker, wish, begun)
    middle, lead = 0.5 * duty, law.lead(begun)
    if walker.compass is not None:
        duty, middle, lead = walker.compass.timed(duty, lead, moving(walker.inputs.vhat_at(strikes)))
    distance = pace.distance_when(contact + middle) - lead + wish.ahead * law.stride(begun)
    if varies(walker.track):
        differs = variation_of(walker.track).of_steps(walker.planned_phase(contact), walker.track.at("variation", struck))
        wish = replace(wish, splay=wish.splay + differs.splay, step_height=wish.step_height * differs.height)
        distance = distance + differs.ahead * law.stride(begun)
        aside = aside + differs.aside * leg * (1.0 - STEADIER * law.running(begun))
    toe_out = NATURAL_TOE_OUT + wish.splay
    if walker.gait.styling is not None:
        forward, outward, turned = np.einsum("fssa->afs", walker.gait.styling.prints(begun))  # each side's own
        distance, aside, toe_out = distance + forward, aside + SIDE_SIGN * outward, toe_out + turned
    distance, aside, toe_out = distance + added[..., AHEAD], aside + SIDE_SIGN * added[..., OUTWARD], toe_out + added[..., TOE_OUT]
    return Placing(wish, duty, kept, distance, aside, toe_out)


def _recorded(walker: Walker, contact: np.ndarray, struck: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of the recorded walk in steps that begin at phases `contact` `(..., 2)`, on the frames `struck`.

    And its additions `(..., 2, 4)`: metres ahead, which grow with strides, metres outward, radians of toe-out, cycles on the ground.
    """
    kept, take = walker.track.at("as_recorded", struck), walker.gait.take
    if take is None:
        return kept, np.zeros((*contact.shape, DUTY + 1))
    if walker.gait.law.runs:  # a run is left alone
        kept = kept * (1.0 - walker.gait.law.running(walker.inputs.for_law(walker.rhythm.seconds_when(contact))))
    vhat = dimensionless_speed(walker.track.at("speed", struck), walker.body.leg_length)
    added = kept[..., None] * take.of_steps(walker.planned_phase(contact))
    added[..., [AHEAD, OUTWARD]] *= walker.body.leg_length
    added[..., AHEAD] *= np.clip((np.maximum(vhat, 0.0) / take.vhat) ** GROWS, LEAST_GROWN, MOST_GROWN)
    return kept, added


def duty_of(law: GaitLaw, natural: np.ndarray, wish: StepManner) -> np.ndarray:
    """Return the duty factors `(..., 2)` after the sliders, from natural ones."""
    return np.clip(natural * wish.duty_factor + wish.duty, *duty_bounds(law, natural))


def _beside_the_line(walker: Walker, wish: StepManner, begun: np.ndarray) -> np.ndarray:
    """Return the metres `(steps, 2)` of prints off the line of travel, left positive; runners set them nearer to it."""
    aside = SIDE_SIGN * spacing_of(walker.body, wish.stance_width)
    law = walker.gait.law
    if not law.runs or law.contacts.together:
        return aside
    most = MOST_NARROWER * walker.body.leg_length
    return aside - np.clip(NARROWER * aside, -most, most) * law.running(begun)
