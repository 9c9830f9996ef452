"""Both feet at any moment: on their prints, or between them."""

from dataclasses import dataclass

import numpy as np

from ..body import LEFT, RIGHT, Body
from .channels import both_feet
from .contact import FootShape, foot_shape, sole_heights, stance
from .cycle import natural_duty
from .footsteps import Footsteps
from .pose import SWING
from .swing import clearance_lift, hermite

# Columns of a foot state: ankle x, y, z on the ground, pitch, heading, toe bend against the foot.
X, Y, Z, PITCH, HEADING, BEND = range(6)
NUDGE = 1e-3  # cycles, for the slopes of the network's curves at toe-off and heel strike


@dataclass(frozen=True)
class FootPrints:
    """What shapes each step, `(2, steps)`: the plan, and per step the slow network inputs `(2, steps, 9)`, natural duty, factors."""

    plan: Footsteps
    slow: np.ndarray
    natural: np.ndarray
    step_height: np.ndarray
    stride: np.ndarray
    push: np.ndarray


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


def place_feet(body: Body, prints: FootPrints, phase: np.ndarray, values: np.ndarray, network) -> Feet:
    """Return both feet for foot phases `(frames, 2)` and network channels `(frames, 46)` at the natural phases.

    Stance and swing are both evaluated for every frame and chosen between, so that a frame costs the same whatever it is.
    """
    shape = foot_shape(body)
    plan = prints.plan
    step = np.floor(phase).astype(int)
    column = plan.index(step)
    side = np.broadcast_to(np.array([LEFT, RIGHT]), step.shape)
    duty = plan.lift[side, column] - plan.contact[side, column]
    grounded = phase - step < duty
    foot, ball = both_feet(values, "foot"), both_feet(values, "ball")
    on_print, pivot = _on_print(shape, prints, side, column, foot[..., 3], ball[..., 3])
    share = np.clip((phase - step - duty) / (1.0 - duty), 0.0, 1.0)
    in_air = _in_air(body, shape, prints, side, column, share, foot, ball, network)
    state = np.where(grounded[..., None], on_print, in_air)
    roll = np.where(grounded, 0.0, foot[..., 5] * (4.0 * share * (1.0 - share)) ** 2)
    return Feet(state, np.where(grounded, pivot, SWING), roll)


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


def _in_air(body: Body, shape: FootShape, prints: FootPrints, side, column, share, foot, ball, network) -> np.ndarray:
    """Return swing states `(frames, 2, 6)`, `share` of the way from lift to contact."""
    ends = _swing_ends(shape, prints, network)
    start, leave, end, arrive = (edge[side, column] for edge in (ends.start, ends.leave, ends.end, ends.arrive))
    state = hermite(share, start, leave, end, arrive)
    own = hermite(share, *(edge[side, column] for edge in (ends.net_start, ends.net_leave, ends.net_end, ends.net_arrive)))
    shape_x_to_bend = _swing_shape(foot, ball) - own
    shape_x_to_bend[..., X] *= prints.stride[side, column]
    shape_x_to_bend[..., Z] *= prints.step_height[side, column]
    shape_x_to_bend[..., BEND] *= shape.bends[side]
    shape_x_to_bend[..., Y] *= np.sign(prints.plan.y[side, column]) * np.where(side == LEFT, 1.0, -1.0)
    state = state + shape_x_to_bend
    lowest = sole_heights(shape, side, state[..., Z], state[..., PITCH], state[..., PITCH] + state[..., BEND]).min(axis=-1)
    state[..., Z] += clearance_lift(share, lowest, body.leg_length, prints.step_height[side, column])
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
    next_duty = duty[side, following]
    lift_net, lift_state, lift_rate, lift_net_rate = _edge(shape, prints, side, this, this, prints.natural, network)
    land_net, land_state, land_rate, land_net_rate = _edge(shape, prints, side, this, following, np.ones_like(prints.natural), network)
    # The slopes come per cycle of natural phase; a swing is 1 - natural of it, and stance runs at natural/duty of the foot's own phase.
    air = (1.0 - duty)[..., None]
    natural_air = (1.0 - prints.natural)[..., None]
    return _SwingEnds(
        start=lift_state,
        leave=lift_rate * (prints.natural / duty)[..., None] * air,
        end=land_state,
        arrive=land_rate * (prints.natural[side, following] / next_duty)[..., None] * air,
        net_start=lift_net,
        net_leave=lift_net_rate * natural_air,
        net_end=land_net,
        net_arrive=land_net_rate * natural_air,
    )


def _edge(shape: FootShape, prints: FootPrints, side, slow_of, step, at, network) -> tuple[np.ndarray, ...]:
    """Return the network's state, the state on the print of `step`, and the slopes of both per cycle, at natural phase `at`."""
    nudges = np.array([-NUDGE, 0.0, NUDGE])
    moments = at[..., None] + nudges
    slow = np.broadcast_to(prints.slow[side, slow_of][:, :, None], moments.shape + (9,))
    flat = moments.reshape(-1)
    values = network.sample(slow.reshape(-1, 9), flat, flat).reshape(moments.shape + (-1,))
    values = np.stack([both_feet(values[s], "foot")[..., s, :] for s in (LEFT, RIGHT)]), np.stack(
        [both_feet(values[s], "ball")[..., s, :] for s in (LEFT, RIGHT)]
    )
    net = _swing_shape(*values)
    sides, steps = side[..., None] + np.zeros(3, int), step[..., None] + np.zeros(3, int)
    state, _ = _on_print(shape, prints, sides, steps, values[0][..., 3], values[1][..., 3])
    return net[..., 1, :], state[..., 1, :], _slope(state), _slope(net)


def _slope(states: np.ndarray) -> np.ndarray:
    return (states[..., 2, :] - states[..., 0, :]) / (2.0 * NUDGE)
