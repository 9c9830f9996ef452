"""Made motion between motion that stays: where they meet it is what is there, and how far off it is fades,
value and rate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..blend.feet import LIFT, MOST_LIFT
from ..body.feet import BALL, FLAT, HEEL, SWING, TOE
from ..body.seam import faded
from ..character.character import Character
from ..character.motion import Motion, RolePose
from ..easing import bell, smootherstep
from ..geometry.rotation import from_rotation_vector, normalized, norms, rotation_vector, transposed
from ..retarget.retarget import Retargeted
from ..retarget.spans import intervals_of
from ..skeleton.roles import SIDES, sided
from .parts import BODY, FEET, LEVEL, NOTHING, Parts

# seconds in which an offset fades, and its rate; the shortest step in which a foot's does
FADES_S, SETTLES_S, STEP_S = 0.6, 0.2, 0.15
_ON = ((HEEL, FLAT),) * 2 + ((FLAT, BALL, TOE),) * 2  # pivots with which heels and balls stand
_SLIDES = 0.004  # leg lengths: a foot that has farther to go while it should stand takes a step
# rows that stay: the last one before what is made, and the first one after it, the number of rows if none is
Span = tuple[int, int]


def outside(spans: Sequence[Span], count: int) -> np.ndarray:
    """Return which of `count` rows `(count,)` stay."""
    stays = np.ones(count, dtype=bool)
    for first, last in spans:
        stays[first + 1 : last] = False
    return stays


def joined(character: Character, before: Retargeted, made: Retargeted, spans: Sequence[Span]) -> Retargeted:
    """Return a motion that is `before` but within spans, and `made` there: it leaves and reaches what stays
    as that moves.

    A foot that stands where they meet stays there until its next step.
    """
    known, count = len(before.pivots), len(made.pivots)
    begin, end = (
        max(spans[0][0] - 1, 0),
        min(max(last if last < count else _settled(made, first) for first, last in spans) + 2, count),
    )
    rows = np.arange(begin, end)
    part = replace(made, pose=RolePose.rows_of(made.pose, rows), pivots=made.pivots[rows])
    was = RolePose.rows_of(before.pose, np.minimum(rows, known - 1))
    pose, on = _joined(
        character,
        was,
        part,
        [(first - begin, min(last, end) - begin) for first, last in spans],
        known - begin,
    )
    stays, pivots = np.flatnonzero(outside(spans, count)[:known]), made.pivots.copy()
    pivots[rows] = on
    pivots[stays] = before.pivots[stays]

    def whole(motion: Motion, new: Motion, old: Motion | None) -> Motion:
        joined_motions = motion.with_rows(rows, new)
        return joined_motions.with_rows(stays, old[stays]) if old else joined_motions

    motions = {
        role: whole(motion, pose.motions[role], before.pose.motions.get(role))
        for role, motion in made.pose.motions.items()
    }
    return replace(
        made,
        pose=replace(made.pose, motions=motions, root=whole(made.pose.root, pose.root, before.pose.root)),
        pivots=pivots,
    )


def _settled(made: Retargeted, first: int) -> int:
    """Return the row at which nothing is left of what is off at a row after which nothing is known."""
    ends = [FADES_S * made.fps]
    for side in range(2):
        swings = intervals_of(made.pivots[first:, side] == SWING)
        steps = swings[np.ptp(swings, axis=1) + 2.0 >= STEP_S * made.fps]
        ends.append(steps[0, 1] if len(steps) else len(made.pivots))
    return first + int(max(ends)) + 1


def _joined(
    character: Character, was: RolePose, made: Retargeted, spans: Sequence[Span], known: int
) -> tuple[RolePose, np.ndarray]:
    """Return the pose and the pivots `(f, 2)` of rows of which some are `known`; the others of `was` do not
    count."""
    new = Parts.of(character, made.pose, made.pivots)
    old = Parts.of(character, was, made.pivots, new.toes)
    turns, places = rotation_vector(old.turns @ transposed(new.turns)), old.places - new.places
    lows, free, stays = np.minimum(old.lowest(), 0.0), np.zeros(len(turns)), outside(spans, len(turns))
    bent, body = old.pose(made.pose, made.fps, free, old.lowest(), {})[0].in_world(), character.body
    rolls = {}
    for part, bones in (("thigh", body.knee - body.hip), ("shin", body.ankle - body.knee)):
        for role, along in zip((sided(part, side) for side in SIDES), normalized(bones), strict=True):
            if role in bent and role in was.motions:
                own = transposed(bent[role].rotation) @ was.root.rotation @ was.motions[role].rotation
                rolls[role] = (rotation_vector(own) @ along)[:, None] * along
    seams = [_Seam(span, stays & (np.arange(len(stays)) < known), made.fps) for span in spans]
    for seam in seams:
        free[seam.rows] = smootherstep(
            np.minimum(seam.rows - seam.span[0], seam.span[1] - seam.rows) / (SETTLES_S * made.fps)
        )
        for off in (turns[:, :-2], places[:, BODY], lows, *rolls.values()):
            off[seam.rows] = seam.left(off)
    pivots = replace(new, turns=from_rotation_vector(turns) @ new.turns).rolled(new, LEVEL)
    steps = np.zeros(pivots.shape, dtype=bool)
    for seam in seams:
        for column, on in enumerate(_ON, -len(_ON)):
            stands = pivots[:, column % 2] != SWING
            swings = seam.swings(~stands & (norms(places[:, column]) > _SLIDES * body.leg_length))
            stands[swings], steps[swings, column % 2] = False, True
            # it may turn on its heel, then on its ball
            if stands[slice(*seam.span)].all() and stands[seam.span[1] :][:1].any():
                stands = np.isin(pivots[:, column % 2], on)
            if BALL in on:
                turns[seam.rows, column] = seam.left(
                    turns[:, column], np.isin(pivots[:, column % 2], on), STEP_S
                )
            for point, shortest in ((places[:, column, :2], STEP_S), (places[:, column, 2], 0.0)):
                point[seam.rows] = seam.left(point, stands, shortest)
            first, last = seam.span
            far = float(norms(np.diff(places[[first, last % len(places)], column, :2], axis=0))[0])
            if (
                far > _SLIDES * body.leg_length
                and (pivots[first : last + 1, column % 2] != SWING).all()
                and last < len(places)
            ):
                # it stands elsewhere afterwards, so it steps there
                share = (seam.rows - first) / (last - first)
                places[seam.rows, column, 2] += min(LIFT * far, MOST_LIFT * body.leg_length) * bell(share)
                steps[seam.rows, column % 2] = True
    pivots[steps] = SWING
    rises = np.abs(np.gradient(places[:, FEET, 2], axis=0)) > NOTHING * body.leg_length
    floor = np.minimum(new.lowest(), 0.0) + np.minimum(lows, 0.0)
    parts = replace(
        new, turns=from_rotation_vector(turns) @ new.turns, places=new.places + places, pivots=pivots
    )
    pose, lifts = parts.pose(made.pose, made.fps, free, floor, rolls)
    on = replace(parts, pivots=made.pivots).rolled(new, np.where(made.pivots == FLAT, 0.0, 4.0 * LEVEL))
    on = np.where(on == FLAT, made.pivots, on)  # nearly flat it may turn on its ball, as in what is made
    return pose, np.where(lifts | steps | rises.reshape(-1, 2, 2).any(axis=1), SWING, on)


@dataclass(frozen=True)
class _Seam:
    """A span, and which rows `(f,)` are known: those beside its ends tell how what is off changes there."""

    span: Span
    known: np.ndarray
    fps: float

    @property
    def rows(self) -> np.ndarray:
        """Return the rows within."""
        return np.arange(self.span[0] + 1, self.span[1])

    def swings(self, aloft: np.ndarray) -> np.ndarray:
        """Return the rows within on which a foot swings: for a step's time beside an end where it is `aloft`
        `(f,)`."""
        aside = self.rows[:, None] - [end for end in self.span if end < len(aloft) and aloft[end]]
        near = np.abs(aside) < round(STEP_S * self.fps)
        return self.rows[near.any(axis=1)]

    def left(self, off: np.ndarray, stands: np.ndarray | None = None, shortest: float = 0.0) -> np.ndarray:
        """Return what is left of offsets `(f, ...)` within; of a foot that `stands` `(f,)` until a step of at
        least `shortest` seconds."""
        first, last = self.span
        on = None if stands is None else stands[first : last + 1]
        left_over = self._fading(off, first, -1, on, shortest)
        if last < len(off):
            return left_over + self._fading(off, last, 1, None if on is None else on[::-1], shortest)[::-1]
        if on is not None and on.all():
            left_over[:] = off[first]
        return left_over

    def _fading(
        self, off: np.ndarray, at: int, outward: int, stands: np.ndarray | None, shortest: float
    ) -> np.ndarray:
        """Return what is left of the offset at an end: nothing at the other one, if there is one; `outward`:
        to the row beside it."""
        beside, ends = at + outward, self.span[1] < len(off)
        is_known = 0 <= beside < len(off) and self.known[beside]
        off, rate = off[at], off[at] - off[beside if is_known else at]
        frames, fades = self.span[1] - self.span[0], FADES_S * self.fps
        begins, settles = 0.0, min(SETTLES_S * self.fps, frames)
        if stands is None:
            fades = frames if ends else fades
        elif stands.all():
            fades, rate = frames, 0.0 * rate
        else:
            steps = intervals_of(~stands)
            first, last = steps[np.argmax(np.minimum(np.ptp(steps, axis=1) + 2.0, shortest * self.fps))]
            begins = max(first - 1.0, 0.0)
            fades = min(last + 1.0 - begins, frames - begins, np.inf if first else fades)
            rate, settles = rate * (not stands[0]), min(settles, steps[0, 1] + 1.0)
        since = np.arange(1.0, frames).reshape(-1, *[1] * np.ndim(off))
        rests = faded(since - begins, off, 0.0, max(fades, NOTHING))
        return rests + faded(since, 0.0, rate, settles)
