"""Recordings whose manner is known: walks of ours as somebody might have recorded them."""

from unittest.mock import patch

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.styles import learn
from neurarig_addon.core.styles.learn import learned
from neurarig_addon.core.styles.learned_style import LearnedStyle
from neurarig_addon.core.styles.recording import record_motions
from tests.core.retarget_bodies import human
from tests.core.walkers import WALKING

HUMAN = human()
SOMEHOW = Style(
    speed=0.9,
    crouch=0.1,
    lean=12.0,
    arm_swing=0.2,
    elbow_bend=50.0,
    stance_width=2.0,
    foot_splay=10.0,
    stride=0.9,
)


def walked(
    style: Style, fps: float = 60.0, seconds: float = 6.0, character: Character = HUMAN
) -> dict[str, Motion]:
    """Return the motions of a walk straight ahead with some sliders, as a clip has them: through the
    world."""
    frames = np.arange(0.0, seconds * fps)
    pose = walk(character.body, StyleTrack(style), Clock(fps, 0.0, whole_frames=False), frames, WALKING)
    return {
        role: pose.root.holding(motion)
        for role, motion in pose.motions.items()
        if not role.startswith("knee.")
    }


def refined_once():
    """Learn within a block with one step of refining, as good as always on clips like these."""
    return patch.object(learn, "_ROUNDS", 1)


def style_of(motions: dict[str, Motion], fps: float = 60.0, character: Character = HUMAN) -> LearnedStyle:
    """Return the style of motions."""
    with refined_once():
        return learned(record_motions(character, motions, fps), WALKING, "Known")
