"""The residuals of a run with given curves against the goal at its speed."""

import numpy as np

from ...core.character.body import LEFT, Body
from ...core.gait.body.flight import Pushes, spring_rise
from ...core.gait.pose import WalkPose
from .human_gait import ROW
from .norms import HARMONICS
from .run_goal import RunGoal
from .trial import joint_angles, soles_unguarded, walked
from .walk_goal import SAMPLES

LACKING = 0.004  # leg lengths: spread of the hips' height about the spring's course
# leg lengths: spread of a sole that swings lower than people's; below the ground, the guard would have to
# lift it
TOO_LOW = 0.01
# share of the swing from which on, and until as long before its end, the sole is as high as in mid swing
HIGH_FROM = 0.25
# The ankle's third derivative over the cycle, in strides per cycle^3: recorded runners' is 200 on average
# (RMS), far below a sharp turn's.
JERK = 500.0


def misfit(body: Body, goal: RunGoal, coefficients: np.ndarray, in_motion: bool = True) -> np.ndarray:
    """Return weighted residuals: joint angles in spreads, what the reach guard takes from the spring, and
    roughness.

    `in_motion`: also how low the curves swing the sole by themselves, and how suddenly the ankle turns.
    """
    pose = walked(body, goal, coefficients)
    angles = joint_angles(pose)
    joints = [
        (angles[name] - getattr(goal, name)) / spread
        for name, spread in zip(("thigh", "knee", "ankle"), goal.spread, strict=True)
    ]
    lacking = _fallen(angles["hips"][:, 2], pose) / (LACKING * body.leg_length)
    rough = coefficients[[ROW[name] for name in ("foot.x", "foot.z", "foot.pitch")]]
    order = np.repeat(np.arange(1, HARMONICS + 1), 2)
    moved = (low_soles(body, goal, coefficients) / TOO_LOW, jerks(pose) / JERK) if in_motion else ()
    return np.concatenate([*joints, lacking, *moved, (0.1 * order**2 * rough[:, 1:]).ravel()])


def low_soles(body: Body, goal: RunGoal, coefficients: np.ndarray) -> np.ndarray:
    """Return how much lower than the goal's clearance the curves alone swing the sole `(SAMPLES,)`, negative,
    in leg lengths."""
    share, heights = soles_unguarded(body, goal, coefficients)
    wanted = goal.clearance * np.minimum(share * (1.0 - share) / (HIGH_FROM * (1.0 - HIGH_FROM)), 1.0) ** 2
    return np.minimum(heights.min(axis=-1) / body.leg_length - wanted, 0.0) * (share > 0.0)


def jerks(pose: WalkPose) -> np.ndarray:
    """Return the third derivative of the left ankle's path `(SAMPLES * 2,)`, ahead and up, in strides per
    cycle^3."""
    path = pose.motions["foot.L"].position[:, [0, 2]]
    after, before = (
        np.roll(path, -2, axis=0) - 2.0 * np.roll(path, -1, axis=0),
        np.roll(path, 2, axis=0) - 2.0 * np.roll(path, 1, axis=0),
    )
    return (0.5 * (after - before) * SAMPLES**3 / pose.stride[0]).ravel()


def _fallen(rise: np.ndarray, pose: WalkPose) -> np.ndarray:
    """Return the deviation of the hips' height `(SAMPLES,)` from the spring's course, without the means."""
    pushes = Pushes(np.array([0.0, 0.5]), pose.duty, np.ones(2))
    spring = spring_rise(pose.phase[:, LEFT], pushes, pose.period)
    return (rise - rise.mean()) - (spring - spring.mean())
