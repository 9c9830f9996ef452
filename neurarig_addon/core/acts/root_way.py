"""The way of the root in an act: on the path, from where the walk leaves it to where the walk goes on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..easing import bend, smootherstep
from ..geometry.rotation import wrapped
from ..path.path import Along
from .act import STEP, Act
from .ends import End
from .flight import Catch
from .score import Score

JOINS_S = 0.15  # seconds from either end in which the root comes to go with a body that leaps


@dataclass(frozen=True)
class RootWay:
    """The way between two `ends` of an act, whose parts play as its `score` says, with its flight, if it has
    one."""

    act: Act
    ends: tuple[End, End]
    score: Score
    catch: Catch | None

    def __call__(self, at: np.ndarray) -> Along:
        """Return the root's places `(f,)` at times `(f,)` in seconds of play."""
        share, (first, last) = self._travel(at), (end.distance for end in self.ends)
        along, (off, turned) = self.ends[0].walker.path.at(first + (last - first) * share), self._off_path
        place = along.place + off[0] + share[:, None] * (off[1] - off[0])
        heights = [end.root.position[1, 2] for end in self.ends]
        place[:, 2] = heights[0] + share * (heights[1] - heights[0])  # whatever lies below in between
        return Along(place, along.heading + turned[0] + share * (turned[1] - turned[0]), along.curvature)

    @cached_property
    def _off_path(self) -> tuple[np.ndarray, np.ndarray]:
        """How far the root is off the path at both ends `(2, 3)`, and turned off it `(2,)`."""
        ends = self.ends[0].walker.path.at(np.array([end.distance for end in self.ends]))
        turned = np.array([end.heading[1] for end in self.ends]) - ends.heading
        return np.stack([end.root.position[1] for end in self.ends]) - ends.place, wrapped(turned)

    def _travel(self, at: np.ndarray) -> np.ndarray:
        """Return the share of the way `(f,)`; of a walk that does not stop, at its speed at both ends, and
        with the body in between."""
        if self.act.base != STEP:
            return self.act.travel(self.score.filed_at(at))[:, 0]
        lasts, walker = self.score.seconds, self.ends[0].walker
        way, share = max(self.ends[1].distance - self.ends[0].distance, 1e-9), at / lasts
        speeds = walker.rhythm.speed_at(walker.clock.seconds(np.array([end.frame for end in self.ends])))
        lacking = np.clip(speeds * lasts / way, 0.0, 3.0) - 1.0
        evenly = share + bend(share, *lacking)
        if self.catch is None:
            return evenly
        begin, end = (place[:2] for place in self.catch.ends)
        over = end - begin
        gone = (self.catch.middle(at)[:, :2] - begin) @ over / max(float(over @ over), 1e-9)
        return evenly + smootherstep(np.minimum(at, lasts - at) / JOINS_S) * (gone - evenly)
