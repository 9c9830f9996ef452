"""Where a motion without a past begins: the figure stands as our own walk stands, and will move in the manner
of that walk."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, TOE
from ..gait.pose import WalkPose
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..gait.synthesis import walk
from ..ikrig.encode import encode_motions
from ..ikrig.encoding import Contacts
from ..retarget.spans import intervals_of
from ..skeleton.roles import SIDES, sided
from .figure import figure
from .rows import RATE, Rows, rows_of
from .stride import REMEMBERED, StrideLoop, loop_of


@dataclass(frozen=True)
class Start:
    """`past`: the last frames; `walk`: frames whose manner is to be kept."""

    past: Rows
    walk: Rows


@cache
def standing() -> Start:
    """Return a start from standing still; it is the same at every call."""
    return Start(_generated(0.0), _generated(1.2))


def _generated(speed: float) -> Rows:
    """Return a generated walk of the figure in m/s; 0.0 stands still."""
    track = StyleTrack(Style(speed=speed, idle=0.0))
    return rows_of_walk(walk(figure().character.body, track, Clock(fps=RATE), 1.0 + np.arange(REMEMBERED)))


def rows_of_walk(pose: WalkPose) -> Rows:
    """Return a generated walk of the figure at RATE as rows; its feet stand as they were planned to."""
    motions = {
        role: pose.root.holding(motion)
        for role, motion in pose.motions.items()
        if not role.startswith("knee.")
    }
    planted = {}
    for row, side in enumerate(SIDES):
        planted[sided("heel", side)] = intervals_of(np.isin(pose.pivot[:, row], (HEEL, FLAT)))
        planted[sided("ball", side)] = intervals_of(np.isin(pose.pivot[:, row], (FLAT, BALL, TOE)))
    return rows_of(
        replace(encode_motions(figure().character, motions, pose.frames, RATE), contacts=Contacts(planted))
    )


@cache
def our_walk() -> StrideLoop:
    """Return a stride of our own walk; it is the same at every call."""
    loop = loop_of(standing().walk)
    assert loop is not None
    return loop
