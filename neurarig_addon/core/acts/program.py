"""A walk with acts: the walk waits, or leaves out a step, while an act plays; each pose is a function of its frame."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..character.body import RIGHT
from ..errors import NeuraRigError
from ..gait.pose import WalkPose
from ..gait.steps.footsteps import footsteps
from ..gait.timing.course import extended
from ..gait.walker import Walker
from ..path.marks import EITHER, Mark
from ..path.path import with_turns
from .act import FEET, HANDS, STAND, STEP
from .carry import Carry, Touching
from .ends import End, Walked
from .gestures import Gesture
from .grips import Holding
from .jump import jumped
from .mark import ActMark, done
from .score import Score
from .seated import holding, seated
from .staging import Staged

# Cycles after the other foot has left the ground, and before it touches it again, at which a step is left for an act, and at which the walk
# goes on; in a run, whose other foot is in the air all the time, shares of the stance.
APART, EARLIEST, LATEST = 0.025, 0.05, 0.9
MIDDLE = 0.25  # cycles after its heel strike that a foot is about in the middle of its stance
NEARLY = 1e-6  # frames
NEAR = 0.05  # leg lengths that a standstill may be off its mark


@dataclass(frozen=True)
class Touch:
    """A `part` that touches something, `on` as in `act.Contact`, from one shown frame to another."""

    part: str
    begin: float
    end: float
    on: str


@dataclass(frozen=True)
class Span:
    """When the act of a `number` and `name` plays, in frames as shown, and what it touches."""

    number: int
    name: str
    begin: float
    end: float
    touches: tuple[Touch, ...]


@dataclass(frozen=True)
class Played:
    """An act on its stage from the shown frame `begin` on, to the walk's frame `entered`, shown at `end`."""

    number: int
    staged: Staged
    begin: float
    end: float
    entered: float


@dataclass(frozen=True)
class Program:
    """A walk `walked` with acts.

    `played`: those between two moments of it, in order; `gestures`: those of the upper body.  `unreached`: numbers of acts that the walk
    never comes to.  `carries`: what both hands carry.
    """

    walker: Walker
    walked: Walked
    played: tuple[Played, ...]
    gestures: tuple[Gesture, ...]
    unreached: tuple[int, ...]
    carries: tuple[Carry, ...] = ()

    def pose(self, frames: np.ndarray) -> WalkPose:
        """Return the walk with its acts at frames `(f,)`."""
        frames = np.asarray(frames, dtype=float)
        found = replace(self.walked(self.walk_frames(frames)), frames=frames)
        for one in self.played:
            rows = (frames >= one.begin) & (frames < one.end)
            if rows.any():
                found = _with(found, rows, one.staged, (frames[rows] - one.begin) / self.walker.clock.fps)
        for over in (*self.gestures, *self.carries):
            found = over.over(found)
        return found

    def walk_frames(self, frames: np.ndarray) -> np.ndarray:
        """Return the walk's own frames `(f,)`: it waits while an act plays."""
        found = np.array(frames, dtype=float)
        for one in self.played:
            after = np.where(frames >= one.end, frames - one.end + one.entered, one.staged.ends[0].frame)
            found = np.where(frames >= one.begin, after, found)
        return found

    def shown(self, frame: float) -> float:
        """Return the frame on which a frame of the walk is shown; one that an act leaves out is where that begins."""
        late = 0.0
        for one in self.played:
            if frame < one.entered:
                return min(frame + late, one.begin)
            late = one.end - one.entered
        return frame + late

    def _begins(self, asked: ActMark) -> float:
        """Return the shown frame on which an act of the upper body begins: its own, or where the walk comes to its distance."""
        if asked.frame is not None:
            return float(np.round(asked.frame))
        pace, way = self.walker.rhythm, with_turns(self.walker.path, asked.distance)
        seconds = extended(np.array([way]), *_rising(pace.distance, pace.seconds))
        return float(np.round(self.shown(float(self.walker.clock.frames(seconds)[0]))))

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """When acts play, in order."""
        found = [
            Span(one.number, one.staged.asked.act.name, one.begin, one.end, _touches(one, self.walker.clock.fps)) for one in self.played
        ]
        found += [Span(one.number, one.asked.act.name, one.begin, one.end, ()) for one in self.gestures]
        return tuple(sorted(found, key=lambda span: span.begin))


