"""How proportions other than an adult's change a walk, and how far apart feet are set.

All curves are an adult's. On a longer foot the same pitch lifts the ankle higher, and the knees would rise to
the chest; on a shorter
foot it lifts the ankle less, and the trailing leg would be stiff.

Under legs that neither bend nor stretch, as those of a pair of compasses, a foot strikes flat when the hips
have passed the middle
between both feet: the longer a leg leans, the lower its hip, so the leg ahead can then carry them. The foot
behind makes up for its leg
by raising its heel, and lifts soon after.
"""

from dataclasses import dataclass

import numpy as np

from ...body.sole import Sole
from ...character.body import Body
from ...easing import smooth_between, smoothstep
from ...geometry.rotation import norms

# An adult's foot in leg lengths (0.845 m, see core/human/adult): x to the toes and z up, from the point under
# the ankle.
ADULT_ANKLE, ADULT_HEEL, ADULT_BALL = np.array([[0.0, 0.08], [-0.06, 0.0], [0.125, 0.025]]) / 0.845
ADULT_STANCE = 1.05  # leg lengths travelled by an adult's hips during a stance
ADULT_LEVER = float(norms(ADULT_BALL - ADULT_ANKLE))
ADULT_SLOPE = float(np.arctan2(*(ADULT_ANKLE - ADULT_BALL)[[1, 0]] * [1.0, -1.0]))
LONG_LEVER = 1.1  # x an adult's ankle to ball: feet up to this length pitch as people's do
# strides on legs without knees, as a share of others: the hips rise and fall with the square of a stride
RIGID_STEPS = 0.75
# exponent for toes-up pitch, which is reduced less than heel-up pitch: a long foot still lands on its heel
STRIKE_POWER = 0.4
LEVEL = np.radians(10.0)  # pitch within which the two rules blend
# Pitch of the foot and lean of the leg at heel strike of a natural walk.
STRIKE = np.radians([-20.0, 23.0])
TRAIL = np.radians([35.0, -25.0])  # when the other foot lands
# An adult's foot as the other one lands and as its toes leave the ground, in a natural walk: its pitch, and
# the hip from the ankle of the flat foot, ahead and up in leg lengths; then how far people's knees bend at
# these moments.
TRAILING, LEAVING = np.radians([18.2, 66.0])
TRAILING_HIP, LEAVING_HIP = np.array([0.444, 0.941]), np.array([0.655, 0.949])
TRAILING_KNEE, LEAVING_KNEE = np.radians([12.0, 32.0])
# against the foot as it leaves: what it is pitched beyond, the toes are, on their tips
TOES_BEND = np.radians(39.0)
UPRIGHT = np.radians(104.0)  # of the ankle over the ball as the toes leave the ground
LEAST_PITCH = 0.3  # share of an adult's
MOST_SHORTER = 0.2  # leg lengths by which a stance is shorter
AHEAD_SHARE, FARTHEST_AHEAD = 0.7, 0.03  # share of even reach by which hips go ahead of the feet; leg lengths
RISE_SHARE = 0.5  # of the reach that this saves at heel strike, the share by which the hips rise
# share of the lacking reach by which the pelvis is lowered; the reach guard adds the rest as bob
SETTLED_SHARE = 0.5
HALF_SETTLED_VHAT = 0.1  # dimensionless speed at half effect: standing bodies are not lowered
# share of the leg (an adult's: 0.66): longer arms swing less, so that the hands travel no farther than the
# feet
LONG_ARM = 0.8
# How far outside the hip joints hanging wrists are kept, in leg lengths (an adult's: 0.16); the most that
# arms are held out for it; how far in front of or behind the hips shoulders may be, in leg lengths, for arms
# to hang beside them.
WRIST_OFF_HIP, WIDEST_HANG, BESIDE = 0.13, np.radians(25.0), 0.3
LOWEST_WRIST = 0.22  # share of the shoulder's height: arms that would hang lower are carried bent
# Half the step width: part scales with the hips, part with the leg (together 5.2 cm for an adult; norms: step
# width 8-13 cm).
SPACING_OF_HIP, SPACING_OF_LEG = 0.3, 0.03
MOST_INSIDE = 0.15  # leg lengths: the most that feet are inside wide hips, as legs would slant like a V
MOST_ASIDE = 0.5  # leg lengths: the most that Stride Width sets a foot outside the hip
POINTS_AHEAD = 0.25  # steps: in a bend feet point along the path this far ahead
# On rigid legs.
LONGEST_STRIDE = 1.75  # leg lengths: beyond it no heel can rise enough
DOUBLE = 0.03  # share of a step after a strike in which both feet stand
# share of a cycle, ending at a heel strike, in which the hips go from the arc of one leg to that of the other
EXCHANGE = 0.12
# leg lengths from the ankle ahead to the ball that suffice for these; on shorter feet both are shorter
LEVER = 0.1
LEAST = 0.05  # of them, for feet without any length


