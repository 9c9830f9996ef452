"""The foot on the ground: its state at every moment of a step, the active pivot still, and how it pitches on
stairs.

On stairs and kerbs feet are set down flat or forefoot first, and lifted with less push. Foot pitch of 73
adults on stairs (Bovi et al.,
Gait and Posture 2011, 33:6-13), zeroed where the foot is flat in mid-stance; the end of the swing, which led
off the laboratory's stairs,
is half way to that of stairs that go on.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...body.feet import Feet
from ...body.rocker import TOE_PRESS, pitched, rolling
from ...character.body import LEFT, RIGHT
from ...contract.channels import both_feet
from ...easing import smooth_between
from ...geometry.rotation import TURN, about_x, about_y, from_euler, rotated
from ...ground.moving_ground import FootCarry
from ...path.path import Along
from ...people.curves import of_feet
from ..inputs.take import FOOT
from ..kinds.contacts import eased_phase
from ..sliders.variation import variation_of, varies
from ..steps.foot_headings import light_heel, lightness
from ..steps.footsteps import Steps
from ..walker import Walker

# Columns of a foot state: ankle x, y, z, pitch and heading on the ground, toe bend against the foot, slope
# and bank of the ground.
X, Y, Z, PITCH, HEADING, BEND, SLOPE, BANK = range(8)
BEND_OF_TAKE = FOOT.index("bend")
OWN = slice(X, SLOPE)  # the columns that a gait's curves shape
# The foot's pitch on stairs, in degrees: mean, cos, sin, cos 2, sin 2 ... of the phase, with the duty factor
# of the people measured.
UPSTAIRS = np.array([11.4, -0.2, -18.1, -9.8, 0.8, 0.1, 3.8, 0.8, 0.0, -0.1, 0.2, 0.1, 0.2])
DOWNSTAIRS = np.array([22.6, -5.1, -29.4, -6.0, 3.7, 3.5, 2.2, 1.7, -1.1, 0.6, 0.1, 0.9, -0.1])
STAIR_DUTY = 0.7
# What the rocker flattens around level (see `body.rocker`) is added back, blended in within this pitch.
FLATTENED, GOES_OVER = np.radians(4.0), np.radians(8.0)
MOST_BEND = np.radians(40.0)  # bend of the toes, which otherwise stay flat
# Leg lengths of climb from print to print beyond the ground's slope: level walk up to the first, stairs from
# the second.
NO_CLIMB, ALL_CLIMB = 0.06, 0.26
# shares of the stance between which the manner of arriving blends into that of leaving
CAME_UNTIL, GOES_FROM = 0.2, 0.6


def stair_share(climb: np.ndarray) -> np.ndarray:
    """Return how much `climbs` `(...)` count as stairs, 0 to 1."""
    return smooth_between(np.abs(climb), NO_CLIMB, ALL_CLIMB)


def _on_stairs(
    foot: np.ndarray,
    ball: np.ndarray,
    at: np.ndarray,
    natural: np.ndarray,
    climb: tuple[np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Return foot and ball channels `(..., 2, 6)` at natural phases `at` `(..., 2)`, with the pitch of stairs
    where there are any.

    `natural` `(..., 2)`: the natural duty factor. `climb` `(..., 2)` each: how a foot came onto its print,
    and how it goes on.
    """
    came, goes = climb
    if max(np.abs(came).max(initial=0.0), np.abs(goes).max(initial=0.0)) <= NO_CLIMB:
        return foot, ball
    over = smooth_between(np.mod(at, 1.0) / natural, CAME_UNTIL, GOES_FROM)
    came, goes = np.sign(came) * stair_share(came), np.sign(goes) * stair_share(goes)
    share = came + (goes - came) * over
    phase = eased_phase(at, natural, np.full_like(natural, STAIR_DUTY))
    pitch = np.where(share > 0.0, _pitch(UPSTAIRS, phase), _pitch(DOWNSTAIRS, phase))
    in_swing = np.clip((phase - STAIR_DUTY) / (1.0 - STAIR_DUTY), 0.0, 1.0)
    bend = -np.clip(pitch, 0.0, MOST_BEND) * np.cos(np.pi * in_swing) ** 2
    foot, ball, share = foot.copy(), ball.copy(), np.abs(share)
    foot[..., PITCH] += share * (pitch - foot[..., PITCH])
    ball[..., PITCH] += share * (bend - ball[..., PITCH])
    return foot, ball


