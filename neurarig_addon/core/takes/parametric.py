"""A clip made parametric: a path, a speed, a style, and a take that holds what these do not describe.

Pace, strides and prints are read from the clip. The rest is found by iteration: the walk is played, and its
difference from the clip is
added; after a few rounds only what contacts and reach do not allow is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..easing import running
from ..errors import NeuraRigError
from ..gait.inputs.take import Take
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import natural_stride
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..geometry.rotation import norms
from ..path.path import Path
from ..steps import Steps, part_of
from ..styles.learn import learning
from ..styles.learned_style import LearnedStyle
from ..styles.recording import record_motions
from ..styles.styled_gait import in_styles
from .curves import alike, turned
from .performance import Performance
from .steps import TakenSteps, steps_of
from .way import PlayedTake, Stage, in_step, on_prints, paced

JOINTS = ("pelvis", "spine", "neck", "head", "thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")
_ADULT_LEG = 0.845  # metres from hip to ankle of a person of 1.75 m


def joints_apart(
    body: Body, first: Mapping[str, Motion], second: Mapping[str, Motion]
) -> dict[str, np.ndarray]:
    """Return the distances `(f,)` in mm, role -> distances, of the joints that both have, scaled to an
    adult's legs."""
    size = 1e3 * _ADULT_LEG / body.leg_length
    shared = [role for role in first if role.partition(".")[0] in JOINTS and role in second]
    return {role: size * norms(first[role].position - second[role].position) for role in shared}


_STEP_ROUNDS, _CURVE_ROUNDS, _TURN_ROUNDS = 3, 4, 2


def _taken(performance: Performance, steps: TakenSteps, stage: Stage) -> Steps[PlayedTake]:
    """Return the take with which the walk on a stage reproduces the clip, as it plays there.

    Raises NeuraRigError if the clip does not follow the path.
    """
    played = PlayedTake(performance, steps, stage, paced(performance, steps, stage))
    rounds = (*[in_step] * _STEP_ROUNDS, *[on_prints] * _STEP_ROUNDS, *[alike] * _CURVE_ROUNDS)
    for number, nearer in enumerate(rounds):
        yield number / (len(rounds) + _TURN_ROUNDS)
        played = replace(played, take=nearer(played))
    for number in range(_TURN_ROUNDS):
        yield (len(rounds) + number) / (len(rounds) + _TURN_ROUNDS)
        played = replace(played, take=replace(played.take, turns=turned(played)))
    return played


_POINT = 0.5  # leg lengths between two points of the path
_GOES_ON, _STOPS = (
    2.5,
    2.0,
    # strides and leg lengths that the path continues beyond the clip: the walk stops at a path's end, the
    # clip does not
)
_LEADS_S = 0.3  # seconds at the end of the clip that give the direction in which it continues


@dataclass(frozen=True)
class Parametric:
    """A clip as a walk: a `take` over a `style`, None if the clip has no steady stride. `speed` (m/s),
    `phase` (cycles): sliders.

    `line` `(n, 3)`: points of its path in the character's walk frame. `seconds`: the first and last of the
    walked part of the clip.
    `off_mm`, `worst_mm`: distance of the joints from the clip's on a person of 1.75 m: the mean, and the mean
    of the worst joint.
    """

    take: Take
    style: LearnedStyle | None
    speed: float
    phase: float
    line: np.ndarray
    seconds: tuple[float, float]
    off_mm: float
    worst_mm: float


def made_parametric(
    performance: Performance, natural: Gait, lead: Callable[[np.ndarray], Path]
) -> Steps[Parametric]:
    """Return a performance as a walk over the natural gait, step by step; `lead`: makes a path of points
    `(n, 3)` in the walk frame.

    Raises NeuraRigError, saying what the clip shows instead, if it does not walk.
    """
    steps = steps_of(performance)
    speed, phase = _mean_speed(performance, steps), float(steps.phase[0])
    line = _line(performance, steps, speed)
    style = yield from part_of(_style(performance, natural), 0.0, 0.5)
    track = StyleTrack(Style(speed=speed, phase=phase))
    clock = Clock(performance.fps, 0.0, whole_frames=False)
    stage = Stage(in_styles(natural, [style]), track, clock, lead(line))
    played = yield from part_of(_taken(performance, steps, stage), 0.5, 1.0)
    # mm on a person of 1.75 m
    apart = joints_apart(played.body, played.pose.motions, played.clip_seen())
    off = [values.mean() for values in apart.values()]
    seconds = steps.first / performance.fps, steps.last / performance.fps
    return Parametric(
        played.take, style, speed, phase, line, seconds, float(np.mean(off)), float(np.max(off))
    )


def _line(performance: Performance, steps: TakenSteps, speed: float) -> np.ndarray:
    """Return the points `(n, 3)` of the clip's path and of its straight continuation."""
    way, leg = performance.way[steps.first : steps.last + 1], performance.character.body.leg_length
    distance = running(norms(np.diff(way, axis=0)))
    count = max(int(np.ceil(distance[-1] / (_POINT * leg))), 2)
    at = np.linspace(0.0, distance[-1], count + 1)
    ahead = way[-1] - way[max(-len(way), -max(2, round(_LEADS_S * performance.fps)))]
    ahead = ahead / max(float(norms(ahead)), 1e-9)
    farther = _GOES_ON * float(natural_stride(np.array(speed), leg)) + _STOPS * leg
    beyond = way[-1] + np.linspace(_POINT * leg, farther, 4)[:, None] * ahead
    points = np.concatenate([np.stack([np.interp(at, distance, column) for column in way.T], -1), beyond])
    return np.column_stack([points, np.zeros(len(points))])


def _style(performance: Performance, natural: Gait) -> Steps[LearnedStyle | None]:
    """Return the style of the clip's steady strides, None if it has none: it may turn in every stride."""
    try:
        recorded = record_motions(performance.character, performance.motions, performance.fps)
        # what it lacks is in the take
        style = yield from learning(recorded, natural, performance.name[:64] or "Clip")
        return replace(style, bends=None)
    except NeuraRigError:
        return None


def _mean_speed(performance: Performance, steps: TakenSteps) -> float:
    """Return the mean speed of the walked part of a clip in m/s."""
    way = performance.way[steps.first : steps.last + 1]
    return float(norms(np.diff(way, axis=0)).sum() * performance.fps / max(len(way) - 1, 1))
