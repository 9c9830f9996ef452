"""Where feet are put before anything is in their way: beside the line of travel, turned with the legs.

By speed, manner, style and recording. Sidesteps open and close; in quick ones legs cross, with room fore and
aft. While the facing turns, each
print is on its own side of the one that the body stands on, and not across it.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...easing import smoothstep
from ...geometry.rotation import TINY, rotated
from ...ground.prints import Prints
from ..inputs.proportions import natural_spacing, spacing_of
from ..inputs.take import AHEAD, DUTY, OUTWARD, TOE_OUT
from ..kinds.contacts import moving
from ..kinds.direction import ON_FOUR_LEGS, behind, crossing, manner_of
from ..kinds.law import GaitLaw, duty_bounds
from ..kinds.natural import GROWS, dimensionless_speed
from ..sliders.manner import StepManner, step_height
from ..sliders.variation import variation_of, varies
from ..timing.speed import braked
from ..walker import NATURAL_TOE_OUT, Walker
from ..way.facing import legs_turned, way_of_legs
from ..way.strides import stance_of

SIDE_SIGN = np.array([1.0, -1.0])  # y of the left and right foot
# cycles: the leading foot is where the root will be this much later, the trailing one where it was this much
# before
OPENS = 0.2
# On four legs, of the distance between the feet what they keep in a sidestep, but those which are so many leg
# lengths ahead of one another.
BESIDE_ON_FOUR, PASSES = 0.8, 0.5
CLOSEST = 0.5  # share of the distance between the feet by which they may close in a slight sidestep
# Share of the step width, at most the natural one, that is kept between the sides of two prints in turn,
# facing elsewhere and in turns on the spot; leg lengths off the path beyond which no print is moved for that.
LEAST, ON_THE_SPOT, WIDEST = 0.62, 0.8, 0.32
# leg lengths between the feet, fore and aft, where legs cross; cycles before and after a step
ROOM, AROUND = 0.42, np.array([-0.5, 0.0, 0.5])[:, None, None]
# radians: two feet at right angles are seen from slightly aside, so that both ends of both count
ASKEW = 1e-6
# leg lengths: prints farther ahead of each other than this pass each other by their middles alone
BESIDE = 0.15
# Runners set their feet on nearly one line, but legs lean inward only so far: hips may be wide for the legs.
NARROWER, MOST_NARROWER = 0.65, 0.12  # share of the distance from the line; limit in leg lengths
# limits of how the prints' lead grows with speed, which it does as strides do
LEAST_GROWN, MOST_GROWN = 0.2, 2.0
# Leg lengths per g of braking beyond an easy stop that the foot is set farther ahead; how far it is set at
# most.
FOOT_AHEAD, FARTHEST_AHEAD = 3.0, 0.65
STEADIER = 0.6  # how much less runners' feet vary sideways from step to step


@dataclass(frozen=True)
class Apart:
    """For prints `(steps, 2)`: the legs' turn off the path in radians, and metres `aside` of it, left
    positive, and `ahead` in the legs' frame."""

    aside: np.ndarray
    ahead: np.ndarray
    turned: np.ndarray


