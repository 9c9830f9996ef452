"""Where a motion without a past begins: the figure stands as our own walk stands, and will move in the manner of that walk."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ..gait.sliders.style import Clock, Style, StyleTrack
from ..gait.synthesis import walk
from ..ikrig.encode import encode_motions
from ..retarget.contacts import find_contacts
from .figure import figure
from .rows import RATE, Rows, rows_of
from .stride import REMEMBERED


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
    character, frames = figure().character, 1.0 + np.arange(REMEMBERED)
    pose = walk(character.body, StyleTrack(Style(speed=speed, idle=0.0)), Clock(fps=RATE), frames)
    motions = {role: pose.root.holding(motion) for role, motion in pose.motions.items() if not role.startswith("knee.")}
    clip = encode_motions(character, motions, frames, RATE)
    return rows_of(replace(clip, contacts=find_contacts(character, motions, RATE)))
