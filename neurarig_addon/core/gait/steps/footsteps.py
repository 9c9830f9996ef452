"""Where and when each foot is on the ground: the plan, which nothing later changes.

Whatever leads a walk elsewhere (a path, the ground, an edited print) changes the plan here, and nothing after
it.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...body.sole import Sole
from ...character.body import LEFT, RIGHT
from ...easing import b_spline
from ...ground.moving_ground import MovingTerrain
from ...ground.prints import Prints
from ...ground.surface import LEVEL
from ..kinds.contacts import moving
from ..walker import Walker
from .foot_headings import Stances, ball_of, ball_pivots, before_their_turn, pointing, turned_by, turned_over
from .footing import Landing, climbed, climbs, footing, ground_for, lifted_until, touched_on, unlifted
from .placement import SIDE_SIGN, Placing, kept_apart, laid_flat, placing, sideways

BOTH = np.array([LEFT, RIGHT])
# steps before and after: the ground under the body depends on two, and their footing on one more
STEPS_AROUND = 3
# Shares of the stance at which it is decided how far the heel is raised, and from which it may be.
RAISED_AT, RISES_FROM = np.array([0.625, 0.75, 0.875, 1.0, 1.125]), 0.375
# shares of the heel's rise and the foot's lift in steps out of a standstill and into one
OUT_OF_REST, INTO_REST = 0.5, 0.42
LIFTS_ROUND = 0.8  # added to the step height of feet on toes in turns on the spot
# cycles after heel strike: a body that moves by then is walking, even if the foot landed before
MID_STANCE = 0.3


@dataclass(frozen=True)
class Steps:
    """Steps, each from a heel strike to the same foot's next; all arrays `(..., 2)`, the sides last.

    `contact`, `lift`: foot phase at heel strike and toe-off.
    `order`: how many contacts the foot had before in the cycle.  `takes`: cycles to the next one.
    `place` `(..., 2, 3)`, `heading`, `slope`, `bank`: the print's frame (see `ground.prints`) as the foot
    touches it.
    `ball_pivot`: radians that the standing foot turns on its ball, left positive (see `foot_headings`).
    `pivots` `(..., 2, 2)`: the shares
    of its stance between which it may.
    `moved` `(..., 2, 2)`: metres along x and y that an edited print is off its planned place.
    `distance`: metres on the path. `aside`: metres off it, left positive, seen along the `course`, the legs'
    heading there.
    `came`, `goes`: climb to this print and on to the next, as on stairs, in leg lengths (see
    `stair_feet.climbs`).
    `lifted`: metres that moving ground has risen from step to step until touchdown.
    `natural`: natural duty factor. `step_height`, `stride`, `push`: factors. `kept`: weight of the recorded
    walk.
    `moving_at_lift`, `moving_at_landing`: see `contacts.moving`.
    `heel_raise` `(..., 2, n)`: radians that the heel is raised beyond the gait's own (see `feet.heel_raise`).
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
    pivots: np.ndarray
    moved: np.ndarray
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
    heel_raise: np.ndarray

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
        prints = self.prints.turned(ball_of(sole), self.ball_pivot * turned_by(self.pivoting(share)))
        return replace(self, **vars(prints))

    def raised(self, share: np.ndarray) -> np.ndarray:
        """Return how much farther heels are raised `(..., 2)`, in radians, after shares of their stance: a
        cubic B-spline."""
        knots = np.concatenate([np.zeros((*self.heel_raise.shape[:-1], 3)), self.heel_raise], axis=-1)
        at = np.maximum((share - RAISED_AT[0]) / (RAISED_AT[1] - RAISED_AT[0]) + 3.0, 1.0)
        row = np.minimum(np.floor(at), knots.shape[-1] - 3.0)
        return b_spline(knots, row.astype(int), at - row)

    def pivoting(self, share: np.ndarray) -> np.ndarray:
        """Return the shares `(..., 2)`, 0 to 1, of the time for turning on the ball after shares of the
        stance `(..., 2)`."""
        begins, ends = self.pivots[..., 0], self.pivots[..., 1]
        return np.clip((share - begins) / (ends - begins), 0.0, 1.0)

    def take(self, rows: np.ndarray) -> "Steps":
        """Return the steps in rows `(..., 2)` of a plan `(steps, 2)`."""
        flat = 2 * rows + BOTH  # one index for numpy instead of two: this is asked often, for few rows
        return Steps(*(values.reshape(-1, *values.shape[2:])[flat] for values in vars(self).values()))


