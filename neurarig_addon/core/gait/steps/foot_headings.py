"""Where standing feet point while the body turns over them: within the hips' range, and beyond it by turning on the ball.

The heel comes up a little, the foot turns, the heel comes down in its new place; push-off is as from any print.  Only the ball
bears weight, so slip is zero by geometry here too.
"""

import numpy as np

from ...easing import over, smoothstep, within
from ...geometry.rotation import rotated
from ...ground.fitting import sole_points
from ...ground.prints import Prints
from ...ground.rocker import unflattened
from ...ground.sole import Sole
from ...ground.surface import Ground
from ..inputs.proportions import POINTS_AHEAD
from ..kinds.natural import SOLE_LEG_SHARE
from ..walker import Walker
from .placement import SIDE_SIGN

# Shares of the stance: the heel comes up, the foot turns, the heel comes down, toes roll.  People turn in the later half of a stance.
HEEL_UP, TURNS, HEEL_DOWN, TOES_ROLL = (0.1, 0.25), (0.25, 0.72), (0.72, 0.9), (0.72, 0.8)
# Heel pitch at full lift, and the turn of the foot at which it is half of that.
LIGHT, HALF_LIGHT = np.radians(6.0), np.radians(12.0)
SOFT = np.radians(2.0)  # pitch within which a heel that rises anyway takes over
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


def turned_by(share: np.ndarray) -> np.ndarray:
    """Return the share of its turn that a foot has made, 0 to 1, after shares of its stance `(...)`; smooth to the second order."""
    s = np.clip((share - TURNS[0]) / (TURNS[1] - TURNS[0]), 0.0, 1.0)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


def lightness(share: np.ndarray) -> np.ndarray:
    """Return how light heels are, 0 to 1, after shares of the stance `(...)`: 1 while feet turn."""
    return _between(share, HEEL_UP, HEEL_DOWN)


def toes_flat(share: np.ndarray) -> np.ndarray:
    """Return how flat toes are kept, 0 to 1, after shares of the stance `(...)`: 1 wherever feet turn; they roll off as without a turn."""
    return _between(share, HEEL_UP, TOES_ROLL)


def _between(share: np.ndarray, comes: tuple[float, float], goes: tuple[float, float]) -> np.ndarray:
    up, down = ((share - begins) / (ends - begins) for begins, ends in (comes, goes))
    return smoothstep(up) * (1.0 - smoothstep(down))


def light_heel(pitch: np.ndarray, angle: np.ndarray, light: np.ndarray) -> np.ndarray:
    """Return the pitch `(...)`, before flattening, of feet that turn by `angle` `(...)` on the ball, the heel raised by `light`.

    A heel that is up farther anyway stays there.
    """
    size = np.abs(angle)
    least = unflattened(np.maximum(LIGHT * size / (size + HALF_LIGHT), 1e-9))
    return np.where(angle != 0.0, pitch + light * over(least - pitch, SOFT), pitch)


def ball_of(sole: Sole) -> np.ndarray:
    """Return the points `(2, 3)` on the ground that feet turn about, from the point under the ankle: the tip, without toes.

    It is the ball in the middle of the sole, not the joint above: a toe bone may lie to one side.
    """
    return np.where(sole.bends[:, None], sole.ball, sole.toe) * [1.0, 1.0, 0.0]


def heading_around(walker: Walker, distance: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the path's heading `(...)` at distances `(...)`, averaged over half a `step` `(...)` on both sides."""
    heading = walker.path.drawn.heading_at(distance + 0.5 * step * SIDES_AND_MIDDLE.reshape(-1, *[1] * np.ndim(distance)))
    return np.einsum("k,k...->...", AROUND_WEIGHTS, heading)


def _pelvis_heading(walker: Walker, distance: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return the heading of the pelvis `(...)` at distances in metres `(...)` and times `(...)`."""
    step = 0.5 * walker.rhythm.stride_at(seconds)
    return heading_around(walker, distance + PELVIS_AHEAD * SOLE_LEG_SHARE * walker.body.leg_length, step)


def turned_over(walker: Walker, contact: np.ndarray, lift: np.ndarray) -> np.ndarray:
    """Return the pelvis' heading as feet touch and as they leave the ground `(2, ..., 2)`, for foot phases."""
    pace, phases = walker.rhythm, np.stack([contact, lift])
    return _pelvis_heading(walker, pace.distance_when(phases), pace.seconds_when(phases))


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
        found = found * (1.0 - gait.law.running(walker.inputs.for_law(pace.seconds_when(contact))))
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