@dataclass(frozen=True)
class FootBuild:
    """How feet of other proportions than an adult's change steps.

    `steps`: see `step_share`. `long`, `trailing`, `leaving` `(2,)`: their pitch as a share of an adult's, by
    their length alone, in a walk as the other foot lands, and as they leave the ground. `lacking`: see
    `_lacking_reach`. `ahead`: see `_hips_ahead`. `lever` `(2, 2)`: how much farther ahead and up of the ball
    the ankle is than an adult's, in metres.
    """

    steps: float
    long: np.ndarray
    trailing: np.ndarray
    leaving: np.ndarray
    lacking: float
    ahead: float
    lever: np.ndarray

    def suited(self, pitch: np.ndarray, running: np.ndarray | float = 0.0) -> np.ndarray:
        """Return an adult's foot pitch `(..., 2)` as these feet have it in walks, and in runs as far as it is
        `running`."""
        later = smooth_between(pitch, TRAILING, LEAVING)
        walking = self.trailing + (self.leaving - self.trailing) * later
        return _suited(pitch, self.long, walking + running * (self.long - walking))

    def let_go(self, pitch: np.ndarray) -> np.ndarray:
        """Return how much farther ahead and up the ankle is than an adult's `(..., 2, 2)`, metres, on a foot
        pitched over the ball."""
        heel_up = np.maximum(pitch, 0.0)
        cos, sin, ahead, up = np.cos(heel_up) - 1.0, np.sin(heel_up), self.lever[:, 0], self.lever[:, 1]
        return np.stack([cos * ahead + sin * up, cos * up - sin * ahead], axis=-1)


def foot_build(body: Body, sole: Sole) -> FootBuild:
    """Return the build of a body's feet; those that stand on toes have curves of their own."""
    leg = body.leg_length
    if body.on_toes:
        return FootBuild(1.0, np.ones(2), np.ones(2), np.ones(2), 0.0, 0.0, np.zeros((2, 2)))
    ankle, heel, joint, tip = (
        points[:, [0, 2]] / leg for points in (sole.ankle, sole.heel, sole.joint, sole.toe)
    )
    to_joint, aside = joint - ankle, (np.abs(body.hip[:, 1]).mean() - natural_spacing(body)) / leg
    long = _long_share(norms(to_joint))
    ahead = _hips_ahead(ankle, heel, joint, long)
    lacking = max(_lacking_reach(ankle, heel, ahead) - (1.0 - float(rest_extension(body).mean())), 0.0)
    moved = np.array([ahead, -SETTLED_SHARE * lacking])
    leaving = np.minimum(long, _upright_share(to_joint))
    trailing = _bent(to_joint, TRAILING_HIP + moved, aside, TRAILING_KNEE) / TRAILING
    pitch = LEAVING * leaving
    toes = np.where(sole.bends, np.maximum(pitch - TOES_BEND, 0.0), pitch)
    leaves = tip + _turned(joint - tip, toes) - _turned(to_joint, pitch) - ankle
    return FootBuild(
        step_share(LEAVING_HIP + moved - leaves, aside) * (RIGID_STEPS if body.rigid_legs else 1.0),
        long,
        np.clip(trailing, LEAST_PITCH * leaving, leaving),
        leaving,
        lacking,
        ahead,
        -leg * (to_joint + ADULT_ANKLE - ADULT_BALL),
    )


def step_share(hip: np.ndarray, aside: float) -> float:
    """Return strides, and the stance's share of them, as a share of an adult's, so that a leg is bent as its
    toes leave.

    `hip` `(2, 2)`: how far ahead of and above the ankles it would be then, in an adult's stride, and `aside`
    of them, in leg lengths. On shorter feet a leg would be stretched out like a stilt. Stance and stride
    give up half of what is missing each.
    """
    reached = np.sqrt(np.maximum(np.cos(0.5 * LEAVING_KNEE) ** 2 - aside**2 - hip[:, 1] ** 2, 0.0))
    lacking = np.clip(hip[:, 0] - reached, 0.0, MOST_SHORTER)
    return float(np.sqrt(1.0 - lacking.mean() / ADULT_STANCE))


