"""From the norms to the human gait: find the curves whose *walk* has the joint angles that laboratories measure.

The norms are joint angles of people; the walk is planted feet and a pelvis.  Joint angles alone put the feet through the floor, so the
ankle path, foot pitch and pelvis path are found by least squares through the very synthesis that will use them, one speed after another.
Arms, chest and head are taken from the norms directly.  Needs scipy.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from ...core.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.gait import Gait
from ...core.gait.law import HUMAN, GaitLaw
from ...core.gait.natural import GRAVITY, SOLE_LEG_SHARE, natural_duty, speed_of
from ...core.gait.pose import WalkPose
from ...core.gait.style import Clock, Style, StyleTrack
from ...core.gait.synthesis import walk
from ...core.ground.rocker import unflattened
from ...core.human.adult import human_body
from . import norms
from .human_gait import OWN, ROW, HumanGait
from .joint_angles import joint_angles
from .norms import HARMONICS, adult_curve, basis, curve, fourier

SAMPLES = 100
HEEL_OFF, TOES_UP = 7.0, 5.0  # degrees that the foot's pitch may be off in late stance, and before it comes down
# In very slow walks toes pass lower, and the swing counts more than the stance: a leg that comes forward late is seen at once.
SLOW_VHATS, SLOW_CLEARANCES, SLOW_SWING_COUNTS = (0.18, 0.295), (0.014, 0.027), (1.5, 1.0)
OFF_THE_FLOOR = 0.024  # leg lengths in mid swing: curves that clear the ground by themselves have no corners where its guard lets go
SURE_TILT_VHAT = 0.3  # slower laboratories' tilt is less than what it is measured to
NATURAL_BAND = 2  # in the order of the norms
WIDTH = 1 + 2 * HARMONICS
EVEN, ODD = (2, 4, 6), (1, 3, 5)
# Motion capture of walking adults has more pelvic rotation, tilt and list than the laboratories' children: meet it part of the way.
PELVIS_GAIN = {"pelvis_rotation": 1.45, "pelvis_obliquity": 1.12}
LIST_RANGE = 11.5  # degrees of list at any speed in the mocap; at slow speeds it is half way to it
TILT_RANGE, TILT_SLOWER = 4.4, 1.8  # degrees, and less of it for a dimensionless speed of 1; laboratories 0.7 to 3.4, mocap 4.8
# From the means over people of 42 recorded walks, own side: the shoulder line is most ahead, lowest over the standing leg, and the head
# is inclined with it, at these phases; degrees.
CHEST_TURN, CHEST_PEAK = 3.2, 0.36
CHEST_DROP, CHEST_LOWEST = 2.6, 0.06
HEAD_DROP, HEAD_LOWEST = 1.2, 0.08
# In a brisk walk the upper arm swings less far than the whole arm, as the elbow opens behind and bends in front.
BRISK_ARM, BRISK_ELBOW = -0.9, 1.0


@dataclass(frozen=True)
class Goal:
    """What the walk at one speed should look like over the left foot's cycle: degrees `(SAMPLES,)`, spreads, and lengths in legs."""

    vhat: float
    law: GaitLaw
    thigh: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    spread: np.ndarray
    bob: float
    clearance: float


@dataclass(frozen=True)
class WalkGoal(Goal):
    """As Goal, with the pitch of the foot `(SAMPLES,)` in degrees, toes up positive."""

    pitch: np.ndarray


def identify(report=print) -> HumanGait:
    """Return the human gait at the speeds of the norms."""
    stored = norms.load()
    body = human_body("DOWN")
    speeds = stored["speeds"]
    found: dict[int, np.ndarray] = {}
    solutions: dict[int, np.ndarray] = {}
    # From a natural speed outward, each started from its neighbour too: the reach guard and the floor make valleys.
    for number in sorted(range(len(speeds)), key=lambda n: abs(n - NATURAL_BAND)):
        goal = goal_of(speeds[number], stored)
        given = given_curves(speeds[number], stored["spontaneous"] | {"tilt": speeds[NATURAL_BAND]["curves"]["pelvis_tilt"]}, goal)
        neighbours = [solutions[n] for n in (number - 1, number + 1) if n in solutions]
        starts = [first_guess(goal, given)[_free_places()], *neighbours]
        fitted = min((fit(body, goal, given, start) for start in starts), key=lambda one: one[2]["cost"])
        found[number], solutions[number], errors = fitted
        report(f"vhat {goal.vhat:.3f}: " + ", ".join(f"{name} {value:.1f}" for name, value in errors.items()))
    return HumanGait([entry["vhat"] for entry in speeds], np.array([found[n] for n in range(len(speeds))]))


