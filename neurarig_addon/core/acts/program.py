"""A walk with acts: the walk waits, or leaves out a step, while an act plays; each pose is a function of its
frame."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..body.reaching import hands_in_trunk
from ..character.body import RIGHT
from ..character.motion import Motion
from ..errors import NeuraRigError
from ..gait.pose import WalkPose, joined
from ..gait.walker import Walker
from ..path.path import with_turns, without_turns
from .act import BODY, BODY_PART, FEET, HANDS, OBJECT, STEP
from .carry import Carry, Touching
from .ends import End, Walked
from .feet import contacts_of
from .gestures import Gesture
from .jump import jumped
from .mark import ActMark, done
from .moments import reached_by, seconds_at
from .score import Score
from .seated import Holding, holding, seated
from .staging import Staged

# Moments of each act at which it is looked how deep skin is in something; metres that are told, of a body
# with legs up to so long
LOOKS, TOLD, LARGE = 17, 0.02, 2.0


@dataclass(frozen=True)
class Touch:
    """A `part` that touches something, `on` as in `act.Contact`, from one shown frame to another."""

    part: str
    begin: float
    end: float
    on: str


@dataclass(frozen=True)
class Span:
    """When the act of a `number` and `name` plays, in frames as shown, what it touches, and when seats bear
    it."""

    number: int
    name: str
    begin: float
    end: float
    touches: tuple[Touch, ...]
    seated: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class PlayedAct:
    """An act on its stage from the shown frame `begin` on, where the walk is `left`, to the walk's frame
    `entered`, shown at `end`."""

    number: int
    staged: Staged
    begin: float
    end: float
    left: float
    entered: float


@dataclass(frozen=True)
class Program:
    """A walk `walked` with acts.

    `played`: those between two moments of it, in order, if it ever comes there; `gestures`: those of the
    upper body. `carries`: what
    both hands carry.
    """

    walker: Walker
    walked: Walked
    played: tuple[PlayedAct, ...]
    gestures: tuple[Gesture, ...]
    carries: tuple[Carry, ...] = ()

    def pose(self, frames: np.ndarray) -> WalkPose:
        """Return the walk with its acts at frames `(f,)`."""
        frames = np.asarray(frames, dtype=float)
        plays = [(one, np.flatnonzero((frames >= one.begin) & (frames < one.end))) for one in self.played]
        parts = [(_acted(one, frames[rows], self.walker.clock.fps), rows) for one, rows in plays if len(rows)]
        walks = np.setdiff1d(
            np.arange(len(frames)), np.concatenate([np.zeros(0, dtype=int), *(rows for _, rows in parts)])
        )
        if len(walks) or not parts:
            parts.append((replace(self.walked(self.walk_frames(frames[walks])), frames=frames[walks]), walks))
        found = joined(*zip(*parts, strict=True))
        for over in (*self.gestures, *self.carries):
            found = over.over(found)
        return found

    def walk_frames(self, frames: np.ndarray) -> np.ndarray:
        """Return the walk's own frames `(f,)`: it waits while an act plays."""
        found = np.array(frames, dtype=float)
        for one in self.played:
            after = np.where(frames >= one.end, frames - one.end + one.entered, one.left)
            found = np.where(frames >= one.begin, after, found)
        return found

    def shown(self, frame: float) -> float:
        """Return the frame on which a frame of the walk is shown; one that an act leaves out is where that
        begins."""
        late = 0.0
        for one in self.played:
            if frame < one.entered:
                return min(frame + late, one.begin)
            late = one.end - one.entered
        return frame + late

    @cached_property
    def sunk(self) -> list[tuple[int, str, float]]:
        """How many metres skin is too deep in something, by the numbers of acts: an OBJECT that they are
        for, or the ground; a BODY_PART, a hand or what both carry."""
        found, body = [], self.walker.body
        belly = {one.taken.number: one.sinks for one in self.carries}
        for one in self.played:
            pose = self.pose(np.linspace(one.begin, one.end, LOOKS))
            deep = one.staged.bounds(pose.root).sunk(body, pose.motions, pose.root, body.skin).max()
            own = hands_in_trunk(body, pose.motions)
            own = max(float(own.max() - own[0]), belly.get(one.number, 0.0))
            found += [(one.number, OBJECT, float(deep)), (one.number, BODY_PART, own)]
        return [each for each in found if each[2] > TOLD * max(body.leg_length / LARGE, 1.0)]

    def _begins(self, asked: ActMark) -> float:
        """Return the shown frame on which an act of the upper body begins: its own, or where the walk comes
        to its distance."""
        if asked.frame is not None:
            return float(np.round(asked.frame))
        seconds = seconds_at(self.walker, with_turns(self.walker.path, asked.distance))
        return float(np.round(self.shown(float(self.walker.clock.frames(seconds)[0]))))

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """When acts play, in order."""
        fps = self.walker.clock.fps
        found = [
            Span(
                one.number,
                one.staged.asked.act.name,
                one.begin,
                one.end,
                _touches(one, fps),
                tuple((one.begin + fps * begin, one.begin + fps * end) for begin, end in one.staged.seated),
            )
            for one in self.played
        ]
        found += [Span(one.number, one.asked.act.name, one.begin, one.end, ()) for one in self.gestures]
        return tuple(sorted(found, key=lambda span: span.begin))


