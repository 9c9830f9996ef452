"""Both feet at any moment: on their prints, or between them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..body import LEFT, RIGHT, Body
from .channels import both_feet
from .contact import FootShape, sole_heights, stance
from .footsteps import Footsteps
from .pose import FLAT, SWING
from .proportions import rolled
from .swing import clearance_lift, hermite, high_step

# Columns of a foot state: ankle x, y, z on the ground, pitch, heading, toe bend against the foot.
X, Y, Z, PITCH, HEADING, BEND = range(6)
STANDSTILL_VHAT = 0.1  # below this a walker is stopping
NUDGE = 1e-3  # cycles, for the slopes of the network's curves at toe-off and heel strike
CORNER = 1e-7  # cycles off a corner of curves that have some


@dataclass(frozen=True)
class FootPrints:
    """The plan and what shapes each step, `(2, steps)` each, fixed at its heel strike so that stance and swing agree.

    `slow_at(phase)`: the network's slow inputs at foot phases `(..., 2)`, one row where they never change; a foot on the ground follows the
    speed of the moment, so that who starts in mid-step lifts the heel.  `air_slow` `(2, steps, 9)`: those of each toe-off; a foot in the
    air keeps to them, so that who stops puts it down where it is.  `changing`: they do.  `natural`: natural duty factor.  `cornered`: see
    GaitLaw.  `step_height`, `stride`, `push`: factors.  `moving_at_lift`, `moving_at_landing`: see `moving`.
    """

    plan: Footsteps
    slow_at: Callable[[np.ndarray], np.ndarray]
    air_slow: np.ndarray
    changing: bool
    natural: np.ndarray
    cornered: bool
    step_height: np.ndarray
    stride: np.ndarray
    push: np.ndarray
    moving_at_lift: np.ndarray
    moving_at_landing: np.ndarray


@dataclass(frozen=True)
class Feet:
    """Foot states `(frames, 2, 6)` (ankle x, y, z in metres from the start, pitch, heading, toe bend in radians), active pivot, roll."""

    state: np.ndarray
    pivot: np.ndarray
    roll: np.ndarray


def natural_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return the phase in 0..1 at which a natural walk is as far into stance or swing as a step with another duty factor is."""
    share = phase % 1.0
    swing = natural + (share - duty) / (1.0 - duty) * (1.0 - natural)
    return np.where(share < duty, share * natural / duty, swing)


