"""Where standing feet point while the body turns over them: within the hips' range, and beyond it by turning
on the ball.

The heel comes up a little, the foot turns, the heel comes down in its new place; push-off is as from any
print. Only the ball
bears weight, so slip is zero by geometry here too.
"""

from dataclasses import dataclass

import numpy as np

from ...body.rocker import unflattened
from ...body.sole import Sole
from ...easing import over, smooth_between, smootherstep, within
from ...geometry.rotation import ON_GROUND, TINY, rotated
from ...ground.fitting import sole_points
from ...ground.prints import Prints
from ...ground.surface import Ground
from ..inputs.proportions import POINTS_AHEAD
from ..kinds.natural import SOLE_LEG_SHARE
from ..timing.rhythm import Rhythm
from ..walker import Walker
from .placement import SIDE_SIGN

# Shares of the stance: the heel comes up, the foot turns, the heel comes down, toes roll. People turn in the
# later half of a stance.
HEEL_UP, TURNS, HEEL_DOWN, TOES_ROLL = (0.1, 0.25), (0.25, 0.72), (0.72, 0.9), (0.72, 0.8)
# Heel pitch at full lift, and the turn of the foot at which it is half of that.
LIGHT, HALF_LIGHT = np.radians(6.0), np.radians(12.0)
SOFT = np.radians(2.0)  # pitch within which a heel that rises anyway takes over
# How far ahead on the path the pelvis points, in leg lengths (hip to sole).
PELVIS_AHEAD = 0.05
SIDES_AND_MIDDLE, AROUND_WEIGHTS = np.array([-1.0, 0.0, 1.0]), np.array([0.25, 0.5, 0.25])
# Limits of a standing foot's turn against the pelvis: the inner foot of a bend, and the outer one.
MOST_OUTWARD, MOST_INWARD = np.radians([48.0, 28.0])
# People's feet stay while the body turns a little over them, and follow a share of any turn beyond that.
# Those of two people
# (CMU 16 and 105) turn by about 10, 15, 28 and 55 degrees in stances in which the pelvis turns by 38, 52, 75
# and 130.
STAYS, STAYS_BAND, MOST_ON_THE_BALL = np.radians([30.0, 10.0, 75.0])
GOES_ALONG = 0.6
BARELY = 0.02  # cycles in which a foot that lifts, as on the sore leg of a limp, has hardly left the ground
EVEN = 0.001  # leg lengths the ground may be off a print's plane for a foot to turn on it
LOOKED_AT = (0.0, 0.5, 1.0)  # shares of the turn


def turned_by(share: np.ndarray) -> np.ndarray:
    """Return the share of its turn that a foot has made, 0 to 1, after shares of its stance `(...)`; smooth
    to the second order."""
    return smootherstep((share - TURNS[0]) / (TURNS[1] - TURNS[0]))


