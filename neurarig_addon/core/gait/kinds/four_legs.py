"""Gaits on four legs: two pairs of limbs that bounce or walk, one behind the other, and their laws.

Speeds count as Froude numbers v² / (g h), h the height of the hips. Laws: strides after Alexander and Jayes
(1983), for trots as ten Labradors have it (Humphries et al. 2020); duty factors of six retrievers
(Catavitello et al. 2015) and these, by Froude as in Charles et al. (2025) and in horses (Robilliard et al.
2007); how much later a fore foot strikes than the hind one of its side: dogs (Maes et al. 2008), horses
(Serra Braganca et al. 2020). Ambles, paces and bounds are these laws with footfalls after Hildebrand's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...character.body import Body
from ...contract.inputs import VELOCITY
from ...easing import smooth_between
from ...files import json_text
from ...files.json_text import numbers_of
from ...memory import remembered
from ...shipped import DATA
from .bounce import MOST, Bounce, waves_of
from .bouncing_gait import BouncingLaw, BouncingShapes
from .contacts import TURNS, CycleContacts
from .gait import Gait
from .gait_change import BySpeed, Limits, changed, mixed
from .limb_curves import AnimalLimb, JointCurves, OverPaw, later
from .natural import GRAVITY

STORE = DATA / "four_legs.json"
FORMAT, VERSION = "neurarig-four-legs", 1
WALK, TROT, CANTER, GALLOP, ROTARY = "WALK", "TROT", "CANTER", "GALLOP", "ROTARY_GALLOP"
AMBLE, PACE, BOUND = "AMBLE", "PACE", "BOUND"
# Shares of the hips' height at which hocks are of animals that walk as dogs and cats do, and as horses: by
# their build, because models of both come in any size (dogs and cats 0.29 to 0.36, hoofed ones 0.42 to 0.45).
PAWS, HOOVES = 0.37, 0.41
RESTING, GOING = 0.002, 0.02  # Froude numbers between which duty factors come from rest
STIRS, IN_FULL = 0.01, 0.2  # of the speed, roots of them: between these a gait's curves do
STANDING_DUTY = 0.8
# Share of the angle from level that tails give up as they stream, from one Froude number to another
STREAMS, STREAMS_FROM, STREAMS_WHOLLY = 0.7, 0.5, 4.0
NODS = 0.8  # how much farther the long necks of hoofed animals nod
# Heights of the hind hips, and of a limb's own: trots quicker than measured ones would ask more of legs than
# they reach.
LONGEST_STANCE, OWN_STANCE = 1.0, 1.08
CURVE_DUTY = 0.5  # share of a step at which curves have paws lift, whatever the speed
SOONEST = 0.08  # cycles: no fore foot of a walk strikes sooner after the hind one of its side
BY_SPEED, IN_A_ROW = "BY_SPEED", (WALK, TROT, GALLOP)
# Froude numbers above which a walk becomes a trot and below which a trot becomes a walk, then trot and
# gallop: foals and dogs change at 0.4 to 0.7 and at 2 to 3
CHANGES = ((0.55, 0.45), (2.6, 2.2))


class FourLegs(NamedTuple):
    """The law of a gait on four legs, its factors at a Froude number of 1 and their exponents.

    `stride`: hip heights. `duty`: of hind and fore legs. `behind`: cycles by which a fore foot strikes after
    the hind one of its side, of animals with paws and with hooves, and `sooner`, what that loses as the root
    of Froude grows. `froude`: the natural one. `longest`: the one above which strides grow no longer.
    """

    stride: tuple[float, float]
    duty: tuple[tuple[float, float], tuple[float, float]]
    behind: tuple[float, float]
    sooner: float
    froude: float
    longest: float = np.inf


LAWS: Mapping[str, FourLegs] = {
    WALK: FourLegs((2.4, 0.34), ((0.469, -0.14), (0.484, -0.14)), (0.19, 0.27), 0.08, 0.23, 0.8),
    TROT: FourLegs((2.0, 0.4), ((0.415, -0.11), (0.454, -0.13)), (0.46, 0.5), 0.0, 0.9, 2.0),
    AMBLE: FourLegs((2.2, 0.36), ((0.43, -0.11), (0.45, -0.13)), (0.25, 0.25), 0.0, 0.6),
    PACE: FourLegs((2.0, 0.4), ((0.425, -0.11), (0.455, -0.13)), (0.03, 0.03), 0.0, 0.8),
    CANTER: FourLegs((2.0, 0.4), ((0.38, -0.14), (0.38, -0.14)), (0.22, 0.22), 0.0, 1.8),
    GALLOP: FourLegs((1.95, 0.4), ((0.38, -0.2), (0.38, -0.2)), (0.45, 0.45), 0.0, 4.0),
    ROTARY: FourLegs((1.95, 0.4), ((0.38, -0.2), (0.38, -0.2)), (0.58, 0.58), 0.0, 4.0),
    BOUND: FourLegs((1.9, 0.4), ((0.34, -0.2), (0.34, -0.2)), (0.5, 0.5), 0.0, 3.0),
}
# Of strides, what is tried where legs are short for them: hips come no lower than by a share of their height
SHORTER, MOST_LOWER = (1.0, 0.9, 0.8), 0.08
SHORTEST = 0.7  # of fore legs that bend at the wrist: they stand straight
HIND, FORE = "hind", "fore"


@dataclass(frozen=True)
class FourLaw:
    """The law of the hind or fore legs of one body; see `GaitLaw`.

    `duties`: factor and exponent. `hips`: their height; `leads`: metres that the hips are ahead of the prints
    at rest, and `ahead`, farther in motion; `stance`: those that they go over a paw at most.
    """

    legs: FourLegs
    duties: tuple[float, float]
    hips: float
    leads: float
    hoofed: float
    stance: float
    ahead: float = 0.0
    contacts: CycleContacts = TURNS  # how far feet are ahead of these is the rhythm's: see `footfalls`
    least_duty = 0.15
    most_duty = 0.85
    longest_stride = 9.0
    cornered = True
    runs = False
    changes_at = ()

    def froude(self, slow: np.ndarray) -> np.ndarray:
        """Return Froude numbers `(...)`."""
        return slow[..., VELOCITY] ** 2 / (GRAVITY * self.hips)

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self.stride_of(np.maximum(self.froude(slow), 1e-9))

    def stride_of(self, froude: np.ndarray | float) -> np.ndarray:
        """Return metres per cycle at Froude numbers."""
        factor, power = self.legs.stride
        return factor * self.hips * np.minimum(froude, self.legs.longest) ** power

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        froude = self.froude(slow)
        moving = np.clip(self.duty_of(np.maximum(froude, 1e-4)), self.least_duty, STANDING_DUTY)
        share = smooth_between(froude, RESTING, GOING)
        return STANDING_DUTY + share * (moving - STANDING_DUTY) + 0.0 * np.asarray(which)

    def duty_of(self, froude: np.ndarray | float) -> np.ndarray:
        """Return duty factors in motion at Froude numbers."""
        factor, power = self.duties
        duty = factor * np.asarray(froude) ** power
        return np.minimum(duty, self.stance / self.stride_of(froude))

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self.leads + self.ahead * self.shown(slow)

    def shown(self, slow: np.ndarray) -> np.ndarray:
        """Return how much of its curves a gait shows `(...)`: 0 at rest, 1 as it goes."""
        return smooth_between(np.sqrt(self.froude(slow)), STIRS, IN_FULL)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 0 `(...)`: its own curves rise and fall."""
        return np.zeros(slow.shape[:-1])

    def behind(self, speed: np.ndarray) -> np.ndarray:
        """Return by how many cycles `(...)` a fore foot strikes after the hind one of its side, at speeds in
        m/s."""
        paws, hooves = self.legs.behind
        slower = self.legs.sooner * speed / np.sqrt(GRAVITY * self.hips)
        after = paws + self.hoofed * (hooves - paws)
        return np.maximum(after - slower, min(after, SOONEST))


