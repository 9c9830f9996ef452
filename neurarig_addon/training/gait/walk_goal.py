"""The goal of a walk at one speed, from the norms: the joint angles to match, and the curves used as given.

Joint angles of the legs are goals (see `identify`); arms, chest, head and the pelvis' rotations are taken
from the norms directly.
"""

from dataclasses import dataclass

import numpy as np

from ...core.gait.kinds.law import HUMAN, GaitLaw
from ...core.gait.kinds.natural import SOLE_LEG_SHARE
from .human_gait import OWN, ROW
from .norms import EVEN, ODD, adult_curve, curve, fourier, parity

SAMPLES = 100
# In very slow walks toes pass lower, and the swing weighs more than the stance: a leg that comes forward late
# is obvious.
SLOW_VHATS, SLOW_CLEARANCES, SLOW_SWING_COUNTS = (0.18, 0.295), (0.014, 0.027), (1.5, 1.0)
SURE_TILT_VHAT = 0.3  # below this, the laboratories' tilt is smaller than the accuracy of measurement
# Motion capture of walking adults shows more pelvic rotation, tilt and list than the laboratories' children:
# gains part of the way.
PELVIS_GAIN = {"pelvis_rotation": 1.45, "pelvis_obliquity": 1.12}
LIST_RANGE = 11.5  # degrees of list at any speed in the mocap; slow speeds go half way towards it
# degrees, and its decrease per unit of dimensionless speed; laboratories 0.7 to 3.4, mocap 4.8
TILT_RANGE, TILT_SLOWER = 4.4, 1.8
# Means over people of 42 recorded walks, own side, in degrees, and their phases: the shoulder line most
# ahead, lowest over the standing leg, and the head inclined with it.
CHEST_TURN, CHEST_PEAK = 3.2, 0.36
CHEST_DROP, CHEST_LOWEST = 2.6, 0.06
HEAD_DROP, HEAD_LOWEST = 1.2, 0.08
# In a brisk walk the upper arm swings less than the whole arm, as the elbow opens behind and bends in front.
BRISK_ARM, BRISK_ELBOW = -0.9, 1.0
# Arms swing later against the legs the faster people walk: cycles later than at the norms' speed, as in ten
# recorded people.
ARM_VHATS, ARMS_LATER = (0.30, 0.45), (-0.045, 0.018)


@dataclass(frozen=True)
class GaitGoal:
    """The goal of a gait at one speed over the left foot's cycle: degrees `(SAMPLES,)`, spreads, and lengths
    in leg lengths."""

    vhat: float
    law: GaitLaw
    thigh: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    spread: np.ndarray
    bob: float
    clearance: float


@dataclass(frozen=True)
class WalkGoal(GaitGoal):
    """A Goal with the pitch of the foot `(SAMPLES,)` in degrees, toes up positive."""

    pitch: np.ndarray


