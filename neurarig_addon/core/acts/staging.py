"""An act on its stage: between two moments of a walk, on its prints, from the channels to the motion of every role."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ..body.seam import Anchor, anchored, faded, looked_at
from ..character.motion import Motion
from ..contract.channels import CHANNELS, IS_LENGTH, block
from ..easing import bend, smootherstep
from ..gait.body.pelvis import WantedBody, standing_height, wanted_pelvis
from ..gait.feet.stance import Stand
from ..gait.sliders.manner import BodyManner, body_manner
from ..gait.sliders.style import Style, StyleTrack
from ..gait.steps.placement import SIDE_SIGN
from ..gait.synthesis import motions_of, moved_on_legs
from ..gait.walker import Walker
from ..geometry.rotation import TURN, about_z, rotated, transposed, wrapped
from ..path.path import Along
from .act import STEP
from .catch import Catch
from .ends import End
from .feet import ActFeet, Stance, Way, stances_of
from .grips import Grip, Rest, gripping
from .mark import ActMark
from .middle import middle_of
from .score import Score
from .turning import offsets, turned, with_eyes

FADES_S = 0.4  # seconds in which the walk's own motion ends as an act begins, and begins again
JOINS_S = 0.15  # seconds from either end in which the root comes to go with a body that leaps
LETS_GO_S = 0.1  # seconds around its stance, and beside the walk, in which a foot still holds the pelvis
GUARD = 1e-3  # leg lengths: the reach guard's soft band; a body that stands has its legs straighter than walks do
FREELY = 6  # rounds in which the body is brought to where its middle has to be: each leaves a tenth of what is missing


@dataclass(frozen=True)
class Staged:
    """An act asked for, on its stage.

    `ends`: the walk as it begins and as it ends.  `score`: when its parts play.  `catch`: what the middle of the body does around a flight;
    None for an act on the ground.  `rests`: where the hips are while they rest on a seat.  `grips`: where hands are while they touch
    something.  `much`: how much of its channels the act needs.
    """

    asked: ActMark
    walker: Walker
    ends: tuple[End, End]
    score: Score
    catch: Catch | None = None
    rests: tuple[Rest, ...] = ()
    grips: tuple[Grip, ...] = ()
    much: float = 1.0

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return self.score.seconds

    def changed(self, **fields: Any) -> "Staged":
        """Return the same with other fields than the act and its ends; what follows from these alone is not computed again."""
        found = replace(self, **fields)
        found.__dict__.update(_walked=self._walked, _offsets=self._offsets)
        if "score" not in fields:
            found.__dict__["stances"] = self.stances
        return found

    @cached_property
    def stances(self) -> tuple[tuple[Stance, ...], tuple[Stance, ...]]:
        """When and where the left and the right foot stand."""
        return stances_of(self.asked.act, self.score, self.ends, self.walker)

    @cached_property
    def feet(self) -> ActFeet:
        """Both feet."""
        return ActFeet(self.walker, self.stances, self.way, self.ends, self.seconds)

    def way(self, at: np.ndarray) -> Way:
        """Return where the body is at times `(f,)` in seconds of play, as far as its feet need to know."""
        along = self.along(at)
        lift = np.zeros(len(at)) if self.catch is None else self.catch.lift(at)
        return Way(self.values(at), along.place, along.heading, lift)

    def along(self, at: np.ndarray) -> Along:
        """Return the root's places `(f,)`: on the path, from where the walk leaves it to where the walk goes on."""
        first, last = (end.distance for end in self.ends)
        share = self._travel(at)
        along = self.walker.path.at(first + (last - first) * share)
        ends = self.walker.path.at(np.array([first, last]))
        roots = np.stack([end.root.position[1] for end in self.ends])
        off = roots - ends.place
        turned = np.array([end.heading[1] for end in self.ends]) - ends.heading
        turned = wrapped(turned)
        place = along.place + off[0] + share[:, None] * (off[1] - off[0])
        place[:, 2] = roots[0, 2] + share * (roots[1, 2] - roots[0, 2])  # whatever lies below in between
        return Along(place, along.heading + turned[0] + share * (turned[1] - turned[0]), along.curvature)

    def _travel(self, at: np.ndarray) -> np.ndarray:
        """Return the share of the way `(f,)`; of a walk that does not stop, at its speed at both ends, and with the body in between."""
        if self.asked.act.base != STEP:
            return self.asked.act.travel(self.score.filed_at(at))[:, 0]
        way, share = max(self.ends[1].distance - self.ends[0].distance, 1e-9), at / self.seconds
        left = np.array([float(self.walker.rhythm.speed_at(self.walker.clock.seconds(np.array(end.frame)))) for end in self.ends])
        lacking = np.clip(left * self.seconds / way, 0.0, 3.0) - 1.0
        evenly = share + bend(share, *lacking)
        if self.catch is None:
            return evenly
        begin, end = self.catch.middle(np.array([0.0, self.seconds]))[:, :2]
        gone = (self.catch.middle(at)[:, :2] - begin) @ (end - begin) / max(float((end - begin) @ (end - begin)), 1e-9)
        return evenly + smootherstep(np.minimum(at, self.seconds - at) / JOINS_S) * (gone - evenly)

    def values(self, at: np.ndarray) -> np.ndarray:
        """Return the channels `(f, 46)` in metres and radians relative to the root: the walk's at both ends, and what the act adds."""
        begin, end, rates = self._walked
        fades = min(FADES_S, 0.5 * self.seconds)
        left, come = self._shares(at)
        found, still = (1.0 - left) * begin + come * end, np.zeros(len(CHANNELS))
        found = found + faded(at / fades, still, rates[0], fades) + faded((self.seconds - at) / fades, still, -rates[1], fades)
        added = self.asked.act.curves(self.score.filed_at(at))
        return found + self.much * np.where(IS_LENGTH, self.walker.body.leg_length, 1.0) * added

    def _shares(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how far the channels `(f, 46)` have left the walk's at the beginning, and have come to those at the end.

        Between two steps a foot lands and takes off as the act says, whatever it did in the walk.
        """
        share = np.repeat(smootherstep(at / self.seconds)[:, None], len(CHANNELS), axis=1)
        if self.asked.act.base != STEP:
            return share, share
        come = share.copy()
        for side, name in enumerate(("l", "r")):
            stance, columns = self.stances[side][0], self._columns(name)
            until = stance.end if stance.begin <= 0.0 else stance.begin
            share[:, columns] = smootherstep(at / until)[:, None]
            come[:, columns] = smootherstep((at - until) / (self.seconds - until))[:, None]
        return share, come

    @staticmethod
    def _columns(side: str) -> np.ndarray:
        """Return the channels of a foot."""
        return np.array([channel.split(".")[0] in (f"foot_{side}", f"ball_{side}") for channel in CHANNELS])

    @cached_property
    def _walked(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The walk's channels `(46,)` at both ends, and their rates `(2, 46)` a second."""
        each = [end.values for end in self.ends]
        (begin, end), seconds = (values[1] for values in each), self.ends[0].seconds
        end = end - np.where(IS_LENGTH, 0.0, TURN * np.round((end - begin) / TURN))
        return begin, end, np.stack([values[2] - values[0] for values in each]) / (seconds[2] - seconds[0])

    def hips(self, values: np.ndarray, along: Along) -> np.ndarray:
        """Return where channels have the middle of the hips `(f, 3)`, in the walk frame."""
        body = self.walker.body
        rest = body.hip.mean(axis=0) * [1.0, 1.0, 0.0] + [0.0, 0.0, standing_height(body).mean()]
        return along.place + rotated(about_z(along.heading), rest + block(values, "pelvis")[:, :3])

    def motions(self, at: np.ndarray) -> tuple[dict[str, Motion], Along, Stand]:
        """Return the motion of every role relative to the root, the root's places, and the feet, at times `(f,)` in seconds of play."""
        values, along = self.values(at), self.along(at)
        stand = self.feet.at(at)
        if self.catch is None:
            hips = self._rested(at, self.hips(values, along))
            found = self._fitted(at, self._posed(at, values, along, stand, hips))
            return gripping(self.walker.body, found, along.root, self.grips, at), along, stand
        wanted, body = self.catch.middle(at), self.walker.body
        hips = wanted + (self.hips(self.values(np.zeros(1)), self.along(np.zeros(1))) - self.catch.middle(np.zeros(1)))
        above = self._above(at, values, along, stand, hips)
        found = self._fitted(at, motions_of(body, above.on_legs(body, np.zeros(len(at)))))
        for _ in range(FREELY):
            off = rotated(transposed(along.root.rotation), wanted - self.middle(found, along.root))
            above = replace(above, place=above.place + off)
            found = moved_on_legs(body, above.on_legs(body, np.zeros(len(at))), found)
        return found, along, stand

    def _rested(self, at: np.ndarray, path: np.ndarray) -> np.ndarray:
        """Return the hips `(f, 3)` on their own `path`, and on seats where they rest."""
        if not self.rests:
            return path
        ends = [Rest(-1.0, 0.0, None), *self.rests, Rest(self.seconds, self.seconds + 1.0, None)]
        found = path.copy()
        for one in self.rests:
            found[(at >= one.begin) & (at <= one.end)] = one.place
        for first, last in pairwise(ends):
            between = (at > first.end) & (at < last.begin)
            anchors = Anchor(first.end, first.place, np.zeros(3)), Anchor(last.begin, last.place, np.zeros(3))
            edges = looked_at(*anchors)
            found[between] = anchored(at[between], path[between], *anchors, self.hips(self.values(edges), self.along(edges)))
        return found

    def middle(self, motions: Mapping[str, Motion], root: Motion) -> np.ndarray:
        """Return the middle of the body `(f, 3)` in the walk frame, for motions relative to a root."""
        return root.carried(middle_of(self.walker.body, motions)[:, None])[:, 0]

    def _posed(self, at: np.ndarray, values: np.ndarray, along: Along, stand: Stand, hips: np.ndarray) -> dict[str, Motion]:
        """Return the motions for feet and hips `(f, 3)` in the walk frame."""
        body = self.walker.body
        return motions_of(body, self._above(at, values, along, stand, hips).on_legs(body, np.zeros(len(at))))

    def _above(self, at: np.ndarray, values: np.ndarray, along: Along, stand: Stand, hips: np.ndarray) -> WantedBody:
        """Return the body above feet and with hips `(f, 3)` in the walk frame, before legs limit it."""
        body, wish = self.walker.body, self._manner(at)
        turn, place = wanted_pelvis(body, values, wish)
        seen = rotated(transposed(along.root.rotation), hips - along.place)
        middle = body.hip.mean(axis=0)
        place = seen - rotated(turn, middle - body.pelvis)
        return WantedBody(wish, stand.seen_from(along, turns=True), turn, place, values, values)

    def _manner(self, at: np.ndarray) -> BodyManner:
        share = smootherstep(at / self.seconds)[:, None]
        knees = self.ends[0].knees + share * (self.ends[1].knees - self.ends[0].knees)
        wish, guard = body_manner(PLAIN_TRACK, np.zeros(len(at))), np.full(len(at), GUARD)
        return replace(wish, knees=SIDE_SIGN * knees, holds=self._holds(at), guard=guard)

    def _holds(self, at: np.ndarray) -> np.ndarray:
        """Return how much each leg holds the pelvis `(f, 2)`: fully while it stands, soon not at all in the air."""
        if self.catch is None:
            return np.maximum(1.0 - self.feet.away(at) / LETS_GO_S, 0.0) ** 2
        walks = np.maximum(1.0 - np.minimum(at, self.seconds - at) / LETS_GO_S, 0.0) ** 2
        return np.maximum(self.feet.stands(at), walks[:, None])

    def _fitted(self, at: np.ndarray, motions: dict[str, Motion]) -> dict[str, Motion]:
        """Return motions whose upper body is the walk's own at both ends."""
        share = smootherstep(at / self.seconds)
        found = turned(motions, self._offsets, share)
        return with_eyes(found, self.ends[0].pose.motions, self.ends[1].pose.motions, 1, share)

    @cached_property
    def _offsets(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """How far the bones of the upper body are off the walk's at both ends, as rotation vectors in their holders' axes.

        There the act adds nothing, whatever its parts last and its hands do.
        """
        ends = np.array([0.0, self.seconds])
        values, along = self.values(ends), self.along(ends)
        own = self._posed(ends, values, along, self.feet.at(ends), self.hips(values, along))
        found = [offsets(own, row, end.pose.motions, 1) for row, end in enumerate(self.ends)]
        return {role: (found[0][role], found[1][role]) for role in found[0]}


PLAIN_TRACK = StyleTrack(Style())
