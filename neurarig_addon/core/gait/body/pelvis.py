"""The pelvis above both feet: where it should be, before the legs limit it, and how it sinks before they pull it down."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...character.body import Body
from ...contract.channels import SLICES, block
from ...easing import b_spline, smoothstep
from ...geometry.rotation import from_euler
from ...ground.legs import held_near, lowered
from ..feet.stance import Stand
from ..inputs.proportions import rest_extension, settled
from ..kinds.gait import GaitShape
from ..sliders.idle import ADULT_LEG
from ..sliders.manner import BodyManner, Posture
from ..steps.situation import Situation

BOUNCE_SAMPLES = 16  # per half cycle, to find the pelvis' highest and lowest point
UP = np.array([0.0, 0.0, 1.0])
KNOT_S, LOOKS = 0.08, 3  # seconds between the curve's knots, for an adult; samples of the legs' demand between two knots
REACH = 2  # reach of a knot on both sides, in knots


def standing_height(body: Body) -> np.ndarray:
    """Return the height of the hips `(2,)` of a body that stands with its feet at walking width.

    A leg keeps its rest bend (a bird crouches, a person does not), but legs that are spread at rest come together and so raise the hips.
    """
    leg = body.thigh_length + body.shin_length
    aside = 0.5 * np.abs(body.hip[:, 1])
    return body.ankle[:, 2] + np.sqrt(np.maximum((rest_extension(body) * leg) ** 2 - aside**2, (0.3 * leg) ** 2))


def suited_to_feet(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner for planted feet of another build than an adult's: hips lower, and farther ahead."""
    walker, at = here.walker, here.body
    if not walker.gait.planted:
        return wish
    lower, ahead = settled(walker.build, at.vhat)
    posture = wish.posture + Posture.of(len(at.frames), ahead=ahead * walker.body.leg_length)
    return replace(wish, crouch=wish.crouch + lower, posture=posture)


def wanted_pelvis(body: Body, values: np.ndarray, wish: BodyManner) -> tuple[np.ndarray, np.ndarray]:
    """Return the pelvis' rotation from rest `(frames, 3, 3)` and the place of its head `(frames, 3)`, before the reach guard."""
    pelvis = block(values, "pelvis")
    added = wish.posture
    yaw, roll = pelvis[:, 4] * wish.twist + added.pelvis_yaw, pelvis[:, 5] * wish.list + added.pelvis_roll
    turn = from_euler(pelvis[:, 3] + 0.3 * wish.lean, yaw, roll)
    hips_middle = body.hip.mean(axis=0)
    hips = np.stack(
        [
            hips_middle[0] + pelvis[:, 0] + added.ahead,
            hips_middle[1] + pelvis[:, 1] * wish.sway + added.aside,
            standing_height(body).mean() + pelvis[:, 2] - wish.crouch * body.leg_length,
        ],
        -1,
    )
    return turn, hips - np.einsum("fij,j->fi", turn, hips_middle - body.pelvis)


def bounced(values: np.ndarray, slow: np.ndarray, bounce: np.ndarray, shapes: GaitShape) -> np.ndarray:
    """Return channels with the pelvis' rise and fall scaled by `bounce`.

    Less bounce keeps the lowest height, which both legs reach in double support; more keeps the highest, where the leg is straight.
    A keyed bounce blends between the two around 1.
    """
    if (bounce == 1.0).all():
        return values
    half_cycle = 0.5 * np.arange(BOUNCE_SAMPLES) / BOUNCE_SAMPLES
    rows = np.repeat(slow, BOUNCE_SAMPLES, axis=0)
    phases = np.tile(half_cycle, len(slow))
    height = block(shapes.sample(rows, phases, phases + 0.5), "pelvis")[:, 2].reshape(len(slow), BOUNCE_SAMPLES)
    upward = np.clip(2.0 * bounce - 1.5, 0.0, 1.0)
    kept = height.min(axis=1) + np.ptp(height, axis=1) * smoothstep(upward)
    values = values.copy()
    column = SLICES["pelvis"].start + 2
    values[:, column] = kept + (values[:, column] - kept) * bounce
    return values


@dataclass(frozen=True)
class WantedBody:
    """At frames `(f,)`, relative to the root: the manner, both feet, and the pelvis' `turn` and `place` (see `wanted_pelvis`).

    `values` `(f, 46)`: the gait's channels for the upper body; `hands`: the channels that hands follow.
    `reaches`: the legs reach as they are.
    """

    manner: BodyManner
    stand: Stand
    turn: np.ndarray
    place: np.ndarray
    values: np.ndarray
    hands: np.ndarray
    reaches: bool = False

    def hips(self, body: Body) -> np.ndarray:
        """Return the places of the hips `(f, 2, 3)`."""
        return np.einsum("fij,sj->fsi", self.turn, body.hip - body.pelvis) + self.place[:, None]

    def drop(self, body: Body) -> np.ndarray:
        """Return how far the pelvis must come down `(f,)` for the legs to reach."""
        if self.reaches:
            return np.zeros(len(self.place))
        return lowered(self.place[:, 2], self.hips(body), self.stand.feet.ankle, body, self.manner.holds, self.manner.guard)

    def in_reach(self, body: Body) -> "WantedBody":
        """Return the same with the pelvis near enough to both feet as seen from above."""
        shift = held_near(self.hips(body), self.stand.feet.ankle, body)
        return replace(self, place=self.place + np.concatenate([shift, np.zeros((len(shift), 1))], axis=1))

    def sunk(self, metres: np.ndarray) -> "WantedBody":
        """Return the same with the pelvis lower by metres `(f,)`."""
        return replace(self, place=self.place - metres[:, None] * UP)


def giving_way(seconds: np.ndarray, leg_length: float, pulled: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return how far the pelvis sinks `(f,)` at times `(f,)`: a smooth curve, nowhere less than the legs demand.

    `pulled(seconds)` returns metres `(n,)` the legs pull it down, NaN where the curve must be 0.

    A cubic B-spline on a fixed grid; each knot is as high as the largest demand within its reach.  So the curve depends on time
    alone, not on the frames asked for.
    """
    every = KNOT_S * float(np.sqrt(leg_length / ADULT_LEG))
    at = seconds / every
    knot = np.floor(at).astype(int)
    first, last = int(knot.min()) - 1, int(knot.max()) + REACH
    demand = pulled(np.arange((first - REACH) * LOOKS, (last + REACH) * LOOKS + 1) * every / LOOKS)
    around = np.lib.stride_tricks.sliding_window_view(demand, 2 * REACH * LOOKS + 1)[::LOOKS]
    most = np.nan_to_num(around.max(axis=-1))
    return b_spline(most, knot - first, at - knot)