def sideways(walker: Walker, contact: np.ndarray, middle: np.ndarray, aside: np.ndarray) -> Apart:
    """Return how prints lie relative to the path.

    `contact`, `middle`: foot phases at contact and at mid-stance; `aside`: metres when walking ahead `(steps,
    2)`.
    """
    if walker.facing is None:
        return Apart(aside, np.zeros_like(aside), np.zeros_like(aside))
    pace, leg = walker.rhythm, walker.body.leg_length
    facing = walker.facing.of_prints(pace.phase_when(contact))
    way = way_of_legs(facing, walker.facing.legs)
    stride = pace.stride_at(pace.seconds_when(contact))
    hip = 0.5 * abs(walker.body.hip[0, 1] - walker.body.hip[1, 1])
    share = np.sin(way) ** 2
    aside = aside + share * SIDE_SIGN * np.maximum(hip - np.abs(aside), 0.0)
    step, near = 0.5 * stride * np.sin(way), CLOSEST * 2.0 * np.abs(aside)
    # who passes through a sidestep in a turn does not open the legs
    turning = walker.facing.turning(pace.phase_when(middle))
    # who begins or ceases to cross has room for it in the steps before and after
    crosses = crossing(walker.inputs.at(pace.seconds_when(middle + AROUND)))
    soon = (1.0 - turning) * np.minimum(3.0 * crosses.max(axis=0), 1.0)
    opens = OPENS * step**2 / (step**2 + near**2)
    if manner_of(walker.gait.law) is ON_FOUR_LEGS:
        opens = _opens_on_four(np.abs(step), near, 0.5 * stride * np.abs(np.cos(way)) / leg)
    opens = opens * (1.0 - turning) * (1.0 - crosses.min(axis=0))
    opened = pace.distance_when(middle + SIDE_SIGN * np.sign(step) * opens) - pace.distance_when(middle)
    room = soon * (ROOM * leg + 0.25 * stride * np.cos(way))
    return Apart(
        aside + opened * np.sin(way),
        0.5 * SIDE_SIGN * np.sign(step) * room
        - behind(walker.gait.law, walker.inputs.at(pace.seconds_when(middle))),
        facing + legs_turned(facing, walker.facing.legs),
    )


