"""Walkers that skip, gallop and hop."""

from dataclasses import replace

import numpy as np

from neurarig_addon.core.gait.kinds.bounce import Bounce, bounces
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.natural import speed_of
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.walkers import BODY

SKIP, GALLOP, HOP_ON_BOTH, HOP_ON_ONE = (
    bounces()[name] for name in ("skip", "gallop", "hop_on_both", "hop_on_one")
)
BOUNCES = {
    "skip": SKIP,
    "gallop": GALLOP,
    "gallop, left foot first": replace(GALLOP, mirrored=True),
    "hop": HOP_ON_BOTH,
    "hop on the left foot": HOP_ON_ONE,
    "hop on the right foot": replace(HOP_ON_ONE, mirrored=True),
}
CLOCK = Clock(fps=60.0, start=0.0)
FINE = Clock(fps=240.0, start=0.0, whole_frames=False)
NOTHING_M = 1e-9


def natural(bounce: Bounce, body=BODY) -> float:
    return speed_of(bounce.vhat, body.leg_length)


def bounced(
    what: Bounce,
    frames: np.ndarray,
    clock: Clock = CLOCK,
    pace: float = 1.0,
    body=BODY,
    path=STRAIGHT,
    **sliders: float,
) -> WalkPose:
    return walk(
        body,
        StyleTrack(Style(speed=pace * natural(what, body), **sliders)),
        clock,
        frames,
        bouncing_gait(what),
        path,
    )
