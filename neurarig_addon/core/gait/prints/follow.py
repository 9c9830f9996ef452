"""Which plan a walk follows on which frames, the original or the one with edited prints, and how the body
follows these.

It follows as far as both feet do on average: a standing foot's half follows its print; a swinging foot's half
blends to the next.
"""

from dataclasses import replace

import numpy as np

from ...easing import smootherstep
from ..sliders.idle import ADULT_LEG
from ..sliders.manner import BodyManner
from ..steps.foot_headings import turned_by
from ..steps.footsteps import BOTH
from ..steps.situation import FollowedPrints, Situation
from ..walker import Moments, Walker
from .edited_steps import EditedSteps, edited_steps

FOLLOWS = 0.5  # share of one foot's move and turn that the pelvis follows
CHEST_FOLLOWS = 0.5  # share of the pelvis' turn
HIGHER_COUNTS = 0.25  # share of the higher foot in the pelvis' height
LATENESS = 2.0  # weight of a distance covered too early or too late, relative to one that a print is moved
PASSES = 0.01  # cycles: smooths the change from a little late to a little early
# The reach guard's widest soft band, in leg lengths: knees bend a little more around edited prints, and need
# not kick to reach them.
SOFTEST = 0.25
AROUND_S = 0.8  # seconds around frames, for an adult, within which what the legs demand may move the pelvis
STIRS = 0.25  # leg lengths of a move at which the softening is half of that


def following_prints(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with pelvis and chest turned with the feet on edited prints, and a softer reach
    guard."""
    follow, posture = here.follow, wish.posture
    if follow is None:
        return wish
    turned = replace(
        posture,
        pelvis_yaw=posture.pelvis_yaw + follow.yaw,
        chest_yaw=posture.chest_yaw + CHEST_FOLLOWS * follow.yaw,
    )
    softer = follow.stir / (follow.stir + STIRS)
    return replace(wish, posture=turned, guard=wish.guard + np.maximum(SOFTEST - wish.guard, 0.0) * softer)


def _followed(walker: Walker, steps: EditedSteps, at: Moments) -> tuple[Moments, FollowedPrints]:
    """Return the moments that the body is at, which may be later or earlier, and how it follows edited
    prints."""
    planned, plan = steps.planned.steps, steps.plan.steps
    rows = steps.planned.under_way(at.phase)
    stood = np.clip((at.phase - planned.contact[rows, BOTH]) / planned.duty[rows, BOTH], 0.0, 1.0)
    ease = smootherstep((at.phase - planned.lift[rows, BOTH]) / (1.0 - planned.duty[rows, BOTH]))

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
    yaw = both(turned) + FOLLOWS * (
        on_ball[rows, BOTH] * turned_by(planned.take(rows).pivoting(stood)) * (1.0 - ease)
    ).sum(axis=1)
    stride = walker.rhythm.stride_at(at.seconds) / walker.body.leg_length
    stir = (
        both(np.linalg.norm(moved[..., :2], axis=-1)) / walker.body.leg_length
        + 0.5 * both(np.abs(turned) + np.abs(on_ball) + tilted)
        + LATENESS * stride * (np.hypot(earlier, PASSES) - PASSES)
    )
    shift = both(moved) + ahead
    shift[:, 2] = _height(each(moved[..., 2]))
    return replace(at, phase=body), FollowedPrints(shift, yaw, stir)


def _height(raised: np.ndarray) -> np.ndarray:
    """Return how much higher the pelvis is `(f,)` for feet raised by `(f, 2)`: nearly as the lower foot,
    whose leg is straighter."""
    lower, higher = raised.min(axis=1), raised.max(axis=1)
    return lower + HIGHER_COUNTS * (higher - lower)


def as_edited(walker: Walker, steps: EditedSteps, at: Moments) -> Situation:
    """Return the situation at moments around edited prints."""
    body, follow = _followed(walker, steps, at)
    feet = _at_their_time(walker, replace(at, phase=steps.timed(at.phase)), at.phase)
    return Situation(
        walker,
        at,
        replace(walker, ground=steps.ground(walker)),
        steps.plan,
        feet,
        steps.planned,
        body,
        follow,
    )


def _at_their_time(walker: Walker, feet: Moments, planned: np.ndarray) -> Moments:
    """Return the feet's moments at the times at which they would have reached their phases unedited."""
    if walker.inputs.is_steady:
        return feet
    moved = feet.phase != planned
    slow = np.broadcast_to(feet.slow[:, None], (*planned.shape, feet.slow.shape[-1])).copy()
    slow[moved] = walker.inputs.at(walker.rhythm.seconds_when(feet.phase))[moved]
    return replace(feet, slow=slow)


def frames_in_hand(walker: Walker, frames: np.ndarray) -> tuple[np.ndarray, EditedSteps | None]:
    """Return the rows `(m,)` of frames `(f,)` that edited prints affect, and the steps around them."""
    none = np.zeros(0, dtype=int)
    if not walker.edits or not walker.gait.planted:
        return none, None
    phase = walker.rhythm.phases_at(walker.clock.seconds(frames))
    near = np.flatnonzero(_near(walker, phase))
    if not len(near):
        return none, None
    steps = edited_steps(walker, phase[near])
    return near[steps.inside(phase[near])], steps


def near_edits(walker: Walker, frames: np.ndarray) -> np.ndarray:
    """Return whether edited prints may affect frames `(f,)`, those before and after included that the pelvis
    is planned over."""
    if not walker.edits or not walker.gait.planted:
        return np.zeros(len(frames), dtype=bool)
    felt = AROUND_S * np.sqrt(walker.body.leg_length / ADULT_LEG) * np.linspace(-1.0, 1.0, 5)
    seconds = walker.clock.seconds(frames) + felt[:, None]
    near = _near(walker, walker.rhythm.phases_at(seconds.reshape(-1)))
    return np.any(near.reshape(seconds.shape), axis=0)


def _near(walker: Walker, phase: np.ndarray) -> np.ndarray:
    """Return whether, at foot phases `(f, 2)`, either foot is on an edited print or takes one next `(f,)`."""
    edits, number = walker.edits, np.floor(phase).astype(int)
    ours = [edits.numbers[edits.sides == side] for side in BOTH]
    return np.any(
        [np.isin(number[:, side], ours[side]) | np.isin(number[:, side] + 1, ours[side]) for side in BOTH],
        axis=0,
    )