def _pitch(curve: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Return the foot's pitch in radians at phases `(...)`."""
    turns = TURN * phase[..., None] * np.arange(1, len(curve) // 2 + 1)
    pitch = np.radians(curve[0] + np.cos(turns) @ curve[1::2] + np.sin(turns) @ curve[2::2])
    return pitch + FLATTENED * np.tanh(pitch / GOES_OVER)


@dataclass(frozen=True)
class Stand:
    """Where both feet are: `feet` in the walk frame, their `heading` and active `pivot` `(f, 2)`.

    `pitch` `(f, 2, 2)`: of each foot and its toes relative to the ground below, radians.
    `carry`: how moving ground has carried them; None on still ground.
    """

    feet: Feet
    heading: np.ndarray
    pivot: np.ndarray
    pitch: np.ndarray
    carry: FootCarry | None = None

    def carried(self, carry: FootCarry) -> "Stand":
        """Return the feet carried by the ground."""
        return Stand(carry.feet(self.feet), self.heading + carry.yaw, self.pivot, self.pitch, carry)

    def seen_from(self, root: Along, turns: bool) -> "Stand":
        """Return the feet relative to the root's places `(f,)`; `turns`: whether the root turns."""
        if not turns:
            return replace(self, feet=self.feet.moved(-root.place[:, None]))
        return replace(self, feet=self.feet.seen(root.root), heading=self.heading - root.heading[:, None])


def stood(state: np.ndarray, roll: np.ndarray, pivot: np.ndarray) -> Stand:
    """Return feet for states `(f, 2, 8)` and roll `(f, 2)`."""
    lying = from_euler(state[..., SLOPE], state[..., HEADING], state[..., BANK])
    turn = lying @ about_y(state[..., PITCH]) @ about_x(roll)
    pitch = np.stack([state[..., PITCH], state[..., PITCH] + state[..., BEND]], axis=-1)
    toe = lying @ about_y(pitch[..., 1])
    return Stand(Feet(state[..., : Z + 1], turn, toe), state[..., HEADING], pivot, pitch)


def _foot_channels(walker: Walker, slow: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return foot and ball channels `(..., 2, 6)` at natural phases `at` `(..., 2)`; slow inputs are `(..., 2
    or 1, 9)` or one row."""
    sample = walker.gait.shapes.sample
    if slow.size == slow.shape[-1]:
        values = sample(slow.reshape(1, -1), at[..., RIGHT].reshape(-1), at[..., LEFT].reshape(-1)).reshape(
            at.shape[:-1] + (-1,)
        )
        foot, ball = both_feet(values, "foot"), both_feet(values, "ball")
    else:
        each = np.broadcast_to(slow, at.shape + slow.shape[-1:]).reshape(-1, slow.shape[-1])
        values = sample(each, at.reshape(-1), at.reshape(-1)).reshape(at.shape + (-1,))
        foot, ball = (
            np.stack([both_feet(values[..., row, :], part)[..., row, :] for row in (LEFT, RIGHT)], -2)
            for part in ("foot", "ball")
        )
    runs = walker.gait.law.running(slow) if walker.gait.law.runs else 0.0
    foot[..., PITCH] = walker.build.suited(foot[..., PITCH], runs)
    return foot, ball


def feet_of(
    walker: Walker, steps: Steps, slow: np.ndarray, at: np.ndarray, climb: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return foot and ball channels as `_foot_channels` does, for feet in steps `(..., 2)`, with the manner
    of stairs added.

    `climb` `(..., 2)`: the rise on stairs, where it is not to be taken from the steps before and after.
    """
    foot, ball = _foot_channels(walker, slow, at)
    phase = walker.planned_phase(steps.contact + at - steps.order)
    if varies(walker.track):
        much = walker.varied(walker.rhythm.seconds_when(steps.contact + at - steps.order), slow) * (
            1.0 - walker.gait.law.running(slow)
        )
        foot = foot + much[..., None] * of_feet(
            phase, variation_of(walker.track).sizes(phase), walker.body.leg_length
        )
    if walker.gait.take is not None:
        added = steps.kept[..., None] * walker.gait.take.of_feet(phase, walker.body.leg_length)
        foot, ball = foot + added[..., :BEND_OF_TAKE], ball.copy()
        ball[..., PITCH] += added[..., BEND_OF_TAKE]
    if walker.body.on_toes:
        return foot, ball
    return _on_stairs(
        foot, ball, at, steps.natural, (steps.came, steps.goes) if climb is None else (climb, climb)
    )


def on_prints(
    walker: Walker, steps: Steps, foot: np.ndarray, ball: np.ndarray, share: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return states `(..., 2, 8)` on the prints of steps `(..., 2)` after shares of the stance `(..., 2)`,
    and the pivots `(..., 2)`.

    `foot`, `ball`: channels `(..., 2, 6)`.
    """
    sole = walker.sole
    wanted = np.where(foot[..., PITCH] > 0.0, foot[..., PITCH] * steps.push, foot[..., PITCH])
    toes = wanted + ball[..., PITCH] - TOE_PRESS
    if steps.heel_raise.any():
        wanted = wanted + steps.raised(share)
    if steps.ball_pivot.any():
        turning = steps.pivoting(share)
        light, flat = lightness(turning)
        wanted = light_heel(wanted, steps.ball_pivot, light)
        toes = np.where(steps.ball_pivot != 0.0, np.minimum(toes, toes * (1.0 - flat)), toes)
        steps = steps.turned(sole, share)
    pitches = pitched(sole, wanted, toes)
    roll = rolling(sole, pitches)
    state = np.empty(wanted.shape + (BANK + 1,))
    state[..., : Z + 1] = steps.place + rotated(steps.prints.axes, roll.ankle)
    state[..., PITCH], state[..., HEADING] = pitches[..., 0], steps.heading
    state[..., BEND] = pitches[..., 1] - pitches[..., 0]
    state[..., SLOPE], state[..., BANK] = steps.slope, steps.bank
    return state, roll.pivot
