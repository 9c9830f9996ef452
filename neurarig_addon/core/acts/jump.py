"""A jump planned: from where the body stands or runs, over its way, to where it lands, as gently as the way
allows.

On both feet it crouches as deep as the push needs; on one foot it takes off from a step of the walk and lands
in another one. Accelerations, depths and times are the medians of 45 recorded jumps of six people (CMU 1, 2,
16, 49, 91, 105): a crouch of 0.23 legs in 0.4 s, a push-off of 0.2 s, a landing that gives 0.2 to 0.3 legs
within 0.15 s; hips are accelerated by 2.6 g at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from ..character.body import FORWARD
from ..gait.kinds.natural import GRAVITY
from ..geometry.rotation import ON_GROUND, UP, about_z, norms, rotated
from ..skeleton.roles import SIDES, sided
from .act import FEET, STAND, STEP, Act
from .flight import (
    ROUGHLY,
    SHORTENS,
    Ballistic,
    Catch,
    Limits,
    metres_down,
    refuse,
    rise_in,
    seconds_of_dip,
)
from .gentle import Gentle, Knot
from .poised import middle_in, together
from .score import Score
from .staging import Staged, join

# places on the way of a jump that are compared with those of known ones, and how many of these are kept
LOOKS, MOST_KNOWN = 65, 256
ROUNDS, TRIES = 4, 8  # of planning a jump as feet and limbs are in the last plan, and of finding its flight
# How far legs are stretched as feet leave the ground and as they touch it again, as shares of their length.
LEAVES_AT, LANDS_AT = {STAND: 0.965, STEP: 0.985}, {STAND: 0.95, STEP: 0.985}
# x gravity: mean acceleration of the middle in a push-off from a crouch, and as a fall is caught
PUSHES, CATCHES = 0.66, 1.1
PUSHING, CATCHING = 0.62, 0.57  # mean speeds over a push-off and a catch, of that at take-off and landing
DIPS, RISES = 0.6, 0.5  # x gravity: most acceleration into the crouch, and up again after the landing
# of a climb, by which legs are shorter as they land on it, and of their length at most
TUCKS, MOST_TUCK = 0.8, {STAND: 0.45, STEP: 0.25}
LEAST_DIP_S, LEAST_RISE_S, LEAST_PUSH_S = 0.2, 0.3, 0.08
MOST_GIVE = 0.6  # leg lengths that a landing gives
# leg lengths that hips are ahead of the ankles at take-off at most, and behind them at landing
AHEAD = {STAND: 0.42, STEP: 0.34}
# shares of a leap's length that hips are ahead of one foot as it leaves, and behind the other as it lands
STEPS_OUT = (0.28, 0.12)
CROUCHED_AHEAD = 0.03  # leg lengths that the middle is ahead of where it stood at the bottom of a crouch
# how far a leap's mean speed on the ground is from the slower end to the faster: it speeds up late, and
# brakes early
BRAKES = 0.2
STEADIES = 0.15  # of its speed that the middle still has at the bottom of a crouch and of a landing
BOTTOM = 1.2  # x the mean acceleration of a push or catch: that at the bottom
# x gravity: the same at most, of a push and of a catch, after which the body only comes up again
UPWARD = (1.1, 0.9)

# the last planned, with what their keys name, so that it stays itself
_known: dict[tuple, tuple[Score, Catch | None, tuple]] = {}


def jumped(jumps: Sequence[Staged]) -> list[Staged]:
    """Return acts with a flight, the push-off, flight and landing of each planned for its way; several at
    once cost little more than one.

    Raises NeuraRigError, with what is possible, for a way too far or too high.
    """
    keys = [_key(one) for one in jumps]
    known = {key: _known[key] for key in keys if key in _known}
    for one in _planned_anew([one for one, key in zip(jumps, keys, strict=True) if key not in known]):
        known[_key(one)] = one.score, one.catch, (one.walker.body, one.asked.act, one.walker.ground)
    if len(_known) > MOST_KNOWN:
        _known.clear()
    # other ground is read anew, and large
    _known.update({key: plan for key, plan in known.items() if plan[2][2].is_level})
    return [
        one.changed(score=known[key][0], catch=known[key][1]) for one, key in zip(jumps, keys, strict=True)
    ]


def _key(staged: Staged) -> tuple:
    """Return all that a jump's plan follows from: who jumps what, from where to where, over what."""
    walker, asked, ends = staged.walker, staged.asked, staged.ends
    along = walker.path.at(np.linspace(ends[0].distance, ends[1].distance, LOOKS))
    speeds = walker.rhythm.speed_at(walker.clock.seconds(np.array([end.frame for end in ends])))
    seen = [
        along.place,
        along.heading,
        speeds,
        *(value for end in ends for value in (end.pose.pitch, *vars(end.prints).values())),
    ]
    seen += [
        value
        for end in ends
        for motion in (*end.pose.motions.values(), end.root)
        for value in (motion.rotation, motion.position)
    ]
    names = id(walker.body), id(asked.act), walker.ground if walker.ground.is_level else id(walker.ground)
    return (
        *names,
        walker.clock.fps,
        asked.length,
        asked.rise,
        asked.weight,
        sha256(b"".join(value.tobytes() for value in seen)).digest(),
    )