def _long_share(lever: np.ndarray) -> np.ndarray:
    """Return the feet's pitch as a share of an adult's, for leg lengths `(2,)` from the ankle to where they
    roll over."""
    return 1.0 / np.maximum(lever / (LONG_LEVER * ADULT_LEVER), 1.0)


def _upright_share(to_joint: np.ndarray) -> np.ndarray:
    """Return the pitch, as a share of an adult's, that brings the ankle as far above where the foot rolls
    over, for feet whose ankle is so steeply above it at rest; 1 at most."""
    slope = np.arctan2(-to_joint[:, 1], to_joint[:, 0])
    return np.minimum((UPRIGHT - slope) / (UPRIGHT - ADULT_SLOPE), 1.0)


def _suited(pitch: np.ndarray, long: np.ndarray, heel_up: np.ndarray) -> np.ndarray:
    """Return an adult's foot pitch `(...)` of feet that have a share `heel_up` `(...)` of it with heels
    up."""
    strike = long**STRIKE_POWER
    return pitch * (strike + (heel_up - strike) * smoothstep(0.5 + 0.5 * pitch / LEVEL))


def _bent(to_joint: np.ndarray, hip: np.ndarray, aside: float, knee: float) -> np.ndarray:
    """Return the pitch `(2,)` at which a hip is as far from the ankle as its leg is long with a knee bent so
    far.

    `to_joint` `(2, 2)`: from the ankle to where the foot rolls over, `hip` `(2,)`: from the ankle of the flat
    foot; x and z in leg lengths. With u and v from the joint to hip and ankle and v turned by a pitch p, |u -
    v|² = r².
    """
    to_hip, lever = hip - to_joint, norms(to_joint)
    away = norms(to_hip)
    cosine = (away**2 + lever**2 + aside**2 - np.cos(0.5 * knee) ** 2) / (
        2.0 * away * np.maximum(lever, 1e-9)
    )
    at_rest = np.arctan2(-to_joint[:, 1], -to_joint[:, 0])
    return at_rest - np.arctan2(to_hip[:, 1], to_hip[:, 0]) - np.arccos(np.clip(cosine, -1.0, 1.0))


def _lacking_reach(ankle: np.ndarray, heel: np.ndarray, ahead: float) -> float:
    """Return how much farther than an adult's the legs must reach, in leg lengths, for foot points `(2, 2)`:
    x and z in leg lengths.

    At heel strike a leg lacks as much as its ankle, turned about the heel, falls short of an adult's. Hips
    that are `ahead` leave more to the leg behind; half of that raises them, half softens how the legs
    stretch.
    """
    short = _shortfall(ankle, heel, ADULT_HEEL, *STRIKE) - RISE_SHARE * np.sin(STRIKE[1]) * ahead
    return float(np.maximum(short, 0.0).mean())


def _hips_ahead(ankle: np.ndarray, heel: np.ndarray, ball: np.ndarray, long: np.ndarray) -> float:
    """Return how far ahead of an adult's the hips go between the feet, in leg lengths, for foot points `(2,
    2)`: x and z in leg lengths.

    On a longer foot the heel behind rises higher while the leg in front needs its whole length: hips that
    stay where an adult's are
    sink for the leg in front and bend the knee behind. Farther ahead both legs reach as evenly as an adult's.
    `long` `(2,)`: see `_long_share`.
    """
    strike = _shortfall(ankle, heel, ADULT_HEEL, *STRIKE)
    trail = _shortfall(
        ankle, ball, ADULT_BALL, TRAIL[0], TRAIL[1], float(_suited(TRAIL[0], long, long).mean())
    )
    even = float((strike - trail).mean()) / (np.sin(STRIKE[1]) - np.sin(TRAIL[1]))
    return float(np.clip(AHEAD_SHARE * even, 0.0, FARTHEST_AHEAD))


def _shortfall(
    ankle: np.ndarray,
    pivot: np.ndarray,
    adult_pivot: np.ndarray,
    pitch: float,
    lean: float,
    suited: float | None = None,
) -> np.ndarray:
    """Return how much an ankle `(2, 2)`, turned about its pivot, moves less toward its hip than an adult's
    `(2,)`, in leg lengths.

    Points are x and z in leg lengths. `pitch` of an adult's foot and `suited` of these feet, if it is
    another; `lean` of the leg: radians.
    """
    to_hip = np.array([-np.sin(lean), np.cos(lean)])
    lever, adult = ankle - pivot, ADULT_ANKLE - adult_pivot
    return (
        _turned(adult, pitch) - adult - _turned(lever, pitch if suited is None else suited) + lever
    ) @ to_hip


