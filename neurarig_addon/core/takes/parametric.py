"""A clip made parametric: a path, a speed, a style, and a take that holds what these do not describe."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import NeuraRigError
from ..gait.inputs.take import Take
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import natural_stride
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..path.path import Path
from ..styles.learn import learned
from ..styles.learned_style import LearnedStyle
from ..styles.recorded import record_motions
from ..styles.styled import in_styles
from .likeness import off_the_clip
from .made import taken
from .performance import Performance
from .played import Stage
from .steps import TakenSteps, steps_of

POINT = 0.5  # leg lengths between two points of the path
GOES_ON, STOPS = (
    2.5,
    2.0,
)  # strides and leg lengths that the path continues beyond the clip: the walk stops at a path's end, the clip does not
LEADS_S = 0.3  # seconds at the end of the clip that give the direction in which it continues


@dataclass(frozen=True)
class Parametric:
    """A clip as a walk: a `take` over a `style`, None if the clip has no steady stride.  `speed` (m/s), `phase` (cycles): sliders.

    `line` `(n, 3)`: points of its path in the character's walk frame.  `seconds`: the first and last of the walked part of the clip.
    `off_mm`, `worst_mm`: distance of the joints from the clip's on a person of 1.75 m: the mean, and the mean of the worst joint.
    """

    take: Take
    style: LearnedStyle | None
    speed: float
    phase: float
    line: np.ndarray
    seconds: tuple[float, float]
    off_mm: float
    worst_mm: float


def made_parametric(performance: Performance, natural: Gait, lead: Callable[[np.ndarray], Path]) -> Parametric:
    """Return a performance as a walk over the natural gait; `lead`: makes a path of points `(n, 3)` in the walk frame.

    Raises NeuraRigError, saying what the clip shows instead, if it does not walk.
    """
    steps = steps_of(performance)
    speed, phase = _mean_speed(performance, steps), float(steps.phase[0])
    line = _line(performance, steps, speed)
    style = _style(performance, natural)
    track = StyleTrack(Style(speed=speed, phase=phase))
    clock = Clock(performance.fps, 0.0, whole_frames=False)
    played = taken(performance, steps, Stage(in_styles(natural, [style]), track, clock, lead(line)))
    off = [values.mean() for values in off_the_clip(played).values()]
    seconds = steps.first / performance.fps, steps.last / performance.fps
    return Parametric(played.take, style, speed, phase, line, seconds, float(np.mean(off)), float(np.max(off)))


def _line(performance: Performance, steps: TakenSteps, speed: float) -> np.ndarray:
    """Return the points `(n, 3)` of the clip's path and of its straight continuation."""
    way, leg = performance.way[steps.first : steps.last + 1], performance.character.body.leg_length
    distance = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=-1))])
    count = max(int(np.ceil(distance[-1] / (POINT * leg))), 2)
    at = np.linspace(0.0, distance[-1], count + 1)
    ahead = way[-1] - way[max(-len(way), -max(2, round(LEADS_S * performance.fps)))]
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    farther = GOES_ON * float(natural_stride(np.array(speed), leg)) + STOPS * leg
    beyond = way[-1] + np.linspace(POINT * leg, farther, 4)[:, None] * ahead
    points = np.concatenate([np.stack([np.interp(at, distance, column) for column in way.T], -1), beyond])
    return np.column_stack([points, np.zeros(len(points))])


def _style(performance: Performance, natural: Gait) -> LearnedStyle | None:
    """Return the style of the clip's steady strides, None if it has none: it may turn in every stride."""
    try:
        recorded = record_motions(performance.character, performance.motions, performance.fps)
        return replace(learned(recorded, natural, performance.name[:64] or "Clip"), bends=None)  # what it lacks is in the take
    except NeuraRigError:
        return None


def _mean_speed(performance: Performance, steps: TakenSteps) -> float:
    """Return the mean speed of the walked part of a clip in m/s."""
    way = performance.way[steps.first : steps.last + 1]
    return float(np.linalg.norm(np.diff(way, axis=0), axis=-1).sum() * performance.fps / max(len(way) - 1, 1))
