"""The contact report: how well a walk keeps its feet planted and its body in hand, in numbers that a person
can judge.

It is measured: the points come from the evaluated pose; the plan only says which point should stand still
when.
"""

import math
from collections.abc import Sequence

import numpy as np

from ..body.balance import margin, middle_of
from ..body.feet import SWING
from ..character.body import Body
from ..character.integrity import LIMIT as INTEGRITY_PERCENT
from ..character.integrity import Integrity, integrity_figures
from ..gait.pose import WalkPose
from ..gait.timing.speed import braked
from ..ground.moving_ground import MovingTerrain
from ..ground.surface import LEVEL, Ground
from ..skeleton.roles import FEET, LEGS, SIDES, sided
from .jolts import (
    CLEARANCE_MM,
    PENETRATION_MM,
    REACH,
    REFERENCE_LEG,
    SEAM_M,
    SLIP_MM,
    TOE_POINT,
    BodyPoints,
    Jolt,
    flies,
    jolt_figures,
    jolt_limits,
    jolts_of,
    past_limits,
    reach_of,
    slip_figures,
    slip_of,
)

# share of the swing; outside it the toe has just left the ground or the heel is about to land
MID_SWING = (0.25, 0.75)


def contact_report(
    feet: np.ndarray,
    legs: np.ndarray,
    head: np.ndarray,
    body: Body,
    pose: WalkPose,
    fps: float,
    whole: Integrity | None = None,
    ground: Ground = LEVEL,
    seated: Sequence[tuple[float, float]] = (),
    carried: Sequence[tuple[float, float, float]] = (),
) -> dict:
    """Return the figures of a walk, ready for JSON; a figure that these frames do not determine is None.

    Args:
        feet: heel, ball and toe-tip points `(f, 2, 3, 3)` as evaluated, in metres relative to the root; of a
            body on four legs `(f, 4, 3, 3)`, the hind ones first.
        legs: hip, knee and ankle joints of the same legs in the same frame.
        head: the head's joint `(f, 3)` in the same frame; NaN without a head.
        body: the character.
        pose: the walk at the same frames, which are consecutive.
        fps: frames per second.
        whole: whether the deforming bones stay together at these frames, if that was checked.
        ground: the ground, one for each frame if it moves; without any, it is level through the root.
        seated: from which frame to which the hips rest on something.
        carried: from which frame to which both hands have something, and its weight of the body's.
    """
    grounded = pose.root.carried(feet)
    under = (ground.at(pose.frames[:, None, None]) if isinstance(ground, MovingTerrain) else ground).height(
        grounded
    )
    heights = np.where(np.isnan(under), feet[..., 2], grounded[..., 2] - under)
    still = grounded if pose.carry is None else pose.carry.back(grounded)
    pivot, duty = pose.of_feet("pivot"), pose.of_feet("duty")
    slips = [slip_of(still[:, foot], pivot[:, foot]) for foot in range(pivot.shape[1])]
    size = body.leg_length / REFERENCE_LEG
    cycle = _steady(pose.period) * fps
    jolts = walk_jolts(legs, head, body, pose, fps)
    figures = {
        "slip_mm": {name: slip_figures(slip) for name, slip in zip(FEET, slips, strict=False)},
        "penetration_mm": max(0.0, float(-1e3 * heights.min())),
        "toe_clearance_mm": _clearance(heights[:, :, TOE_POINT], pose),
        "reach": None if body.one_bone_legs else reach_of(legs, body),
        "balance_margin_mm": _margin(feet, body, pose, seated, carried),
        "seam_m": _seam(np.concatenate([feet, legs], axis=2), cycle * pose.lap),
        "cycle_frames": _finite(cycle),
        "ground_speed_m_s": float(pose.ground_speed.mean()),
        "stride_m": float(pose.stride.mean()),
        "cadence_steps_min": _finite(120.0 * pose.steps * fps / cycle if cycle > 0.0 else math.inf),
        "duty_factor": {name: float(share) for name, share in zip(FEET, duty.mean(axis=0), strict=False)},
        "leg_length_m": float(body.leg_length),
        "frames": [float(pose.frames[0]), float(pose.frames[-1])],
    }
    figures |= integrity_figures(whole) | jolt_figures(jolts, pose.frames)
    limits = {
        "slip_mm": SLIP_MM * size,
        "penetration_mm": PENETRATION_MM * size,
        "toe_clearance_mm": CLEARANCE_MM * size,
        "reach": REACH,
        "seam_m": SEAM_M * size,
        "integrity_percent": INTEGRITY_PERCENT,
    } | jolt_limits(jolts)
    return figures | {"limits": limits, "past_limits": past_limits(figures, limits)}


