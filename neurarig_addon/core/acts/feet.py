"""Both feet in an act: rolling on their prints while they stand, and between prints on the act's own way,
with its ends made to fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise

import numpy as np

from ..body.feet import SWING, Feet
from ..body.rocker import Roll, pitched, rolling
from ..body.seam import NUDGE_S, SeamEnd, anchored, looked_at
from ..character.body import LEFT, RIGHT
from ..character.motion import rows_of
from ..contract.channels import both_feet
from ..easing import bell, outside, piece, smootherstep
from ..gait.feet.stance import TOE_PRESS, Stand
from ..gait.walker import Walker
from ..geometry.rotation import (
    UP,
    about_x,
    about_y,
    about_z,
    from_euler,
    from_rotation_vector,
    rotated,
    rotation_vector,
    transposed,
    wrapped,
)
from ..ground.fitting import fitted
from ..ground.prints import Prints
from .act import FEET, Act, ActContact
from .ends import End
from .score import Score

BOTH = (LEFT, RIGHT)
X, PITCH, YAW, ROLL = 0, 3, 4, 5
# seconds around its stance, and beside the walk, in which a foot still holds the pelvis
LETS_GO_S = 0.1
# shares of a swing at which it is seen whether the sole is off the ground
LOOKS = np.linspace(0.08, 0.92, 129)
# shares of a swing by which it is as much higher as its beginning or end asks, and by which that is over
LIFTED_BY, LOWERED_BY = 0.2, 0.75
# seconds before an act's beginning at which a foot that is in the air already has left the ground
AT_ONCE_S = 1e-9


@dataclass(frozen=True)
class Stance:
    """A foot `on` a print between two moments in seconds of play."""

    begin: float
    end: float
    on: Prints


@dataclass(frozen=True)
class ActWay:
    """Where the body is at times `(f,)`: its channels `values` `(f, 46)` in metres, the root's `place` `(f,
    3)` and `heading` `(f,)`, and how many metres hips, and feet in the air, are higher for a flight, `lift`
    `(f,)`.
    """

    values: np.ndarray
    place: np.ndarray
    heading: np.ndarray
    lift: np.ndarray


@dataclass(frozen=True)
class ActFeet:
    """The feet of an act: `stances` of the left and the right foot, in order; `way`: see Way; `ends`: the
    walk before and after."""

    walker: Walker
    stances: tuple[tuple[Stance, ...], tuple[Stance, ...]]
    way: Callable[[np.ndarray], ActWay]
    ends: tuple[End, End]
    seconds: float

    def at(self, at: np.ndarray, way: ActWay) -> Stand:
        """Return both feet in the walk frame at times `(f,)` in seconds of play, at which the body is on its
        `way`."""
        prints = _stacked([rows_of(filed, piece(begins, at)) for begins, filed in self._filed], axis=1)
        roll, heading = self._rolled(way, prints), prints.heading
        for side in BOTH:
            for number, (first, last) in enumerate(self._gaps(side)):
                air = (at > first.end) & (at < last.begin)
                if air.any():
                    ankle, roll.turn[air, side], roll.toe[air, side], heading[air, side] = self._flying(
                        side, at[air], (first, last)
                    )
                    ankle[:, 2] += self._lift(side, number) @ _bumps(at[air], first, last)
                    roll.ankle[air, side], roll.pivot[air, side] = ankle, SWING
        return Stand(Feet(roll.ankle, roll.turn, roll.toe), heading, roll.pivot, self._pitches(way))

    @cached_property
    def _lift(self) -> Callable[[int, int], np.ndarray]:
        """From a side and the number of a swing to how many metres higher the foot goes early and late in it
        `(2,)` for its sole to stay off the ground."""
        return cache(self._lacking)

    def _lacking(self, side: int, number: int) -> np.ndarray:
        first, last = self._gaps(side)[number]
        begin, end = max(first.end, 0.0), min(last.begin, self.seconds)
        at = begin + (end - begin) * LOOKS
        ankle, turn, toe, _ = self._flying(side, at, (first, last))
        both = Feet(*(np.stack([values, values], axis=1) for values in (ankle, turn, toe)))
        points = self.walker.sole.pivots(both)[:, side]
        resting = self.walker.sole.resting_pivots[side]
        lacking = (self.walker.ground.height(points) + resting - points[..., 2]).max(axis=1)
        halves = np.stack([LOOKS < 0.5, LOOKS >= 0.5])
        bumps = np.maximum(_bumps(at, first, last), 1e-9)
        return (halves * np.nan_to_num(lacking) / bumps).max(axis=1, initial=0.0)

    def holds(self, at: np.ndarray, flies: bool) -> np.ndarray:
        """Return how much each leg holds the pelvis `(f, 2)` of a body that flies, or does not: fully while
        it stands, soon not at all in the air."""
        away = np.stack(
            [
                np.min([outside(at, one.begin, one.end) for one in stances], axis=0)
                for stances in self.stances
            ],
            -1,
        )
        near = np.minimum(at, self.seconds - at)[:, None] if flies else away
        return np.maximum(away <= 0.0, np.maximum(1.0 - near / LETS_GO_S, 0.0) ** 2)

    @cached_property
    def _filed(self) -> list[tuple[np.ndarray, Prints]]:
        """When each foot comes to its prints, never to one after the last, and these."""
        return [
            (np.array([*(one.begin for one in stances), np.inf]), _stacked([one.on for one in stances]))
            for stances in self.stances
        ]

    def _gaps(self, side: int) -> list[tuple[Stance, Stance]]:
        """Return the stances before and after each swing; one that lasts no time where the act begins or ends
        in the air."""
        stances = self.stances[side]
        whole = [*stances]
        if stances[0].begin > 0.0:
            whole.insert(0, replace(stances[0], begin=-np.inf, end=-AT_ONCE_S))
        if stances[-1].end < self.seconds:
            whole.append(replace(stances[-1], begin=self.seconds + AT_ONCE_S, end=np.inf))
        return list(pairwise(whole))

    def _pitches(self, way: ActWay) -> np.ndarray:
        """Return the pitch of each foot, and of its toes `(f, 2, 2)`, on the ground."""
        foot, ball = both_feet(way.values, "foot"), both_feet(way.values, "ball")
        toes = foot[..., PITCH] + ball[..., PITCH] - TOE_PRESS
        return pitched(self.walker.sole, foot[..., PITCH], toes)

    def _rolled(self, way: ActWay, prints: Prints) -> Roll:
        """Return feet that roll on prints `(f, 2)`, in the walk frame."""
        roll, axes = rolling(self.walker.sole, self._pitches(way)), prints.axes
        ankle = prints.place + rotated(axes, roll.ankle)
        return replace(roll, ankle=ankle, turn=axes @ roll.turn, toe=axes @ roll.toe)

    def _path(self, side: int, way: ActWay) -> np.ndarray:
        """Return where the act's own channels have an ankle `(f, 3)`."""
        ankle = self.walker.body.ankle[side] + both_feet(way.values, "foot")[:, side, X:PITCH]
        return way.place + rotated(about_z(way.heading), ankle) + way.lift[:, None] * UP

    def _flying(self, side: int, at: np.ndarray, between: tuple[Stance, Stance]) -> tuple[np.ndarray, ...]:
        """Return a foot in the air between two stances: ankle, rotations of foot and toes, heading."""
        first, last = between
        begin, end = max(first.end, 0.0), min(last.begin, self.seconds)
        way = self.way(at)
        anchors = self._anchor(side, first, begin, -NUDGE_S, 0), self._anchor(side, last, end, NUDGE_S, 1)
        edges = self.way(looked_at(*anchors))
        ankle = anchored(at, self._path(side, way), *anchors, self._path(side, edges))
        share = smootherstep((at - begin) / max(end - begin, 1e-9))
        own, foot = (
            edges.heading[[0, 3]] + both_feet(edges.values, "foot")[[0, 3], side, YAW],
            both_feet(way.values, "foot")[:, side],
        )
        wanted = np.array([self._heading(side, first, 0), self._heading(side, last, 1)])
        off = wrapped(wanted - own)
        heading = way.heading + foot[:, YAW] + off[0] + (off[1] - off[0]) * share
        prints = _stacked([first.on, last.on])
        slope, bank = (one + (other - one) * share for one, other in (prints.slope, prints.bank))
        lies, pitch = from_euler(slope, heading, bank), self._pitches(way)[:, side]
        roll = about_x(foot[:, ROLL] * bell(share))
        turn, toe = lies @ about_y(pitch[:, 0]) @ roll, lies @ about_y(pitch[:, 1])
        for which, stance, left in ((0, first, 1.0 - share), (1, last, share)):
            if self._is_air(side, stance, which):
                pitches = self._pitches(edges)[3 * which, side]
                lying = from_euler(stance.on.slope, wanted[which], stance.on.bank)
                walked = self.ends[which].feet
                turn = turned_by(left, walked.turn[1, side], lying @ about_y(pitches[:1])) @ turn
                toe = turned_by(left, walked.toe[1, side], lying @ about_y(pitches[1:])) @ toe
        return ankle, turn, toe, heading

    def _is_air(self, side: int, stance: Stance, which: int) -> bool:
        """Return whether a stance stands for a foot that is in the air as the act begins or ends."""
        return (
            not (np.isfinite(stance.begin) and np.isfinite(stance.end)) and not self.ends[which].stands[side]
        )

    def _heading(self, side: int, stance: Stance, which: int) -> float:
        """Return the heading of a foot as it leaves a stance or arrives on one; in the air at an act's end as
        the walk has it."""
        if not self._is_air(side, stance, which):
            return float(stance.on.heading)
        turn = self.ends[which].feet.turn[1, side]
        return float(np.arctan2(-turn[0, 1], turn[1, 1]))

    def _anchor(self, side: int, stance: Stance, at: float, nudge: float, which: int) -> SeamEnd:
        """Return where a foot is as it leaves or arrives, and how it moves: as it rolls, or as the walk has
        it in the air."""
        end = self.ends[which]
        if self._is_air(side, stance, which):
            places = end.feet.ankle[:, side]
            return SeamEnd(at, places[1], (places[2] - places[0]) / (end.seconds[2] - end.seconds[0]))
        times = np.array([at, at + nudge])
        prints = _stacked([_stacked([stance.on] * 2)] * 2)
        here, there = self._rolled(self.way(times), prints).ankle[:, side]
        return SeamEnd(at, here, (there - here) / nudge)


def _bumps(at: np.ndarray, first: Stance, last: Stance) -> np.ndarray:
    """Return `(2, f)` of a swing, level at both ends and 0 there: 1 soon after its beginning, and soon before
    its end."""
    begin, end = max(first.end, 0.0), last.begin
    share = np.clip((at - begin) / (end - begin), 0.0, 1.0)
    both = np.stack([share, 1.0 - share])
    return smootherstep(both / LIFTED_BY) * smootherstep((LOWERED_BY - both) / (LOWERED_BY - LIFTED_BY))


def turned_by(share: np.ndarray, wanted: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return the shares `(f,)` of the rotation that leads from `own` `(1, 3, 3)` to `wanted` `(3, 3)`, as
    `(f, 3, 3)`."""
    return from_rotation_vector(share[:, None] * rotation_vector(wanted @ transposed(own)))


def _stacked(prints: Sequence[Prints], axis: int = 0) -> Prints:
    return Prints(
        *(np.stack(each, axis) for each in zip(*(vars(one).values() for one in prints), strict=True))
    )


def stances_of(
    act: Act, score: Score, ends: tuple[End, End]
) -> tuple[tuple[Stance, ...], tuple[Stance, ...]]:
    """Return when and where both feet stand in an act between two moments of a walk."""
    left, right = (
        tuple(_stance(act, score, ends, side, contact) for contact in contacts_of(act, FEET[side]))
        for side in BOTH
    )
    return left, right


def contacts_of(act: Act, foot: str) -> tuple[ActContact, ...]:
    """Return when and where a foot stands in an act; all the time in one that does not say."""
    return act.of(foot) or (ActContact(foot, 0.0, act.seconds),)


def _stance(act: Act, score: Score, ends: tuple[End, End], side: int, contact: ActContact) -> Stance:
    begin, end = score.played_at(contact.begin), score.played_at(contact.end)
    for which, edge in ((0, contact.begin <= 0.0), (1, contact.end >= act.seconds)):
        if edge and ends[which].stands[side]:
            return Stance(begin, end, rows_of(ends[which].prints, side))
    way, walker = act.travel(np.array([0.5 * (contact.begin + contact.end)]))[0, 0], ends[0].walker
    root = ends[0].heading[1] + way * (ends[1].heading[1] - ends[0].heading[1])
    one, other = (rows_of(end.prints, side) for end in ends)
    place = one.place + way * (other.place - one.place)
    place = place + rotated(about_z(root), walker.body.leg_length * np.array(contact.place))
    heading = one.heading + way * (other.heading - one.heading) + contact.heading
    if walker.ground.is_level:
        return Stance(begin, end, Prints(place, heading, 0.0 * heading, 0.0 * heading))
    fit = fitted(
        walker.ground, walker.sole, np.stack([place, place]), np.full(2, heading), walker.body.leg_length
    )
    return Stance(begin, end, rows_of(fit.prints, side))