def _planned_anew(jumps: list[Staged]) -> list[Staged]:
    if not jumps:
        return []
    join(jumps)
    found, states, plans, bounds = jumps, [_states(one) for one in jumps], [], []
    for _ in range(ROUNDS):
        bounds = _bounds(found)
        plans = [_plan(one, *ends, *each) for one, ends, each in zip(found, states, bounds, strict=True)]
        found = [_planned(one, plan) for one, plan in zip(found, plans, strict=True)]
    for one, plan, each in zip(found, plans, bounds, strict=True):
        _require_possible(one, plan, *each)
    return found


def _planned(staged: Staged, plan: "_Plan") -> Staged:
    score = Score.of(staged.asked.act, 0.0, staged.walker.clock.fps, plan.lasts)
    return staged.changed(score=score, catch=plan.caught(score.seconds))


@dataclass(frozen=True)
class _Bounds:
    """A take-off or a landing: the mean `(3,)` of the ankles that carry it, and the middle of the body
    relative to the hips `(3,)`."""

    ankle: np.ndarray
    beside: np.ndarray

    def middle(self, ahead: np.ndarray, out: float, reach: float) -> np.ndarray:
        """Return the middle `(3,)` of a body whose hips are so far ahead of its ankles, on legs of a
        length."""
        height = np.sqrt(max(reach * reach - out * out, (0.3 * reach) ** 2))
        return self.ankle + out * ahead + height * UP + self.beside


@dataclass(frozen=True)
class _Air:
    """A flight, with the metres over which it is `pushed` and caught, `given`, and the seconds that either
    takes."""

    flight: Ballistic
    pushed: float
    given: float
    pushes: float
    catches: float

    @classmethod
    def of(cls, flight: Ballistic, most_given: float, weight: float) -> "_Air":
        """Return a flight with a push and a catch of usual accelerations, less of who carries a `weight`."""
        up, falls = float(flight.leaves[2]), -float(flight.lands[2])
        pushed = (1.0 + weight) * up * up / (2.0 * PUSHES * GRAVITY)
        given = min((1.0 + weight) * falls * falls / (2.0 * CATCHES * GRAVITY), most_given)
        return cls(flight, pushed, given, pushed / (PUSHING * up), given / (CATCHING * falls))


@dataclass(frozen=True)
class _Plan:
    """Where the middle is and how it moves at the beginning and the end, its flight, and how many seconds
    each part lasts.

    `depth`: metres that it sinks before the push; `dips`, `rises`: seconds in which it does, and in which it
    comes up again; 0 in a leap.
    """

    begin: Knot
    end: Knot
    air: _Air
    depth: float
    dips: float
    rises: float

    @property
    def lasts(self) -> tuple[float, float, float]:
        """The seconds until the take-off, in the air, and from the landing on."""
        return self.dips + self.air.pushes, self.air.flight.seconds, self.air.catches + self.rises

    def caught(self, seconds: float) -> Catch:
        """Return the way of the middle in an act of so many seconds."""
        flight, falls = self.air.flight, np.array([0.0, 0.0, -GRAVITY])
        off, down = self.lasts[0], self.lasts[0] + flight.seconds
        leaves, lands = (
            Knot(off, flight.begin, flight.leaves, falls),
            Knot(down, flight.end, flight.lands, falls),
        )
        begin, end = replace(self.begin, at=0.0), replace(self.end, at=seconds)
        if not self.dips:
            pushed, caught = (replace(knot, bend=0.0 * falls) for knot in (leaves, lands))
            return Catch(Gentle((begin, pushed)), flight, Gentle((caught, end)), off, down)
        lowest = _bottom(
            self.dips, leaves, -PUSHING * self.air.pushes, float(self.begin.place[2]) - self.depth, UPWARD[0]
        )
        caught = _bottom(
            down + self.air.catches,
            lands,
            CATCHING * self.air.catches,
            float(flight.end[2]) - self.air.given,
            UPWARD[1],
        )
        return Catch(Gentle((begin, lowest, leaves)), flight, Gentle((lands, caught, end)), off, down)


