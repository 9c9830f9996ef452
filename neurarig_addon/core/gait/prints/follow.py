"""How the body follows edited prints: as far as both feet do on average.

A standing foot's half follows its print; a swinging foot's half blends to the next.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..moments import Moments
from ..sliders.manner import BodyManner
from ..steps.foot_headings import turned_by
from ..steps.footsteps import BOTH
from ..walker import Walker
from .edited_steps import EditedSteps

FOLLOWS = 0.5  # share of one foot's move and turn that the pelvis follows
CHEST_FOLLOWS = 0.5  # share of the pelvis' turn
HIGHER_COUNTS = 0.25  # share of the higher foot in the pelvis' height
LATENESS = 2.0  # weight of a distance covered too early or too late, relative to one that a print is moved
PASSES = 0.01  # cycles: smooths the change from a little late to a little early
# The reach guard's widest soft band, in leg lengths: knees bend a little more around edited prints, and need not kick to reach them.
SOFTEST = 0.17
STIRS = 0.25  # leg lengths of a move at which the softening is half of that


@dataclass(frozen=True)
class Follow:
    """At frames `(f,)`: `shift` `(f, 3)`, how far the pelvis follows edited prints, in metres in the walk frame, and `yaw`, in radians.

    `body`: the moments that the body is at, which may be later or earlier.  `stir`: leg lengths that prints were moved in all, along the
    ground.
    """

    body: Moments
    shift: np.ndarray
    yaw: np.ndarray
    stir: np.ndarray

    def manner(self, wish: BodyManner) -> BodyManner:
        """Return the manner with pelvis and chest turned with the feet, and a softer reach guard."""
        posture = replace(
            wish.posture, pelvis_yaw=wish.posture.pelvis_yaw + self.yaw, chest_yaw=wish.posture.chest_yaw + CHEST_FOLLOWS * self.yaw
        )
        softer = self.stir / (self.stir + STIRS)
        return replace(wish, posture=posture, guard=wish.guard + np.maximum(SOFTEST - wish.guard, 0.0) * softer)


def followed(walker: Walker, steps: EditedSteps, at: Moments) -> Follow:
    """Return how the body follows edited prints at the given moments."""
    planned, plan = steps.planned.steps, steps.plan.steps
    rows = steps.planned.under_way(at.phase)
    share = np.clip((at.phase - planned.lift[rows, BOTH]) / (1.0 - planned.duty[rows, BOTH]), 0.0, 1.0)
    stood = np.clip((at.phase - planned.contact[rows, BOTH]) / planned.duty[rows, BOTH], 0.0, 1.0)
    ease = share**3 * (10.0 + share * (6.0 * share - 15.0))

    def each(values: np.ndarray) -> np.ndarray:
        """Return the steps' differences `(steps, 2, ...)` at the moments, for each foot `(f, 2, ...)`."""
        part = ease.reshape(ease.shape + (1,) * (values.ndim - 2))
        return values[rows, BOTH] * (1.0 - part) + values[rows + 1, BOTH] * part

    def both(values: np.ndarray) -> np.ndarray:
        return FOLLOWS * each(values).sum(axis=1)

    earlier = FOLLOWS * (steps.paced(at.phase) - at.phase).sum(axis=1)
    body = at.phase + earlier[:, None]
    ahead = walker.path.at(walker.rhythm.distance_when(body)[:, 0]).place - walker.path.at(at.distance).place
    moved, turned = plan.place - planned.place, plan.heading - planned.heading
    on_ball = plan.ball_pivot - planned.ball_pivot
    tilted = np.abs(plan.slope - planned.slope) + np.abs(plan.bank - planned.bank)
    yaw = both(turned) + FOLLOWS * (on_ball[rows, BOTH] * turned_by(stood) * (1.0 - ease)).sum(axis=1)
    stride = walker.rhythm.stride_at(at.seconds) / walker.body.leg_length
    stir = (
        both(np.linalg.norm(moved[..., :2], axis=-1)) / walker.body.leg_length
        + 0.5 * both(np.abs(turned) + np.abs(on_ball) + tilted)
        + LATENESS * stride * (np.hypot(earlier, PASSES) - PASSES)
    )
    shift = both(moved) + ahead
    shift[:, 2] = _height(each(moved[..., 2]))
    return Follow(replace(at, phase=body), shift, yaw, stir)


def _height(raised: np.ndarray) -> np.ndarray:
    """Return how much higher the pelvis is `(f,)` for feet raised by `(f, 2)`: nearly as the lower foot, whose leg is straighter."""
    lower, higher = raised.min(axis=1), raised.max(axis=1)
    return lower + HIGHER_COUNTS * (higher - lower)
