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
from ...character.paw import TIPPED
from ...easing import bell, bend, hermite, smootherstep, smoothstep
from ...geometry.rotation import TURN, norms
from .bounce import Footfall
from .bouncing_gait import spline, waved

MIDDLE, LOWER = 1, 2  # joints, from the trunk outward
# shares of stance and swing of the knots, which are close where a paw leaves and lands
STANDS, FLIES = np.linspace(0.0, 1.0, 17), np.linspace(0.0, 1.0, 33)
FLIES = np.sort(
    np.concatenate([FLIES, FLIES[1] * np.array([0.2, 0.5]), 1.0 - FLIES[1] * np.array([0.5, 0.2])])
)
PITCHES = np.radians(np.arange(-80.0, 100.5, 1.0))  # of the foot on the ground that are tried
# Of the leg's length: how straight it gets, and one that stands straight; how much longer it stays than
# folded; squared degrees that the square of what is beyond costs
STRAIGHTEST, LEAST_SPARE, UNREACHED = (0.95, 0.985), 0.07, 4e6
BEYOND = 0.75  # share to which what bends a straight leg may be less still just before it lands
# What is tried: hip heights by which the hips are farther ahead and higher than at rest, and how the foot is
# pitched half way through the stance; squared degrees that the squares of these cost
TRIED = np.arange(-0.24, 0.25, 0.06), np.arange(-0.18, 0.01, 0.03), np.radians([-30.0, -20.0, -10.0, 0.0])
COSTS = np.array([600.0, 4500.0, 400.0])
BARELY_BENT = 16.0  # degrees, of legs that stand straight
SMOOTH = 4  # degree of the foot's pitch over the stance
# share of the stance from which the toes roll over their tips; of the leg's length: how high the joint of
# long ones is lifted
TIPS, LIFTED = 0.82, 0.12
LOWER_LIMITS = np.array([[40.0, 235.0], [40.0, 172.0]])  # of carpus and hock in the air
HELD = 0.3  # share of the swing in which joints come from how they were on the ground
ENDS = np.array([0.02, 0.0])  # shares of the stance beside its ends
EDGES = np.array([1e-3, 0.0])  # the same, for how fast the ankle is there
CLEARS_SOON, CURLS_EARLY = 0.1, 0.8  # share of the swing in which paws come to clear the ground; exponent
# how much more feet are bent to clear it, where legs fold no farther; over how many shares that is spread and
# softened
FOLDS, BROAD, SOFT = np.radians(np.arange(0.0, 93.0, 4.0)), 7, 5
UPWARD = np.radians(np.arange(-90.0, 1.0, 2.0))  # turns of toes that come up which are tried
NOTHING, DOWN = np.zeros(()), np.array([0.0, -1.0])