def eased_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return much the same as `natural_phase` without its corners at toe-off and heel strike, for what is not bound to the ground."""
    share = phase % 1.0
    along = np.where(share < duty, share / duty, (1.0 - share) / (1.0 - duty))
    return share + (natural - duty) * along * along * (3.0 - 2.0 * along)


def moving(vhat: np.ndarray) -> np.ndarray:
    """Return 1 for a walk, smoothly 0 at a standstill: who stops in mid-step puts the foot down."""
    share = np.clip(vhat / STANDSTILL_VHAT, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def place_feet(body: Body, shape: FootShape, prints: FootPrints, phase: np.ndarray, slow: np.ndarray, moves: np.ndarray, network) -> Feet:
    """Return both feet for foot phases `(frames, 2)`; `slow` `(frames or 1, 9)` and `moves` `(frames,)`: `slow_at` and `moving` now.

    Stance and swing are both evaluated for every frame and chosen between, so that a frame costs the same whatever it is.
    """
    plan = prints.plan
    side, column = plan.under_way(phase)
    duty = plan.lift[side, column] - plan.contact[side, column]
    into_step = phase - plan.contact[side, column]
    grounded = into_step < duty
    at = natural_phase(phase, duty, prints.natural[side, column])
    now = np.where(grounded[..., None], slow[:, None], prints.air_slow[side, column]) if prints.changing else slow
    foot, ball = _foot_channels(shape, now, side, at, network)
    on_print, pivot = _on_print(shape, prints, side, column, foot[..., 3], ball[..., 3])
    share = np.clip((into_step - duty) / (1.0 - duty), 0.0, 1.0)
    expected = (1.0 - share) * prints.moving_at_lift[side, column] + share * prints.moving_at_landing[side, column]
    # As high as expected, and lower where the walker has slowed down since: squared, so that this begins without a corner.
    raised = 1.0 - np.maximum(1.0 - moves[:, None] / np.maximum(expected, 1e-9), 0.0) ** 2
    in_air = _in_air(body, shape, prints, side, column, share, foot, ball, raised, network)
    state = np.where(grounded[..., None], on_print, in_air)
    roll = np.where(grounded, 0.0, foot[..., 5] * (4.0 * share * (1.0 - share)) ** 2)
    return Feet(state, np.where(grounded, pivot, SWING), roll)


def free_feet(shape: FootShape, prints: FootPrints, phase: np.ndarray, travel: np.ndarray, values: np.ndarray) -> Feet:
    """Return both feet for foot phases `(frames, 2)` where channels `(frames, 46)` put them, after `travel` `(frames,)` metres.

    What is called flat is the stance that the plan counts with; the feet may slip in it.
    """
    plan = prints.plan
    side, column = plan.under_way(phase)
    foot, ball = both_feet(values, "foot"), both_feet(values, "ball")
    state = [
        travel[:, None] + foot[..., 0] * prints.stride[side, column],
        plan.y[side, column] + foot[..., 1],
        shape.ankle[side][..., 2] + foot[..., 2] * prints.step_height[side, column],
        foot[..., 3],
        plan.heading[side, column] + foot[..., 4],
        ball[..., 3] * shape.bends[side],
    ]
    grounded = phase - plan.contact[side, column] < plan.lift[side, column] - plan.contact[side, column]
    return Feet(np.stack(state, -1), np.where(grounded, FLAT, SWING), foot[..., 5])


def _foot_channels(shape: FootShape, slow: np.ndarray, side, at, network) -> tuple[np.ndarray, np.ndarray]:
    """Return foot and ball channels `(..., 6)` at natural phases `at`, the last axis of all being the two sides.

    `slow` `(..., 9)`: the network's slow inputs at each, one row where they never change.
    """
    if slow.size == slow.shape[-1]:
        values = network.sample(slow.reshape(1, -1), at[..., RIGHT].reshape(-1), at[..., LEFT].reshape(-1)).reshape(at.shape[:-1] + (-1,))
        foot, ball = both_feet(values, "foot"), both_feet(values, "ball")
    else:
        each = np.broadcast_to(slow, at.shape + slow.shape[-1:]).reshape(-1, slow.shape[-1])
        values = network.sample(each, at.reshape(-1), at.reshape(-1)).reshape(at.shape + (-1,))
        own = [np.stack([both_feet(values[..., row, :], part)[..., row, :] for row in (LEFT, RIGHT)], -2) for part in ("foot", "ball")]
        foot, ball = own
    foot[..., PITCH] = rolled(foot[..., PITCH], shape.roll[side])
    return foot, ball


def _on_print(shape: FootShape, prints: FootPrints, side, column, pitch, bend) -> tuple[np.ndarray, np.ndarray]:
    """Return stance states `(..., 6)` on the prints of the given steps, and the pivots."""
    plan = prints.plan
    pitch = np.where(pitch > 0.0, pitch * prints.push[side, column], pitch)
    pose = stance(shape, side, pitch, bend)
    heading = plan.heading[side, column]
    cos, sin = np.cos(heading), np.sin(heading)
    x, y = pose.ankle[..., 0], pose.ankle[..., 1]
    state = [
        plan.x[side, column] + cos * x - sin * y,
        plan.y[side, column] + sin * x + cos * y,
        pose.ankle[..., 2],
        pose.pitch,
        heading,
        pose.toe_pitch - pose.pitch,
    ]
    return np.stack(state, -1), pose.pivot


def _in_air(body: Body, shape: FootShape, prints: FootPrints, side, column, share, foot, ball, raised, network) -> np.ndarray:
    """Return swing states `(frames, 2, 6)`, `share` of the way from lift to contact, `raised` 0..1 of the way off the ground."""
    ends = _swing_ends(shape, prints, network)
    start, leave, end, arrive = (edge[side, column] for edge in (ends.start, ends.leave, ends.end, ends.arrive))
    state = hermite(share, start, leave, end, arrive)
    own = hermite(share, *(edge[side, column] for edge in (ends.net_start, ends.net_leave, ends.net_end, ends.net_arrive)))
    added = _swing_shape(foot, ball) - own
    step_height = prints.step_height[side, column]
    added[..., X] *= prints.stride[side, column]
    added[..., Z] = added[..., Z] * np.minimum(step_height, 1.0) + high_step(share, body.leg_length, step_height)
    added[..., BEND] *= shape.bends[side]
    state = state + added
    flat = shape.ankle[side][..., 2]
    state[..., Z] = flat + (state[..., Z] - flat) * raised
    state[..., [PITCH, BEND]] *= raised[..., None]
    heights = sole_heights(shape, side, state[..., Z], state[..., PITCH], state[..., PITCH] + state[..., BEND])
    state[..., Z] += clearance_lift(share, heights, body.leg_length, step_height * raised)
    return state


def _swing_shape(foot: np.ndarray, ball: np.ndarray) -> np.ndarray:
    """Return the network's foot as a state `(..., 6)`: a place in the root's frame, pitch, yaw and toe bend."""
    return np.stack([foot[..., 0], foot[..., 1], foot[..., 2], foot[..., 3], foot[..., 4], ball[..., 3]], -1)


@dataclass(frozen=True)
class _SwingEnds:
    """States `(2, steps, 6)` and slopes per swing at toe-off and the next heel strike, of the foot and of the network's own curve."""

    start: np.ndarray
    leave: np.ndarray
    end: np.ndarray
    arrive: np.ndarray
    net_start: np.ndarray
    net_leave: np.ndarray
    net_end: np.ndarray
    net_arrive: np.ndarray