def _margin(
    feet: np.ndarray,
    body: Body,
    pose: WalkPose,
    seated: Sequence[tuple[float, float]],
    carried: Sequence[tuple[float, float, float]],
) -> float | None:
    """Return the least millimetres that the middle of the planned body, with what it carries, is inside its
    soles, where both feet stand, nothing else bears it and it goes nowhere; None where that is never so, and
    for legs without thigh, shin and foot, and on four legs."""
    bears = (pose.pivot != SWING).all(axis=1) & (pose.ground_speed == 0.0)
    for begin, end in seated:
        bears &= (pose.frames < begin) | (pose.frames > end)
    rows = np.flatnonzero(bears)
    if not len(rows) or not _has_legs(pose) or pose.fore is not None:
        return None
    motions = {role: motion[rows] for role, motion in pose.motions.items()}
    middle = middle_of(body, motions)
    for begin, end, weight in carried:
        has = weight * ((pose.frames[rows] >= begin) & (pose.frames[rows] <= end))[:, None]
        hands = np.mean([motions[sided("hand", side)].position for side in SIDES], axis=0)
        middle = (middle + has * hands) / (1.0 + has)
    return 1e3 * float(margin(feet[rows].reshape(len(rows), -1, 3), middle).min())


def _has_legs(pose: WalkPose) -> bool:
    return all(role in pose.motions for leg in _legs_of(pose) for role in leg)


def _legs_of(pose: WalkPose) -> tuple[tuple[str, ...], ...]:
    return LEGS[: pose.of_feet("pivot").shape[1]]


def walk_jolts(legs: np.ndarray, head: np.ndarray, body: Body, pose: WalkPose, fps: float) -> dict[str, Jolt]:
    """Return the jolts of a walk's body, for points as in `contact_report`; who brakes hard goes down."""
    hips = legs[:, :2, 0].mean(axis=1)
    push = np.diff(pose.ground_speed) / np.maximum(np.diff(pose.frames), 1e-9) * fps
    points = BodyPoints(
        pose.root.carried(hips),
        pose.root.carried(np.full_like(head, np.nan) if body.holds_its_head else head),
        None if body.one_bone_legs else legs,
        None if braked(push).any() else hips[:, 2],
    )
    return jolts_of(points, flies(pose.of_feet("pivot"), fps, body.leg_length), fps, body.leg_length)


def jolts_of_pose(pose: WalkPose, body: Body, fps: float) -> dict[str, Jolt]:
    """Return the jolts of a walk as planned; none for a body whose legs are not of thigh, shin and foot."""
    if not _has_legs(pose):
        return {}
    joints = [pose.motions[role].position for leg in _legs_of(pose) for role in leg]
    legs = np.stack(joints, axis=1).reshape(len(pose.frames), -1, 3, 3)
    head = pose.motions["head"].position if "head" in pose.motions else np.full((len(legs), 3), np.nan)
    return walk_jolts(legs, head, body, pose, fps)


def _clearance(toe_height: np.ndarray, pose: WalkPose) -> float | None:
    """Return the lowest toe tip in mid swing in millimetres."""
    duty = pose.of_feet("duty")
    swing = (pose.of_feet("phase") % 1.0 - duty) / np.maximum(1.0 - duty, 1e-9)
    middle = (pose.of_feet("pivot") == SWING) & (swing > MID_SWING[0]) & (swing < MID_SWING[1])
    return 1e3 * float(toe_height[middle].min()) if middle.any() else None


def _seam(points: np.ndarray, cycle: float) -> float | None:
    """Return how far a point is from its place a cycle before; None if a cycle is no whole number of frames
    or longer than the range."""
    whole = round(cycle) if math.isfinite(cycle) else 0
    if whole < 1 or abs(cycle - whole) > 1e-6 or whole >= len(points):
        return None
    return float(np.linalg.norm(points[whole:] - points[:-whole], axis=-1).max())


def _steady(values: np.ndarray) -> float:
    """Return the common value, NaN where it varies."""
    first = float(values[0])
    return first if np.all(np.isclose(values, first, rtol=1e-6, atol=0.0)) else math.nan


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