def _turned(points: np.ndarray, pitch: np.ndarray | float) -> np.ndarray:
    """Return points `(..., 2)`, x and z, of a foot pitched about its origin."""
    x, z = np.moveaxis(points, -1, 0)
    return np.stack([x * np.cos(pitch) + z * np.sin(pitch), z * np.cos(pitch) - x * np.sin(pitch)], axis=-1)


def rest_extension(body: Body) -> np.ndarray:
    """Return how far each leg is stretched at rest `(2,)`: 1 is straight."""
    leg = body.thigh_length + body.shin_length
    return np.where(body.one_bone_legs, 1.0, np.minimum(norms(body.ankle - body.hip) / leg, 1.0))


def settled(build: FootBuild, vhat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how much lower and farther ahead the hips are carried, in leg lengths, at dimensionless speeds
    `(...)`."""
    walks = vhat / (vhat + HALF_SETTLED_VHAT)
    return SETTLED_SHARE * build.lacking * walks, build.ahead * walks


def arm_swing_share(body: Body) -> float:
    """Return the arm swing as a share of an adult's; 1 for a body without arms."""
    ratio = float(body.arm_length.mean()) / (LONG_ARM * body.leg_length)
    return 1.0 / ratio if ratio > 1.0 else 1.0


def hang_off_the_hips(body: Body) -> float:
    """Return the angle in radians that hanging arms are held out so that the hands clear the thighs; 0 where
    they do anyway."""
    ahead, inside = (
        np.abs(body.shoulder - body.hip).mean(axis=0)[0],
        (np.abs(body.hip) - np.abs(body.shoulder)).mean(axis=0)[1],
    )
    if ahead > BESIDE * body.leg_length:
        return 0.0
    return float(
        np.clip(
            np.arcsin(np.clip((inside + WRIST_OFF_HIP * body.leg_length) / body.arm_length.mean(), 0.0, 1.0)),
            0.0,
            WIDEST_HANG,
        )
    )


def elbow_off_the_ground(body: Body) -> float:
    """Return the elbow bend in radians that keeps hanging hands off the ground; 0 where they are anyway."""
    upper = float(norms(body.elbow - body.shoulder).mean())
    fore = float(norms(body.wrist - body.elbow).mean())
    longest = (1.0 - LOWEST_WRIST) * float(body.shoulder[:, 2].mean())
    if longest >= upper + fore:
        return 0.0
    return float(
        np.pi - np.arccos(np.clip((upper**2 + fore**2 - longest**2) / (2.0 * upper * fore), -1.0, 1.0))
    )


def natural_spacing(body: Body) -> float:
    """Return half the natural step width in metres; that of legs which go sideways from the hips first is
    wider."""
    hip = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1])
    if body.on_toes:
        hip = max(hip, 0.5 * abs(body.ankle[0, 1] - body.ankle[1, 1]))
    return max(SPACING_OF_HIP * hip + SPACING_OF_LEG * body.leg_length, hip - MOST_INSIDE * body.leg_length)


def spacing_of(body: Body, width: np.ndarray) -> np.ndarray:
    """Return half the step width in metres for widths `(...)` x natural, limited to short of the splits."""
    hip, aside = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1]), MOST_ASIDE * body.leg_length
    return np.clip(natural_spacing(body) * width, hip - aside, hip + aside)


@dataclass(frozen=True)
class Compass:
    """How a body walks on rigid legs: the `exchange`, and the share `double` of a step in which both feet
    stand, see above."""

    exchange: float
    double: float

    @classmethod
    def of(cls, sole: Sole, leg_length: float) -> "Compass":
        """Return the compass of a body with some soles."""
        lever = float((sole.joint - sole.ankle)[:, 0].min()) / (LEVER * leg_length)
        share = float(np.clip(lever, LEAST, 1.0))
        return cls(EXCHANGE * share, DOUBLE * share)

    def timed(
        self, duty: np.ndarray, lead: np.ndarray, moving: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the duty factors `(steps, 2)`, the share of a step after which its print is under the root,
        and metres it lies behind.

        `duty`, `lead`: those of legs with knees; `moving` `(steps, 2)`: see `contacts.moving`. The hips pass
        the middle between two prints
        half an exchange before a strike, and are over a print a quarter of a cycle later.
        """
        now, middle = 0.5 + self.double, 0.25 - 0.5 * self.exchange
        return (
            duty + (now - duty) * moving,
            0.5 * duty + (middle - 0.5 * duty) * moving,
            lead * (1.0 - moving),
        )