class FourShapes(BouncingShapes):
    """The curves of the hind or fore legs of one body; see GaitShape."""

    law: "_Sized"

    def __init__(self, bounce: Bounce, law: FourLaw) -> None:
        self.bounce, self.law = bounce, _Sized(bounce, law)


class _Sized(BouncingLaw):
    """What curves ask of the law: how fast it goes for the gait, and where the hips are."""

    def __init__(self, bounce: Bounce, law: FourLaw) -> None:
        super().__init__(bounce)
        self.own = law

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        return np.full(slow.shape[:-1], CURVE_DUTY)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        return self.own.lead(slow)

    def bouncing(self, slow: np.ndarray) -> np.ndarray:
        return self.own.shown(slow)

    def vhat(self, slow: np.ndarray) -> np.ndarray:
        return np.sqrt(self.own.froude(slow) / self.own.legs.froude)


@dataclass(frozen=True)
class GirdleGait:
    """How a pair of limbs goes in a gait: cycles by which the right foot strikes after the left, the curves
    of each limb over its own stride, of which joints bend so `much`, and harmonics of the girdle's channels
    over the cycle of the left one; `mirrored`: left and right are swapped."""

    apart: float
    curves: JointCurves
    body: Mapping[str, np.ndarray]
    much: float = 1.0
    mirrored: bool = False