def _plan(staged: Staged, begin: Knot, end: Knot, leaves: _Bounds, lands: _Bounds) -> _Plan:
    """Return the plan that follows from where feet and limbs are in an earlier one."""
    ahead = _direction(staged, leaves, lands)
    air = _flown(staged, (begin, end), (leaves, lands), ahead)
    if staged.asked.act.base == STAND:
        depth = max(air.pushed - float(air.flight.begin[2] - begin.place[2]), 0.0)
        rises = float(end.place[2] - air.flight.end[2]) + air.given
        return _Plan(
            begin,
            end,
            air,
            depth,
            max(seconds_of_dip(depth, DIPS), LEAST_DIP_S),
            max(seconds_of_dip(rises, RISES), LEAST_RISE_S),
        )
    fast = float(air.flight.leaves @ ahead)
    pushes, catches = (
        max(float(way @ ahead) / max(_mean(float(knot.rate @ ahead), fast), 0.1), LEAST_PUSH_S)
        for way, knot in ((air.flight.begin - begin.place, begin), (end.place - air.flight.end, end))
    )
    return _Plan(begin, end, replace(air, pushes=pushes, catches=catches), 0.0, 0.0, 0.0)


def _mean(one: float, other: float) -> float:
    return min(one, other) + BRAKES * abs(one - other)


def _flown(
    staged: Staged, ends: tuple[Knot, Knot], bounds: tuple[_Bounds, _Bounds], ahead: np.ndarray
) -> _Air:
    """Return the flight over the way of a jump; a body that is too slow for it jumps higher."""
    body, act, (leaves, lands) = staged.walker.body, staged.asked.act, bounds
    leg, longest = body.leg_length, float((body.thigh_length + body.shin_length).mean())
    limits = _limits(staged, ends[0], ahead)
    far = float((lands.ankle - leaves.ankle) @ ahead)
    out, back = (min(share * far, AHEAD[act.base] * leg) for share in STEPS_OUT)
    air, aside = None, np.cross(UP, ahead)
    tucked = LANDS_AT[act.base] * longest - min(
        TUCKS * max(float(lands.ankle[2] - leaves.ankle[2]), 0.0), MOST_TUCK[act.base] * longest
    )
    for _ in range(TRIES):
        take_off, landing = (
            leaves.middle(ahead, out, LEAVES_AT[act.base] * longest),
            lands.middle(ahead, -back, tucked),
        )
        if act.base == STEP:  # aside as the body comes and goes on, not above the one foot
            take_off, landing = (
                place + ((end.place - place) @ aside) * aside
                for place, end in zip((take_off, landing), ends, strict=True)
            )
        way = max(float((landing - take_off) @ ahead), 0.0)
        climb = float(landing[2] - take_off[2])
        usual = limits.usual_rise(act.base, leg, way, climb)
        rise = staged.asked.rise or max(usual, rise_in(way / limits.along, climb))
        flight = Ballistic.over(take_off, landing, rise)
        fast = float(flight.leaves @ ahead)
        air = _Air.of(flight, MOST_GIVE * leg, staged.asked.weight)
        if act.base == STAND:
            out = min(
                CROUCHED_AHEAD * leg + PUSHING * fast * air.pushes - float(leaves.beside @ ahead),
                AHEAD[act.base] * leg,
            )
            back = min(CATCHING * fast * air.catches, AHEAD[act.base] * leg)
    assert air is not None
    return air


def _limits(staged: Staged, begin: Knot, ahead: np.ndarray) -> Limits:
    """Return the limits of a body that comes at the speed of a knot."""
    return Limits.of(
        staged.asked.act.base, staged.walker.body.leg_length, max(float(begin.rate @ ahead), 0.0)
    )


def _bottom(at: float, edge: Knot, away: float, height: float, most: float) -> Knot:
    """Return the lowest moment before a take-off or after a landing, as far along the ground as its speed
    leads in seconds `away`.

    `most`: x gravity, its greatest acceleration there.
    """
    level = edge.rate * ON_GROUND
    place = edge.place + away * level
    up = min(BOTTOM * abs(float(edge.rate[2])) / max(abs(edge.at - at), 1e-3), most * GRAVITY)
    return Knot(at, np.array([place[0], place[1], height]), STEADIES * level, np.array([0.0, 0.0, up]))