def planned(walker: Walker, walked: Walked, acts: tuple[ActMark, ...]) -> Program:
    """Return a walk with acts, whose path has their marks.

    Raises NeuraRigError, with the act's name and what is possible, for one that cannot be done.
    """
    played: list[Played] = []
    held: dict[int, Holding] = {}
    late = 0.0
    found = {number: _frames(walker, number, asked) for number, asked in done(acts, on_feet=True).items()}
    unreached = tuple(number for number, frames in found.items() if frames is None)
    ends = End.all(walker, walked, [frame for frames in found.values() if frames is not None for frame in frames])
    for (left, entered), number in sorted((frames, number) for number, frames in found.items() if frames is not None):
        if played and left < played[-1].entered:
            other = acts[played[-1].number].act.name
            raise NeuraRigError(f"{acts[number].act.name} begins before {other} is over. Move one of them farther along the path.")
        staged = _staged(walker, acts[number], (ends[left], ends[entered]), held)
        begin = left + late
        end = begin + float(np.round(staged.seconds * walker.clock.fps))
        played.append(Played(number, staged, begin, end, entered))
        late = end - entered
    program = Program(walker, walked, tuple(played), (), unreached, tuple(_carries(walker, played)))
    body, fps = walker.body, walker.clock.fps
    begins = {number: program._begins(asked) for number, asked in done(acts, on_feet=False).items()}
    return replace(program, gestures=tuple(Gesture.of(body, fps, number, acts[number], begin) for number, begin in begins.items()))


def _carries(walker: Walker, played: list[Played]) -> Iterator[Carry]:
    """Yield what both hands carry: each thing that they take, to where they put it down."""
    taken: dict[int | None, Touching] = {}
    for one in played:
        asked, touching = one.staged.asked, Touching.of(one.staged, one.begin)
        if touching is None:
            continue
        if asked.thing in taken:
            yield Carry(walker.body, walker.clock.fps, taken.pop(asked.thing), touching)
        else:
            taken[asked.thing] = touching
    yield from (Carry(walker.body, walker.clock.fps, touching, None) for touching in taken.values())


