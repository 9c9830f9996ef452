"""An animal's limb from how its joints bend to where its paw goes, for the build of one body.

Joints of animals bend alike; paws of other builds go other ways. On the ground a paw is still, and the hip
above it is where the gait has it: the foot is pitched so that the two joints between follow their curves as
well as they can. In the air all joints follow them, from where they are as the paw leaves to where they are
as it lands.

Angles are those between bones, in degrees, more for straighter joints; turns are about the left axis,
radians.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...body.rocker import TOE_PRESS, flattened
from ...character.body import Body
from ...easing import hermite, smoothstep
from ...geometry.rotation import TURN, norms
from .bounce import Footfall
from .bouncing_gait import waved

UPPER, MIDDLE, LOWER = range(3)
NOTHING = np.zeros(())
STANDS, FLIES = (
    np.linspace(0.0, 1.0, 13),
    np.linspace(0.0, 1.0, 17),
)  # shares of stance and swing of the knots
PITCHES = np.radians(np.arange(-80.0, 100.5, 1.0))  # of the foot on the ground that are tried
STRAIGHTEST, UNREACHED = 0.98, 4e5  # share of the leg's length; squared degrees for each squared share beyond
# What is tried: hip heights by which the hips are farther ahead and higher than at rest, and how the foot is
# pitched half way through the stance; squared degrees that the squares of these cost
TRIED = np.arange(-0.24, 0.25, 0.06), np.arange(-0.18, 0.01, 0.03), np.radians([-30.0, -20.0, -10.0, 0.0])
COSTS = np.array([600.0, 6000.0, 150.0])
LIMITS = np.array([[40.0, 170.0], [40.0, 172.0]])  # of middle and lower joint in the air
HELD = 0.3  # share of the swing in which joints come from how they were on the ground
ENDS = np.array([0.02, 0.0])  # shares of the stance beside its ends
TIPS, TIPPED = (
    0.82,
    np.radians(26.0),
)  # share of the stance from which the toes roll over their tips, and how far
SMOOTH = 5  # degree of the foot's pitch over the stance


@dataclass(frozen=True)
class JointCurves:
    """Of a limb over its own stride, of which it stands for a share `duty`.

    Harmonics in degrees: of `joints` `(3, 1 + 2n)` from the trunk outward; of the shoulder `blade` `(1 +
    2n,)`, lower end forward. `large` `(3,)`: how much less joints of large animals bend. `toes`: how far
    these curl in the air. `lower_counts`: how much the lower joint counts on the ground beside the middle
    one.
    """

    joints: np.ndarray
    blade: np.ndarray
    large: np.ndarray
    toes: float
    lower_counts: float
    duty: float

    def beyond(self, joint: int, phase: np.ndarray) -> np.ndarray:
        """Return by how many degrees `(...)` a joint is straighter than half way through the stance, at
        phases."""
        return waved(self.joints[joint], phase) - waved(self.joints[joint], np.array(0.5 * self.duty))

    def of_size(self, large: float) -> "JointCurves":
        """Return the curves of an animal as `large` as 0 (a dog) to 1 (a horse)."""
        return replace(self, joints=self.joints * (1.0 + large * (self.large - 1.0))[:, None])


class OverPaw(NamedTuple):
    """How a girdle goes over a paw: metres per stride, the share of it on the ground, and harmonics of its
    rise in metres from the paw's contact."""

    stride: float
    duty: float
    rise: np.ndarray


class Fitted(NamedTuple):
    """A footfall; metres by which the hips are farther ahead of the prints, and higher, than at rest."""

    footfall: Footfall
    ahead: float
    higher: float