@dataclass(frozen=True)
class Footsteps:
    """The steps `(steps, 2)` around some frames; row `i` of a side has number `first[side] + i`."""

    first: np.ndarray
    steps: Steps

    def with_heels(self, rows: slice | np.ndarray, raises: np.ndarray) -> "Footsteps":
        """Return the plan with the `heel_raise` `(m, 2, n)` of steps in `rows`."""
        heels = self.steps.heel_raise.copy()
        heels[rows] = raises
        return replace(self, steps=replace(self.steps, heel_raise=heels))

    def under_way(self, phase: np.ndarray) -> np.ndarray:
        """Return the rows `(frames, 2)` of the steps under way at foot phases `(frames, 2)`."""
        return np.floor(phase).astype(int) - self.first


def steps_at(walker: Walker, phase: np.ndarray) -> Steps:
    """Return the steps under way at foot phases `(frames, 2)`."""
    plan = footsteps(walker, phase)
    return plan.steps.take(plan.under_way(phase))


def footsteps(walker: Walker, phase: np.ndarray) -> Footsteps:
    """Return the steps for foot phases `(frames, 2)`: the one under way at each, the next, and on uneven
    ground some around these.

    A print lies beside the path where the root is at mid-stance, a little behind; it depends on its own step
    only, never on the frames asked for.
    """
    around = (0 if walker.ground.is_level else STEPS_AROUND) + 2 * walker.turns_its_feet
    first = np.floor(phase.min(axis=0)).astype(int) - around
    count = int((np.floor(phase.max(axis=0)).astype(int) - first).max()) + 2 + around
    contact = first + np.arange(count, dtype=float)[:, None]
    law, pace = walker.gait.law, walker.rhythm
    strikes, mid_stance = pace.seconds_when(contact), pace.seconds_when(contact + MID_STANCE)
    placed = placing(
        walker, contact, strikes, walker.inputs.as_begun(walker.inputs.for_law(mid_stance), strikes)
    )
    stances = Stances.of(pace, contact, contact + placed.duty)
    prints, lies = _laid(walker, stances, placed)
    climb, lifted = _climbs(walker, contact, prints)
    begun = walker.inputs.as_begun(walker.inputs.at(mid_stance), strikes)
    quiet = _quiet(walker, contact, placed.duty)
    which = law.contacts.which(contact)
    steps = Steps(
        contact=contact,
        lift=stances.lift,
        order=law.contacts.order(contact),
        takes=law.contacts.spans(which),
        **vars(prints),
        **lies,
        moved=np.zeros((*contact.shape, 2)),
        came=climb[:-1],
        goes=climb[1:],
        lifted=lifted,
        natural=np.broadcast_to(walker.gait.natural_duty(begun, which), contact.shape),
        step_height=quiet * placed.step_height + _stepped_round(walker, contact, placed.duty),
        stride=placed.wish.stride,
        push=quiet * placed.wish.push,
        kept=placed.kept,
        moving_at_lift=np.broadcast_to(
            moving(walker.inputs.vhat_at(pace.seconds_when(stances.lift))), contact.shape
        ),
        moving_at_landing=np.broadcast_to(
            moving(walker.inputs.vhat_at(pace.seconds_when(contact + 1.0))), contact.shape
        ),
        heel_raise=np.zeros((*contact.shape, len(RAISED_AT))),
    )
    return Footsteps(first, steps)


