"""The goal of a run at one speed, from the norms of runners: the joint angles to match, and the curves used
as given.

Laboratories measured 2.5 to 4.5 m/s. Beyond, the curves are extrapolated, less and less (swinging knee 130
degrees, thigh 65 in a
sprint), and the foot lands flatter.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.character.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.body.flight import Pushes, spring_rise
from ...core.gait.kinds.law import RUN
from ...core.gait.kinds.natural import dimensionless_speed
from ...core.gait.pose import WalkPose
from .human_gait import OWN, ROW
from .misfit import joint_angles, soles_unguarded, walked
from .norms import HARMONICS, columns, curve, reduced
from .walk_goal import SAMPLES, GaitGoal, coefficients_of

STORE = Path(__file__).with_name("run_norms.json")
SPEEDS = {"25": 2.5, "35": 3.5, "45": 4.5}  # m/s
LEGS = (
    "pelvis_tilt",
    "pelvis_obliquity",
    "pelvis_rotation",
    "hip_flexion",
    "knee_flexion",
    "ankle_dorsiflexion",
)
UPPER = (
    "shoulder_flexion",
    "shoulder_adduction",
    "elbow_flexion",
    "lumbar_extension",
    "lumbar_bending",
    "lumbar_rotation",
)


def reduce(folder: Path) -> dict:
    """Return the reduced norms of a gait-norms folder as a JSON-able document."""
    speeds = []
    for name, speed in SPEEDS.items():
        table = columns(folder / f"fukuchi2017_run_{name}.csv")
        curves = {curve: reduced(table[f"{curve}_mean"], table[f"{curve}_sd"]) for curve in LEGS}
        speeds.append({"speed": speed, "curves": curves})
    one = columns(folder / "falisse2019_run_fullbody_1subject.csv")
    return {
        "speeds": speeds,
        "upper": {"speed": 2.78, "curves": {curve: reduced(one[curve]) for curve in UPPER}},
    }


def load() -> dict:
    """Return the stored norms."""
    return json.loads(STORE.read_text())


NATURAL = 3.0  # m/s
SPEEDS_MEASURED = tuple(SPEEDS.values())
# m/s beyond the fastest measured speed after which curves have made about two thirds of their remaining
# change
SLACKENS = 2.5
FLATTER = np.radians(3.2)  # radians per m/s that the foot lands flatter beyond it
PHASE = np.arange(SAMPLES) / SAMPLES
# Thorax and arms, in degrees.  The arm is forward just before the other foot lands.
CHEST_TURN, CHEST_PEAK, CHEST_LEAN = 9.5, 0.45, 7.5
ELBOW, SHOULDER, ELBOW_SHARE = 92.0, -22.0, 0.5
# Motion capture of runners shows half the list of the laboratories' treadmill runners, and somewhat more
# rotation.
PELVIS_GAIN = {"pelvis_rotation": 1.25, "pelvis_obliquity": 0.55}
ARM_SWING, ARM_RISE = 50.0, 5.0  # degrees of range at 2.8 m/s, and per m/s
SWAY = 0.035 / 0.845  # leg lengths from side to side
CLEARANCE = 0.07  # leg lengths of the lowest point of the sole in mid swing at natural speed and above
# leg lengths: the body is slowest in mid-stance, braked by the foot landing ahead, relative to even speed
SURGE = 0.022


@dataclass(frozen=True)
class RunGoal(GaitGoal):
    """A Goal with the speed in m/s and the pelvis' curves `(SAMPLES,)` in degrees, which are used as
    given."""

    speed: float
    pelvis: dict[str, np.ndarray]


def goal_of(stored: dict, speed: float, body: Body) -> RunGoal:
    """Return the goal of a run at a speed in m/s."""
    curves = {name: _at_speed(stored, name, speed) for name in LEGS}
    spread = np.array(
        [
            stored["speeds"][1]["curves"][name]["sd"]
            for name in ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")
        ]
    )
    landing = np.clip(1.0 - PHASE / 0.12, 0.0, 1.0) + np.clip((PHASE - 0.9) / 0.1, 0.0, 1.0)
    flatter = np.degrees(FLATTER) * max(speed - SPEEDS_MEASURED[-1], 0.0)
    return RunGoal(
        vhat=float(dimensionless_speed(speed, body.leg_length)),
        law=RUN,
        thigh=curves["hip_flexion"] - curves["pelvis_tilt"],
        knee=curves["knee_flexion"],
        ankle=curves["ankle_dorsiflexion"] - flatter * landing,
        spread=spread,
        bob=0.0,
        clearance=CLEARANCE * min(speed / NATURAL, 1.0),
        speed=speed,
        pelvis={name: curves[name] for name in ("pelvis_tilt", "pelvis_obliquity", "pelvis_rotation")},
    )


def _at_speed(stored: dict, name: str, speed: float) -> np.ndarray:
    """Return a curve `(SAMPLES,)` at a speed: linear between measured ones and below, extrapolated less and
    less above."""
    measured = np.array([curve(entry["curves"][name], PHASE) for entry in stored["speeds"]])
    if speed > SPEEDS_MEASURED[-1]:
        beyond = SLACKENS * (1.0 - np.exp(-(speed - SPEEDS_MEASURED[-1]) / SLACKENS))
        return measured[-1] + beyond * (measured[-1] - measured[-2]) / (
            SPEEDS_MEASURED[-1] - SPEEDS_MEASURED[-2]
        )
    if speed < SPEEDS_MEASURED[0]:
        return measured[0] + (speed - SPEEDS_MEASURED[0]) * (measured[1] - measured[0]) / (
            SPEEDS_MEASURED[1] - SPEEDS_MEASURED[0]
        )
    return np.array([np.interp(speed, SPEEDS_MEASURED, column) for column in measured.T])


def given_curves(stored: dict, goal: RunGoal, body: Body) -> np.ndarray:
    """Return own-side coefficients `(len(OWN), WIDTH)` of the channels that are given directly."""
    own = {name: np.zeros(SAMPLES) for name in OWN}
    slow = slow_inputs(body, np.array(goal.speed), np.zeros(()))
    slowest = 0.5 * float(goal.law.duty(slow, LEFT))
    above = {name: curve(entry, PHASE) for name, entry in stored["upper"]["curves"].items()}
    arm, elbow = above["shoulder_flexion"], above["elbow_flexion"]
    swing = (ARM_SWING + ARM_RISE * (goal.speed - stored["upper"]["speed"])) / np.ptp(arm)
    own["arm.flexion"] = np.radians(SHOULDER + swing * (arm - arm.mean()))
    own["arm.elbow"] = np.radians(ELBOW + ELBOW_SHARE * swing * (elbow - elbow.mean()))
    own["arm.abduction"] = np.full(SAMPLES, np.radians(11.0))
    own["arm.rotation"] = np.radians(24.0 + 0.25 * swing * (arm - arm.mean()))
    own["pelvis.ahead"] = np.radians(PELVIS_GAIN["pelvis_rotation"] * goal.pelvis["pelvis_rotation"])
    own["pelvis.up"] = np.radians(PELVIS_GAIN["pelvis_obliquity"] * goal.pelvis["pelvis_obliquity"])
    own["pelvis.x"] = -SURGE * np.sin(4.0 * np.pi * (PHASE - slowest))
    own["pelvis.pitch"] = np.radians(goal.pelvis["pelvis_tilt"])
    own["pelvis.side"] = 0.5 * SWAY * np.cos(2.0 * np.pi * (PHASE - 0.17))
    own["chest.ahead"] = np.radians(CHEST_TURN) * np.cos(2.0 * np.pi * (PHASE - CHEST_PEAK))
    own["chest.up"] = 0.4 * own["pelvis.up"]
    bow = above["lumbar_extension"]
    tilt = goal.pelvis["pelvis_tilt"]
    own["chest.pitch"] = np.radians(CHEST_LEAN + 0.3 * goal.speed + (tilt - tilt.mean()) - (bow - bow.mean()))
    own["head.ahead"] = 0.1 * own["chest.ahead"]
    own["foot.roll"] = np.radians(6.0) * np.clip(np.sin(np.pi * (PHASE - 0.35) / 0.65), 0.0, 1.0) ** 2
    own["ball.bend"] = np.radians(-22.0) * np.exp(-(((PHASE - 0.28) / 0.12) ** 2))
    return coefficients_of(own)


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
