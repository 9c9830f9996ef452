"""A walk with given curves, by the same synthesis that will use them."""

import numpy as np

from ...core.character.body import Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE
from ...core.gait.pose import WalkPose
from ...core.gait.sliders.style import Clock, Style, StyleTrack
from ...core.gait.synthesis import walk
from .human_gait import HumanGait
from .walk_goal import SAMPLES, Goal


def walked(body: Body, goal: Goal, coefficients: np.ndarray) -> WalkPose:
    """Return one cycle of the walk with these curves, from a left heel strike."""
    speed = goal.vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * body.leg_length)
    stride = float(goal.law.stride(slow_inputs(body, np.array(speed), np.zeros(()))))
    clock = Clock(fps=SAMPLES * speed / stride, start=0.0, whole_frames=False)
    gait = Gait(HumanGait(np.array([goal.vhat]), coefficients[None]), goal.law)
    return walk(body, StyleTrack(Style(speed=speed)), clock, np.arange(SAMPLES, 2 * SAMPLES, dtype=float), gait)
