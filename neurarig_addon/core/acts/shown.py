"""The part of a clip that shows an act: which of its rows, and the root under them that goes from its first
place to its last."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..body.feet import Feet
from ..character.motion import Motion
from ..easing import running, smootherstep
from ..errors import NeuraRigError
from ..geometry.rotation import about_z, norms, yaw_of
from ..retarget.spans import intervals_of
from ..retarget.travel import smooth
from ..takes.performance import Performance
from .act_file import LONGEST_S
from .clip_body import EARLIER_S, RESTS, between_feet, speed_of, stands_still, values_of

LEAST_S = 0.2  # seconds that an act lasts
# leg lengths of a way, and radians of a turn, that give an act its travel
GOES, TURNS = 0.1, np.radians(10.0)
SMOOTHED_S = 0.1  # seconds over which the way of the hips is smoothed


@dataclass(frozen=True)
class ShownPart:
    """Part of a clip under a root that goes from its first place to its last, at `n` moments.

    `rows` `(n,)` of the clip. `travel` `(n,)`: share of the way. `roots` `(2, 3)`, `headings` `(2,)`: places
    and headings of the root.
    `stands`: whether the body stands still at the beginning and at the end. `under`: the root, if it does not
    go that way.
    """

    performance: Performance
    rows: np.ndarray
    travel: np.ndarray
    roots: np.ndarray
    headings: np.ndarray
    stands: tuple[bool, bool] = (True, True)
    under: Motion | None = None

    @classmethod
    def of(cls, performance: Performance, rows: np.ndarray) -> "ShownPart":
        """Return a part that begins and ends on both feet."""
        roots, headings = between_feet(performance)
        still = stands_still(performance)
        ends = rows[[0, -1]]
        travel = travel_of(performance, rows, roots[ends], headings[ends])
        return cls(
            performance,
            rows,
            travel,
            roots[ends],
            headings[ends],
            (bool(still[ends[0]]), bool(still[ends[1]])),
        )

    @classmethod
    def under_hips(cls, performance: Performance, rows: np.ndarray) -> "ShownPart":
        """Return a part under a root that is under the hips and turned as they are."""
        pelvis, body = performance.motions["pelvis"].rotation[rows], performance.character.body
        heading = np.unwrap(yaw_of(pelvis))
        shown = cls(performance, rows, np.linspace(0.0, 1.0, len(rows)), np.zeros((2, 3)), np.zeros(2))
        places = np.column_stack(
            [
                performance.way[rows],
                np.full(len(rows), shown.feet.ankle[..., 2].min() - body.ankle[:, 2].min()),
            ]
        )
        return replace(shown, under=Motion(about_z(heading), places, np.zeros(3)))

    @cached_property
    def at(self) -> np.ndarray:
        """The seconds `(n,)` from the beginning."""
        return (self.rows - self.rows[0]) / self.performance.fps

    @property
    def share(self) -> np.ndarray:
        """How far standing as at the beginning has become standing as at the end `(n,)`."""
        return smootherstep(self.at / self.at[-1])

    @cached_property
    def root(self) -> Motion:
        """The root."""
        if self.under is not None:
            return self.under
        share = self.travel
        heading = between(self.headings[0], self.headings[1], share)
        return Motion(about_z(heading), between(self.roots[0], self.roots[1], share), np.zeros(3))

    @cached_property
    def motions(self) -> Mapping[str, Motion]:
        """The motions of all roles through the world."""
        rows = self.rows
        return {role: part[rows] for role, part in self.performance.motions.items()}

    @cached_property
    def feet(self) -> Feet:
        """Both feet through the world."""
        return self.performance.feet[self.rows]

    @cached_property
    def values(self) -> np.ndarray:
        """The channels `(n, 46)` relative to the root, in leg lengths and radians."""
        return values_of(self.performance, self.rows, self.root)

    @property
    def leg(self) -> float:
        """Metres of a leg."""
        return self.performance.character.body.leg_length

    @cached_property
    def hips(self) -> np.ndarray:
        """The middle of the hips `(n, 3)` through the world."""
        return self.performance.hips[self.rows]


def rows_of(performance: Performance, first: float, last: float) -> np.ndarray:
    """Return the rows between two moments; refuses those outside the clip."""
    begin, end = (int(round(moment * performance.fps)) for moment in (first, last))
    inside = begin >= 0 and end < len(performance.standing)
    if not inside or not LEAST_S <= (end - begin) / performance.fps <= LONGEST_S:
        lasts = (
            f"'{performance.name}' lasts {performance.seconds[-1]:.2f} s, an act {LEAST_S} to"
            f" {LONGEST_S:.0f} s"
        )
        raise NeuraRigError(f"{lasts}. Choose seconds within the clip.")
    return np.arange(begin, end + 1)


def span_of(performance: Performance, first: float | None, last: float | None) -> np.ndarray:
    """Return the rows of an act: as given, or around the largest motion between two moments of standing
    still."""
    if first is None or last is None:
        begin, end = _found_span(performance, first, last)
        return rows_of(performance, begin / performance.fps, end / performance.fps)
    rows = rows_of(performance, first, last)
    on_both: np.ndarray = np.all(performance.standing, axis=1)
    for moment, row in ((first, rows[0]), (last, rows[-1])):
        if not on_both[row]:
            raise NeuraRigError(
                f"'{performance.name}' does not stand on both feet at {moment:.2f} s. Choose seconds at which"
                " it does."
            )
    return rows


def _found_span(performance: Performance, first: float | None, last: float | None) -> tuple[int, int]:
    """Return the first and last row around the largest motion between two moments of standing; one of them
    may be given."""
    fps, rests = performance.fps, intervals_of(stands_still(performance))
    within = (
        0 if first is None else round(first * fps),
        len(performance.standing) - 1 if last is None else round(last * fps),
    )
    rests = rests[(rests[:, 0] <= within[1]) & (rests[:, 1] >= within[0])].clip(*within)
    if len(rests) < 2:
        where = "only once" if len(rests) else "nowhere"
        raise NeuraRigError(
            f"'{performance.name}' stands still {where}, so it does not show how an act begins and ends."
            " Choose a clip that begins and ends standing on both feet, or say between which seconds of it"
            " to learn."
        )
    moves = speed_of(performance)
    moved = running(moves)
    gap = max(range(len(rests) - 1), key=lambda row: moved[rests[row + 1][0]] - moved[rests[row][1]])
    (before, begin), (end, after) = rests[gap], rests[gap + 1]
    earliest, latest = max(begin - round(EARLIER_S * fps), before), min(end + round(EARLIER_S * fps), after)
    first_row = next((row for row in range(begin, earliest, -1) if moves[row] < RESTS), earliest)
    last_row = next((row for row in range(end, latest) if moves[row] < RESTS), latest)
    return first_row, last_row


def travel_of(
    performance: Performance, rows: np.ndarray, roots: np.ndarray, headings: np.ndarray
) -> np.ndarray:
    """Return the share of the way `(n,)`, rising from 0 to 1 as the hips go or turn; evenly for a body that
    does neither."""
    leg, fps = performance.character.body.leg_length, performance.fps
    way = (roots[1] - roots[0])[:2]
    if norms(way) > GOES * leg:
        gone = smooth(performance.hips[rows, :2], SMOOTHED_S * fps) @ way
        share = (gone - roots[0, :2] @ way) / (way @ way)
    elif abs(headings[1] - headings[0]) > TURNS:
        turn = performance.motions["pelvis"].rotation[rows]
        heading = np.unwrap(yaw_of(turn))
        share = (heading - heading[0]) / (heading[-1] - heading[0])
    else:
        return smootherstep(np.linspace(0.0, 1.0, len(rows)))
    share = np.maximum.accumulate(np.clip(share, 0.0, 1.0))
    share = smooth(share[:, None], SMOOTHED_S * fps)[:, 0]
    return (share - share[0]) / (share[-1] - share[0])


def between(first: np.ndarray, last: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return values `(n, ...)` at shares `(n,)` of the way between two."""
    first, last = np.asarray(first), np.asarray(last)
    return first + share.reshape(-1, *[1] * first.ndim) * (last - first)
