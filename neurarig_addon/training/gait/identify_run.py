"""From the norms of runners to the human run: find the curves whose run, through the synthesis, has their joint angles.

As in `identify`, the ankle's path and the foot's pitch are found by least squares; the pelvis' rise and fall is not: it is the spring
and the free fall of `gait.kinds.flight`.  Laboratories measured 2.5 to 4.5 m/s.  Beyond, the curves are extrapolated, less and less
(swinging knee 130 degrees, thigh 65 in a sprint), and the foot lands flatter.  Needs scipy.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares, minimize

from ...core.character.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.kinds.flight import Pushes, spring_rise
from ...core.gait.kinds.natural import dimensionless_speed
from ...core.gait.kinds.run_law import RUN
from ...core.gait.pose import WalkPose
from ...core.ground.rocker import unflattened
from ...core.human.adult import human_body
from . import run_norms
from .human_gait import OWN, ROW, HumanGait
from .joint_angles import joint_angles
from .norms import EVEN, HARMONICS, ODD, curve, fourier, parity, rms
from .trial import walked
from .walk_goal import SAMPLES, Goal

NATURAL = 3.5  # m/s
SPEEDS = (1.6, 2.0, 2.5, 3.5, 4.5, 5.5, 7.0, 9.0)  # m/s of the adult of `adult`
SLACKENS = 2.5  # m/s beyond the fastest measured speed after which curves have made about two thirds of their remaining change
FLATTER = np.radians(3.2)  # radians per m/s that the foot lands flatter beyond it
PHASE = np.arange(SAMPLES) / SAMPLES
# Thorax and arms, in degrees.  The arm is forward just before the other foot lands.
CHEST_TURN, CHEST_PEAK, CHEST_LEAN = 9.5, 0.45, 7.5
ELBOW, SHOULDER, ELBOW_SHARE = 92.0, -12.0, 0.5
# Motion capture of runners shows half the list of the laboratories' treadmill runners, and somewhat more rotation.
PELVIS_GAIN = {"pelvis_rotation": 1.25, "pelvis_obliquity": 0.55}
ARM_SWING, ARM_RISE = 50.0, 5.0  # degrees of range at 2.8 m/s, and per m/s
SWAY = 0.035 / 0.845  # leg lengths from side to side
CLEARANCE = 0.07  # leg lengths in mid swing at natural speed and above; slower runners hardly lift their toes
# The body is slowest in mid-stance, braked by the foot landing ahead: its lag and lead relative to even speed, in leg lengths; the phase.
SURGE, SLOWEST = 0.022, 0.17
KEEPS = 8.0  # spreads of a joint angle that a deviation of one leg length or radian from the first guess costs
MOST_TRIED = 25  # function evaluations of the search


@dataclass(frozen=True)
class RunGoal(Goal):
    """A Goal with the speed in m/s and the pelvis' curves `(SAMPLES,)` in degrees, which are used as given."""

    speed: float
    pelvis: dict[str, np.ndarray]


def identify(report=print) -> HumanGait:
    """Return the human run at SPEEDS."""
    stored, body = run_norms.load(), human_body("DOWN")
    found = []
    for speed in SPEEDS:
        goal = goal_of(stored, speed, body)
        given = given_curves(stored, goal)
        coefficients, errors = fit(body, goal, first_guess(body, goal, given))
        found.append(coefficients)
        report(f"{speed} m/s: " + ", ".join(f"{name} {value:.1f}" for name, value in errors.items()))
    vhats = [float(dimensionless_speed(speed, body.leg_length)) for speed in SPEEDS]
    return HumanGait(vhats, np.array(found))


