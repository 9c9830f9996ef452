"""A closed path is walked in identical laps of a whole number of strides."""

import numpy as np

from ...easing import smooth_between
from ...path.path import Path
from ..sliders.style import Clock, StyleTrack
from ..sliders.variation import varies
from .course import Course
from .in_step import Marks, in_step

OFF_THE_SEAM = 2.0  # strides: corners this near to a lap's start are not adjusted for


def goes_round(path: Path, track: StyleTrack) -> bool:
    """Return whether a path is closed and all laps are alike: no keys, no varied strides, no standing."""
    return path.lap > 0.0 and not track.curves and not varies(track) and track.constant.speed > 0.0


def enough_for_a_lap(path: Path, speed: float) -> float:
    """Return enough seconds for a full lap at a nominal speed in m/s."""
    return 1.1 * path.effort(path.lap) / speed + 1.0


def first_lap(path: Path, clock: Clock, course: Course) -> Course:
    """Return the first lap of a walk; it takes a whole number of frames where cycles do."""
    seconds = course.seconds
    end = float(np.interp(path.lap, course.distance, seconds))
    inside = (seconds > 1e-6) & (seconds < end - 1e-6)
    start = float(np.interp(0.0, seconds, course.speed))
    slower = max(1.0, np.round(end * clock.fps)) / (end * clock.fps) if clock.whole_frames else 1.0
    return Course(
        np.concatenate([[0.0], seconds[inside], [end]]) * slower,
        np.concatenate([[start], course.speed[inside], [start]]) / slower,
        np.concatenate([[0.0], course.distance[inside], [path.lap]]),
    )


def whole_strides(rate: np.ndarray, seconds: np.ndarray) -> float:
    """Return the factor on the cycle rate `(knots,)` that makes a lap a whole number of cycles, at least
    one."""
    cycles = float(np.sum(0.5 * (rate[1:] + rate[:-1]) * np.diff(seconds)))
    return max(1.0, np.round(cycles)) / cycles


def in_step_all_round(phase: np.ndarray, distance: np.ndarray, stride: float, marks: Marks) -> np.ndarray:
    """Return left-foot phases `(knots,)` over a lap that meet the marks and end on a whole number of
    cycles."""
    ahead = marks.between(OFF_THE_SEAM * stride, distance[-1] - OFF_THE_SEAM * stride)
    if not len(ahead.at):
        return phase
    marked = in_step(ahead, phase, distance, float(phase[0]))
    lacking = np.round(marked[-1] - phase[0]) - (marked[-1] - phase[0])
    left = float(np.interp(ahead.at[-1], distance, marked))
    return marked + lacking * smooth_between(marked, left, marked[-1])