@lru_cache(maxsize=2)
def girdle_gaits(store: Path = STORE) -> Mapping[str, Mapping[str, GirdleGait]]:
    """Return the bundled gaits of a file by name, those of hind and fore legs."""
    return gaits_from_json(store.read_bytes())


def gaits_from_json(text: str | bytes) -> Mapping[str, Mapping[str, GirdleGait]]:
    """Return the gaits in a file's text; raises KeyError if it lacks one of their parts, ValueError if that
    is anything else."""
    content = json_text.document(text, FORMAT, VERSION, "a file of gaits on four legs")
    curves = {name: _curves(given) for name, given in content["limbs"].items()}
    return {
        name: {
            girdle: GirdleGait(
                float(numbers_of(one, "apart", (), (0.0, 1.0))),
                curves[one["limbs"]],
                waves_of(one["body"]),
                float(numbers_of(one, "much", (), (0.0, MOST))),
            )
            for girdle, one in given.items()
        }
        for name, given in content["gaits"].items()
    }


def _curves(given: Mapping[str, Any]) -> JointCurves:
    joints, blade, hoofed = (
        numbers_of(given, name, shape, (-MOST, MOST))
        for name, shape in (("joints", (3, None)), ("blade", (None,)), ("hoofed", (3,)))
    )
    one = (
        float(numbers_of(given, name, (), (0.0, MOST))) for name in ("toes", "clears", "lower_counts", "duty")
    )
    toes, clears, lower_counts, duty = one
    return JointCurves(joints, blade, hoofed, toes, clears, lower_counts, duty)


def four_legged_gait(name: str, body: Body, right_leads: bool = False, fore_limps: bool = False) -> Gait:
    """Return a gait of a body on four legs; in a canter and a gallop the left or the right fore foot leads,
    and a limp is one of the hind or the fore legs."""
    gait = _by_speed(body, right_leads) if name == BY_SPEED else _gait_of(body, name, right_leads)
    return replace(gait, fore=gait.fore and replace(gait.fore, limps=fore_limps))


@remembered(objects=1)
def _gait_of(body: Body, name: str, right_leads: bool) -> Gait:
    hoofed = float(smooth_between(body.ankle[:, 2].mean() / body.hip[:, 2].mean(), PAWS, HOOVES))
    name = ROTARY if name == GALLOP and hoofed < 0.5 else name
    return suited(body, LAWS[name], girdle_gaits()[name], hoofed, right_leads)


def suited(
    body: Body,
    legs: FourLegs,
    found: Mapping[str, GirdleGait],
    hoofed: float,
    mirrored: bool = False,
    contacts: CycleContacts = TURNS,
) -> Gait:
    """Return a gait as the build of a body asks for, as `hoofed` as 0 (a dog) to 1 (a horse); `contacts`: of
    each pair of its limbs."""
    found = {which: replace(own, mirrored=mirrored and own.apart != 0.5) for which, own in found.items()}
    hips = float(body.hip[:, 2].mean())
    pairs = [(which, pair) for which, pair in ((HIND, body), (FORE, body.fore)) if pair is not None]

    def stepping(shorter: float) -> tuple[list[FourShapes], float]:
        factor, power = legs.stride
        own = legs._replace(stride=(shorter * factor, power))
        laws = [
            FourLaw(
                own,
                legs.duty[which == FORE],
                hips,
                _under(pair),
                hoofed,
                _stance(hips, pair),
                contacts=contacts,
            )
            for which, pair in pairs
        ]
        fits = [fitted(pair, found[which], law) for (which, pair), law in zip(pairs, laws, strict=True)]
        return [shapes for shapes, _ in fits], max(lower for _, lower in fits)

    straight = body.fore is not None and body.fore.bends > 0.0
    tried = map(stepping, (*SHORTER, SHORTEST) if straight else SHORTER)
    shapes, lower = next(tried)
    while lower > MOST_LOWER * hips and (shorter := next(tried, None)):
        shapes, lower = shorter
    hind, *front = [Gait(one, one.law.own, curve_duty=CURVE_DUTY) for one in shapes]
    if not front:
        return hind
    apart = np.array([0.5 - found[which].apart for which in (HIND, FORE)])
    right = np.stack([np.zeros(2), (apart + 0.5) % 1.0 - 0.5], axis=-1)
    right = right[:, ::-1] if mirrored else right

    def footfalls(speed: np.ndarray, _share: np.ndarray | None) -> np.ndarray:
        late = np.stack([np.zeros_like(speed), shapes[1].law.own.behind(speed)])
        return right[:, None] - late[..., None]

    return replace(hind, fore=front[0], footfalls=footfalls)