def goal_of(entry: dict, stored: dict) -> WalkGoal:
    """Return the goal for one speed of the norms: the mean of children and adults; the children's thigh is
    hip flexion less pelvic tilt."""
    phase = np.arange(SAMPLES) / SAMPLES
    curves = entry["curves"]
    thigh = curve(curves["hip_flexion"], phase) - curve(curves["pelvis_tilt"], phase)
    children = {
        "thigh": thigh,
        "knee": curve(curves["knee_flexion"], phase),
        "ankle": curve(curves["ankle_dorsiflexion"], phase),
    }
    means = {
        name: 0.5 * (child + adult_curve(stored, name, entry["vhat"], phase))
        for name, child in children.items()
    }
    return WalkGoal(
        vhat=entry["vhat"],
        law=HUMAN,
        **means,
        pitch=adult_curve(stored, "foot_pitch", entry["vhat"], phase),
        spread=np.array(
            [curves[name]["sd"] for name in ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")]
        ),
        bob=max(-0.019 + 0.138 * entry["vhat"], 0.012) * SOLE_LEG_SHARE,
        clearance=float(np.interp(entry["vhat"], SLOW_VHATS, SLOW_CLEARANCES)),
    )


def given_curves(entry: dict, upper: dict, goal: GaitGoal) -> np.ndarray:
    """Return own-side coefficients `(len(OWN), WIDTH)` of the channels taken from the norms directly."""
    phase = np.arange(SAMPLES) / SAMPLES
    own = {name: np.zeros(SAMPLES) for name in OWN}
    lower, above = entry["curves"], upper["curves"]
    # Arm swing grows with speed: 151 vhat - 28 degrees from shoulder to wrist in the mocap walks.
    swing = np.clip((151.0 * goal.vhat - 28.0) / (151.0 * upper["vhat"] - 28.0), 0.25, 1.8)
    brisk = max(goal.vhat - upper["vhat"], 0.0)
    arm_phase = phase - np.interp(goal.vhat, ARM_VHATS, ARMS_LATER)
    flexion = curve(above["shoulder_flexion"], arm_phase)
    own["arm.flexion"] = np.radians(_about_mean(flexion, swing * (1.0 + BRISK_ARM * brisk)) + 2.0)
    elbow = curve(above["elbow_flexion"], arm_phase)
    own["arm.elbow"] = np.radians(
        np.clip(elbow.mean() - 16.0 + 10.0 * (goal.vhat - 0.43), 8.0, 60.0)
        + 0.85 * swing * (1.0 + BRISK_ELBOW * brisk) * (elbow - elbow.mean())
    )
    own["arm.abduction"] = np.full(SAMPLES, np.radians(1.5))
    own["arm.rotation"] = np.radians(8.0 + 0.25 * (flexion + 9.0) * swing)
    own["arm.wrist"] = np.radians(4.0 + 3.0 * np.cos(2 * np.pi * (phase - 0.62)))
    own["pelvis.ahead"] = np.radians(PELVIS_GAIN["pelvis_rotation"] * curve(lower["pelvis_rotation"], phase))
    up = curve(lower["pelvis_obliquity"], phase)
    own["pelvis.up"] = np.radians(
        max(PELVIS_GAIN["pelvis_obliquity"], 0.5 + 0.5 * LIST_RANGE / np.ptp(up)) * up
    )
    tilt = curve(lower["pelvis_tilt"] if goal.vhat > SURE_TILT_VHAT else upper["tilt"], phase)
    own["pelvis.pitch"] = np.radians(
        _about_mean(tilt, (TILT_RANGE - TILT_SLOWER * goal.vhat) / np.ptp(tilt), keep=0.0)
    )
    pace = goal.vhat / upper["vhat"]
    own["chest.ahead"] = np.radians(CHEST_TURN) * np.cos(2 * np.pi * (phase - CHEST_PEAK)) * min(pace, 1.3)
    own["chest.up"] = (
        -np.radians(CHEST_DROP) * np.cos(2 * np.pi * (phase - CHEST_LOWEST)) * min(max(pace, 0.6), 1.2)
    )
    nod = 1.6 * _about_mean(curve(above["thorax_tilt"], phase), 1.0, keep=0.0)
    own["chest.pitch"] = np.radians(2.0 * min(pace, 1.3) + nod * min(max(pace, 1.0), 1.3))
    own["head.ahead"] = np.radians(0.6 * curve(above["head_rotation"], phase)) * min(pace, 1.3)
    own["head.up"] = (
        -np.radians(HEAD_DROP) * np.cos(2 * np.pi * (phase - HEAD_LOWEST)) * min(max(pace, 0.6), 1.3)
    )
    own["head.pitch"] = np.radians(0.5 * _about_mean(curve(above["head_tilt"], phase), 1.0, keep=0.0)) * min(
        pace, 1.3
    )
    # Sway decreases with speed: 0.114 - 0.112 vhat leg lengths from side to side.
    lateral = curve(above["pelvis_lateral_m"], phase)
    own["pelvis.side"] = lateral / np.ptp(lateral) * (0.114 - 0.112 * goal.vhat) * SOLE_LEG_SHARE
    progression = -curve(lower["foot_progression"], phase)
    own["foot.toe_out"] = np.radians(_about_mean(progression, 0.6, keep=0.0))
    own["foot.roll"] = np.radians(6.0) * np.clip(np.sin(np.pi * (phase - 0.62) / 0.38), 0.0, 1.0) ** 2
    bend = curve(above["hallux_dorsiflexion"], phase)
    own["ball.bend"] = np.radians(-np.maximum(bend, 0.0) * np.clip(0.75 + 0.6 * goal.vhat, 0.8, 1.1))
    return coefficients_of(own)


def coefficients_of(own: dict[str, np.ndarray]) -> np.ndarray:
    """Return coefficients `(len(OWN), WIDTH)` of own-side curves `(SAMPLES,)`; the trunk is alike on
    both sides."""
    coefficients = np.array([fourier(own[name]) for name in OWN])
    for part in ("pelvis", "chest", "head"):
        for way, orders in (("ahead", (*ODD, 7)), ("up", (*ODD, 7)), ("pitch", (0, *EVEN, 8))):
            coefficients[ROW[f"{part}.{way}"]] *= parity(orders)
    coefficients[ROW["pelvis.side"]] *= parity((*ODD, 7))
    return coefficients


def _about_mean(values: np.ndarray, gain: float, keep: float = 1.0) -> np.ndarray:
    return keep * values.mean() + gain * (values - values.mean())