def _rising(values: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two rows of knots `(n,)` without those at which the first does not rise."""
    kept = np.concatenate([[True], np.diff(values) > 1e-9])
    return values[kept], others[kept]


def _staged(walker: Walker, asked: ActMark, ends: tuple[End, End], held: dict[int, Holding]) -> Staged:
    """Return an act on its stage between two moments of the walk; as it is filed it leads with the right side.

    `held`: how things are held by now, after which it is how they are after the act.
    """
    begin = ends[0]
    holds = None if asked.thing is None or not asked.act.takes else held.pop(asked.thing, None)
    if holds is not None:
        asked = replace(asked, right=holds.sides == (RIGHT,), apart=holds.apart)
    mirrored = bool(begin.stands[0]) if asked.act.base == STEP else _left_handed(asked, begin)
    asked = replace(asked, act=asked.act.mirrored) if mirrored else asked
    staged = Staged(asked, walker, ends, Score.of(asked.act, asked.seconds, walker.clock.fps))
    if asked.act.flight is not None:
        return jumped(staged)
    staged = seated(staged, holds)
    if holds is None and asked.thing is not None and any(grip.place is not None for grip in staged.grips):
        held[asked.thing] = holding(staged)
    return staged


def _left_handed(asked: ActMark, begin: End) -> bool:
    """Return whether an act is done with the left hand: as asked, or the nearer one for one that takes something."""
    if asked.right is not None or asked.goal is None or asked.apart is not None:
        return asked.right is False
    hands = {contact.part for contact in asked.act.takes}
    away = begin.root.seen(np.broadcast_to(asked.goal, (3, 1, 3)))[1, 0]
    return len(hands) == 1 and (float(away[1]) > 0.0) == (hands == {HANDS[1]})


def _frames(walker: Walker, number: int, asked: ActMark) -> tuple[float, float] | None:
    """Return the whole frames of the walk at which it is left for an act, and goes on; None if it never comes there."""
    marks = [mark for mark in walker.path.marks if mark.act == number]
    if not marks:
        return None
    if asked.act.base == STAND:
        moments = [_standing(walker, mark) for mark in marks]
    else:
        moments = list(_stepping(walker, marks[0], marks[1]))
    frames = [float(walker.clock.frames(np.array(moment))) for moment in moments if moment is not None]
    if len(frames) < len(marks):
        return None
    left = float(np.ceil(frames[0] - NEARLY))
    return left, left if len(frames) == 1 else float(np.floor(frames[1] + NEARLY))


def _standing(walker: Walker, mark: Mark) -> float | None:
    """Return the seconds in the middle of a standstill at a mark."""
    rests = walker.rhythm.rests
    off = np.abs(rests.distance - mark.way)
    near = np.flatnonzero(off < NEAR * walker.body.leg_length)
    near = near[np.isfinite(rests.end[near]) & np.isfinite(rests.begin[near])]
    return None if not len(near) else float(0.5 * (rests.begin[near[0]] + rests.end[near[0]]))


def _stepping(walker: Walker, take_off: Mark, landing: Mark) -> tuple[float, float]:
    """Return the seconds late in the stance of the foot that stands at a mark, and in that of the next foot at another."""
    pace = walker.rhythm
    when = extended(np.array([take_off.way, landing.way]), *_rising(pace.distance, pace.seconds))
    off = np.abs(pace.phases_at(when[:1])[0] - MIDDLE - np.round(pace.phases_at(when[:1])[0] - MIDDLE))
    foot = int(np.argmin(off)) if take_off.foot == EITHER else int(take_off.foot or 0)
    (stood, lifts), (lands, stands) = _stance(walker, when[0], foot), _stance(walker, when[1], 1 - foot)
    begins = stood + max(lifts - stood - 0.5 + APART, EARLIEST * (lifts - stood))
    ends = lands + min(0.5 - APART, LATEST * (stands - lands))
    left, entered = (float(pace.seconds_when(np.full((1, 2), at))[0, side]) for at, side in ((begins, foot), (ends, 1 - foot)))
    return left, entered


def _stance(walker: Walker, when: float, foot: int) -> tuple[float, float]:
    """Return the phases at which a foot touches the ground and leaves it, of the stance in whose middle it is at about `when` seconds."""
    number = np.round(walker.rhythm.phases_at(np.array([when])) - MIDDLE)
    plan = footsteps(walker, number + MIDDLE)
    steps = plan.steps.take(plan.under_way(number + MIDDLE))
    return float(steps.contact[0, foot]), float(steps.lift[0, foot])


def _with(pose: WalkPose, rows: np.ndarray, staged: Staged, at: np.ndarray) -> WalkPose:
    """Return a walk with an act on some rows `(f,)`, at times in seconds of play."""
    motions, along, stand = staged.motions(at)

    def put(values: np.ndarray, others: np.ndarray | float) -> np.ndarray:
        found = np.array(values)
        found[rows] = others
        return found

    root = along.root
    return replace(
        pose.with_motions(rows, {role: motions[role] for role in pose.motions}),
        root=replace(pose.root, rotation=put(pose.root.rotation, root.rotation), position=put(pose.root.position, root.position)),
        turns=True,
        pivot=put(pose.pivot, stand.pivot),
        pitch=put(pose.pitch, stand.pitch),
        ground_speed=put(pose.ground_speed, 0.0),
        period=put(pose.period, np.inf),  # no cycle and no swing of its own
        duty=put(pose.duty, 1.0),
    )


def _touches(one: Played, fps: float) -> tuple[Touch, ...]:
    """Return what an act touches: its feet on the ground after the first prints, and what its file says of hands and seat."""
    found = [
        Touch(FEET[side], one.begin + fps * stance.begin, one.begin + fps * stance.end, "ground")
        for side, stances in enumerate(one.staged.stances)
        for stance in stances
    ]
    score, act = one.staged.score, one.staged.asked.act
    found += [
        Touch(contact.part, one.begin + fps * score.played_at(contact.begin), one.begin + fps * score.played_at(contact.end), contact.on)
        for contact in act.contacts
        if contact.part not in FEET
    ]
    return tuple(sorted(found, key=lambda touch: touch.begin))