def _opens_on_four(step: np.ndarray, near: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """Return the cycles by which legs open and close that go sideways by `step` metres a step and stand twice
    as far apart as `near`: feet pass until they are in line where they are leg lengths `ahead` of one
    another."""
    least = 2.0 * near * BESIDE_ON_FOUR * (1.0 - smoothstep(ahead / PASSES))
    return np.clip((step - 2.0 * near + least) / (4.0 * np.maximum(step, TINY)), 0.0, OPENS)


def laid_flat(walker: Walker, distance: np.ndarray, apart: Apart, heading: np.ndarray) -> Prints:
    """Return prints `(..., 2)` at `distance` metres on the path, without regard to the ground."""
    along, level = walker.path.at(distance), np.zeros(heading.shape)
    legs = along.turned(apart.turned)
    place = along.place + apart.aside[..., None] * legs.left + apart.ahead[..., None] * legs.ahead
    return Prints(place, heading, level, level)


def kept_apart(
    walker: Walker,
    contact: np.ndarray,
    course: np.ndarray,
    prints: tuple[Prints, Prints],
    apart: Apart,
    width: np.ndarray,
    free: np.ndarray,
) -> Apart:
    """Return how prints `(steps, 2)` lie, those of crossed or touching feet moved aside by half each.

    `contact`: foot phases; `course`: the legs' headings; `prints`: as touched and as left; `width`: metres
    off the line in walks ahead,
    left positive; `free`: whether a print may be moved, otherwise the other one is moved by all of it. A
    print depends on those of the
    other foot before and after it, so the first and the last row can change when more rows are asked for.
    """
    least, most = (
        (LEAST, np.inf) if walker.turns_its_facing else (ON_THE_SPOT, WIDEST * walker.body.leg_length)
    )
    order = np.argsort(walker.rhythm.phase_when(contact), axis=None, kind="stable")
    course = course.ravel()[order]
    side = np.broadcast_to(SIDE_SIGN, contact.shape).ravel()[order]
    half = np.clip(SIDE_SIGN * width, 0.0, natural_spacing(walker.body)).ravel()[order]
    reaches = np.stack([walker.sole.heel[:, 0], walker.sole.toe[:, 0]], axis=-1)[..., None]
    ends = [
        (each.place[..., None, :] + reaches * each.axes[..., None, :, 0])[..., :2].reshape(-1, 2, 2)[order]
        for each in prints
    ]
    moves = free.ravel()[order].astype(float)
    both = np.maximum(moves[1:] + moves[:-1], TINY)
    seen = (moves[1:] * course[1:] + moves[:-1] * course[:-1]) / both
    gaps = _gaps(ends[0][1:], ends[1][:-1], seen + ASKEW, side[1:], BESIDE * walker.body.leg_length)
    lacking = np.where(side[1:] != side[:-1], np.maximum(least * (half[1:] + half[:-1]) - gaps, 0.0), 0.0)
    room = np.abs(np.diff(apart.ahead.ravel()[order])) / (ROOM * walker.body.leg_length)
    each = lacking * np.clip(2.0 - 2.0 * room, 0.0, 1.0) / both
    push = moves * np.maximum(
        np.append(0.0, each / np.cos(course[1:] - seen)), np.append(each / np.cos(course[:-1] - seen), 0.0)
    )
    aside = apart.aside.copy()
    aside.ravel()[order] += side * np.minimum(push, np.maximum(most - side * aside.ravel()[order], 0.0))
    return replace(apart, aside=aside)


def _gaps(
    ends: np.ndarray, before: np.ndarray, course: np.ndarray, side: np.ndarray, beside: float
) -> np.ndarray:
    """Return how far each print is on its own side of the one before `(n,)`, in metres, seen along the course
    `(n,)` between them.

    `ends`, `before` `(n, 2, 2)`: heels and toes of both; `side` `(n,)`: 1 for a left print. It is the least
    along the length at which both
    prints lie, or of their middles.
    """
    axes = np.stack([np.cos(course), np.sin(course), -np.sin(course), np.cos(course)], axis=-1).reshape(
        -1, 1, 2, 2
    )
    (ahead, out), (ahead_before, out_before) = (
        np.moveaxis(rotated(axes, points), -1, 0) for points in (ends, before)
    )
    first = np.maximum(ahead.min(axis=-1), ahead_before.min(axis=-1))
    last = np.minimum(ahead.max(axis=-1), ahead_before.max(axis=-1))
    across = [_at(where, ahead, out) - _at(where, ahead_before, out_before) for where in (first, last)]
    middle = (out - out_before).mean(axis=-1)
    least = np.minimum(np.min(side * across, axis=0), side * middle)
    return np.where(last > first - beside, least, side * middle)


def _at(ahead: np.ndarray, ends: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return how far out a print is at places ahead `(n,)`, between its ends `(n, 2)` ahead and `out`."""
    share = np.clip((ahead - ends[:, 0]) / (ends[:, 1] - ends[:, 0]), 0.0, 1.0)
    return out[:, 0] + share * (out[:, 1] - out[:, 0])


@dataclass(frozen=True)
class Placing:
    """Steps on a straight, level way; all arrays `(steps, 2)`.

    `wish`: their manner. `step_height`: a factor. `duty`: share of the step on the ground. `kept`: weight of
    the recorded walk.
    `distance`: metres on the path. `aside`: metres off it, left positive; `nearer`: how many of them runners
    leave out, but not where they
    stand.  `toe_out`: radians outward.
    """

    wish: StepManner
    step_height: np.ndarray
    duty: np.ndarray
    kept: np.ndarray
    distance: np.ndarray
    aside: np.ndarray
    nearer: np.ndarray
    toe_out: np.ndarray


def placing(walker: Walker, contact: np.ndarray, strikes: np.ndarray, begun: np.ndarray) -> Placing:
    """Return how feet are put that strike at phases `contact` `(steps, 2)`, `strikes` in seconds.

    `begun` `(steps, 2, n)`: a law's inputs for them.
    """
    law, pace, leg = walker.gait.law, walker.rhythm, walker.body.leg_length
    struck = walker.clock.frames(strikes)
    wish = walker.step_manner(struck)
    wish = replace(wish, duty_factor=wish.duty_factor * stance_of(walker.build, walker.gait, begun))
    natural = law.duty(begun, law.contacts.which(contact))
    duty = duty_of(law, natural, wish)
    kept, added = _recorded(walker, contact, struck)
    duty = duty if walker.gait.take is None else np.clip(duty + added[..., DUTY], *duty_bounds(law, natural))
    rises = step_height(walker.track, walker.clock.frames(pace.seconds_when(contact + 0.5 * (duty + 1.0))))
    aside = SIDE_SIGN * spacing_of(walker.body, wish.stance_width)
    nearer = _nearer_to_the_line(walker, aside, begun)
    middle, lead = 0.5 * duty, law.lead(begun)
    if walker.compass is not None:
        duty, middle, lead = walker.compass.timed(duty, lead, moving(walker.inputs.vhat_at(strikes)))
    distance = pace.distance_when(contact + middle) - lead + wish.ahead * law.stride(begun)
    if law.runs and law.contacts.takes_turns and not pace.is_steady:
        distance = distance + _braking(walker, contact, middle, distance)
    splay = wish.splay
    if varies(walker.track):
        much = walker.track.at("variation", struck)
        ahead, beside, outward, height = variation_of(walker.track).of_steps(
            walker.planned_phase(contact), much
        )
        rises, splay = rises * height, splay + outward
        distance = distance + ahead * law.stride(begun)
        aside = aside + beside * leg * (1.0 - STEADIER * law.running(begun))
    toe_out = NATURAL_TOE_OUT + splay
    if walker.gait.styling is not None:
        # each side's own
        forward, outward, turned = np.einsum("fssa->afs", walker.gait.styling.prints(begun))
        distance, aside, toe_out = distance + forward, aside + SIDE_SIGN * outward, toe_out + turned
    distance, aside, toe_out = (
        distance + added[..., AHEAD],
        aside + SIDE_SIGN * added[..., OUTWARD],
        toe_out + added[..., TOE_OUT],
    )
    return Placing(wish, rises, duty, kept, distance, aside, nearer, toe_out)


def _recorded(walker: Walker, contact: np.ndarray, struck: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of the recorded walk in steps that begin at phases `contact` `(..., 2)`, on the
    frames `struck`.

    And its additions `(..., 2, 4)`: metres ahead, which grow with strides, metres outward, radians of
    toe-out, cycles on the ground.
    """
    kept, take = walker.track.at("as_recorded", struck), walker.gait.take
    if take is None:
        return kept, np.zeros((*contact.shape, DUTY + 1))
    if walker.gait.law.runs:  # a run is left alone
        kept = kept * (
            1.0 - walker.gait.law.running(walker.inputs.for_law(walker.rhythm.seconds_when(contact)))
        )
    vhat = dimensionless_speed(walker.track.at("speed", struck), walker.body.leg_length)
    added = kept[..., None] * take.of_steps(walker.planned_phase(contact))
    added[..., [AHEAD, OUTWARD]] *= walker.body.leg_length
    added[..., AHEAD] *= np.clip((np.maximum(vhat, 0.0) / take.vhat) ** GROWS, LEAST_GROWN, MOST_GROWN)
    return kept, added


def duty_of(law: GaitLaw, natural: np.ndarray, wish: StepManner) -> np.ndarray:
    """Return the duty factors `(..., 2)` after the sliders, from natural ones."""
    return np.clip(natural * wish.duty_factor + wish.duty, *duty_bounds(law, natural))


def _braking(walker: Walker, contact: np.ndarray, middle: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return by how many metres `(steps, 2)` feet are set farther ahead to brake, though not beyond where the
    walker comes to stand.

    `middle` `(steps, 2)`: cycles from the contact to the middle of the stance.
    """
    pace, leg = walker.rhythm, walker.body.leg_length
    seconds = pace.seconds_when(contact + middle)
    stands = np.append(pace.rests.distance, np.inf)[np.searchsorted(pace.rests.begin, seconds)]
    farthest = np.minimum(stands, pace.distance_when(contact) + FARTHEST_AHEAD * leg)
    return np.clip(farthest - distance, 0.0, FOOT_AHEAD * leg * braked(pace.push_at(seconds)))


def _nearer_to_the_line(walker: Walker, aside: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Return by how many metres `(steps, 2)` runners set prints that lie `aside` of the line of travel nearer
    to it."""
    law = walker.gait.law
    if not law.runs or law.contacts.together:
        return np.zeros_like(aside)
    most = MOST_NARROWER * walker.body.leg_length
    return np.clip(NARROWER * aside, -most, most) * law.running(begun)
