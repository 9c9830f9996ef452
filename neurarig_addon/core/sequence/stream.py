"""A motion that is told its speed and turn on every frame and goes on at once, on level ground: for play.

The network predicts EVERY frames at a time, as in `roll_out`, so what it is told is heard within a fifth of a
second.
"""

from dataclasses import dataclass

import numpy as np

from ..body.legs import knee_directions, rig_legs
from ..character.motion import Motion
from ..character.motion import moved as with_motion
from ..geometry.rotation import norms
from ..ikrig.decode import decode
from .figure import figure
from .footing import SEES, Footing, LevelGround
from .lower_body import feet_of, lower_body
from .network import AHEAD, SequenceNetwork, SequenceWish, bundled
from .roll_out import EVERY, Rolling
from .rows import RATE, Rows, encoding_of, moved, placed, turned
from .rows import between as rows_between
from .start import Start, standing

# m/s, backward below 0, and radians a second: more is not tried in play
SLOWEST, FASTEST, SHARPEST = -1.0, 3.0, np.pi
# m/s and radians a second, in a second, as people do
BRAKES, SPEEDS_UP, STEERS = 1.7 / RATE**2, 1.0 / RATE**2, np.pi / RATE**2
# metres and radians: what a motion is behind is made up for, no more than this at once
_MOST_LAG, _MOST_TURN = 0.25, np.radians(60.0)
_KEPT = 0.97  # share of what it is behind that is still wanted when it is asked again
_STANDS, _SETTLES = 0.1, 0.1  # m/s: slower is standing; metres: who stands and is moved less stays


class ToldCourse:
    """A course that may be told otherwise on every frame: speed and turn follow as quickly as people change
    them.

    `place` `(3,)`: x, y and heading that are due, seen from where it began. `step` `(3,)`: forward, left and
    turned, the last frame's.
    """

    def __init__(self, heading: float = 0.0, step: np.ndarray | None = None) -> None:
        self.place = np.array([0.0, 0.0, heading])
        self.step = self._told = np.zeros(3) if step is None else step

    def tell(self, step: np.ndarray) -> None:
        """Go on by steps `(3,)` a frame."""
        self._told = step

    def go_on(self) -> None:
        """Go on by one frame."""
        self.step = self._steps(1)[0]
        self.place = moved(self.place, self.step)

    def wish(self, place: np.ndarray) -> SequenceWish:
        """Return what is wished of a motion that is at `place` `(3,)`."""
        lag = turned(self.place[:2] - place[:2], -place[2])
        far, stands = norms(lag), norms(self.step[:2]) * RATE < _STANDS
        # wherever it comes to a stand
        lag = lag * np.where(
            stands, far < _SETTLES, _KEPT * np.minimum(1.0, _MOST_LAG / np.maximum(far, 1e-9))
        )
        ahead = np.minimum(np.maximum(self.place[2] - place[2], -_MOST_TURN), _MOST_TURN)
        self.place = np.hstack([place[:2] + turned(lag, place[2]), place[2] + ahead])
        goal = placed(self._steps(AHEAD))[-1]
        return SequenceWish(turned(goal[:2], ahead) + lag, ahead + goal[2])

    def _steps(self, frames: int) -> np.ndarray:
        """Return the next steps `(frames, 3)`, if nothing else is told."""
        lacks, since = self._told - self.step, 1.0 + np.arange(frames)
        quickest = np.where(lacks[:2] @ self.step[:2] >= 0.0, SPEEDS_UP, BRAKES)
        way = np.minimum(1.0, quickest * since / np.maximum(norms(lacks[:2]), 1e-12))
        turn = np.minimum(1.0, STEERS * since / np.maximum(np.abs(lacks[2]), 1e-12))
        return self.step + np.stack([way, way, turn], axis=1) * lacks


_FOLLOWS_S = 0.5  # seconds in which the root comes to where the hips are


@dataclass(frozen=True)
class StreamMoment:
    """One moment of a stream, on the figure: metres and radians, z up, seen from where the stream began, x as
    it was headed.

    `root` `(3,)`: x, y and heading of the ground under the character; it goes as told, without the sway of
    the hips.
    `footing`: hips and feet. `row`: the whole body, of one frame; `place` `(3,)`: where it is, before its
    feet were put on the ground.
    """

    root: np.ndarray
    footing: Footing
    row: Rows
    place: np.ndarray

    def motions(self) -> dict[str, Motion]:
        """Return the motion of every role of the figure, of one frame, in the world; this takes far longer
        than the stream itself."""
        character, body = figure().character, self.footing.body
        still = Rows(self.row.poses, np.zeros((1, 3)), self.row.contacts)
        motions = decode(encoding_of(still, np.zeros(2), float(self.place[2]), "stream"), character)
        way = body.pelvis - motions["pelvis"].position
        motions = with_motion(motions, way)
        return motions | rig_legs(
            character, body.hips, feet_of(body.feet), knee_directions(character, motions)
        )


class Stream:
    """The figure, going where it is told; the same calls give the same bits."""

    def __init__(self, start: Start | None = None, network: SequenceNetwork | None = None) -> None:
        start, network = start or standing(), network or bundled()
        self._rolling = Rolling(network, start.past, start.walk)
        self._course, self._ground = ToldCourse(), LevelGround()
        self._root, self._since = np.zeros(3), 0.0
        self._block: list[tuple[Rows, np.ndarray, Footing]] = []  # frames that are not shown yet
        self._put(start.past[-1:], np.zeros((1, 3)))
        self._before = self._after = self._next()

    def advance(self, seconds: float, speed: float, turn: float) -> StreamMoment:
        """Go on by some time and return that moment, between two frames; `speed` and `turn`: as for `frame`.

        The motion is one frame late, since the frame after is needed.
        """
        self._since += seconds * RATE
        while self._since >= 1.0:
            self._since -= 1.0
            self._before, self._after = self._after, self.frame(speed, turn)
        return between(self._before, self._after, self._since)

    def frame(self, speed: float, turn: float) -> StreamMoment:
        """Return the next frame at RATE; `speed`: in m/s of the figure, backward below 0; `turn`: radians a
        second to the left."""
        told = np.clip(np.stack([speed, 0.0, turn]), [SLOWEST, 0.0, -SHARPEST], [FASTEST, 0.0, SHARPEST])
        self._course.tell(told / RATE)
        if not self._block:
            place = self._rolling.place
            self._rolling.ahead(self._course.wish(self._rolling.course))
            rows = self._rolling.plan[: EVERY + SEES]
            self._put(rows, moved(place, placed(rows.steps)))
        return self._next()

    def _put(self, rows: Rows, places: np.ndarray) -> None:
        """Put the next frames, of some that are known, on the ground at places `(f, 3)`."""
        footings = self._ground.footings(lower_body(rows, places), rows.contacts, min(EVERY, len(rows)))
        self._block = [(rows[n : n + 1], places[n], footing) for n, footing in enumerate(footings)]

    def _next(self) -> StreamMoment:
        row, place, footing = self._block.pop(0)
        self._course.go_on()
        root = moved(self._root, self._course.step)
        self._root = root + (place - root) / (_FOLLOWS_S * RATE)
        return StreamMoment(self._root, footing, row, place)


def between(before: StreamMoment, after: StreamMoment, share: float) -> StreamMoment:
    """Return the moment a share, 0 to 1, of the way from one frame to the next; what stands in both stays to
    the last digit."""
    row = rows_between(before.row, after.row, share)
    root, place = (
        one + share * (other - one) for one, other in ((before.root, after.root), (before.place, after.place))
    )
    return StreamMoment(root, before.footing.towards(after.footing, share), row, place)