def goal_of(stored: dict, speed: float, body: Body) -> RunGoal:
    """Return the goal of a run at a speed in m/s."""
    curves = {name: _at_speed(stored, name, speed) for name in run_norms.LEGS}
    spread = np.array([stored["speeds"][1]["curves"][name]["sd"] for name in ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")])
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
        clearance=CLEARANCE * min(speed / NATURAL, 1.0) ** 2,
        speed=speed,
        pelvis={name: curves[name] for name in ("pelvis_tilt", "pelvis_obliquity", "pelvis_rotation")},
    )


SPEEDS_MEASURED = tuple(run_norms.SPEEDS.values())


def _at_speed(stored: dict, name: str, speed: float) -> np.ndarray:
    """Return a curve `(SAMPLES,)` at a speed: linear between measured ones and below, extrapolated less and less above."""
    measured = np.array([curve(entry["curves"][name], PHASE) for entry in stored["speeds"]])
    if speed > SPEEDS_MEASURED[-1]:
        beyond = SLACKENS * (1.0 - np.exp(-(speed - SPEEDS_MEASURED[-1]) / SLACKENS))
        return measured[-1] + beyond * (measured[-1] - measured[-2]) / (SPEEDS_MEASURED[-1] - SPEEDS_MEASURED[-2])
    if speed < SPEEDS_MEASURED[0]:
        return measured[0] + (speed - SPEEDS_MEASURED[0]) * (measured[1] - measured[0]) / (SPEEDS_MEASURED[1] - SPEEDS_MEASURED[0])
    return np.array([np.interp(speed, SPEEDS_MEASURED, column) for column in measured.T])


def given_curves(stored: dict, goal: RunGoal) -> np.ndarray:
    """Return own-side coefficients `(len(OWN), WIDTH)` of the channels that are given directly."""
    own = {name: np.zeros(SAMPLES) for name in OWN}
    above = {name: curve(entry, PHASE) for name, entry in stored["upper"]["curves"].items()}
    arm, elbow = above["shoulder_flexion"], above["elbow_flexion"]
    swing = (ARM_SWING + ARM_RISE * (goal.speed - stored["upper"]["speed"])) / np.ptp(arm)
    own["arm.flexion"] = np.radians(SHOULDER + swing * (arm - arm.mean()))
    own["arm.elbow"] = np.radians(ELBOW + ELBOW_SHARE * swing * (elbow - elbow.mean()))
    own["arm.abduction"] = np.full(SAMPLES, np.radians(11.0))
    own["arm.rotation"] = np.radians(24.0 + 0.25 * swing * (arm - arm.mean()))
    own["pelvis.ahead"] = np.radians(PELVIS_GAIN["pelvis_rotation"] * goal.pelvis["pelvis_rotation"])
    own["pelvis.up"] = np.radians(PELVIS_GAIN["pelvis_obliquity"] * goal.pelvis["pelvis_obliquity"])
    own["pelvis.x"] = -SURGE * np.sin(4.0 * np.pi * (PHASE - SLOWEST))
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
    coefficients = np.array([fourier(own[name]) for name in OWN])
    for name in ("pelvis.ahead", "pelvis.up", "pelvis.side", "chest.ahead", "chest.up", "head.ahead"):
        coefficients[ROW[name]] *= parity((*ODD, 7))
    for name in ("pelvis.pitch", "chest.pitch"):
        coefficients[ROW[name]] *= parity((0, *EVEN, 8))
    return coefficients


def first_guess(body: Body, goal: RunGoal, given: np.ndarray) -> np.ndarray:
    """Return coefficients whose ankles follow from the spring's hips by the goal's angles.

    The hips' lead over the prints and their height are searched for: planted feet must reach the ground.
    """
    thigh, shank = np.radians(goal.thigh), np.radians(goal.thigh - goal.knee)
    stride = float(goal.law.stride(slow_inputs(body, np.array(goal.speed), np.zeros(()))))
    duty = float(goal.law.duty(slow_inputs(body, np.array(goal.speed), np.zeros(())), LEFT))
    rise = spring_rise(PHASE, Pushes(np.array([0.0, 0.5]), np.full(2, duty), np.ones(2)), stride / goal.speed) / body.leg_length
    pelvis_x = given[ROW["pelvis.x"]]

    def hung(places: np.ndarray) -> np.ndarray:
        ahead, level = places
        whole = given.copy()
        whole[ROW["foot.x"]] = pelvis_x + fourier(ahead + 0.5 * (np.sin(thigh) + np.sin(shank)))
        whole[ROW["foot.z"]] = fourier(1.0 + level + rise - 0.5 * (np.cos(thigh) + np.cos(shank)))
        whole[ROW["foot.pitch"]] = fourier(unflattened(np.radians(goal.knee - goal.thigh - goal.ankle)))
        whole[ROW["pelvis.x"], 0] = ahead
        whole[ROW["pelvis.z"], 0] = level
        return whole

    begin = np.array([0.2, -0.02])
    search = {"initial_simplex": begin + np.array([[0.0, 0.0], [-0.08, 0.0], [0.0, -0.03]]), "maxfev": 60}
    found = minimize(lambda places: float(np.sum(misfit(body, goal, hung(places)) ** 2)), begin, method="Nelder-Mead", options=search)
    return hung(found.x)


def fit(body: Body, goal: RunGoal, guess: np.ndarray) -> tuple[np.ndarray, dict[str, float]]:
    """Return coefficients with the ankle's path, the foot's pitch and the pelvis' height fitted, and the errors: RMS in degrees."""
    free = _free()

    def coefficients(values: np.ndarray) -> np.ndarray:
        whole = guess.copy()
        whole[free] = values
        return whole

    def residual(values: np.ndarray) -> np.ndarray:
        # What the swing's ends cancel does not show in the angles; it is kept near the guess, so that it changes evenly with the speed.
        return np.concatenate([misfit(body, goal, coefficients(values)), KEEPS * (values - guess[free])])

    solved = least_squares(residual, guess[free], method="trf", x_scale=0.02, diff_step=1e-4, max_nfev=MOST_TRIED)
    angles = joint_angles(walked(body, goal, coefficients(solved.x)))
    errors = {name: rms(angles[name] - getattr(goal, name)) for name in ("thigh", "knee", "ankle")}
    errors |= {"bob mm": 1000.0 * float(np.ptp(angles["hips"][:, 2])), "cost": float(2.0 * solved.cost)}
    return centred(body, goal, coefficients(solved.x)), errors


def centred(body: Body, goal: RunGoal, coefficients: np.ndarray) -> np.ndarray:
    """Return coefficients whose feet have the mean of the ankle's actual path: the swing only uses their shape."""
    ankle = walked(body, goal, coefficients).motions["foot.L"].position.mean(axis=0) / body.leg_length
    found = coefficients.copy()
    found[ROW["foot.x"], 0] = ankle[0]
    found[ROW["foot.z"], 0] = ankle[2] - body.ankle[LEFT, 2] / body.leg_length
    return found


def misfit(body: Body, goal: RunGoal, coefficients: np.ndarray) -> np.ndarray:
    """Return weighted residuals: joint angles in spreads, toe clearance, what the reach guard takes from the spring, and roughness."""
    pose = walked(body, goal, coefficients)
    angles = joint_angles(pose)
    joints = [(angles[name] - getattr(goal, name)) / spread for name, spread in zip(("thigh", "knee", "ankle"), goal.spread, strict=True)]
    toe = pose.motions["toe.L"]
    tip = np.einsum("fij,j->fi", toe.rotation, body.toe[LEFT] - toe.rest) + toe.position
    duty = float(pose.duty[0, LEFT])
    middle = (duty + 0.15 < PHASE) & (PHASE < 0.85)
    low = np.minimum(tip[middle, 2] / body.leg_length - goal.clearance, 0.0)
    rise = angles["hips"][:, 2]
    lacking = _fallen(rise, pose) / (0.004 * body.leg_length)
    rough = coefficients[[ROW[name] for name in ("foot.x", "foot.z", "foot.pitch")]]
    order = np.repeat(np.arange(1, HARMONICS + 1), 2)
    return np.concatenate([*joints, 3.0 * low / 0.02, lacking, (0.1 * order**2 * rough[:, 1:]).ravel()])


def _fallen(rise: np.ndarray, pose: WalkPose) -> np.ndarray:
    """Return the deviation of the hips' height `(SAMPLES,)` from the spring's course, without the means."""
    pushes = Pushes(np.array([0.0, 0.5]), pose.duty, np.ones(2))
    spring = spring_rise(pose.phase[:, LEFT], pushes, pose.period)
    return (rise - rise.mean()) - (spring - spring.mean())


def _free() -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of the unknown coefficients."""
    places = [
        (ROW[name], column)
        for name, orders in (
            ("foot.x", range(1, HARMONICS + 1)),
            ("foot.z", range(HARMONICS + 1)),
            ("foot.pitch", range(HARMONICS + 1)),
            ("pelvis.x", (0,)),
            ("pelvis.z", (0,)),
        )
        for column in np.flatnonzero(parity(tuple(orders)))
    ]
    rows, columns = zip(*places, strict=True)
    return np.array(rows), np.array(columns)
