"""Where standing feet point while the body turns over them: within the hips' range, and beyond it by turning on the ball."""

import numpy as np

from ...easing import over, within
from ...geometry.rotation import rotated
from ...ground.fitting import sole_points
from ...ground.prints import Prints
from ...ground.surface import Ground
from ..inputs.spacing import POINTS_AHEAD
from ..kinds.natural import SOLE_LEG_SHARE
from ..walker import Walker
from .ball_pivot import ball_of
from .sideways import SIDE_SIGN

# How far ahead on the path the pelvis points, in leg lengths (hip to sole).
PELVIS_AHEAD = 0.05
SIDES_AND_MIDDLE, AROUND_WEIGHTS = np.array([-1.0, 0.0, 1.0]), np.array([0.25, 0.5, 0.25])
# Limits of a standing foot's turn against the pelvis: the inner foot of a bend, and the outer one.
MOST_OUTWARD, MOST_INWARD = np.radians([48.0, 28.0])
# People's feet stay while the body turns a little over them, and follow a share of any turn beyond that.  Those of two people
# (CMU 16 and 105) turn by about 10, 15, 28 and 55 degrees in stances in which the pelvis turns by 38, 52, 75 and 130.
STAYS, STAYS_BAND, MOST_ON_THE_BALL = np.radians([30.0, 10.0, 75.0])
GOES_ALONG = 0.6
EVEN = 0.001  # leg lengths the ground may be off a print's plane for a foot to turn on it
LOOKED_AT = (0.0, 0.5, 1.0)  # shares of the turn


def heading_around(walker: Walker, distance: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the path's heading `(...)` at distances `(...)`, averaged over half a `step` `(...)` on both sides."""
    heading = walker.path.drawn.heading_at(distance + 0.5 * step * SIDES_AND_MIDDLE.reshape(-1, *[1] * np.ndim(distance)))
    return np.einsum("k,k...->...", AROUND_WEIGHTS, heading)


def pelvis_heading(walker: Walker, distance: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return the heading of the pelvis `(...)` at distances in metres `(...)` and times `(...)`."""
    step = 0.5 * walker.rhythm.stride_at(seconds)
    return heading_around(walker, distance + PELVIS_AHEAD * SOLE_LEG_SHARE * walker.body.leg_length, step)


def turned_over(walker: Walker, contact: np.ndarray, lift: np.ndarray) -> np.ndarray:
    """Return the pelvis' heading as feet touch and as they leave the ground `(2, ..., 2)`, for foot phases."""
    pace, phases = walker.rhythm, np.stack([contact, lift])
    return pelvis_heading(walker, pace.distance_when(phases), pace.seconds_when(phases))


def ball_pivots(walker: Walker, contact: np.ndarray, lift: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """Return how far feet turn on the ball `(..., 2)`, left positive, in stances between foot phases; `turned`: see `turned_over`."""
    gait, pace = walker.gait, walker.rhythm
    if not (walker.path.turns or walker.facing is not None):
        return np.zeros(contact.shape)
    if not (gait.planted and gait.take is None and gait.law.contacts.takes_turns):
        return np.zeros(contact.shape)
    touching, leaving = turned
    turn = leaving - touching
    if walker.facing is not None:
        begins, ends = (walker.facing.at(pace.phase_when(phase)) for phase in (contact, lift))
        turn = turn + ends - begins
    found = np.sign(turn) * within(GOES_ALONG * over(np.abs(turn) - STAYS, STAYS_BAND), MOST_ON_THE_BALL)
    if gait.law.runs:
        found = found * (1.0 - gait.law.running(walker.law_inputs(pace.seconds_when(contact))))
    if len(pace.rests):
        found = np.where(pace.rests.within(pace.phase_when(contact), pace.phase_when(lift))[0], 0.0, found)
    return found


def pointing(walker: Walker, contact: np.ndarray, turned: np.ndarray, distance: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the feet's headings `(..., 2)` without toe-out, at half their turn on the ball: a little ahead on the path.

    They stay within the hips' range during the stance.  `contact`: foot phases; `turned`: see `turned_over`; `distance`: of the prints in
    metres; `turn` `(..., 2)`: on the ball.
    """
    pace = walker.rhythm
    step = 0.5 * pace.stride_at(pace.seconds_when(contact))
    touching, leaving = turned + 0.5 * np.stack([turn, -turn])
    low = np.maximum(touching, leaving) - np.where(SIDE_SIGN > 0, MOST_INWARD, MOST_OUTWARD)
    high = np.minimum(touching, leaving) + np.where(SIDE_SIGN > 0, MOST_OUTWARD, MOST_INWARD)
    middle = 0.5 * (low + high)
    return np.clip(walker.path.drawn.heading_at(distance + POINTS_AHEAD * step), np.minimum(low, middle), np.maximum(high, middle))


def before_their_turn(walker: Walker, prints: Prints, turn: np.ndarray, ground: Ground) -> tuple[Prints, np.ndarray]:
    """Return prints `(steps, 2)` as touched, before their turn on the ball, and that turn; `prints`: as half way through it.

    Feet do not turn on uneven ground.
    """
    if not turn.any():
        return prints, turn
    touched = prints.turned(ball_of(walker.sole), -0.5 * turn)
    if ground.is_level:
        return touched, turn
    turn = np.where(is_even(walker, touched, turn, ground), turn, 0.0)
    return prints.turned(ball_of(walker.sole), -0.5 * turn), turn


def is_even(walker: Walker, prints: Prints, turn: np.ndarray, ground: Ground) -> np.ndarray:
    """Return whether the ground is a plane under feet on prints `(steps, 2)` throughout a turn on the ball `(steps, 2)`."""
    found = np.ones(turn.shape, dtype=bool)
    for share in LOOKED_AT:
        turned = prints.turned(ball_of(walker.sole), share * turn)
        points = turned.place[..., None, :] + rotated(turned.axes[..., None, :, :], sole_points(walker.sole))
        off = ground.height(points) - points[..., 2]
        found &= (np.abs(off) < EVEN * walker.body.leg_length).all(axis=-1)  # NaN, where there is no ground, is never even
    return found