def lightness(share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how light heels are, and how flat toes are kept, 0 to 1 each, after shares of the stance
    `(...)`.

    Both are 1 while feet turn; the toes roll off as without a turn.
    """
    up, down, rolled = (smooth_between(share, *moves) for moves in (HEEL_UP, HEEL_DOWN, TOES_ROLL))
    return up * (1.0 - down), up * (1.0 - rolled)


def light_heel(pitch: np.ndarray, angle: np.ndarray, light: np.ndarray) -> np.ndarray:
    """Return the pitch `(...)`, before flattening, of feet that turn by `angle` `(...)` on the ball, the heel
    raised by `light`.

    A heel that is up farther anyway stays there.
    """
    size = np.abs(angle)
    least = unflattened(np.maximum(LIGHT * size / (size + HALF_LIGHT), 1e-9))
    return np.where(angle != 0.0, pitch + light * over(least - pitch, SOFT), pitch)


def ball_of(sole: Sole) -> np.ndarray:
    """Return the points `(2, 3)` on the ground that feet turn about, from the point under the ankle: the tip,
    without toes.

    It is the ball in the middle of the sole, not the joint above: a toe bone may lie to one side.
    """
    return np.where(sole.bends[:, None], sole.ball, sole.toe) * ON_GROUND


def heading_around(walker: Walker, distance: np.ndarray, ahead: float, step: np.ndarray) -> np.ndarray:
    """Return the path's heading `(...)` so many metres `ahead` of distances `(...)`, averaged over half a
    `step` `(...)` on both sides.

    Who is about to turn on the spot, or has done so, stands straight until then.
    """
    distance = np.asarray(distance)
    if len(walker.path.spots):
        room = np.maximum(np.abs(distance[..., None] - walker.path.spots.ravel()).min(axis=-1), TINY)
        ahead = ahead * room / (ahead + room)
        room = 2.0 * (room - ahead)
        step = step * room / (step + room)
    distance = distance + ahead
    heading = walker.path.drawn.heading_at(
        distance + 0.5 * step * SIDES_AND_MIDDLE.reshape(-1, *[1] * np.ndim(distance))
    )
    return np.einsum("k,k...->...", AROUND_WEIGHTS, heading)


@dataclass(frozen=True)
class Stances:
    """Stances `(..., 2)` of feet between phases `contact` and `lift`; `there`: metres on the path where the
    walk rests in one, or NaN.

    `moves` `(2, ..., 2)`: the shares of each between which the body moves over the foot: until a rest just
    before it lifts, or from one just after it touched.
    """

    contact: np.ndarray
    lift: np.ndarray
    there: np.ndarray
    moves: np.ndarray

    @classmethod
    def of(cls, pace: Rhythm, contact: np.ndarray, lift: np.ndarray) -> "Stances":
        """Return the stances between foot phases `(..., 2)`; a foot that lifts while the walk rests does so
        just after."""
        there, moves = (
            np.full(contact.shape, np.nan),
            np.stack([np.zeros(contact.shape), np.ones(contact.shape)]),
        )
        if pace.closes and len(pace.rests):
            begin = pace.phase_when(contact)
            # A runner's feet fly before they rest: one that would stays down, if no other step of it follows.
            held = (
                np.maximum(lift, contact + pace.contacts.rest + pace.contacts.every)
                if pace.contacts.takes_turns
                else lift
            )
            stands, which = pace.rests.within(begin, pace.phase_when(held) + BARELY)
            rests = pace.rests.phase[which]
            lift = np.where(stands, np.maximum(lift, pace.feet_when(rests) + BARELY), lift)
            share = np.where(stands, (rests - begin) / (pace.phase_when(lift) - begin), 0.0)
            there[stands] = pace.rests.distance[which][stands]
            moves = np.stack([np.where(share > 0.5, 0.0, share), np.where(share > 0.5, share, 1.0)])
        return cls(contact, lift, there, moves)

    @property
    def stands(self) -> np.ndarray:
        """Whether the walk rests in them `(..., 2)`."""
        return np.isfinite(self.there)

    @property
    def arrives(self) -> np.ndarray:
        """Whether the body moves over the foot until it rests `(..., 2)`."""
        return self.moves[1] < 1.0

    @property
    def phases(self) -> np.ndarray:
        """The phases `(2, ..., 2)` between which the body moves over the foot."""
        return self.contact + self.moves * (self.lift - self.contact)


def turned_over(walker: Walker, stances: Stances) -> np.ndarray:
    """Return the pelvis' heading `(2, ..., 2)` as it begins and ends to move over standing feet."""
    pace, phases = walker.rhythm, stances.phases
    step = 0.5 * pace.stride_at(pace.seconds_when(phases))
    return heading_around(
        walker, pace.distance_when(phases), PELVIS_AHEAD * SOLE_LEG_SHARE * walker.body.leg_length, step
    )


def ball_pivots(walker: Walker, stances: Stances, turned: np.ndarray) -> np.ndarray:
    """Return how far feet turn on the ball `(..., 2)`, left positive; `turned`: see `turned_over`.

    Beside a standstill a foot has the heading of the body there, and turns as far as the hips want the other
    end of its stance.
    """
    gait, pace = walker.gait, walker.rhythm
    if not (walker.path.turns or walker.facing is not None):
        return np.zeros(stances.contact.shape)
    if not (gait.planted and gait.take is None and gait.law.contacts.takes_turns):
        return np.zeros(stances.contact.shape)
    touching, leaving = turned
    turn = leaving - touching
    if walker.facing is not None:
        begins, ends = walker.facing.at(pace.phase_when(stances.phases))
        turn = turn + ends - begins
    size = GOES_ALONG * over(np.abs(turn) - STAYS, STAYS_BAND)
    if stances.stands.any():
        most = np.where(stances.arrives & (SIDE_SIGN * turn < 0.0), MOST_INWARD, MOST_OUTWARD)
        size = np.where(stances.stands, np.maximum(size, np.abs(turn) - most), size)
    pivots = np.sign(turn) * within(size, MOST_ON_THE_BALL)
    if gait.law.runs:
        pivots = pivots * (1.0 - gait.law.running(walker.inputs.for_law(pace.seconds_when(stances.contact))))
    return pivots


def pointing(
    walker: Walker, stances: Stances, turned: np.ndarray, distance: np.ndarray, turn: np.ndarray
) -> np.ndarray:
    """Return the feet's headings `(..., 2)` without toe-out, at half their turn on the ball: a little ahead
    on the path.

    They stay within the hips' range during the stance, and face with a body that stands. `turned`: see
    `turned_over`; `distance`: of the
    prints in metres; `turn` `(..., 2)`: on the ball.
    """
    pace = walker.rhythm
    step = np.where(stances.stands, 0.0, 0.5 * pace.stride_at(pace.seconds_when(stances.contact)))
    touching, leaving = turned + 0.5 * np.stack([turn, -turn])
    low = np.maximum(touching, leaving) - np.where(SIDE_SIGN > 0, MOST_INWARD, MOST_OUTWARD)
    high = np.minimum(touching, leaving) + np.where(SIDE_SIGN > 0, MOST_OUTWARD, MOST_INWARD)
    middle = 0.5 * (low + high)
    wish = walker.path.drawn.heading_at(distance + POINTS_AHEAD * step)
    return np.where(stances.stands, wish, np.clip(wish, np.minimum(low, middle), np.maximum(high, middle)))


def before_their_turn(
    walker: Walker, stances: Stances, prints: Prints, turn: np.ndarray, ground: Ground
) -> tuple[Prints, np.ndarray]:
    """Return prints `(steps, 2)` as touched, before their turn on the ball, and that turn; `prints`: as half
    way through it, or standing.

    Feet do not turn on uneven ground.
    """
    if not turn.any():
        return prints, turn
    done = np.where(stances.stands, 1.0 * stances.arrives, 0.5)
    touched = prints.turned(ball_of(walker.sole), -done * turn)
    if ground.is_level:
        return touched, turn
    turn = np.where(is_even(walker, touched, turn, ground), turn, 0.0)
    return prints.turned(ball_of(walker.sole), -done * turn), turn


def is_even(walker: Walker, prints: Prints, turn: np.ndarray, ground: Ground) -> np.ndarray:
    """Return whether the ground is a plane under feet on prints `(steps, 2)` throughout a turn on the ball
    `(steps, 2)`."""
    even = np.ones(turn.shape, dtype=bool)
    for share in LOOKED_AT:
        turned = prints.turned(ball_of(walker.sole), share * turn)
        points = turned.place[..., None, :] + rotated(turned.axes[..., None, :, :], sole_points(walker.sole))
        off = ground.height(points) - points[..., 2]
        # NaN, where there is no ground, is never even
        even &= (np.abs(off) < EVEN * walker.body.leg_length).all(axis=-1)
    return even
