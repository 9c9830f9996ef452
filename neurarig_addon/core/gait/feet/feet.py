"""Both feet at any moment: on their prints, or between them."""

import numpy as np

from ...body.feet import FLAT, SWING, Feet
from ...contract.channels import both_feet
from ...easing import bell
from ..kinds.contacts import moving, natural_phase
from ..steps.footsteps import Footsteps, Steps
from ..walker import Moments, Walker
from ..way.facing import ON_TWO_LEGS, legs_turned
from .stance import BANK, BEND, HEADING, PITCH, Stand, Z, feet_of, on_prints, stood
from .swing import Air, in_air, with_looks

# Least height of a carried foot above the ground, and the range over which it is drawn up to it, in leg
# lengths.
CARRIED_OFF, CARRIED_BAND = 0.03, 0.03


def planted_feet(walker: Walker, plan: Footsteps, at: Moments) -> Stand:
    """Return both feet, on their prints or between them.

    Stance and swing are both evaluated for every frame, then chosen; where no foot is lifted, as in a
    standstill, the
    swing is skipped.  The moments at which whole swings are looked at follow the frames, in one evaluation.
    A foot on the ground follows the speed of the moment, so that a start in mid-step lifts the heel; a foot
    in the air keeps the speed of
    its toe-off, so that a stop puts it down where it is.
    """
    rows, count = plan.under_way(at.phase), len(at.phase)
    now = plan.steps.take(rows)
    duty, into_step = now.duty, at.phase - now.contact
    grounded = into_step < duty
    share = np.clip((into_step - duty) / (1.0 - duty), 0.0, 1.0)
    if not grounded.all():
        rows, share = with_looks(walker, plan, rows, share)
    steps = plan.steps.take(rows)
    natural = steps.natural + share * (1.0 - steps.natural)
    natural[:count] = natural_phase(at.phase, duty, now.natural)
    slow, raised = at.slow, np.ones(share.shape)
    if not walker.inputs.is_steady:
        slow = walker.inputs.at(walker.rhythm.seconds_when(steps.lift))
        slow[:count] = np.where(
            grounded[..., None], at.slow if at.slow.ndim == slow.ndim else at.slow[:, None], slow[:count]
        )
        raised = _raised(walker, steps, share, at)
    foot, ball = feet_of(walker, steps, slow, steps.order + natural)
    standing, pivot = on_prints(walker, now, foot[:count], ball[:count], into_step / duty)
    if grounded.all():
        return stood(standing, np.zeros_like(duty), pivot)
    flying = in_air(walker, plan, Air.after(walker, plan, rows, share, foot, ball, raised), count)
    state = np.where(grounded[..., None], standing, flying)
    share = share[:count]
    roll = np.where(grounded, 0.0, foot[:count, :, 5] * bell(share))
    return stood(state, roll, np.where(grounded, pivot, SWING))


def _raised(walker: Walker, steps: Steps, share: np.ndarray, at: Moments) -> np.ndarray:
    """Return the height of swinging feet `(n, 2)` relative to what was expected at toe-off: below 1 where the
    walk has slowed down since.

    Squared, so that it begins smoothly. The first of them are at the given moments. Over uneven ground the
    looks that follow are at
    what was expected.
    """
    raised, count = np.ones(share.shape), len(at.phase)
    vhat = np.broadcast_to(at.vhat[:, None], at.phase.shape)
    if walker.ground.is_level:
        vhat = np.concatenate(
            [
                vhat,
                walker.inputs.vhat_at(
                    walker.rhythm.seconds_when((steps.lift + share * (1.0 - steps.duty))[count:])
                ),
            ]
        )
    seen = slice(len(vhat))
    expected = (1.0 - share[seen]) * steps.moving_at_lift[seen] + share[seen] * steps.moving_at_landing[seen]
    raised[seen] -= np.maximum(1.0 - moving(vhat) / np.maximum(expected, 1e-9), 0.0) ** 2
    return raised


def with_carried(walker: Walker, stand: Stand, free: Stand, side: int, height: np.ndarray) -> Stand:
    """Return feet with the carried one taken from `free`, above ground of a height `(f,)`: it never stands or
    touches the ground."""
    feet = stand.feet
    ankle, turn, toe = (np.array(values) for values in (feet.ankle, feet.turn, feet.toe))
    heading, pivot, pitch = (np.array(values) for values in (stand.heading, stand.pivot, stand.pitch))
    ankle[:, side], turn[:, side], toe[:, side] = (
        free.feet.ankle[:, side],
        free.feet.turn[:, side],
        free.feet.toe[:, side],
    )
    leg, points = walker.body.leg_length, walker.sole.pivots(free.feet)[:, side]
    lacking = CARRIED_OFF * leg - (points[..., Z] - walker.sole.resting_pivots[side]).min(axis=-1)
    ankle[:, side, Z] += height + 0.5 * (lacking + np.hypot(lacking, CARRIED_BAND * leg))
    heading[:, side], pivot[:, side], pitch[:, side] = free.heading[:, side], SWING, free.pitch[:, side]
    return Stand(Feet(ankle, turn, toe), heading, pivot, pitch)


def free_feet(walker: Walker, plan: Footsteps, at: Moments, values: np.ndarray) -> Stand:
    """Return both feet exactly where channels `(frames, 46)` put them.

    Stance is taken from the plan; the feet may slip in it.
    """
    steps = plan.steps.take(plan.under_way(at.phase))
    foot, ball = both_feet(values, "foot"), both_feet(values, "ball")
    facing = walker.facing_at(at.seconds)
    root = walker.path.at(at.distance).turned(facing + legs_turned(facing, ON_TWO_LEGS.legs))
    ahead, left = foot[..., 0] * steps.stride, steps.aside + foot[..., 1]
    state = np.zeros(at.phase.shape + (BANK + 1,))
    state[..., : Z + 1] = (
        root.place[:, None] + ahead[..., None] * root.ahead[:, None] + left[..., None] * root.left[:, None]
    )
    state[..., Z] += walker.sole.ankle[:, 2] + foot[..., 2] * steps.step_height
    state[..., PITCH], state[..., BEND] = foot[..., 3], ball[..., 3] * walker.sole.bends
    state[..., HEADING] = root.heading[:, None] + steps.heading - steps.course + foot[..., 4]
    pivot = np.where(at.phase - steps.contact < steps.duty, FLAT, SWING)
    return stood(state, foot[..., 5], pivot)
