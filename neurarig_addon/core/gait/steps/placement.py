"""Where feet are put before anything is in their way: beside the line of travel, by speed, manner, style and recording."""

from dataclasses import dataclass, replace

import numpy as np

from ..inputs.proportions import spacing_of
from ..inputs.take import AHEAD, DUTY, OUTWARD, TOE_OUT
from ..kinds.contacts import moving
from ..kinds.law import GaitLaw, duty_bounds
from ..sliders.manner import StepManner, step_height, step_manner
from ..walker import NATURAL_TOE_OUT, Walker
from ..way.strides import stance_of
from .recorded import recorded_steps
from .sideways import SIDE_SIGN

# Runners set their feet on nearly one line, but legs lean inward only so far: hips may be wide for the legs.
NARROWER, MOST_NARROWER = 0.85, 0.12  # share of the distance from the line; limit in leg lengths
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
    struck = walker.frames_at(strikes)
    wish = step_manner(walker.track, struck)
    wish = replace(wish, duty_factor=wish.duty_factor * stance_of(walker.build, walker.gait, begun))
    natural = law.duty(begun, law.contacts.which(contact))
    duty = duty_of(law, natural, wish)
    kept, added = recorded_steps(walker, contact, struck)
    duty = duty if walker.gait.take is None else np.clip(duty + added[..., DUTY], *duty_bounds(law, natural))
    wish = replace(wish, step_height=step_height(walker.track, walker.frames_at(pace.seconds_when(contact + 0.5 * (duty + 1.0)))))
    aside = _beside_the_line(walker, wish, begun)
    middle, lead = 0.5 * duty, law.lead(begun)
    if walker.compass is not None:
        duty, middle, lead = walker.compass.timed(duty, lead, moving(walker.vhat_at(strikes)))
    distance = pace.distance_when(contact + middle) - lead + wish.ahead * law.stride(begun)
    if walker.variation is not None:
        differs = walker.variation.of_steps(walker.planned_phase(contact), walker.track.at("variation", struck))
        wish = replace(wish, splay=wish.splay + differs.splay, step_height=wish.step_height * differs.height)
        distance = distance + differs.ahead * law.stride(begun)
        aside = aside + differs.aside * leg * (1.0 - STEADIER * law.running(begun))
    toe_out = NATURAL_TOE_OUT + wish.splay
    if walker.gait.styling is not None:
        forward, outward, turned = np.einsum("fssa->afs", walker.gait.styling.prints(begun))  # each side's own
        distance, aside, toe_out = distance + forward, aside + SIDE_SIGN * outward, toe_out + turned
    distance, aside, toe_out = distance + added[..., AHEAD], aside + SIDE_SIGN * added[..., OUTWARD], toe_out + added[..., TOE_OUT]
    return Placing(wish, duty, kept, distance, aside, toe_out)


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