@dataclass(frozen=True)
class JointCurves:
    """Of a limb over its own stride, of which it stands for a share `duty`.

    Harmonics in degrees: of `joints` `(3, 1 + 2n)` from the trunk outward; of the shoulder `blade` `(1 +
    2n,)`, lower end forward. `hoofed` `(3,)`: share of this that joints above hooves bend. `toes`: how far
    these curl in the air. `clears`: hip heights by which they clear the ground. `lower_counts`: how much the
    lower joint counts on the ground beside the middle one. `straight`: the limb stands straight.
    """

    joints: np.ndarray
    blade: np.ndarray
    hoofed: np.ndarray
    toes: float
    clears: float
    lower_counts: float
    duty: float
    straight: bool = False

    def beyond(self, joint: int, phase: np.ndarray) -> np.ndarray:
        """Return by how many degrees `(...)` a joint is straighter than half way through the stance, at
        phases."""
        return waved(self.joints[joint], phase) - waved(self.joints[joint], np.array(0.5 * self.duty))

    def at_the_wrist(self) -> "JointCurves":
        """Return the curves of fore legs that bend there in place of the elbow, which they lack: all above it
        goes as the line from shoulder to wrist, forward with the humerus and as the elbow bends."""
        shoulder, elbow, wrist = self.joints
        joints = np.stack([0.5 * elbow - shoulder, wrist, np.zeros_like(wrist)])
        return replace(self, joints=joints, lower_counts=1.0, straight=True)

    def above_hooves(self, much: float, hoofed: float) -> "JointCurves":
        """Return the curves of joints that bend so `much`, of an animal as `hoofed` as 0 (a dog) to 1 (a
        horse)."""
        return replace(self, joints=self.joints * much * (1.0 + hoofed * (self.hoofed - 1.0))[:, None])


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
    """A limb of a girdle as seen from its left, x ahead, z up, metres.

    Two bones between `hip` and `ankle` count as equally long ones: what they bend then changes the distance
    of any two alike.
    """

    def __init__(self, girdle: Body, curves: JointCurves, steps: OverPaw) -> None:
        joint = np.where(np.isfinite(girdle.toe_joint), girdle.toe_joint, girdle.toe)
        heel = np.where(girdle.pads[:, None], joint, girdle.heel)
        points = np.stack([girdle.hip, girdle.ankle, joint, heel, girdle.toe, girdle.clavicle])
        self.hip, self.ankle, self.joint, self.heel, self.toe, self.clavicle = points.mean(axis=1)[:, [0, 2]]
        self.bends, self.curves, self.steps, self.leg = girdle.bends, curves, steps, girdle.leg_length
        self.height = float(self.hip[1])
        self.tipped = min(TIPPED, LIFTED * self.leg / max(float(self.toe[0] - self.joint[0]), 1e-9))
        # a paw in one piece would press its rear end into the ground
        whole = not np.isfinite(girdle.toe_joint).all()
        least = 0.0 if whole else min(float(girdle.least_pitch.max()), 0.0)
        self.pitches = PITCHES[least - 1e-9 < PITCHES]
        uneven = float(np.abs(girdle.thigh_length - girdle.shin_length).mean()) / self.leg
        self.reach = LEAST_SPARE + uneven, STRAIGHTEST[curves.straight]
        self.folded = 180.0 - 2.0 * float(np.degrees(np.arccos(self.reach[0])))
        self.lower = (
            LOWER_LIMITS[int(self.bends > 0.0)]
            - 180.0
            - self.bends * np.degrees(_turn(self.joint - self.ankle))
        )

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
        """Return the turns from straight down of both bones `(...)`, and how long the leg is, as a share of
        its longest, for places `(..., 2)`."""
        line = ankle - hip
        share = norms(line) / self.leg
        bent = self.bends * np.arccos(np.minimum(share, 1.0))
        return _turn(line) - bent, _turn(line) + bent, share

    def standing(self, moved: np.ndarray, pitches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the foot's pitches `(n, stands)` over a stance, each of those to try `(p,)`, and what they
        cost `(n,)`, for hips `moved` `(n, 3)` by metres ahead and up, the foot pitched by radians half way
        through."""
        curves = self.curves
        hip = self.over(STANDS) + moved[:, None, :2]
        tipped = _turned(self.joint - self.toe, self.tipping(STANDS)) + self.toe
        thigh, shin, share = self.between(hip[:, :, None], tipped[:, None] + self.foot(pitches))
        pitch = moved[:, 2]
        base_thigh, base_shin, _ = self.between(hip[:, len(STANDS) // 2], self.joint + self.foot(pitch))
        cost = UNREACHED * np.maximum(np.maximum(share - self.reach[1], self.reach[0] - share), 0.0) ** 2
        for joint, counts, turns, base in (
            (MIDDLE, 1.0, thigh - shin, base_thigh - base_shin),
            (LOWER, curves.lower_counts, pitches - shin, pitch - base_shin),
        ):
            wanted = np.degrees(self.bends * base)[:, None] + curves.beyond(joint, STANDS * curves.duty)
            if curves.straight and joint == MIDDLE:
                wanted = np.full_like(wanted, -BARELY_BENT)
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
        scale = np.array([self.height, self.height, 1.0])
        tried = scale * np.stack([values.ravel() for values in np.meshgrid(*TRIED)], axis=-1)
        tried[:, 2] = np.maximum(tried[:, 2], self.pitches[0])
        moved = tried[self.standing(tried, self.pitches[::4])[1].argmin()]
        found = self.standing(moved[None], self.pitches)[0][0]
        rolls = np.maximum(np.polynomial.Polynomial.fit(STANDS, found, SMOOTH)(STANDS), self.pitches[0])
        moved = moved[:2]
        curls = self.curled(rolls)
        turns, place = self.cleared(*self.flying(rolls, moved), curls)
        curls = curls + self.rising(place, turns, turns + curls)
        way = (place - place[0] - FLIES[:, None] * (place[-1] - place[0])) / self.leg
        footfall = Footfall(
            *(
                np.column_stack([at, values])
                for at, values in (
                    (STANDS, np.degrees(rolls)),
                    (FLIES, np.degrees(turns)),
                    (FLIES, way[:, 0]),
                    (FLIES, way[:, 1]),
                    (STANDS, np.degrees(self.tips(STANDS))),
                    (FLIES, np.degrees(curls)),
                )
            )
        )
        return Fitted(footfall, *moved)

    def curled(self, rolls: np.ndarray) -> np.ndarray:
        """Return how toes bend against the foot `(flies,)` in the air, radians."""
        (before, left), (after, landed) = (
            self.tipping(at) - spline(np.column_stack([STANDS, rolls]), 1.0)(at) for at in (1.0 - ENDS, ENDS)
        )
        pace = self.pace(float(ENDS[0]))
        return (
            left
            + smoothstep(FLIES) * (landed - left)
            + bend(np.minimum(FLIES / HELD, 1.0), (left - before) * pace, NOTHING)
            + bend(np.minimum((1.0 - FLIES) / HELD, 1.0), (after - landed) * -pace, NOTHING)
            + np.radians(self.curves.toes) * bell(FLIES**CURLS_EARLY)
        )

    def pace(self, beside: float) -> float:
        """Return what changes in a share of a stance `beside` its end, per HELD of a swing."""
        return HELD * (1.0 - self.steps.duty) / self.steps.duty / beside

    def cleared(
        self, hip: np.ndarray, place: np.ndarray, pitch: np.ndarray, curls: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return pitches `(flies,)` and ankles `(flies, 2)` of feet that clear the ground: higher, as far as
        the leg folds, and then more bent themselves."""
        off = place - hip
        room = np.maximum(
            -off[:, 1] - np.sqrt(np.maximum((self.reach[0] * self.leg) ** 2 - off[:, 0] ** 2, 0.0)), 0.0
        )

        def lacking(pitch: np.ndarray) -> np.ndarray:
            joint = place - self.foot(pitch)
            tip = joint + _turned(self.toe - self.joint, pitch + curls)
            return self.clear - np.minimum(joint[..., 1] - self.joint[1], tip[..., 1] - self.toe[1])

        lack = lacking(pitch - self.bends * FOLDS[:, None])
        clears = lack <= room
        fold = FOLDS[np.where(clears.any(axis=0), clears.argmax(axis=0), lack.argmin(axis=0))]
        pitch = pitch - self.bends * _around(fold)
        lift = np.clip(lacking(pitch), 0.0, room)
        return pitch, place + np.stack([0.0 * lift, lift], axis=-1)

    @property
    def clear(self) -> np.ndarray:
        """Metres `(flies,)` by which paws are to clear the ground."""
        return smootherstep(np.minimum(FLIES, 1.0 - FLIES) / CLEARS_SOON) * self.curves.clears * self.height

    def rising(self, place: np.ndarray, pitch: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Return by how much less toes come up `(flies,)` than by their `turns`, so that those which point
        backward clear the ground, too, on feet with pitches at `place`."""
        rise = (place - self.foot(pitch))[:, 1] - self.joint[1]
        claw = self.heel - self.joint
        lower = _turned(claw, UPWARD)[:, 1] - claw[1]
        clears = lower[:, None] + rise >= self.clear
        clears[-1] = True
        less = _around(np.maximum(UPWARD[clears.argmax(axis=0)] - turns, 0.0))
        return np.minimum(less, np.maximum(-turns, 0.0))

    def flying(self, rolls: np.ndarray, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the places of hip and ankle `(flies, 2)` and the foot's pitch `(flies,)` in the air between
        stances with pitches `(stands,)`."""
        curves, steps = self.curves, self.steps
        phase = steps.duty + FLIES * (1.0 - steps.duty)
        natural = curves.duty + FLIES * (1.0 - curves.duty)
        hip = self.socket(phase) + moved
        hip = hip + np.stack(
            [(0.5 * steps.duty + FLIES * (1.0 - steps.duty)) * steps.stride, 0.0 * FLIES], axis=-1
        )
        stood = self.stands(np.array([0.5]), rolls, moved)[:, 0]
        left, landed = (self.stands(at, rolls, moved) for at in (1.0 - ENDS, ENDS))
        found = []
        for joint, base in enumerate(stood):
            bends = curves.beyond(joint, natural)
            if joint == MIDDLE:  # no farther than the leg folds
                bends = bends * np.minimum((base - self.folded) / max(-float(bends.min()), 1e-9), 1.0)
            found.append(self.from_the_ground(base + bends, left[joint], landed[joint], float(ENDS[0])))
        upper, middle, lower = found
        straight, folded = np.arccos(self.reach[::-1])
        ends = 0.5 * np.radians(180.0 - np.concatenate([left[MIDDLE], landed[MIDDLE]]))
        bent = np.clip(0.5 * np.radians(180.0 - middle), min(straight, BEYOND * float(ends.min())), folded)
        lower = np.clip(lower, *self.lower)
        along = self.blade(phase) + self.bends * (np.radians(upper) + bent)
        ankle = hip + self.leg * np.cos(bent)[:, None] * _turned(DOWN, along)
        # where the limb does not reach its paw: else that would be made up over the whole swing
        lifts, lands = (self.on_the_paw(at, rolls)[1] for at in (1.0 - EDGES, EDGES))
        ankle = self.from_the_ground(ankle, lifts, lands + [steps.stride, 0.0], float(EDGES[0]))
        return hip, ankle, along + self.bends * (bent + np.radians(lower))

    def from_the_ground(
        self, values: np.ndarray, left: np.ndarray, landed: np.ndarray, beside: float
    ) -> np.ndarray:
        """Return values in the air `(flies, ...)` that begin and end as on the ground, and change as fast
        there: `left` and `landed` `(2, ...)` are those `beside` the end of a stance, a share of it, and at
        that end."""
        pace, shape = self.pace(beside), (-1, *[1] * (values.ndim - 1))
        into, since = (np.minimum(share / HELD, 1.0).reshape(shape) for share in (FLIES, 1.0 - FLIES))
        slopes = np.gradient(values, FLIES, axis=0, edge_order=2) * HELD
        off = (left[1] - left[0]) * pace - slopes[0], slopes[-1] - (landed[0] - landed[1]) * pace
        values = values + hermite(into, left[1] - values[0], off[0], NOTHING, NOTHING)
        return values + hermite(since, landed[1] - values[-1], off[1], NOTHING, NOTHING)

    def tips(self, share: np.ndarray) -> np.ndarray:
        """Return how far toes are asked to roll over their tips after shares of the stance, in radians."""
        return self.tipped * np.clip((share - TIPS) / (1.0 - TIPS), 0.0, 1.0) ** 2

    def tipping(self, share: np.ndarray) -> np.ndarray:
        """Return how far toes do roll over their tips (see `rocker.pitched`)."""
        return flattened(np.maximum(self.tips(share) - TOE_PRESS, 0.0))

    def on_the_paw(self, share: np.ndarray, rolls: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the foot's pitches `(n,)` and the places of the ankle `(n, 2)` after shares of the stance
        with pitches `(stands,)`."""
        pitch = spline(np.column_stack([STANDS, rolls]), 1.0)(share)
        tipped = _turned(self.joint - self.toe, self.tipping(share))
        return pitch, self.toe + tipped + self.foot(pitch)

    def stands(self, share: np.ndarray, rolls: np.ndarray, moved: np.ndarray) -> np.ndarray:
        """Return the joints' degrees `(3, n)`, more for straighter ones, after shares of the stance with
        pitches `(stands,)`, the hips moved by metres `(2,)`."""
        pitch, ankle = self.on_the_paw(share, rolls)
        blade = self.blade(share * self.steps.duty)
        thigh, shin, _ = self.between(self.over(share) + moved, ankle)
        return np.degrees(
            np.stack(
                [
                    self.bends * (thigh - blade),
                    np.pi + self.bends * (thigh - shin),
                    self.bends * (pitch - shin),
                ]
            )
        )


def _around(values: np.ndarray) -> np.ndarray:
    """Return shares or angles `(flies,)` of a swing that are at least some values, spread and softened, and 0
    at its ends."""
    soft = _beside(_beside(values, BROAD).max(axis=-1), SOFT).mean(axis=-1)
    return soft * smoothstep(np.minimum(FLIES, 1.0 - FLIES) / CLEARS_SOON)


def _beside(values: np.ndarray, count: int) -> np.ndarray:
    """Return each of some values `(n,)` with those beside it `(n, count)`, 0 beyond both ends."""
    return np.lib.stride_tricks.sliding_window_view(np.pad(values, count // 2), count)


def _turn(way: np.ndarray) -> np.ndarray:
    """Return turns `(...)` of ways `(..., 2)` from straight down."""
    return np.arctan2(-way[..., 0], -way[..., 1])


def _turned(way: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Return ways `(..., 2)` turned."""
    cos, sin = np.cos(by), np.sin(by)
    return np.stack([cos * way[..., 0] + sin * way[..., 1], cos * way[..., 1] - sin * way[..., 0]], axis=-1)