def _swing_ends(shape: FootShape, prints: FootPrints, network) -> _SwingEnds:
    """Return both ends of the swing after each step; the last step of the plan has no next one and repeats itself."""
    plan = prints.plan
    count = plan.contact.shape[1]
    side = np.broadcast_to(np.array([[LEFT], [RIGHT]]), plan.contact.shape)
    this = np.broadcast_to(np.arange(count), plan.contact.shape)
    following = np.minimum(this + 1, count - 1)
    duty = plan.lift - plan.contact
    lift_net, lift_net_rate, lift_state, lift_rate = _edge(shape, prints, side, this, prints.natural, plan.lift, 1.0, network)
    # Phase 1 of a swing's curve is phase 0 of the next stance, which is found where each step itself lands.
    landed = _edge(shape, prints, side, this, np.ones_like(prints.natural), plan.contact, -1.0, network)
    (land_net, land_net_rate), (land_state, land_rate) = landed[:2], (edge[side, following] for edge in landed[2:])
    air = (1.0 - duty)[..., None]
    natural_air = (1.0 - prints.natural)[..., None]
    return _SwingEnds(
        start=lift_state,
        leave=lift_rate * (prints.natural / duty)[..., None] * air,
        end=land_state,
        arrive=land_rate * (prints.natural / duty)[side, following][..., None] * air,
        net_start=lift_net,
        net_leave=lift_net_rate * natural_air,
        net_end=land_net,
        net_arrive=land_net_rate * natural_air,
    )


def _edge(shape: FootShape, prints: FootPrints, side, column, at, phase, swing, network) -> tuple[np.ndarray, ...]:
    """Return at natural phases `at`, foot phases `phase` `(2, steps)`: the network's state and its slope, those of the foot on its print.

    Slopes are per cycle of natural phase.  `swing` says on which side of these phases the swing is: 1 after them, -1 before.
    """
    into_swing = swing * CORNER * np.array([1.0, 1.0, 2.0]) if prints.cornered else np.array([-NUDGE, 0.0, NUDGE])
    into_stance = -into_swing if prints.cornered else into_swing
    sides, columns = (_beside(index, np.zeros(len(into_stance), int)) for index in (side, column))
    pace = (prints.plan.lift - prints.plan.contact) / prints.natural  # foot phase per natural phase on the ground
    slow = prints.slow_at(_beside(phase, into_stance * pace[..., None]))
    foot, ball = _foot_channels(shape, slow, sides, _beside(at, into_stance), network)
    state = _on_print(shape, prints, sides, columns, foot[..., 3], ball[..., 3])[0]
    if prints.cornered or prints.changing:
        slow = np.moveaxis(prints.air_slow, 0, -2)[:, None] if prints.changing else slow
        foot, ball = _foot_channels(shape, slow, sides, _beside(at, into_swing), network)
    net, state = (np.moveaxis(values, -2, 0) for values in (_swing_shape(foot, ball), state))
    return net[..., 1, :], _slope(net, into_swing), state[..., 1, :], _slope(state, into_stance)


def _beside(values: np.ndarray, nudges: np.ndarray) -> np.ndarray:
    """Return values `(2, steps)` plus nudges `(..., nudges)`, the sides last: `(steps, nudges, 2)`."""
    return np.moveaxis(values[..., None] + nudges, 0, -1)


def _slope(states: np.ndarray, nudges: np.ndarray) -> np.ndarray:
    return (states[..., 2, :] - states[..., 0, :]) / (nudges[2] - nudges[0])