def goal_of(entry: dict, stored: dict) -> WalkGoal:
    """Return the goal for one speed of the norms: the mean of children and adults; the children's thigh is hip flexion less pelvic tilt."""
    phase = np.arange(SAMPLES) / SAMPLES
    curves = entry["curves"]
    thigh = curve(curves["hip_flexion"], phase) - curve(curves["pelvis_tilt"], phase)
    children = {"thigh": thigh, "knee": curve(curves["knee_flexion"], phase), "ankle": curve(curves["ankle_dorsiflexion"], phase)}
    means = {name: 0.5 * (child + adult_curve(stored, name, entry["vhat"], phase)) for name, child in children.items()}
    return WalkGoal(
        vhat=entry["vhat"],
        law=HUMAN,
        **means,
        pitch=adult_curve(stored, "foot_pitch", entry["vhat"], phase),
        spread=np.array([curves[name]["sd"] for name in ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")]),
        bob=max(-0.019 + 0.138 * entry["vhat"], 0.012) * SOLE_LEG_SHARE,
        clearance=float(np.interp(entry["vhat"], SLOW_VHATS, SLOW_CLEARANCES)),
    )


def given_curves(entry: dict, upper: dict, goal: Goal) -> np.ndarray:
    """Return own-side coefficients `(len(OWN), WIDTH)` of the channels that the norms give directly."""
    phase = np.arange(SAMPLES) / SAMPLES
    own = {name: np.zeros(SAMPLES) for name in OWN}
    lower, above = entry["curves"], upper["curves"]
    # Arm swing grows with speed: 151 vhat - 28 degrees from shoulder to wrist in the mocap walks.
    swing = np.clip((151.0 * goal.vhat - 28.0) / (151.0 * upper["vhat"] - 28.0), 0.25, 1.8)
    brisk = max(goal.vhat - upper["vhat"], 0.0)
    flexion = curve(above["shoulder_flexion"], phase)
    own["arm.flexion"] = np.radians(_about_mean(flexion, swing * (1.0 + BRISK_ARM * brisk)) + 2.0)
    elbow = curve(above["elbow_flexion"], phase)
    own["arm.elbow"] = np.radians(
        np.clip(elbow.mean() - 16.0 + 10.0 * (goal.vhat - 0.43), 8.0, 60.0)
        + 0.85 * swing * (1.0 + BRISK_ELBOW * brisk) * (elbow - elbow.mean())
    )
    own["arm.abduction"] = np.full(SAMPLES, np.radians(1.5))
    own["arm.rotation"] = np.radians(8.0 + 0.25 * (curve(above["shoulder_flexion"], phase) + 9.0) * swing)
    own["arm.wrist"] = np.radians(4.0 + 3.0 * np.cos(2 * np.pi * (phase - 0.62)))
    own["pelvis.ahead"] = np.radians(PELVIS_GAIN["pelvis_rotation"] * curve(lower["pelvis_rotation"], phase))
    up = curve(lower["pelvis_obliquity"], phase)
    own["pelvis.up"] = np.radians(max(PELVIS_GAIN["pelvis_obliquity"], 0.5 + 0.5 * LIST_RANGE / np.ptp(up)) * up)
    tilt = curve(lower["pelvis_tilt"] if goal.vhat > SURE_TILT_VHAT else upper["tilt"], phase)
    own["pelvis.pitch"] = np.radians(_about_mean(tilt, (TILT_RANGE - TILT_SLOWER * goal.vhat) / np.ptp(tilt), keep=0.0))
    pace = goal.vhat / upper["vhat"]
    own["chest.ahead"] = np.radians(CHEST_TURN) * np.cos(2 * np.pi * (phase - CHEST_PEAK)) * min(pace, 1.3)
    own["chest.up"] = -np.radians(CHEST_DROP) * np.cos(2 * np.pi * (phase - CHEST_LOWEST)) * min(max(pace, 0.6), 1.2)
    nod = 1.6 * _about_mean(curve(above["thorax_tilt"], phase), 1.0, keep=0.0)
    own["chest.pitch"] = np.radians(2.0 * min(pace, 1.3) + nod * min(max(pace, 1.0), 1.3))
    own["head.ahead"] = np.radians(0.6 * curve(above["head_rotation"], phase)) * min(pace, 1.3)
    own["head.up"] = -np.radians(HEAD_DROP) * np.cos(2 * np.pi * (phase - HEAD_LOWEST)) * min(max(pace, 0.6), 1.3)
    own["head.pitch"] = np.radians(0.5 * _about_mean(curve(above["head_tilt"], phase), 1.0, keep=0.0)) * min(pace, 1.3)
    # Sway falls with speed: 0.114 - 0.112 vhat legs from side to side.
    lateral = curve(above["pelvis_lateral_m"], phase)
    own["pelvis.side"] = lateral / np.ptp(lateral) * (0.114 - 0.112 * goal.vhat) * SOLE_LEG_SHARE
    progression = -curve(lower["foot_progression"], phase)
    own["foot.toe_out"] = np.radians(_about_mean(progression, 0.6, keep=0.0))
    own["foot.roll"] = np.radians(6.0) * np.clip(np.sin(np.pi * (phase - 0.62) / 0.38), 0.0, 1.0) ** 2
    bend = curve(above["hallux_dorsiflexion"], phase)
    own["ball.bend"] = np.radians(-np.maximum(bend, 0.0) * np.clip(0.75 + 0.6 * goal.vhat, 0.8, 1.1))
    coefficients = np.array([fourier(own[name]) for name in OWN])
    for name in ("pelvis.ahead", "pelvis.up", "pelvis.side", "chest.ahead", "chest.up", "head.ahead", "head.up"):
        coefficients[ROW[name]] *= parity(ODD + (7,))
    for name in ("pelvis.pitch", "chest.pitch", "head.pitch"):
        coefficients[ROW[name]] *= parity((0, *EVEN, 8))
    return coefficients


def fit(body: Body, goal: WalkGoal, given: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """Return coefficients with ankle path, foot pitch and pelvis path found, the unknowns, and RMS errors in degrees and mm."""
    free = _free_places()

    def coefficients(values: np.ndarray) -> np.ndarray:
        whole = given.copy()
        whole[free] = values
        return whole

    def residual(values: np.ndarray) -> np.ndarray:
        return misfit(body, goal, coefficients(values))

    solved = least_squares(residual, start, method="trf", x_scale=0.02, diff_step=1e-4, max_nfev=60)
    angles = joint_angles(walked(body, goal, coefficients(solved.x)))
    errors = {name: rms(angles[name] - getattr(goal, name)) for name in ("thigh", "knee", "ankle")}
    pelvis_z = angles["hips"][:, 2]
    errors |= {"bob mm": 1000 * float(np.ptp(pelvis_z)), "cost": float(2 * solved.cost)}
    return as_walked(body, goal, coefficients(solved.x)), solved.x, errors


def as_walked(body: Body, goal: Goal, coefficients: np.ndarray) -> np.ndarray:
    """Return coefficients whose foot channels are where the ankle really goes.

    The swing takes only the shape of the foot's path, so the search leaves its mean and slope open; the channels' contract does not.
    """
    ankle = walked(body, goal, coefficients).motions["foot.L"].position / body.leg_length
    speed = np.array(speed_of(goal.vhat, body.leg_length))
    lead = float(goal.law.lead(slow_inputs(body, speed, np.zeros(())))) / body.leg_length  # the root is under the hips, the curves' is not
    found = coefficients.copy()
    found[ROW["foot.x"]] = fourier(ankle[:, 0] + lead)
    found[ROW["foot.z"]] = fourier(ankle[:, 2] - body.ankle[LEFT, 2] / body.leg_length + OFF_THE_FLOOR * _mid_swing(goal, body))
    return found


def _mid_swing(goal: Goal, body: Body) -> np.ndarray:
    """Return 1 in the middle of the swing and 0 at its ends and in the stance `(SAMPLES,)`."""
    duty = float(goal.law.duty(slow_inputs(body, np.array(speed_of(goal.vhat, body.leg_length)), np.zeros(())), LEFT))
    share = np.clip((np.arange(SAMPLES) / SAMPLES - duty) / (1.0 - duty), 0.0, 1.0)
    return (4.0 * share * (1.0 - share)) ** 2


def walked(body: Body, goal: Goal, coefficients: np.ndarray) -> WalkPose:
    """Return one cycle of the walk from a left heel strike, as a walk with these curves would be."""
    speed = goal.vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * body.leg_length)
    stride = float(goal.law.stride(slow_inputs(body, np.array(speed), np.zeros(()))))
    clock = Clock(fps=SAMPLES * speed / stride, start=0.0, whole_frames=False)
    gait = Gait(HumanGait(np.array([goal.vhat]), coefficients[None]), goal.law)
    return walk(body, StyleTrack(Style(speed=speed)), clock, np.arange(SAMPLES, 2 * SAMPLES, dtype=float), gait)


def misfit(body: Body, goal: WalkGoal, coefficients: np.ndarray) -> np.ndarray:
    """Return weighted residuals: joint angles in spreads, bob, toe clearance, the reach guard's bite, and roughness."""
    pose = walked(body, goal, coefficients)
    angles = joint_angles(pose)
    joints = [(angles[name] - getattr(goal, name)) / spread for name, spread in zip(("thigh", "knee", "ankle"), goal.spread, strict=True)]
    duty = float(natural_duty(pose.ground_speed[0], body.leg_length))
    counts = np.where(np.arange(SAMPLES) / SAMPLES > duty - 0.03, np.interp(goal.vhat, SLOW_VHATS, SLOW_SWING_COUNTS), 1.0)
    joints = [counts * joint for joint in joints]
    strike = _weighted_pitch(angles["pitch"], goal, duty)
    held = angles["pitch"] - goal.pitch
    held = np.concatenate([held[int(0.30 * SAMPLES) : int(0.52 * SAMPLES)] / HEEL_OFF, held[int(0.84 * SAMPLES) :] / TOES_UP])
    rise = angles["hips"][:, 2]
    asked = (coefficients[ROW["pelvis.z"]] * parity((0, *EVEN, 8))) @ basis(np.arange(SAMPLES) / SAMPLES).T * body.leg_length
    guarded = (asked - asked.mean()) - (rise - rise.mean())
    toe = pose.motions["toe.L"]
    tip = np.einsum("fij,j->fi", toe.rotation, body.toe[LEFT] - toe.rest) + toe.position
    swing = np.arange(SAMPLES) / SAMPLES > duty
    middle = swing & (np.arange(SAMPLES) / SAMPLES > duty + 0.10) & (np.arange(SAMPLES) / SAMPLES < 0.95)
    low = np.minimum(tip[middle, 2] / body.leg_length - goal.clearance, 0.0)
    rough = coefficients[[ROW[name] for name in ("foot.x", "foot.z", "foot.pitch", "pelvis.z", "pelvis.x")]]
    order = np.repeat(np.arange(1, HARMONICS + 1), 2)
    return np.concatenate(
        [
            *joints,
            strike,
            held,
            [6.0 * (np.ptp(rise) / body.leg_length - goal.bob) / 0.008],
            20.0 * low / 0.02,
            guarded / (0.004 * body.leg_length),
            (0.3 * order**2 * rough[:, 1:]).ravel(),
        ]
    )


def _weighted_pitch(pitch: np.ndarray, goal: Goal, duty: float) -> np.ndarray:
    """Return residuals of the foot's own pitch: people's heel strike and toe-off angles (mocap), and a flat foot in mid-stance."""
    strike, leave = 16.5 + 20.3 * goal.vhat, -46.3 - 29.4 * goal.vhat
    off = int(round(duty * SAMPLES))
    flat = pitch[int(0.12 * SAMPLES) : int(0.32 * SAMPLES)]
    return np.concatenate([[3.0 * (pitch[-1] - strike) / 4.0, 2.0 * (pitch[off] - leave) / 7.0], flat / 1.5])


def first_guess(goal: Goal, given: np.ndarray) -> np.ndarray:
    """Return coefficients from the joint angles alone: forward kinematics from hips that glide level."""
    thigh, shank = np.radians(goal.thigh), np.radians(goal.thigh - goal.knee)
    guess = given.copy()
    guess[ROW["foot.x"]] = fourier(0.5 * (np.sin(thigh) + np.sin(shank)))
    guess[ROW["foot.z"]] = fourier(0.5 * (2.0 - np.cos(thigh) - np.cos(shank)) - 0.02)
    guess[ROW["foot.pitch"]] = fourier(unflattened(np.radians(goal.knee - goal.thigh - goal.ankle)))
    guess[ROW["pelvis.z"]] = np.zeros(WIDTH)
    guess[ROW["pelvis.z"], 0] = -0.02
    guess[ROW["pelvis.z"], 3] = -0.5 * goal.bob
    return guess


def _free_places() -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of the unknown coefficients."""
    places = []
    for name, orders in (
        ("foot.x", range(1, HARMONICS + 1)),
        ("foot.z", range(HARMONICS + 1)),
        ("foot.pitch", range(HARMONICS + 1)),
        ("pelvis.x", (0, *EVEN)),
        ("pelvis.z", (0, *EVEN)),
    ):
        places += [(ROW[name], column) for column in np.flatnonzero(parity(tuple(orders)))]
    rows, columns = zip(*places, strict=True)
    return np.array(rows), np.array(columns)


def parity(orders: tuple[int, ...]) -> np.ndarray:
    """Return a mask `(WIDTH,)` of the coefficients of the given harmonics, 0 for the mean."""
    order_of = np.concatenate([[0], np.repeat(np.arange(1, HARMONICS + 1), 2)])
    return np.isin(order_of, orders).astype(float)


def _about_mean(values: np.ndarray, gain: float, keep: float = 1.0) -> np.ndarray:
    return keep * values.mean() + gain * (values - values.mean())


def rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))
