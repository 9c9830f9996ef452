"""Feet on moving ground: carried along from touch to lift, and the body with them, smoothly.

A print lies on the ground as it is at touchdown, and from then on moves with the ground under it. In the air
a foot
blends from the motion of its last print to that of its next one, so that it leaves and lands at the speed of
the ground.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...easing import smoothstep
from ...geometry.rotation import frame as frame_of
from ...geometry.rotation import rotated, rotation_vector
from ...ground.fitting import INNER, OUTER, TIP, sole_points
from ...ground.moving_ground import SHIFT, TURN, FootCarry, MovingTerrain
from ...path.path import Along
from ..kinds.natural import GRAVITY
from ..steps.footing import touched_on
from ..steps.footsteps import BOTH, Footsteps, Steps
from ..walker import Moments, Walker

# cycles on both sides to average the body's carry; sampling, x sqrt(leg / g) seconds
QUARTER, MOST_QUARTER_S = 0.25, 0.88
AROUND = np.linspace(-1.0, 1.0, 17)[1::2]


def carry_at(
    walker: Walker, ground: MovingTerrain, plan: Footsteps, phase: np.ndarray, seconds: np.ndarray
) -> FootCarry:
    """Return how feet at phases `(f, 2)` are carried at times `(f,)`, in seconds."""
    rows = plan.under_way(phase)
    at = np.clip(walker.clock.frames(seconds) - ground.first, 0.0, ground.count - 1.0)
    sample = np.minimum(at.astype(int), max(ground.count - 2, 0))
    samples = np.arange(sample.min(), min(sample.max() + 2, ground.count))
    duty = plan.steps.duty[rows, BOTH]
    # weight of the next print
    landing = smoothstep((phase - plan.steps.contact[rows, BOTH] - duty) / (1.0 - duty))[..., None]
    touched = ground.samples(touched_on(walker, plan.steps.contact))
    carry = np.empty((*phase.shape, 9))
    for side in BOTH:
        used, index = np.unique(np.concatenate([rows[:, side], rows[:, side] + 1]), return_inverse=True)
        flat, prints = sole_points(walker.sole)[side], plan.steps.prints.take(used, np.full(len(used), side))
        corners = np.concatenate([np.zeros((1, 3)), flat[[0, TIP, INNER, OUTER]]])
        points = prints.place[:, None] + rotated(prints.axes[:, None], corners)
        moves = np.stack(
            [
                _moves(ground, lie, at_touch, samples)
                for lie, at_touch in zip(points, touched[used, side].tolist(), strict=True)
            ]
        )
        at_row, next_row = index.reshape(2, -1)
        low = sample - samples[0]
        high = np.minimum(low + 1, len(samples) - 1)
        between = (at - sample)[:, None]
        here, there = (
            moves[row, low] + between * (moves[row, high] - moves[row, low]) for row in (at_row, next_row)
        )
        carry[:, side] = (1.0 - landing[:, side]) * here + landing[:, side] * there
    return FootCarry(carry)


def _moves(ground: MovingTerrain, points: np.ndarray, touched: int, samples: np.ndarray) -> np.ndarray:
    """Return how a print is carried in each sample `(k, 9)`; see `Carry`.

    `points` `(5, 3)`: its place, heel, tip and both edges in the sample in which it is `touched`.
    """
    moved = ground.taken(points, touched, np.append(samples, touched))
    axes = frame_of(moved[:, 2] - moved[:, 1], moved[:, 3] - moved[:, 4])
    turn = axes[:-1] @ axes[-1].T
    stiff = moved[:-1, :1] + rotated(turn[:, None], points - points[0])
    normal = axes[:-1, :, 2]
    # A sole does not bend with the ground: it lies on the highest points.
    raised = np.maximum(((moved[:-1] - stiff) @ normal[..., None]).max(axis=(1, 2)), 0.0)
    place = np.broadcast_to(points[0], normal.shape)
    return np.concatenate(
        [place, moved[:-1, 0] + raised[:, None] * normal - place, rotation_vector(turn)], axis=-1
    )


def carried_root(walker: Walker, ground: MovingTerrain, plan: Footsteps, at: Moments, along: Along) -> Along:
    """Return how the ground carries the root: as it does both feet, averaged over a step around each
    moment."""
    stride, speed = walker.rhythm.stride_at(at.seconds), walker.rhythm.speed_at(at.seconds)
    most = MOST_QUARTER_S * float(np.sqrt(walker.body.leg_length / GRAVITY))
    quarter = np.minimum(QUARTER * stride, most * speed) / np.maximum(speed, 1e-9)
    quarter = np.where(speed > 1e-9, quarter, most)
    times = (at.seconds[:, None] + quarter[:, None] * AROUND).reshape(-1)
    values = carry_at(walker, ground, plan, walker.rhythm.phases_at(times), times).values
    mean = values.reshape(len(at.seconds), -1, 9).mean(axis=1)
    place = along.place + mean[:, SHIFT]
    return replace(
        along, place=place, heading=along.heading + mean[:, TURN][:, 2] if walker.turns else along.heading
    )


def ground_between(
    walker: Walker, steps: Steps, share: np.ndarray, needed: np.ndarray
) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that gives the ground's height under points `(f, 2, n, 3)` of feet in the air after
    `steps` `(f, 2)`.

    `share` `(f, 2)`: how much of the swing is over. Of feet that are not `needed` about `(f, 2)` it may be
    NaN.
    Moving ground is taken relative to the prints: in a lift it blends from its height under the last print to
    its height under the
    next one.
    """
    ground = walker.ground
    if not isinstance(ground, MovingTerrain):

        def under_some(points: np.ndarray) -> np.ndarray:
            heights = np.full(points.shape[:-1], np.nan)
            heights[needed] = ground.height(points[needed])
            return heights

        return under_some
    landing = smoothstep(share)[..., None]
    left, landed = (ground.at(touched_on(walker, steps.contact + step)[..., None]) for step in (0.0, 1.0))
    return lambda points: (1.0 - landing) * left.height(points) + landing * landed.height(points)