def planned(walker: Walker, walked: Walked, acts: tuple[ActMark, ...]) -> Program:
    """Return a walk with acts, whose path has their marks.

    Raises NeuraRigError, with the act's name and what is possible, for one that cannot be done.
    """
    played: list[PlayedAct] = []
    late = 0.0
    reached = reached_by(walker, acts)
    for (number, staged), (left, entered) in zip(
        _staged(walker, walked, acts, reached).items(), reached.values(), strict=True
    ):
        if played and left < played[-1].entered:
            other = acts[played[-1].number].act.name
            raise NeuraRigError(
                f"{acts[number].act.name} begins before {other} is over. Move one of them farther along the"
                " path."
            )
        begin = left + late
        end = begin + float(np.round(staged.seconds * walker.clock.fps))
        played.append(PlayedAct(number, staged, begin, end, left, entered))
        late = end - entered
    program = Program(walker, walked, tuple(played), (), tuple(_carries(walker, played)))
    body, fps = walker.body, walker.clock.fps
    begins = {number: program._begins(asked) for number, asked in done(acts, on_feet=False).items()}
    return replace(
        program,
        gestures=tuple(
            Gesture.of(body, fps, number, _handed(acts[number], program, begin), begin)
            for number, begin in begins.items()
        ),
    )


def placed(
    asked: tuple[ActMark, ...], walks: Callable[[tuple[ActMark, ...]], tuple[Walker, Walked]]
) -> tuple[ActMark, ...]:
    """Return acts with the distance at which the walk comes to their frames, with the acts before them and
    those at a distance.

    `walks`: from acts to the walk on whose path they have marks.
    """
    found = {
        number: one
        for number, one in enumerate(asked)
        if one.frame is None or one.act.base == BODY or one.waits
    }
    lasts: dict[int, float] = {}
    for number, one in sorted(
        ((number, one) for number, one in enumerate(asked) if number not in found),
        key=lambda each: each[1].frame or 0.0,
    ):
        acts = tuple(found.get(other, replace(each, waits=True)) for other, each in enumerate(asked))
        walker, walked = walks(acts)
        shown = frame = one.frame or 0.0
        late = 0.0
        for other, (left, entered) in reached_by(walker, acts).items():
            if shown < left + late:
                break
            if other not in lasts:
                lasts[other] = _lasts(walker, walked, acts, other, (left, entered))
            end = left + late + lasts[other]
            frame = left if shown < end else shown - end + entered
            late = end - entered
        way = float(walker.rhythm.distance_at(walker.clock.seconds(np.array([frame])))[0])
        found[number] = replace(one, distance=max(without_turns(walker.path, way), 0.0))
    return tuple(found[number] for number in range(len(asked)))


def _lasts(
    walker: Walker, walked: Walked, acts: tuple[ActMark, ...], number: int, between: tuple[float, float]
) -> float:
    """Return the frames that an act plays between two of the walk; of one on the ground they follow from how
    long it is held."""
    asked, fps = acts[number], walker.clock.fps
    flies = asked.act.flight is not None
    score = (
        _staged(walker, walked, acts, {number: between})[number].score
        if flies
        else Score.of(asked.act, asked.seconds, fps)
    )
    return float(np.round(score.seconds * fps))


