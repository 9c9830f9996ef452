"""A stretch of walk from which clips are cut: from standing into full stride, perhaps round a corner, and
back to standing.

Its clips join exactly, because they are frames of one walk, and a steady stride is the same wherever it is
cut.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..character.body import LEFT, RIGHT, Body
from ..gait.kinds.gait import Gait
from ..gait.kinds.gaits import walking_speed
from ..gait.kinds.law import run_stride
from ..gait.kinds.natural import chosen_speed, natural_stride, speed_of
from ..gait.pose import WalkPose
from ..gait.sliders.style import Clock, StyleTrack
from ..gait.synthesis import walked
from ..gait.walker import Walker
from ..ground.surface import LEVEL, Ground, Surface
from ..path.curve import Curve
from ..path.marks import Mark
from ..path.path import STRAIGHT as STRAIGHT_ON
from ..skeleton.roles import BIPED
from .clip import FEET, WALK, BlendGroup, ClipPlan
from .seams import unlike

BY_SPEED = "BY_SPEED"
QUIET = 1e-4  # of the idle slider: somebody stands, but hardly sways
STRIDES = 12.0  # on a straight: four to get going, four to stop, and some that are steady
PAUSE_S = 4.0  # of standing before a turn on the spot
LOOKS, STRAIGHT = 400, 1e-6  # samples of a path; radians a metre
NEARLY = 0.5  # of a frame
FLIGHT = 10  # treads before and behind the middle of a walk on stairs
FOREVER_S = 1e3  # before its start it stands
ROUND, CORNER_STEP = 0.7, np.radians(10.0)  # leg lengths: radius of a corner
# how often at most the cadence is corrected for a whole number of frames; by how many of them it may be off
MATCHES, EXACT = 4, 1e-6
EVEN = (0, 2, -2, 4)  # what is tried beside the nearest even number: then the right foot lands on a frame too


@dataclass(frozen=True)
class Walking:
    """Who walks in a set, and how: body, sliders and frames a second; `gait_of`: the gait of a name, in the
    character's style.

    `speed`: m/s of its walk; None for the group's.
    """

    body: Body
    track: StyleTrack
    fps: float
    gait_of: Callable[[str], Gait]
    speed: float | None = None

    @property
    def walk_speed(self) -> float:
        """How fast it walks, in m/s."""
        natural = chosen_speed(self.body.leg_length) if self.body.kind == BIPED else walking_speed(self.body)
        return self.speed or natural

    def speed_of(self, group: BlendGroup) -> float:
        """Return how fast a group goes ahead, in m/s."""
        return self.walk_speed if group.name == WALK else speed_of(group.vhat, self.body.leg_length)


@dataclass(frozen=True)
class StretchWay:
    """Where a stretch leads: ahead, from standing to standing.

    `left_first`: which foot steps first. `corner`: radians by which it turns half way; `spot`: at its end, on
    the spot; left positive.
    `strides`: how long its straights are.
    """

    left_first: bool = True
    corner: float = 0.0
    spot: float = 0.0
    strides: float = STRIDES

    def path(self, straight: float, leg_length: float) -> Curve:
        """Return the path with straights of so many metres."""
        points = [np.zeros(3), np.array([straight, 0.0, 0.0])]
        if self.corner:
            turns = np.linspace(0.0, self.corner, 1 + round(abs(self.corner) / CORNER_STEP))[1:]
            round_it = np.stack(
                [np.sin(np.abs(turns)), np.sign(self.corner) * (1.0 - np.cos(turns)), 0.0 * turns], axis=-1
            )
            points += [points[1] + ROUND * leg_length * place for place in round_it]
            points.append(points[-1] + straight * np.array([np.cos(self.corner), np.sin(self.corner), 0.0]))
        turns = (Mark(is_end=True, pause=PAUSE_S), Mark(is_end=True, turn=self.spot)) if self.spot else ()
        return Curve.through(np.array(points), leg_length, starts=True, marks=turns)


@dataclass(frozen=True)
class Stretch:
    """A walk on a straight or round a corner; `cycle`: frames of a steady cycle, a whole number."""

    walker: Walker
    cycle: int

    @classmethod
    def of(cls, walking: Walking, plan: ClipPlan, way: "StretchWay", cycle: int | None = None) -> "Stretch":
        """Return the walk of a plan on a way; `cycle`: frames it shall take, by default the nearest to
        natural."""
        speed = plan.pace * walking.speed_of(plan.group)
        constant = walking.track.constant
        wanted = {
            "speed": speed,
            "facing": -plan.toward,
            "idle": QUIET,
            "phase": 0.5 * way.left_first,
            "look_around": 0.0,
            "variation": 0.0,
        }
        track = replace(
            walking.track,
            constant=replace(constant, **wanted, crouch=constant.crouch + plan.group.crouch),
            curves={},
        )
        gait = walking.gait_of(BY_SPEED if plan.group.gait == "RUN" and not plan.toward else plan.group.gait)
        clock = Clock(walking.fps, 0.0, whole_frames=False)
        natural = run_stride if plan.group.gait == "RUN" else natural_stride
        stride = float(natural(np.array(speed), walking.body.leg_length)) * max(1.0, constant.stride)
        path = way.path(way.strides * stride, walking.body.leg_length)
        middle = 0.5 * (path.extent[0] + path.extent[1])
        grade = float(np.tan(np.radians(plan.slope)))
        ground = Surface(lambda places: grade * places[:, 0]) if grade else LEVEL
        if plan.tread:
            ground = _stairs(grade, plan.tread * walking.body.leg_length, middle)

        def walked_in(track: StyleTrack, frames: int) -> Stretch:
            return cls(Walker.of(walking.body, track, clock, gait, path, ground), frames)

        found = walked_in(track, 0)
        nearest = 2 * round(0.5 * found.steady_frames)
        if plan.tread:  # which decides how long a stride takes: it is played a little quicker or slower
            return walked_in(track, nearest)
        for wish in [cycle] if cycle else [nearest + more for more in EVEN]:
            for _ in range(MATCHES):
                cadence = track.constant.cadence * found.steady_frames / wish
                track = replace(track, constant=replace(track.constant, cadence=cadence))
                found = walked_in(track, wish)
                if abs(found.steady_frames - wish) < EXACT:
                    return found
        return found

    def keyed(
        self, phase: float, haste: float, curves: Mapping[str, tuple[np.ndarray, np.ndarray]]
    ) -> "Stretch":
        """Return this walk straight on with other keyed sliders, from a phase on, by somebody in haste."""
        walker = self.walker
        track = replace(
            walker.track,
            constant=replace(walker.track.constant, phase=phase),
            curves=curves,
            haste=haste,
        )
        return Stretch(
            Walker.of(walker.body, track, walker.clock, walker.gait, STRAIGHT_ON, walker.ground), self.cycle
        )

    def between(self, begin: float, end: float) -> WalkPose:
        """Return the walk between two frames, as many as fit in best."""
        return self.pose(np.linspace(begin, end, 1 + round(end - begin)))

    def pose(self, frames: np.ndarray) -> WalkPose:
        """Return the walk at fractional frames `(f,)`."""
        return walked(self.walker, frames)

    @property
    def steady_frames(self) -> float:
        """Frames of a cycle in full stride."""
        pace, seconds = self.walker.rhythm, np.array([self._steady_s])
        return float(pace.stride_at(seconds)[0] / pace.speed_at(seconds)[0]) * self.walker.clock.fps

    @cached_property
    def _steady_s(self) -> float:
        """Seconds at which it is in full stride: half way to a corner, or to the first stop."""
        pace = self.walker.rhythm
        return 0.5 * float(
            pace.rests.end[0] + (self._bent_s[0] if len(self._bent_s) else pace.rests.begin[1])
        )

    @cached_property
    def _bent_s(self) -> np.ndarray:
        """The seconds at which its path is bent `(n,)`, none on a straight one."""
        pace = self.walker.rhythm
        seconds = np.linspace(float(pace.rests.end[0]), float(pace.rests.begin[-1]), LOOKS)
        return seconds[np.abs(self.walker.path.curvature(pace.distance_at(seconds))) > STRAIGHT]

    @property
    def bend(self) -> tuple[float, float]:
        """The frames between which its path bends."""
        fps = self.walker.clock.fps
        return fps * float(self._bent_s[0]), fps * float(self._bent_s[-1])

    @property
    def out_of_step(self) -> float:
        """By how many cycles the steps before its bend are ahead of steady ones, so as to meet it on the
        right foot."""
        pace, seconds = self.walker.rhythm, np.array([self._steady_s, self._bent_s[0]])
        way, phase = pace.distance_at(seconds), pace.phase_at(seconds)
        return float(phase[1] - phase[0] - (way[1] - way[0]) / pace.stride_at(seconds)[0])

    @cached_property
    def contacts(self) -> tuple[tuple[int, float], ...]:
        """The feet and the frames at which they land, in order, from the first step to the last."""
        pace, fps = self.walker.rhythm, self.walker.clock.fps
        begin, end = self._goes
        numbers = np.arange(0.0, np.ceil(pace.phase[-1]) + 2.0)
        times = pace.seconds_when(np.stack([numbers, numbers], axis=-1))
        landed = [
            (side, fps * float(times[row, side])) for row in range(len(numbers)) for side in (LEFT, RIGHT)
        ]
        return tuple(
            sorted((each for each in landed if fps * begin < each[1] < fps * end), key=lambda each: each[1])
        )

    @cached_property
    def _goes(self) -> tuple[float, float]:
        """The seconds between which it goes: from a standstill at its beginning to one at its end."""
        seconds, rests = self.walker.rhythm.seconds, self.walker.rhythm.rests
        begins, ends = rests.begin[0] == -np.inf, rests.end[-1] == np.inf
        return float(rests.end[0] if begins else seconds[0]), float(rests.begin[-1] if ends else seconds[-1])

    def contacts_between(self, begin: float, end: float) -> tuple[tuple[str, float], ...]:
        """Return the contacts between two frames, as names of feet and frames from the first."""
        within = (each for each in self.contacts if begin - NEARLY <= each[1] <= end + NEARLY)
        longer = round(end - begin) / (end - begin)
        return tuple(
            (FEET[side], round(longer * (float(np.clip(at, begin, end)) - begin), 4)) for side, at in within
        )

    @cached_property
    def steady(self) -> tuple[float, float]:
        """The frames at which the left and the right foot land in full stride."""
        middle = self.walker.clock.fps * self._steady_s
        left, right = (
            min((abs(at - middle), at) for foot, at in self.contacts if foot == side)[1]
            for side in (LEFT, RIGHT)
        )
        return left, right

    @property
    def again(self) -> float:
        """The frame at which the left foot lands next."""
        return next(at for side, at in self.contacts if side == LEFT and at > self.steady[LEFT])

    def join(self, contact: int) -> tuple[float, float]:
        """Return the frame nearest to a contact in full stride that the loop has too, and its phase there.

        A walk whose right foot is off the beat lands between two frames of the loop.
        """
        side, at = self.contacts[contact]
        after = (self.steady[side] - self.steady[LEFT]) % self.cycle
        return at + round(after) - after, (round(after) % self.cycle) / self.cycle

    @cached_property
    def standing(self) -> WalkPose:
        """The pose before the first step."""
        return self.pose(np.array([-FOREVER_S * self.walker.clock.fps]))

    @cached_property
    def off_stride(self) -> np.ndarray:
        """By how many degrees the pose at each contact is another than in full stride `(contacts,)`."""
        wanted = self.pose(np.array(self.steady))
        sides = np.array([side for side, _ in self.contacts])
        return unlike(self.pose(np.array([at for _, at in self.contacts])), wanted, sides)

    @property
    def leaves(self) -> float:
        """The frame at which it last leaves a standstill."""
        return self.walker.clock.fps * float(self.walker.rhythm.rests.end[-2])

    @property
    def rests(self) -> float:
        """The frame from which on it stands."""
        return self.walker.clock.fps * self._goes[1]


def _stairs(grade: float, tread: float, middle: float) -> Ground:
    """Return a flight of stairs ahead, around a `middle`; treads in metres."""
    return Surface(
        lambda places: grade * tread * np.clip(np.ceil((places[:, 0] - middle) / tread), -FLIGHT, FLIGHT)
    )
