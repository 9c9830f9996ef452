"""A walk with given curves, by the same synthesis that will use them, and its joint angles as a gait
laboratory reports them."""

import numpy as np

from ...core.character.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.feet.stance import feet_of
from ...core.gait.feet.swing import Air, heights_unguarded
from ...core.gait.kinds.contacts import natural_phase
from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE
from ...core.gait.pose import WalkPose
from ...core.gait.sliders.style import Clock, Style, StyleTrack
from ...core.gait.steps.footsteps import footsteps
from ...core.gait.synthesis import walked as walk_of
from ...core.gait.walker import Walker
from ...core.ground.surface import LEVEL
from ...core.path.path import STRAIGHT
from .human_gait import HumanGait
from .walk_goal import SAMPLES, GaitGoal


def joint_angles(pose: WalkPose) -> dict[str, np.ndarray]:
    """Return the left leg in degrees: thigh to the vertical, knee flexion, ankle dorsiflexion, foot pitch;
    and the hips in metres."""
    place = {role: pose.motions[role].position for role in ("thigh.L", "shin.L", "foot.L", "thigh.R")}
    thigh = _sagittal(place["shin.L"] - place["thigh.L"])
    shank = _sagittal(place["foot.L"] - place["shin.L"])
    forward = pose.motions["foot.L"].rotation[:, :, 0]
    # a runner's toes point backward in mid swing
    level = np.copysign(np.hypot(forward[:, 0], forward[:, 1]), forward[:, 0])
    pitch = np.degrees(np.arctan2(forward[:, 2], level))
    hips = 0.5 * (place["thigh.L"] + place["thigh.R"])
    return {"thigh": thigh, "knee": thigh - shank, "ankle": pitch - shank, "pitch": pitch, "hips": hips}


def _sagittal(bone: np.ndarray) -> np.ndarray:
    return np.degrees(np.arctan2(bone[:, 0], -bone[:, 2]))


_CYCLE = np.arange(SAMPLES, 2 * SAMPLES, dtype=float)  # frames of one cycle from a left heel strike


def walked(body: Body, goal: GaitGoal, coefficients: np.ndarray) -> WalkPose:
    """Return one cycle of the walk with these curves, from a left heel strike."""
    return walk_of(_walker(body, goal, coefficients), _CYCLE)


def soles_unguarded(body: Body, goal: GaitGoal, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far through its swing the left foot is `(SAMPLES,)`, 0 on the ground, and how high heel, toe
    joint and tip `(SAMPLES, 3)`.

    In metres above their height in a standing foot, with these curves and nothing that keeps feet off the
    ground.
    """
    walker = _walker(body, goal, coefficients)
    at = walker.moments(_CYCLE)
    plan = footsteps(walker, at.phase)
    rows = plan.under_way(at.phase)
    steps = plan.steps.take(rows)
    foot, ball = feet_of(
        walker, steps, at.slow, steps.order + natural_phase(at.phase, steps.duty, steps.natural)
    )
    share = np.clip((at.phase - steps.contact - steps.duty) / (1.0 - steps.duty), 0.0, 1.0)
    heights = heights_unguarded(
        walker, plan, Air.after(walker, plan, rows, share, foot, ball, np.ones(share.shape))
    )
    return share[:, LEFT], heights[:, LEFT]


def _walker(body: Body, goal: GaitGoal, coefficients: np.ndarray) -> Walker:
    speed = goal.vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * body.leg_length)
    stride = float(goal.law.stride(slow_inputs(body, np.array(speed), np.zeros(()))))
    clock = Clock(fps=SAMPLES * speed / stride, start=0.0, whole_frames=False)
    gait = Gait(HumanGait(np.array([goal.vhat]), coefficients[None]), goal.law)
    return Walker.of(body, StyleTrack(Style(speed=speed)), clock, gait, STRAIGHT, LEVEL)