def _carries(walker: Walker, played: list[PlayedAct]) -> Iterator[Carry]:
    """Yield what both hands carry: each thing that they take, to where they put it down."""
    taken: dict[int | None, Touching] = {}
    for one in played:
        asked, touching = one.staged.asked, Touching.of(one.number, one.staged, one.begin)
        if touching is None:
            continue
        if asked.thing in taken:
            yield Carry(walker.body, walker.clock.fps, taken.pop(asked.thing), touching)
        else:
            taken[asked.thing] = touching
    yield from (Carry(walker.body, walker.clock.fps, touching, None) for touching in taken.values())


def _staged(
    walker: Walker, walked: Walked, acts: tuple[ActMark, ...], reached: dict[int, tuple[float, float]]
) -> dict[int, Staged]:
    """Return acts on their stages between two moments of the walk, those of numbers that it reaches, in that
    order.

    As it is filed an act leads with the right side.
    """
    planned = sorted(
        {frame for number, frames in reached.items() if acts[number].is_planned for frame in frames}
    )
    ends = End.all(walker, walked, {frame for frames in reached.values() for frame in frames}, planned)
    found: dict[int, Staged] = {}
    held: dict[int, Holding] = {}
    for number, (left, entered) in reached.items():
        asked, begin = acts[number], ends[left]
        holds = None if asked.thing is None or not asked.act.takes else held.pop(asked.thing, None)
        if holds is not None:
            asked = replace(asked, right=holds.sides == (RIGHT,), apart=holds.apart)
        if asked.act.flight is not None:
            asked = replace(asked, weight=sum(each.weight for each in held.values()))
        mirrored = bool(begin.stands[0]) if asked.act.base == STEP else _left_handed(asked, begin.root)
        asked = replace(asked, act=asked.act.mirrored) if mirrored else asked
        staged = Staged(
            asked, walker, (begin, ends[entered]), Score.of(asked.act, asked.seconds, walker.clock.fps)
        )
        found[number] = staged = staged if asked.act.flight is not None else seated(staged, holds)
        if holds is None and asked.thing is not None and any(grip.place is not None for grip in staged.grips):
            held[asked.thing] = holding(staged)
    jumps = [number for number, staged in found.items() if staged.asked.act.flight is not None]
    return found | dict(zip(jumps, jumped([found[number] for number in jumps]), strict=True))


def _handed(asked: ActMark, program: Program, begin: float) -> ActMark:
    """Return an act of the upper body that begins on a shown frame, as its character does it, and with the
    hand that does it."""
    asked = replace(asked, act=asked.act.way(program.walker.track.seed))
    if asked.goal is None:
        return asked
    return replace(asked, right=not _left_handed(asked, program.pose(np.array([begin])).root))


def _left_handed(asked: ActMark, root: Motion) -> bool:
    """Return whether an act is done with the left hand: as asked, or the one nearer to its goal; `root`: at
    odd numbers of moments about its beginning."""
    if asked.right is not None or asked.goal is None or asked.apart is not None:
        return asked.right is False
    hands = {contact.part for contact in asked.act.reaches} or asked.act.own_arms
    away = root.seen(asked.goal)[len(root.position) // 2]
    return len(hands) == 1 and (float(away[1]) > 0.0) == (hands == {HANDS[1]})


def _acted(one: PlayedAct, frames: np.ndarray, fps: float) -> WalkPose:
    """Return an act at frames `(f,)`; what it does not say is as where the walk is left."""
    motions, along, stand = one.staged.motions((frames - one.begin) / fps)
    count, end = len(frames), one.staged.ends[0].pose
    pose = end.repeated(np.ones(count, dtype=int), frames, np.zeros(count), np.zeros((count, 3)))
    return replace(
        pose,
        motions={role: motions[role] for role in pose.motions},
        root=along.root,
        turns=True,
        pivot=stand.pivot,
        pitch=stand.pitch,
        ground_speed=np.zeros(count),
        period=np.full(count, np.inf),  # no cycle and no swing of its own
        duty=np.ones((count, 2)),
    )


def _touches(one: PlayedAct, fps: float) -> tuple[Touch, ...]:
    """Return what an act touches: its feet the ground, and what its file says of hands and seat."""
    score, act = one.staged.score, one.staged.asked.act
    feet = [contact for foot in FEET for contact in contacts_of(act, foot)]
    found = [
        Touch(
            contact.part,
            one.begin + fps * score.played_at(contact.begin),
            one.begin + fps * score.played_at(contact.end),
            contact.on,
        )
        for contact in (*feet, *(contact for contact in act.contacts if contact.part not in FEET))
    ]
    return tuple(sorted(found, key=lambda touch: touch.begin))