def later(waves: np.ndarray, by: float) -> np.ndarray:
    """Return waves that come later by cycles."""
    turns = np.exp(1j * TURN * by * np.arange(1, len(waves) // 2 + 1))
    pairs = (waves[1::2] + 1j * waves[2::2]) * turns
    return np.concatenate([waves[:1], np.stack([pairs.real, pairs.imag], axis=-1).ravel()])


class AnimalLimb:
    """A limb of a girdle as seen from its left: socket, joints, toe joint and tip, x ahead, z up, metres."""

    def __init__(self, girdle: Body, curves: JointCurves, steps: OverPaw) -> None:
        joint = np.where(np.isfinite(girdle.toe_joint), girdle.toe_joint, girdle.toe)
        points = np.stack([girdle.hip, girdle.knee, girdle.ankle, joint, girdle.toe, girdle.clavicle])
        points = points.mean(axis=1)[:, [0, 2]]
        self.hip, self.knee, self.ankle, self.joint, self.toe, self.clavicle = points
        self.bends, self.curves, self.steps, self.leg = girdle.bends, curves, steps, girdle.leg_length
        self.height = float(self.hip[1])
        self.thigh, self.shin = norms(self.knee - self.hip), norms(self.ankle - self.knee)
        self.rest = np.degrees(_angle(self.knee - self.hip, self.ankle - self.knee, self.bends))
        self.rest_lower = np.degrees(_angle(self.ankle - self.knee, self.joint - self.ankle, -self.bends))

    def socket(self, phase: np.ndarray) -> np.ndarray:
        """Return the places of the hip `(..., 2)` at phases of the limb's stride, by blade and rise alone."""
        moved = np.stack([np.zeros(np.shape(phase)), waved(self.steps.rise, phase)], axis=-1)
        if np.isfinite(self.clavicle).all():
            lever = self.hip - self.clavicle
            moved = moved + _turned(lever, self.blade(phase)) - lever
        return self.hip + moved

    def blade(self, phase: np.ndarray) -> np.ndarray:
        """Return the turns of what the limb hangs on `(...)`."""
        return -np.radians(waved(self.curves.blade, phase))

    def between(self, hip: np.ndarray, ankle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the turns of thigh and shin `(...)`, and how long the leg is, as a share of its longest, for
        places `(..., 2)`."""
        line = ankle - hip
        length = norms(line)
        share = length / (self.thigh + self.shin)
        length = np.clip(length, 1.001 * abs(self.thigh - self.shin), 0.9999 * (self.thigh + self.shin))
        along = _turn(line)
        thigh, shin = (
            sign
            * self.bends
            * np.arccos(np.clip((one**2 + length**2 - other**2) / (2 * one * length), -1.0, 1.0))
            for sign, one, other in ((-1.0, self.thigh, self.shin), (1.0, self.shin, self.thigh))
        )
        turns = along + thigh - _turn(self.knee - self.hip), along + shin - _turn(self.ankle - self.knee)
        return *turns, share

    def standing(self, moved: np.ndarray, pitches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the foot's pitches `(n, stands)` over a stance, each of those to try `(p,)`, and what they
        cost `(n,)`, for hips `moved` `(n, 3)` by metres ahead and up, the foot pitched by radians half way
        through."""
        curves = self.curves
        hip = self.over(STANDS) + moved[:, None, :2]
        tipped = _turned(self.joint - self.toe, tipping(STANDS)) + self.toe
        thigh, shin, share = self.between(hip[:, :, None], tipped[:, None] + self.foot(pitches))
        pitch = moved[:, 2]
        base_thigh, base_shin, _ = self.between(hip[:, len(STANDS) // 2], self.joint + self.foot(pitch))
        cost = UNREACHED * np.maximum(share - STRAIGHTEST, 0.0) ** 2
        for joint, counts, turns, base in (
            (MIDDLE, 1.0, thigh - shin, base_thigh - base_shin),
            (LOWER, curves.lower_counts, pitches - shin, pitch - base_shin),
        ):
            wanted = np.degrees(self.bends * base)[:, None] + curves.beyond(joint, STANDS * curves.duty)
            cost = cost + counts * (np.degrees(self.bends * turns) - wanted[..., None]) ** 2
        best = cost.argmin(axis=-1)
        least = np.take_along_axis(cost, best[..., None], axis=-1)[..., 0].mean(axis=-1)
        return pitches[best], least + ((moved / [self.height, self.height, 1.0]) ** 2) @ COSTS

    def foot(self, pitch: np.ndarray) -> np.ndarray:
        """Return where the ankle is `(..., 2)` from the toes' joint on a foot with pitches."""
        return _turned(self.ankle - self.joint, pitch)

    def over(self, share: np.ndarray) -> np.ndarray:
        """Return the places of the hip `(..., 2)` after shares of the stance, the paw as it is at rest."""
        way = (share - 0.5) * self.steps.stride * self.steps.duty
        return self.socket(share * self.steps.duty) + np.stack([way, 0.0 * way], axis=-1)

    def fitted(self) -> Fitted:
        """Return the footfall."""
        tried = np.array([values.ravel() for values in np.meshgrid(*TRIED)]) * np.array(
            [[self.height], [self.height], [1.0]]
        )
        moved = tried.T[self.standing(tried.T, PITCHES[::4])[1].argmin()]
        rolls = np.polynomial.Polynomial.fit(STANDS, self.standing(moved[None], PITCHES)[0][0], SMOOTH)(
            STANDS
        )
        moved = moved[:2]
        turns, place = self.flying(rolls, moved)
        way = (place - place[0] - FLIES[:, None] * (place[-1] - place[0])) / self.leg
        tips = tipping(STANDS[-1:])[0]
        bend = tips - rolls[-1] + smoothstep(FLIES) * (rolls[-1] - tips - rolls[0])
        bend = bend + np.radians(self.curves.toes) * np.sin(np.pi * FLIES) ** 2
        footfall = Footfall(
            *(
                np.column_stack([at, values])
                for at, values in (
                    (STANDS, np.degrees(rolls)),
                    (FLIES, np.degrees(turns)),
                    (FLIES, way[:, 0]),
                    (FLIES, way[:, 1]),
                    (STANDS, np.degrees(_tips(STANDS))),
                    (FLIES, np.degrees(bend)),
                )
            )
        )
        return Fitted(footfall, *moved)

    def flying(self, rolls: np.ndarray, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the foot's pitch `(flies,)` and the ankle's place `(flies, 2)` in the air between stances
        with pitches `(stands,)`."""
        curves, steps, bends = self.curves, self.steps, self.bends
        phase = steps.duty + FLIES * (1.0 - steps.duty)
        natural = curves.duty + FLIES * (1.0 - curves.duty)
        hip = self.socket(phase) + moved
        hip = hip + np.stack(
            [(0.5 * steps.duty + FLIES * (1.0 - steps.duty)) * steps.stride, 0.0 * FLIES], axis=-1
        )
        stood = self.stands(np.array([0.5]), rolls, moved)[:, 0]
        left, landed = (self.stands(at, rolls, moved) for at in (1.0 - ENDS, ENDS))
        pace = HELD * (1.0 - steps.duty) / steps.duty / ENDS[0]
        into, since = np.minimum(FLIES / HELD, 1.0), np.minimum((1.0 - FLIES) / HELD, 1.0)
        found = []
        for joint, base in enumerate(stood):
            wanted = base + curves.beyond(joint, natural)
            slopes = np.gradient(wanted, FLIES, edge_order=2) * HELD
            one, other = left[joint], landed[joint]
            off = (one[1] - one[0]) * pace - slopes[0], slopes[-1] - (other[0] - other[1]) * pace
            wanted = wanted + hermite(into, one[1] - wanted[0], off[0], NOTHING, NOTHING)
            found.append(wanted + hermite(since, other[1] - wanted[-1], off[1], NOTHING, NOTHING))
        upper, middle, lower = found
        for turns, rest, (least, most) in zip(
            (middle, lower), (self.rest, self.rest_lower), LIMITS, strict=True
        ):
            np.clip(
                turns,
                min(least - rest, turns[0], turns[-1]),
                max(most - rest, turns[0], turns[-1]),
                out=turns,
            )
        thigh = self.blade(phase) + bends * np.radians(upper)
        shin = thigh - bends * np.radians(middle)
        ankle = hip + _turned(self.knee - self.hip, thigh) + _turned(self.ankle - self.knee, shin)
        return shin + bends * np.radians(lower), ankle

    def stands(self, share: np.ndarray, rolls: np.ndarray, moved: np.ndarray) -> np.ndarray:
        """Return by how many degrees the joints are straighter than at rest `(3, n)` after shares of the
        stance with pitches `(stands,)`, the hips moved by metres `(2,)`."""
        pitch, blade = np.interp(share, STANDS, rolls), self.blade(share * self.steps.duty)
        foot = _turned(self.joint - self.toe, tipping(share)) + self.foot(pitch)
        thigh, shin, _ = self.between(self.over(share) + moved, self.toe + foot)
        return np.degrees(self.bends * np.stack([thigh - blade, thigh - shin, pitch - shin]))


def _tips(share: np.ndarray) -> np.ndarray:
    """Return how far toes are asked to roll over their tips after shares of the stance, in radians."""
    return TIPPED * np.clip((share - TIPS) / (1.0 - TIPS), 0.0, 1.0) ** 2


def tipping(share: np.ndarray) -> np.ndarray:
    """Return how far toes do roll over their tips (see `rocker.pitched`)."""
    return flattened(np.maximum(_tips(share) - TOE_PRESS, 0.0))


def _turn(way: np.ndarray) -> np.ndarray:
    """Return turns `(...)` of ways `(..., 2)` from straight down."""
    return np.arctan2(-way[..., 0], -way[..., 1])


def _turned(way: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Return ways `(..., 2)` turned."""
    cos, sin = np.cos(by), np.sin(by)
    return np.stack([cos * way[..., 0] + sin * way[..., 1], cos * way[..., 1] - sin * way[..., 0]], axis=-1)


def _angle(inner: np.ndarray, outer: np.ndarray, bends: float) -> np.ndarray:
    """Return the angle between two bones, over pi where it is bent the other way than forward."""
    return np.pi - bends * (_turn(outer) - _turn(inner))
