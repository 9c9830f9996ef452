"""An act on its stage: between two moments of a walk, on its prints, from the channels to the motion of every
role."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..body.hold import SEAT, Hold, held
from ..body.reaching import EDGE, BodyBounds, held_at
from ..body.seam import SeamEnd, anchored, faded, looked_at
from ..body.skin import head_points
from ..body.trunk import facing
from ..character.motion import Motion
from ..contract.channels import CHANNELS, IS_LENGTH, OF_FEET, block
from ..easing import smootherstep, smoothstep
from ..gait.body.pelvis import WantedBody, standing_height, wanted_pelvis
from ..gait.body.standing import idling
from ..gait.body.upper_body import hands_ahead
from ..gait.feet.stance import Stand
from ..gait.sliders.manner import BodyManner, body_manner
from ..gait.sliders.style import Style, StyleTrack
from ..gait.steps.placement import SIDE_SIGN
from ..gait.walker import Walker
from ..geometry.rotation import ON_GROUND, TURN, about_z, norms, rotated, transposed
from ..path.path import Along
from .act import OF_ARMS, STEP
from .ends import End
from .feet import ActFeet, ActWay, Stance, stances_of
from .flight import ADULT_LEG, Catch
from .mark import ActMark
from .poised import Poised, offsets, together, with_eyes
from .root_way import RootWay
from .score import Score
from .seat import DEEP, HIGH, WIDE

FADES_S = 0.4  # seconds in which the walk's own motion ends as an act begins, and begins again
# seconds from either end in which hands come to stay out of what they are in then
KEEPS_S = 0.25
RUNS = 2.5  # an adult's metres a second from which one leaps as filed
STILLS_S = 0.8  # seconds beside a hold in which a body comes to idle as in a standstill
# leg lengths: the reach guard's soft band; a body that stands has its legs straighter than walks do
GUARD = 1e-3
# seconds in which a head turns to what hands go to, and back; leg lengths of one that turns as people do
LOOKS_S, LOOKS_AWAY_S, TALL_HEAD = 0.35, 0.6, 0.5
GIVES, SEEN = 0.025, 241  # leg lengths from where hips rest within which a seat bears them; moments looked at
OF_ENDS = (
    "_walked",
    "_stood",
    "_offsets",
    "_ahead",
    "floor",
    "under",
)  # what follows from an act and its ends alone


@dataclass(frozen=True)
class Staged:
    """An act asked for, on its stage.

    `ends`: the walk as it begins and as it ends. `score`: when its parts play. `catch`: what the middle of
    the body does around a flight;
    None for an act on the ground. `rests`: where the hips are while they rest on a seat. `grips`: where hands
    are while they touch
    something.  `mix` `(46, 46)`: the channels that it takes from those filed; None: as they are.
    `postures`: channels `(46,)` that it has besides, each while a hold lasts, in filed seconds.
    """

    asked: ActMark
    walker: Walker
    ends: tuple[End, End]
    score: Score
    catch: Catch | None = None
    rests: tuple[Hold, ...] = ()
    grips: tuple[Hold, ...] = ()
    mix: np.ndarray | None = None
    postures: tuple[tuple[Hold, np.ndarray], ...] = ()

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return self.score.seconds

    def changed(self, **given: Any) -> "Staged":
        """Return the same with other fields than the act and its ends; what is known of these alone is not
        worked out again."""
        found, kept = replace(self, **given), (*OF_ENDS, *(() if "score" in given else ("stances", "along")))
        found.__dict__.update({name: self.__dict__[name] for name in kept if name in self.__dict__})
        return found

    @cached_property
    def stances(self) -> tuple[tuple[Stance, ...], tuple[Stance, ...]]:
        """When and where the left and the right foot stand."""
        return stances_of(self.asked.act, self.score, self.ends)

    @cached_property
    def feet(self) -> ActFeet:
        """Both feet."""
        return ActFeet(self.walker, self.stances, self.way, self.ends, self.seconds)

    def way(self, at: np.ndarray) -> ActWay:
        """Return where the body is at times `(f,)` in seconds of play, as far as its feet need to know."""
        return self._way(at, self.values(at), self.along(at))

    def _way(self, at: np.ndarray, values: np.ndarray, along: Along) -> ActWay:
        lift = np.zeros(len(at))
        if self.catch is not None:
            lift = (self._caught(at) - self.hips(values, along))[:, 2]
        return ActWay(values, along.place, along.heading, lift)

    def _caught(self, at: np.ndarray) -> np.ndarray:
        """Return where the middle of the hips is about `(f, 3)` in an act with a flight."""
        assert self.catch is not None
        return self.catch.middle(at) + (self._stood - self.catch.ends[0])

    @cached_property
    def along(self) -> RootWay:
        """The way of its root."""
        return RootWay(self.asked.act, self.ends, self.score, self.catch)

    def values(self, at: np.ndarray, mix: np.ndarray | None = None) -> np.ndarray:
        """Return the channels `(f, 46)` in metres and radians relative to the root: the walk's at both ends,
        and what the act adds.

        `mix` `(f, 46, 46)`: in place of its own.
        """
        begin, end, rates = self._walked
        fades = min(FADES_S, 0.5 * self.seconds)
        left, come = self._shares(at)
        found = (
            (1.0 - left) * begin
            + come * end
            + faded(at[:, None], 0.0, rates[0], fades)
            + faded((self.seconds - at)[:, None], 0.0, -rates[1], fades)
        )
        act, filed, mix = self.asked.act, self.score.filed_at(at), self.mix if mix is None else mix
        if act.arms is not None:
            found = found * (1.0 - self._much * act.arms(filed) @ OF_ARMS)
        added = self._much * act.curves(filed)
        if act.reaches:
            later = smoothstep((at - 0.5 * LOOKS_S) / LOOKS_S)
            added = added * (1.0 - (1.0 - later)[:, None] * OF_ARMS.sum(axis=0))
        added = added if mix is None else (added[:, None] @ mix)[:, 0]
        for hold, values in self.postures:
            found = found + hold.weight(filed)[:, None] * values
        return found + np.where(IS_LENGTH, self.walker.body.leg_length, 1.0) * added

    @property
    def _much(self) -> float:
        """How much of it is done: of a leap shorter than filed less, and from a walk less than from a run."""
        if self.catch is None or self.asked.act.base != STEP:
            return 1.0
        tempo = np.sqrt(self.walker.body.leg_length / ADULT_LEG)
        lasts = self.catch.flight.seconds / np.diff(self.asked.act.between).item()
        comes = min(float(norms(self.catch.up.knots[0].rate)) / RUNS, tempo)
        return min(float(np.cbrt(lasts * comes)) / float(np.cbrt(tempo * tempo)), 1.0)

    def _gone(self, at: np.ndarray) -> np.ndarray:
        """Return the share `(f,)` of the way from the walk at the beginning to that at the end: none while it
        is held."""
        first, last = map(self.score.played_at, self.asked.act.hold or (self.seconds, 0.0))
        comes, goes = smootherstep(at / first), smootherstep((at - last) / (self.seconds - last))
        return 0.5 * (comes + goes)

    def _shares(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how far the channels `(f, 46)` have left the walk's at the beginning, and have come to those
        at the end.

        Feet soon lie as the act says, and between two steps they go so, whatever they did in the walk.
        """
        share = np.repeat(self._gone(at)[:, None], len(CHANNELS), axis=1)
        come, feet, until = share.copy(), OF_FEET & ~IS_LENGTH, min(FADES_S, 0.5 * self.seconds)
        since = self.seconds - until
        if self.asked.act.base == STEP:
            feet, (until, since) = OF_FEET, map(self.score.played_at, self.asked.act.between)
        share[:, feet] = smootherstep(at / until)[:, None]
        come[:, feet] = smootherstep((at - since) / (self.seconds - since))[:, None]
        return share, come

    @cached_property
    def _walked(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The walk's channels `(46,)` at both ends, and their rates `(2, 46)` a second."""
        each = [end.values for end in self.ends]
        (begin, end), seconds = (values[1] for values in each), self.ends[0].seconds
        end = end - np.where(IS_LENGTH, 0.0, TURN * np.round((end - begin) / TURN))
        rates = np.stack([values[2] - values[0] for values in each]) / (seconds[2] - seconds[0])
        return begin, end, np.where(OF_FEET & IS_LENGTH, 0.0, rates)  # those of feet are their seams'

    @cached_property
    def _stood(self) -> np.ndarray:
        """Where the middle of the hips is as the act begins `(3,)`."""
        return self.hips_at(np.zeros(1))[0]

    def hips(self, values: np.ndarray, along: Along) -> np.ndarray:
        """Return where channels have the middle of the hips `(f, 3)`, in the walk frame."""
        body = self.walker.body
        rest = body.hip.mean(axis=0) * ON_GROUND + [0.0, 0.0, standing_height(body).mean()]
        return along.place + rotated(about_z(along.heading), rest + block(values, "pelvis")[:, :3])

    def hips_at(self, at: np.ndarray) -> np.ndarray:
        """Return where the channels have it at times `(f,)`."""
        return self.hips(self.values(at), self.along(at))

    def motions(self, at: np.ndarray) -> tuple[dict[str, Motion], Along, Stand]:
        """Return the motion of every role relative to the root, the root's places, and the feet, at times
        `(f,)` in seconds of play."""
        poised, share, (begin, end) = self.poised(at), self._gone(at), self.ends
        found = with_eyes(poised.motions(self.walker.body), begin.motions, end.motions, share)
        root, body = poised.along.root, self.walker.body
        bounds = self.bounds(root)
        if self.grips:
            found = bounds.freely(body, root, found, partial(self._facing, found, root, at))
            found = bounds.freely(body, root, found, partial(held_at, body, found, root, self.grips, at))
        begins, ends = (
            np.maximum(smootherstep(since / KEEPS_S), free)
            for since, free in zip((at, self.seconds - at), self._free, strict=True)
        )
        return (
            bounds.kept(body, found, root, self.grips, at, np.minimum(begins, ends)),
            poised.along,
            poised.stand,
        )

    @cached_property
    def _free(self) -> tuple[bool, ...]:
        """Whether hands are out of everything as the act begins and as it ends."""
        poses, body = [(end.motions, end.root[1:2]) for end in self.ends], self.walker.body
        return tuple(not self.bounds(root).moves(body, motions, root) for motions, root in poses)

    def _facing(
        self, motions: dict[str, Motion], root: Motion, at: np.ndarray, much: np.ndarray
    ) -> dict[str, Motion]:
        """Return motions whose head turns, so `much` `(f,)`, to what hands go to before they are there."""
        grip, goal = next((grip for grip in self.grips if grip.place is not None), None), self.asked.goal
        if grip is None or goal is None or not self.asked.act.reaches:
            return motions
        # a head as tall as a body leaves more to its eyes
        tall = float(np.ptp(head_points(self.walker.body)[:, 2]))
        most = min(TALL_HEAD * self.walker.body.leg_length / max(tall, 1e-9), 1.0)
        looks = held(at, min(LOOKS_S, grip.begin), grip.end, LOOKS_S, LOOKS_AWAY_S)
        return facing(motions, root.seen(goal), much * looks, most)

    def bounds(self, root: Motion) -> BodyBounds:
        """Return where its skin does not go: what hands take stands on something that begins there, what they
        only touch is on a wall, and a seat ends before the feet."""
        asked, body, rows = self.asked, self.walker.body, len(root.position)
        none, leg, goal = np.full(rows, np.inf), body.leg_length, asked.goal
        if goal is None or not (asked.act.reaches or asked.act.of(SEAT)):
            return BodyBounds(self.floor, self.floor, 1.0, np.inf, none, np.zeros((rows, 2)), 0.0, np.inf)
        middle = root.seen(goal)[:, :2]
        if asked.act.of(SEAT):
            deep, edge = leg * np.interp((self.under - self.floor) / leg, HIGH, DEEP), -body.heel[:, 0].min()
            return BodyBounds(self.floor, self.under, -1.0, edge, none, middle, deep, WIDE * leg)
        wall, far = (none, np.inf) if asked.act.takes else (middle[:, 0], -np.inf)
        return BodyBounds(self.floor, self.under, 1.0, self._ahead, wall, middle, 0.0, far)

    @cached_property
    def _ahead(self) -> float:
        """How many metres toes, and hands that hang lower than its goal, are ahead as it begins."""
        body, goal = self.walker.body, self.asked.goal
        assert goal is not None
        hands = hands_ahead(body, float(goal[2])) + 0.5 * EDGE * body.leg_length
        return max(float(np.nanmax(body.toe[:, 0])), hands)

    @cached_property
    def floor(self) -> float:
        """How high the ground is under feet that stand."""
        return float(np.minimum(*(end.prints.place[:, 2].min() for end in self.ends)))

    @cached_property
    def under(self) -> float:
        """How high that is on which what it takes stands, or on which one sits."""
        on, goal = self.asked.under, self.asked.goal
        if self.asked.act.of(SEAT) and goal is not None:
            on = float(goal[2])
        return self.floor if on is None else max(on, self.floor)

    @cached_property
    def taking(self) -> tuple[dict[str, Motion], Motion]:
        """The motions and the root as hands come to what they take or put down."""
        begin = next(grip.begin for grip in self.grips if grip.place is not None)
        motions, along, _ = self.motions(np.array([begin]))
        return motions, along.root

    def poised(self, at: np.ndarray, mix: np.ndarray | None = None) -> "Poised":
        """Return what the motions at times `(f,)` follow from; `mix`: see `values`."""
        values, along, share = self.values(at, mix), self.along(at), self._gone(at)
        stand, hips, middle = self.feet.at(at, self._way(at, values, along)), self.hips(values, along), None
        if self.catch is None:
            hips = self._rested(at, hips)
        else:
            middle, hips = self.catch.middle(at), self._caught(at)
        turns = self._offsets[0] + share[:, None, None] * (self._offsets[1] - self._offsets[0])
        return Poised(self._above(at, values, along, stand, hips), along, stand, turns, middle)

    def tried(self, at: np.ndarray, mix: np.ndarray | None = None) -> tuple[dict[str, Motion], Motion]:
        """Return the motions at times `(f,)` before hands are held, and the root; `mix`: see `values`."""
        poised = self.poised(at, mix)
        return poised.motions(self.walker.body), poised.along.root

    @cached_property
    def seated(self) -> list[tuple[float, float]]:
        """From when to when seats bear the hips, in seconds of play."""
        at, found = np.linspace(0.0, self.seconds, SEEN), []
        hips = self._rested(at, self.hips_at(at))
        for rest in (one for one in self.rests if one.point == SEAT):
            near = at[norms(hips - rest.place) < GIVES * self.walker.body.leg_length]
            found.append((min(near[0], rest.begin), max(near[-1], rest.end)))
        return found

    def _rested(self, at: np.ndarray, path: np.ndarray) -> np.ndarray:
        """Return the hips `(f, 3)` on their own `path`, and on seats where they rest."""
        if not self.rests:
            return path
        stands = Hold(SEAT, None)
        ends = [replace(stands, end=0.0), *self.rests, replace(stands, begin=self.seconds)]
        found = path.copy()
        for one in self.rests:
            found[(at >= one.begin) & (at <= one.end)] = one.place
        for first, last in pairwise(ends):
            between = (at > first.end) & (at < last.begin)
            anchors = (
                SeamEnd(first.end, first.place, np.zeros(3)),
                SeamEnd(last.begin, last.place, np.zeros(3)),
            )
            edges = self.hips_at(looked_at(*anchors))
            found[between] = anchored(at[between], path[between], *anchors, edges)
        return found

    def _above(
        self, at: np.ndarray, values: np.ndarray, along: Along, stand: Stand, hips: np.ndarray
    ) -> WantedBody:
        """Return the body above feet and with hips `(f, 3)` in the walk frame, before legs limit it."""
        body, wish = self.walker.body, self._manner(at)
        turn, place = wanted_pelvis(body, values, wish)
        seen = rotated(transposed(along.root.rotation), hips - along.place)
        middle = body.hip.mean(axis=0)
        place = seen - rotated(turn, middle - body.pelvis)
        return WantedBody(wish, stand.seen_from(along, turns=True), turn, place, values, values)

    def _manner(self, at: np.ndarray) -> BodyManner:
        share = self._gone(at)[:, None]
        knees = self.ends[0].knees + share * (self.ends[1].knees - self.ends[0].knees)
        hold = self.asked.act.hold
        begin, end = map(self.score.played_at, hold or (np.inf, np.inf))
        still = held(at, begin, end, STILLS_S, STILLS_S) * (hold is not None)
        frames = self.ends[0].frame + self.walker.clock.fps * at
        return replace(
            plain_manner(len(at)),
            posture=idling(self.walker, frames, still),
            knees=SIDE_SIGN * knees,
            holds=self.feet.holds(at, self.catch is not None),
            guard=np.full(len(at), GUARD),
        )

    @cached_property
    def _offsets(self) -> np.ndarray:
        """How far the bones of the upper body are off the walk's at both ends `(2, n, 3)` (see `offsets`).

        There the act adds nothing, whatever its parts last and its hands do.
        """
        join([self])
        return self.__dict__["_offsets"]

    def _at_ends(self) -> "Poised":
        ends = np.array([0.0, self.seconds])
        values, along = self.values(ends), self.along(ends)
        stand = self.feet.at(ends, self._way(ends, values, along))
        return Poised(self._above(ends, values, along, stand, self.hips(values, along)), along, stand)


def join(acts: Sequence[Staged]) -> None:
    """Find how acts of one body join the walk at their ends, all at once."""
    body = acts[0].walker.body
    found = offsets(
        together([one._at_ends() for one in acts]).motions(body),
        [end.motions for one in acts for end in one.ends],
    )
    for number, one in enumerate(acts):
        one.__dict__["_offsets"] = found[2 * number : 2 * number + 2]


@lru_cache(16)
def plain_manner(frames: int) -> BodyManner:
    """Return the manner of a body without sliders on so many frames."""
    return body_manner(StyleTrack(Style()), np.zeros(frames))
