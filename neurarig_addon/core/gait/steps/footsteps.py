"""Where and when each foot is on the ground: the plan, which nothing later changes.

Whatever leads a walk elsewhere (a path, the ground, an edited print) changes the plan here, and nothing after it.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ...ground.moving import MovingTerrain
from ...ground.prints import Prints
from ...ground.sole import Sole
from ..feet.ball_pivot import ball_of, turned_by
from ..feet.footing import Landing, footing, ground_for, touched_on
from ..kinds.law import GaitLaw
from ..kinds.limits import duty_bounds
from ..kinds.phases import moving
from ..sliders.manner import StepManner, step_height, step_manner
from ..stairs.stair_feet import climbs
from ..walker import NATURAL_TOE_OUT, Walker
from .lifted import climbed, lifted_until, unlifted
from .pointing import ball_pivots, before_their_turn, pointing, turned_over
from .recorded import recorded_steps
from .sideways import SIDE_SIGN, sideways
from .spacing import spacing_of
from .strides import stance_of
from .take import AHEAD, DUTY, OUTWARD, TOE_OUT

BOTH = np.array([LEFT, RIGHT])
# Runners set their feet on nearly one line, but legs lean inward only so far: hips may be wide for the legs.
NARROWER, MOST_NARROWER = 0.85, 0.12  # share of the distance from the line; limit in leg lengths
STEADIER = 0.6  # how much less runners' feet vary sideways from step to step
STEPS_AROUND = 3  # steps before and after: the ground under the body depends on two, and their footing on one more
MID_STANCE = 0.3  # cycles after heel strike: a body that moves by then is walking, even if the foot landed before


@dataclass(frozen=True)
class Steps:
    """Steps, each from a heel strike to the same foot's next; all arrays `(..., 2)`, the sides last.

    `contact`, `lift`: foot phase at heel strike and toe-off.
    `order`: how many contacts the foot had before in the cycle.  `takes`: cycles to the next one.
    `place` `(..., 2, 3)`, `heading`, `slope`, `bank`: the print's frame (see `ground.prints`) as the foot touches it.
    `ball_pivot`: radians that the standing foot turns on its ball, left positive (see `ball_pivot`).
    `distance`: metres on the path.  `aside`: metres off it, left positive, seen along the `course`, the legs' heading there.
    `came`, `goes`: climb to this print and on to the next, as on stairs, in leg lengths (see `stair_feet.climbs`).
    `lifted`: metres that moving ground has risen from step to step until touchdown.
    `natural`: natural duty factor.  `step_height`, `stride`, `push`: factors.  `kept`: weight of the recorded walk.
    `moving_at_lift`, `moving_at_landing`: see `phases.moving`.
    """

    contact: np.ndarray
    lift: np.ndarray
    order: np.ndarray
    takes: np.ndarray
    place: np.ndarray
    heading: np.ndarray
    slope: np.ndarray
    bank: np.ndarray
    ball_pivot: np.ndarray
    distance: np.ndarray
    aside: np.ndarray
    course: np.ndarray
    came: np.ndarray
    goes: np.ndarray
    lifted: np.ndarray
    natural: np.ndarray
    step_height: np.ndarray
    stride: np.ndarray
    push: np.ndarray
    kept: np.ndarray
    moving_at_lift: np.ndarray
    moving_at_landing: np.ndarray

    @property
    def duty(self) -> np.ndarray:
        """Share of the step on the ground."""
        return self.lift - self.contact

    @property
    def lies_level(self) -> np.ndarray:
        """Whether prints lie level at height 0 `(...)`."""
        return (self.place[..., 2] == 0.0) & (self.slope == 0.0) & (self.bank == 0.0)

    @property
    def climbed(self) -> np.ndarray:
        """Heights of prints `(..., 2)` as climbed by feet: without the rise of moving ground in between."""
        height = self.place[..., 2]
        return unlifted(height, self.lifted) if self.lifted.any() else height

    @property
    def prints(self) -> Prints:
        """Where the feet stand."""
        return Prints(self.place, self.heading, self.slope, self.bank)

    def turned(self, sole: Sole, share: np.ndarray) -> "Steps":
        """Return the steps with prints turned on the ball as after shares of their stance `(..., 2)`."""
        if not self.ball_pivot.any():
            return self
        prints = self.prints.turned(ball_of(sole), self.ball_pivot * turned_by(share))
        return replace(self, place=prints.place, heading=prints.heading, slope=prints.slope, bank=prints.bank)

    def take(self, rows: np.ndarray) -> "Steps":
        """Return the steps in rows `(..., 2)` of a plan `(steps, 2)`."""
        return Steps(*(getattr(self, name)[rows, BOTH] for name in _FIELDS))

    def part(self, rows: slice) -> "Steps":
        """Return consecutive `rows` of the steps `(steps, 2)` of a plan."""
        return Steps(*(getattr(self, name)[rows] for name in _FIELDS))


_FIELDS = tuple(field.name for field in fields(Steps))


@dataclass(frozen=True)
class Footsteps:
    """The steps `(steps, 2)` around some frames; row `i` of a side has number `first[side] + i`."""

    first: np.ndarray
    steps: Steps

    def under_way(self, phase: np.ndarray) -> np.ndarray:
        """Return the rows `(frames, 2)` of the steps under way at foot phases `(frames, 2)`."""
        return np.floor(phase).astype(int) - self.first


def footsteps(walker: Walker, phase: np.ndarray) -> Footsteps:
    """Return the steps for foot phases `(frames, 2)`: the one under way at each, the next, and on uneven ground some around these.

    A print lies beside the path where the root is at mid-stance, a little behind; it depends on its own step only, never on the frames
    asked for.
    """
    around = 0 if walker.ground.is_level else STEPS_AROUND
    first = np.floor(phase.min(axis=0)).astype(int) - around
    count = int((np.floor(phase.max(axis=0)).astype(int) - first).max()) + 2 + around
    contact = first + np.arange(count, dtype=float)[:, None]
    law, pace = walker.gait.law, walker.rhythm
    strikes = pace.seconds_when(contact)
    struck = walker.frames_at(strikes)
    wish = step_manner(walker.track, struck)
    begun = walker.as_begun(walker.law_inputs(pace.seconds_when(contact + MID_STANCE)), strikes)
    which = law.contacts.which(contact)
    natural = law.duty(begun, which)
    wish = replace(wish, duty_factor=wish.duty_factor * stance_of(walker.build, walker.gait, begun))
    duty = duty_of(law, natural, wish)
    kept, added = recorded_steps(walker, contact, struck)
    duty = duty if walker.gait.take is None else np.clip(duty + added[..., DUTY], *duty_bounds(law, natural))
    wish = replace(wish, step_height=step_height(walker.track, walker.frames_at(pace.seconds_when(contact + 0.5 * (duty + 1.0)))))
    aside = SIDE_SIGN * spacing_of(walker.body, wish.stance_width)
    if law.runs and not law.contacts.together:
        most = MOST_NARROWER * walker.body.leg_length
        aside = aside - np.clip(NARROWER * aside, -most, most) * law.running(begun)
    middle = contact + 0.5 * duty
    distance = pace.distance_when(middle) - law.lead(begun) + wish.ahead * law.stride(begun)
    if walker.variation is not None:
        differs = walker.variation.of_steps(walker.planned_phase(contact), walker.track.at("variation", struck))
        wish = replace(wish, splay=wish.splay + differs.splay, step_height=wish.step_height * differs.height)
        distance = distance + differs.ahead * law.stride(begun)
        aside = aside + differs.aside * walker.body.leg_length * (1.0 - STEADIER * law.running(begun))
    toe_out = NATURAL_TOE_OUT + wish.splay
    if walker.gait.styling is not None:
        forward, outward, turned = np.einsum("fssa->afs", walker.gait.styling.prints(begun))  # each side's own
        distance, aside, toe_out = distance + forward, aside + SIDE_SIGN * outward, toe_out + turned
    distance, aside, toe_out = distance + added[..., AHEAD], aside + SIDE_SIGN * added[..., OUTWARD], toe_out + added[..., TOE_OUT]
    apart = sideways(walker, contact, middle, aside)
    if pace.closes and len(pace.rests):
        stands, there = pace.rests.within(pace.phase_when(contact), pace.phase_when(contact + duty))
        distance = np.where(stands, there, distance)
    distance, splay = walker.treads.placed(distance, walker.sole, walker.body.leg_length)
    ahead = walker.path.heading_at(distance)
    turned = turned_over(walker, contact, contact + duty)
    turn = np.where(np.isnan(splay), ball_pivots(walker, contact, contact + duty, turned), 0.0)
    heading = pointing(walker, contact, turned, distance, turn) if walker.path.turns else ahead
    heading = heading + apart.turned + SIDE_SIGN * (toe_out + np.nan_to_num(splay))
    prints, distance = footing(walker, distance, apart, Landing(contact, heading, np.isnan(splay)))
    prints, turn = before_their_turn(walker, prints, turn, ground_for(walker, contact))

    climb, lifted = np.zeros((count + 1, 2)), np.zeros((count, 2))
    if not walker.ground.is_level:
        if isinstance(walker.ground, MovingTerrain):
            touched = walker.ground.at(touched_on(walker, contact))
            lifted = lifted_until(touched, prints.place, pace.phase_when(contact))
        climb[1:-1] = climbs(climbed(prints, unlifted(prints.place[..., 2], lifted)) if lifted.any() else prints, walker.body.leg_length)

    def slow_when(phases: np.ndarray) -> np.ndarray:
        return walker.slow_at(pace.seconds_when(phases))

    begun = walker.as_begun(slow_when(contact + MID_STANCE), strikes)
    steps = Steps(
        contact=contact,
        lift=contact + duty,
        order=law.contacts.order(contact),
        takes=law.contacts.spans(which),
        place=prints.place,
        heading=prints.heading,
        slope=prints.slope,
        bank=prints.bank,
        ball_pivot=turn,
        distance=distance,
        aside=apart.aside,
        course=ahead + apart.turned,
        came=climb[:-1],
        goes=climb[1:],
        lifted=lifted,
        natural=np.broadcast_to(law.duty(begun, which), contact.shape),
        step_height=wish.step_height,
        stride=wish.stride,
        push=wish.push,
        kept=kept,
        moving_at_lift=np.broadcast_to(moving(walker.vhat_at(pace.seconds_when(contact + duty))), contact.shape),
        moving_at_landing=np.broadcast_to(moving(walker.vhat_at(pace.seconds_when(contact + 1.0))), contact.shape),
    )
    return Footsteps(first, steps)


def duty_of(law: GaitLaw, natural: np.ndarray, wish: StepManner) -> np.ndarray:
    """Return the duty factors `(..., 2)` after the sliders, from natural ones."""
    return np.clip(natural * wish.duty_factor + wish.duty, *duty_bounds(law, natural))
