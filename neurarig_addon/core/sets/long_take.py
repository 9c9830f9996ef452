"""One long take for motion matching: somebody wanders about at all speeds, round bends and corners, stops,
turns and sets off again."""

from dataclasses import replace

import numpy as np

from ..acts.act import BODY
from ..acts.act_file import shipped_acts
from ..acts.mark import ActMark, marks_of
from ..acts.program import Program, planned
from ..gait.sliders.style import Clock
from ..gait.synthesis import walked
from ..gait.walker import Walker
from ..geometry.rotation import about_z
from ..ground.surface import LEVEL
from ..path.curve import Curve
from ..path.marks import Mark
from .clip import ClipPlan
from .stretch import BY_SPEED, QUIET, Walking

SPEEDS = (0.5, 0.8, 1.0, 1.0, 1.3, 2.0, 2.6)  # times the walk's
HOLDS_S, CHANGES_S = (3.0, 7.0), 0.8  # seconds at one speed, and from one to the next
LEGS, TURNS = (2.5, 9.0), np.radians(140.0)  # leg lengths of straights; the sharpest turn between two
ROUND = (0.5, 4.0)  # leg lengths: radii of bends
BEND_STEP = np.radians(12.0)
STOPS, PAUSE_S = 0.25, (0.8, 2.0)  # the share of straights that end in a stop, and how long it is
ON_THE_SPOT = np.radians([45.0, 90.0, 135.0, 180.0])


def wanderer(walking: Walking, seconds: float, seed: int) -> Walker:
    """Return who wanders for about so many seconds, drawn by a seed; from standing to standing."""
    draw = np.random.default_rng(seed)
    frames, speeds = _speeds(draw, walking, seconds)
    way = float(0.5 * (speeds[1:] + speeds[:-1]) @ np.diff(frames)) / walking.fps
    points, stops = _line(draw, way, walking.body.leg_length)
    path = Curve.through(points, walking.body.leg_length, starts=True, marks=stops)
    wanted = {"facing": 0.0, "idle": QUIET, "look_around": 0.0, "variation": 0.0}
    track = replace(
        walking.track, constant=replace(walking.track.constant, **wanted), curves={"speed": (frames, speeds)}
    )
    clock = Clock(walking.fps, 0.0, whole_frames=False)
    return Walker.of(walking.body, track, clock, walking.gait_of(BY_SPEED), path, LEVEL)


def _speeds(draw: np.random.Generator, walking: Walking, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Return frames and speeds in m/s `(n,)`: held, and changed now and then."""
    natural = walking.walk_speed
    at, speeds = [0.0], [natural]
    while at[-1] < seconds:
        held = at[-1] + float(draw.uniform(*HOLDS_S))
        at += [held, held + CHANGES_S]
        speeds += [speeds[-1], natural * float(draw.choice(SPEEDS))]
    return walking.fps * np.array(at), np.array(speeds)


def _line(draw: np.random.Generator, metres: float, leg: float) -> tuple[np.ndarray, tuple[Mark, ...]]:
    """Return the points `(n, 3)` of a way so long, straights with bends between, and the stops on it, some
    with a turn on the spot."""
    points, stops = [np.zeros(3)], []
    heading, come = 0.0, 0.0
    while come < metres:
        straight = leg * float(draw.uniform(*LEGS))
        points.append(points[-1] + straight * _ahead(heading))
        come += straight
        if draw.uniform() < STOPS and come < metres:
            turn = float(draw.choice(ON_THE_SPOT) * draw.choice([-1.0, 1.0])) if draw.uniform() < 0.5 else 0.0
            stops.append(Mark(pause=float(draw.uniform(*PAUSE_S)), place=points[-1], turn=turn))
        bend, radius = float(draw.uniform(-TURNS, TURNS)), leg * float(draw.uniform(*ROUND))
        for turned in np.diff(np.linspace(0.0, bend, 2 + int(abs(bend) / BEND_STEP))):
            heading += turned
            points.append(points[-1] + abs(turned) * radius * _ahead(heading - 0.5 * turned))
            come += abs(turned) * radius
    return np.array(points), tuple(stops)


def _ahead(heading: float) -> np.ndarray:
    return about_z(np.array(heading))[:, 0]


WAY_TO, WAY_ON = 6.0, 6.0  # leg lengths walked before an act and after it, which no clip shows
STANDS_S = 2.0  # seconds of standing around an act
STOOD = -1e3  # seconds at which nobody has set off yet: where the upper body acts


def acted(walker: Walker, plan: ClipPlan) -> Program:
    """Return a walk in the manner of a walker to the act of a plan, and on; without steps for an act of the
    upper body."""
    act, leg = shipped_acts()[plan.act], walker.body.leg_length
    frame = float(np.floor(walker.clock.frames(np.array(STOOD)))) if act.base == BODY else None
    asked = (
        ActMark(
            act,
            WAY_TO * leg,
            length=plan.length * leg,
            rise=plan.rise * leg,
            frame=frame,
            seconds=plan.seconds,
        ),
    )
    line = np.array([[0.0, 0.0, 0.0], [(WAY_TO + plan.length + WAY_ON) * leg, 0.0, 0.0]])
    # so long that one stands still before the act and after it
    marks = tuple(replace(mark, pause=mark.pause and STANDS_S) for mark in marks_of(asked, leg))
    path = Curve.through(line, leg, starts=True, marks=marks)
    acting = Walker.of(walker.body, walker.track, walker.clock, walker.gait, path, LEVEL, None)
    return planned(acting, lambda frames: walked(acting, frames), asked)