def _quiet(walker: Walker, contact: np.ndarray, duty: np.ndarray) -> np.ndarray:
    """Return factors on how far heels and feet rise in the swings after steps `(steps, 2)` that strike at
    phases `contact`."""
    pace = walker.rhythm
    if not (pace.closes and len(pace.rests)) or len(walker.treads.ledges.at) or walker.facing is not None:
        return np.ones(contact.shape)
    out, into = (
        pace.rests.within(*map(pace.phase_when, (strikes, strikes + duty)))[0]
        for strikes in (contact, contact + 1.0)
    )
    return np.where(out, OUT_OF_REST, np.where(into, INTO_REST, 1.0))


def _stepped_round(walker: Walker, contact: np.ndarray, duty: np.ndarray) -> np.ndarray | float:
    """Return how much higher feet on toes are lifted in turns on the spot, where no curves of joints lift
    them."""
    if not (walker.body.on_toes and len(walker.path.spots)):
        return 0.0
    flying = walker.rhythm.distance_when(contact + 0.5 * (duty + 1.0))
    return LIFTS_ROUND * (walker.path.advance(flying) == 0.0)


def _laid(walker: Walker, stances: Stances, placed: Placing) -> tuple[Prints, dict[str, np.ndarray]]:
    """Return the prints of steps `(steps, 2)` along the path, and how they lie beside it and turn: what
    `Steps` tell of that.

    Beside standing ones where it rests, on treads, turned, on the ground.
    """
    contact, aside = stances.contact, placed.aside - np.where(stances.stands, 0.0, placed.nearer)
    apart = sideways(walker, contact, contact + 0.5 * placed.duty, aside)
    distance = np.where(stances.stands, stances.there, placed.distance)
    distance, splay = walker.treads.placed(distance, walker.sole, walker.body.leg_length)
    course = walker.path.heading_at(distance) + apart.turned
    turned = turned_over(walker, stances)
    turns = np.isnan(splay) & (walker.compass is None)  # a rigid leg cannot make its heel light
    turn = np.where(turns, ball_pivots(walker, stances, turned), 0.0)
    heading = (
        pointing(walker, stances, turned, distance, turn) + apart.turned if walker.path.turns else course
    )
    free = walker.turns_its_facing | (~stances.stands & (walker.path.advance(distance) == 0.0))
    if free.any() and walker.gait.law.contacts.takes_turns:
        touched = left = laid_flat(walker, distance, apart, course)
        if not walker.turns_its_facing:
            touched, _ = before_their_turn(walker, stances, replace(touched, heading=heading), turn, LEVEL)
            left = touched.turned(ball_of(walker.sole), turn)
        apart = kept_apart(walker, contact, course, (touched, left), apart, aside, free)
    heading = heading + SIDE_SIGN * (placed.toe_out + np.nan_to_num(splay))
    prints, distance = footing(walker, distance, apart, Landing(contact, heading, np.isnan(splay)))
    prints, turn = before_their_turn(walker, stances, prints, turn, ground_for(walker, contact))
    pivots = np.moveaxis(stances.moves, 0, -1)
    return prints, {
        "ball_pivot": turn,
        "pivots": pivots,
        "distance": distance,
        "aside": apart.aside,
        "course": course,
    }


def _climbs(walker: Walker, contact: np.ndarray, prints: Prints) -> tuple[np.ndarray, np.ndarray]:
    """Return the climbs before and after steps `(steps + 1, 2)`, in leg lengths, and the metres that moving
    ground rose `(steps, 2)`."""
    count = len(contact)
    climb, lifted = np.zeros((count + 1, 2)), np.zeros((count, 2))
    if walker.ground.is_level:
        return climb, lifted
    if isinstance(walker.ground, MovingTerrain):
        touched = walker.ground.at(touched_on(walker, contact))
        lifted = lifted_until(touched, prints.place, walker.rhythm.phase_when(contact))
    climbing = climbed(prints, unlifted(prints.place[..., 2], lifted)) if lifted.any() else prints
    climb[1:-1] = climbs(climbing, walker.body.leg_length)
    return climb, lifted