def _states(staged: Staged) -> tuple[Knot, Knot]:
    """Return the middle of the body at both ends, as the walk has it."""
    found = []
    for end in staged.ends:
        before, now, after = middle_in(staged.walker.body, end.pose.motions, end.root)
        step = float(end.seconds[2] - end.seconds[1])
        found.append(Knot(0.0, now, (after - before) / (2.0 * step), (after - 2.0 * now + before) / step**2))
    return found[0], found[1]


def _bounds(jumps: list[Staged]) -> list[tuple[_Bounds, _Bounds]]:
    """Return the take-off and the landing of each of some jumps of one body in an earlier plan."""
    body = jumps[0].walker.body
    at = [np.array([one.score.played_at(moment) for moment in one.asked.act.flight or ()]) for one in jumps]
    poised = together([one.poised(each) for one, each in zip(jumps, at, strict=True)])
    motions, root = poised.motions(body), poised.along.root
    hips = np.mean([motions[sided("thigh", side)].position for side in SIDES], axis=0)
    beside = (middle_in(body, motions, root) - root.carried(hips[:, None])[:, 0]).reshape(-1, 2, 3)
    ankle = poised.stand.feet.ankle.reshape(-1, 2, 2, 3)
    found = []
    for number, one in enumerate(jumps):
        act = one.asked.act
        sides = [
            _carrying(act, moment, edge)
            for moment, edge in zip(act.flight or (), ("end", "begin"), strict=True)
        ]
        leaves, lands = (
            _Bounds(ankle[number, row, sides[row]].mean(axis=0), beside[number, row]) for row in range(2)
        )
        found.append((leaves, lands))
    return found


def _carrying(act: Act, at: float, edge: str) -> list[int]:
    """Return the sides whose contacts have an edge nearest to a moment of the act."""
    off = [min((abs(getattr(one, edge) - at) for one in act.of(part)), default=np.inf) for part in FEET]
    return [side for side in range(2) if off[side] <= min(off) + 1e-3]


def _direction(staged: Staged, leaves: _Bounds, lands: _Bounds) -> np.ndarray:
    """Return the direction `(3,)` of a jump, level: ahead for one in place."""
    away = (lands.ankle - leaves.ankle) * ON_GROUND
    if staged.asked.act.base == STEP:
        away = (staged.ends[1].root.position - staged.ends[0].root.position)[1] * ON_GROUND
    size = float(norms(away))
    if size > 0.05 * staged.walker.body.leg_length:
        return away / size
    return rotated(about_z(staged.ends[0].heading[1]), FORWARD)


def _require_possible(staged: Staged, plan: _Plan, leaves: _Bounds, lands: _Bounds) -> None:
    """Refuse a jump that is too high or too far."""
    act, asked, flight = staged.asked.act, staged.asked, plan.air.flight
    ahead = _direction(staged, leaves, lands)
    limits = _limits(staged, plan.begin, ahead)
    if limits.allow(flight, ROUGHLY):
        return
    climbs = float(flight.end[2] - flight.begin[2])
    if climbs > limits.rise:
        low, high = (float(end.prints.place[end.stands, 2].mean()) for end in staged.ends)
        step = high - low
        refuse(
            act,
            f"ground {step:.2f} m higher is too high",
            metres_down(step - climbs + limits.rise, 2),
            "Lower it",
        )
    if asked.rise > limits.rise - max(climbs, 0.0):
        refuse(
            act,
            f"{asked.rise:.2f} m up is too high",
            metres_down(limits.rise - max(climbs, 0.0), 2),
            "Lower it",
        )
    nearer = np.arange(SHORTENS, asked.length, SHORTENS)
    landings = (replace(lands, ankle=lands.ankle - metres * ahead) for metres in nearer)
    flights = (
        _flown(staged, (plan.begin, plan.end), (leaves, landing), ahead).flight for landing in landings
    )
    shorter = next(
        (metres for metres, other in zip(nearer, flights, strict=True) if limits.allow(other)), asked.length
    )
    how = "standing" if act.base == STAND else f"{limits.comes:.1f} m/s"
    refuse(
        act,
        f"{asked.length:.1f} m is too far from {how}",
        metres_down(asked.length - shorter, 1),
        "Land nearer, or come faster",
    )
