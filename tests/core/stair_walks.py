"""Walks over ledges, and the prints of one in their order."""

import numpy as np

from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import footsteps
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import Ground
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walkers import BODY, WALKING

FRAMES = np.arange(1.0, 320.0, 0.5)
NATURAL = 144.0  # rad/s^2 of a knee on level ground


def walked(
    ground: Ground, path: Path = STRAIGHT, frames: np.ndarray = FRAMES, gait: Gait = WALKING, **style: float
) -> WalkPose:
    return walk(
        BODY,
        StyleTrack(Style(**{"speed": 1.2, **style})),
        Clock(whole_frames=False),
        frames,
        gait,
        path,
        ground,
    )


def walker(ground: Ground, path: Path = STRAIGHT, **style: float) -> Walker:
    return Walker.of(
        BODY, StyleTrack(Style(**{"speed": 1.2, **style})), Clock(whole_frames=False), WALKING, path, ground
    )


def prints_in_order(who: Walker, cycles: float) -> np.ndarray:
    """Return the places `(n, 3)` of both feet's prints in the order they are touched."""
    phase = np.arange(0.0, cycles, 0.25)[:, None] + [0.0, 0.5]
    steps = footsteps(who, phase).steps
    order = np.argsort((steps.contact - who.rhythm.feet).ravel())
    return steps.place.reshape(-1, 3)[order]