def _under(pair: Body) -> float:
    """Return the metres that hips are ahead of the ankles of a pair of limbs."""
    return float((pair.hip - pair.ankle)[:, 0].mean())


def _stance(hips: float, pair: Body) -> float:
    """Return the metres that hips at a height go over a paw of a pair of limbs at most."""
    return min(LONGEST_STANCE * hips, OWN_STANCE * float(pair.hip[:, 2].mean()))


def _streaming(pair: Body, froude: float) -> float:
    """Return the degrees by which a tail that is up at rest comes down, or one that hangs up, at a Froude
    number."""
    way = pair.tail[-1] - pair.tail[0]
    streams = STREAMS * smooth_between(np.array(froude), STREAMS_FROM, STREAMS_WHOLLY)
    return float(streams * np.degrees(np.arctan2(way[2], max(-way[0], 0.0))))


def limits_of(body: Body, changes: Sequence[Limits]) -> tuple[Limits, ...]:
    """Return dimensionless speeds for Froude numbers above which, and below which, gaits change."""
    legs = float(body.hip[:, 2].mean()) / body.leg_length
    return tuple((float(np.sqrt(up * legs)), float(np.sqrt(down * legs))) for up, down in changes)


@remembered(objects=1)
def _by_speed(body: Body, right_leads: bool) -> Gait:
    """Return a walk, a trot and a gallop in one, by speed."""
    gaits = [_gait_of(body, name, right_leads) for name in IN_A_ROW]
    changes = limits_of(body, CHANGES)
    hind = BySpeed(*gaits, changes_at=changes)
    fore = BySpeed(*(gait.fore for gait in gaits if gait.fore is not None), changes_at=changes)

    def footfalls(speed: np.ndarray, share: np.ndarray | None) -> np.ndarray:
        rows = [gait.footfalls(speed, None) for gait in gaits if gait.footfalls is not None]
        share = np.zeros_like(speed) if share is None else share
        return mixed([one[:, None] for one in changed(share, len(changes))], rows)

    front = Gait(fore, fore, curve_duty=CURVE_DUTY)
    return Gait(hind, hind, fore=front, footfalls=footfalls, curve_duty=CURVE_DUTY)


def fitted(pair: Body, own: GirdleGait, law: FourLaw) -> tuple[FourShapes, float]:
    """Return curves and law of a pair of limbs whose paws go as its build asks for, and metres by which the
    hips are lower in motion."""
    leg, height = pair.leg_length, "pelvis.z"
    body, curves = dict(own.body), own.curves.above_hooves(own.much, law.hoofed)
    if own.curves.blade.any() and pair.bends > 0.0:
        curves = curves.at_the_wrist()
    stride, duty = (float(of(law.legs.froude)) for of in (law.stride_of, law.duty_of))
    fits = [
        AnimalLimb(pair, curves, OverPaw(stride, duty, leg * later(body[height], -begins))).fitted()
        for begins in (0.0, own.apart)
    ]
    ahead, higher = (float(np.mean(values)) for values in zip(*(fit[1:] for fit in fits), strict=True))
    body[height] = body[height] + np.eye(1, len(body[height]))[0] * higher / leg
    body["arm_l.flexion"], body["arm_r.flexion"] = curves.blade, later(curves.blade, own.apart)
    if own.curves.blade.any() and "chest.pitch" in body:  # of fore legs, above which the neck nods
        body["chest.pitch"] = body["chest.pitch"] * (1.0 + law.hoofed * NODS)
    elif len(pair.tail) > 1:
        body["chest.pitch"] = body["chest.pitch"] - np.eye(1, len(body["chest.pitch"]))[0] * _streaming(
            pair, law.legs.froude
        )
    bounce = Bounce(law.contacts, tuple(fit.footfall for fit in fits), body, {}, 1.0, 1.0, 0.0, 0.0, 0.0)
    bounce = replace(bounce, mirrored=own.mirrored)
    return FourShapes(bounce, replace(law, ahead=ahead)), -higher
