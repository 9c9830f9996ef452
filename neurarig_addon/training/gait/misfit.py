"""The residuals of a walk with given curves against the goal at its speed."""

import numpy as np

from ...core.character.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.feet.stance import feet_of
from ...core.gait.feet.swing import Air, heights_unguarded
from ...core.gait.kinds.contacts import natural_phase
from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE, natural_duty
from ...core.gait.pose import WalkPose
from ...core.gait.sliders.style import Clock, Style, StyleTrack
from ...core.gait.steps.footsteps import footsteps
from ...core.gait.synthesis import walked as walk_of
from ...core.gait.walker import Walker
from ...core.ground.surface import LEVEL
from ...core.path.path import STRAIGHT
from .human_gait import ROW, HumanGait
from .norms import EVEN, HARMONICS, basis, parity
from .walk_goal import SAMPLES, SLOW_SWING_COUNTS, SLOW_VHATS, GaitGoal, WalkGoal


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


JOINT_COUNTS = {"thigh": 1.0, "knee": 1.25, "ankle": 1.0}  # knees show most
# part of the cycle in which a viewer sees whether the trailing knee straightens; its weight
TRAILS, TRAILING_COUNTS = (0.36, 0.50), 2.5
HEEL_OFF, TOES_UP = 7.0, 3.0  # degrees: spread of the foot's pitch in late stance, and before it comes down
# Toes count as moving, and heels as stopped, at these shares of the swing's greatest speed; people's do so
# this long after toe-off and before heel strike (together 0.02, as in 42 recorded walks), with this spread;
# cycles.
MOVES, STOPS, LATE, EARLY, SEEN_SPREAD = 0.2, 0.1, 0.016, 0.004, 0.005
# rad/s^2: spread of a knee's acceleration, and its growth with people's greatest: a kicking knee shows, above
# all on stairs.
KICK, KICK_SHARE = 8.0, 0.25
# The hips are fastest in double support and slowest in mid-stance, alike in 42 recorded walks: amplitude in
# leg lengths, its decrease per unit of dimensionless speed, and the spread; then the phase at which they are
# most ahead, by speed.
SURGE, SURGE_FASTER, SURGE_SPREAD = 0.024, 0.011, 0.008
FOREMOST_VHATS, FOREMOST = (0.25, 0.40, 0.55), (0.193, 0.18, 0.145)
# Pitch of the foot at toe-off in degrees, in recorded walks steeper with speed, and its weight. The fastest
# recordings say nothing: what
# is steeper than a right angle was read as flatter there.
TOE_OFF_VHATS, TOE_OFF, TOE_OFF_COUNTS = (0.0, 0.568, 0.70), (-46.3, -63.0, -63.0), (2.0 / 7.0, 0.0)
# degrees: spread of pitch beyond the norms' steepest, and the part of the cycle that it is in
STEEPER, PUSHES_OFF = 0.5, (0.50, 0.76)
# Before heels stop they are low already: their height over a level print in leg lengths, alike at 0.8 to 1.9
# m/s in ten recorded people.
LANDS_AT, LANDS_LOW, LANDS_SPREAD = (
    (0.85, 0.87, 0.89, 0.91, 0.93, 0.95),
    (0.039, 0.021, 0.011, 0.007, 0.006, 0.0045),
    0.005,
)
PHASE = np.arange(SAMPLES) / SAMPLES


def surge(vhat: float) -> np.ndarray:
    """Return the lead of people's hips over an even motion `(SAMPLES,)` over the left foot's cycle, in leg
    lengths."""
    return (SURGE - SURGE_FASTER * vhat) * np.cos(
        4.0 * np.pi * (PHASE - np.interp(vhat, FOREMOST_VHATS, FOREMOST))
    )


def misfit(body: Body, goal: WalkGoal, coefficients: np.ndarray, in_motion: bool = True) -> np.ndarray:
    """Return weighted residuals: joint angles in spreads, the foot, the pelvis, and roughness of the curves.

    `in_motion`: also the knees' accelerations, and when feet visibly leave and arrive.
    """
    pose = walked(body, goal, coefficients)
    angles = joint_angles(pose)
    duty = float(natural_duty(pose.ground_speed[0], body.leg_length))
    counts = np.where(duty - 0.03 < PHASE, np.interp(goal.vhat, SLOW_VHATS, SLOW_SWING_COUNTS), 1.0)
    trailing = np.where((TRAILS[0] <= PHASE) & (TRAILS[1] >= PHASE), TRAILING_COUNTS, 1.0)
    joints = [
        counts * trailing * weight * (angles[name] - getattr(goal, name)) / spread
        for (name, weight), spread in zip(JOINT_COUNTS.items(), goal.spread, strict=True)
    ]
    rise = angles["hips"][:, 2]
    wanted = (coefficients[ROW["pelvis.z"]] * parity((0, *EVEN, 8))) @ basis(PHASE).T * body.leg_length
    guarded = (wanted - wanted.mean()) - (rise - rise.mean())
    ahead = (coefficients[ROW["pelvis.x"]] * parity((*EVEN, 8))) @ basis(PHASE).T - surge(goal.vhat)
    rough = coefficients[[ROW[name] for name in ("foot.x", "foot.z", "foot.pitch", "pelvis.z", "pelvis.x")]]
    order = np.repeat(np.arange(1, HARMONICS + 1), 2)
    return np.concatenate(
        [
            *joints,
            _pitched(angles["pitch"], goal, duty),
            _low_toes(body, pose, goal, duty),
            _landing_heel(body, pose),
            *(
                (seen(body, pose, duty), kicks(angles["knee"], goal, float(pose.period[0])))
                if in_motion
                else ()
            ),
            [6.0 * (np.ptp(rise) / body.leg_length - goal.bob) / 0.008],
            guarded / (0.004 * body.leg_length),
            ahead / SURGE_SPREAD,
            (0.3 * order**2 * rough[:, 1:]).ravel(),
        ]
    )


def _pitched(pitch: np.ndarray, goal: WalkGoal, duty: float) -> np.ndarray:
    """Return residuals of the foot's pitch: mocap at heel strike and toe-off, flat in mid-stance, else
    adults' norms."""
    strike, leave = 16.5 + 20.3 * goal.vhat, np.interp(goal.vhat, TOE_OFF_VHATS, TOE_OFF)
    counts = np.interp(goal.vhat, TOE_OFF_VHATS[-2:], TOE_OFF_COUNTS)
    ends = [3.0 * (pitch[-1] - strike) / 4.0, counts * (pitch[round(duty * SAMPLES)] - leave)]
    held = pitch - goal.pitch
    steeper = np.minimum(_within(pitch - goal.pitch.min(), *PUSHES_OFF), 0.0)
    parts = (
        _within(pitch, 0.12, 0.32) / 1.5,
        _within(held, 0.30, 0.52) / HEEL_OFF,
        _within(held, 0.84, 1.0) / TOES_UP,
    )
    return np.concatenate([ends, *parts, steeper / STEEPER])


def _low_toes(body: Body, pose: WalkPose, goal: WalkGoal, duty: float) -> np.ndarray:
    """Return residuals of toes that pass too low in mid swing."""
    tip = pose.motions["toe.L"].carry(body.toe[LEFT])
    return (
        20.0
        * np.minimum(tip[(duty + 0.10 < PHASE) & (PHASE < 0.95), 2] / body.leg_length - goal.clearance, 0.0)
        / 0.02
    )


def _landing_heel(body: Body, pose: WalkPose) -> np.ndarray:
    """Return residuals of the heel's height before it comes down."""
    height = pose.motions["foot.L"].carry(body.heel[LEFT])[:, 2] / body.leg_length
    phase = _within(PHASE, LANDS_AT[0], LANDS_AT[-1])
    return (_within(height, LANDS_AT[0], LANDS_AT[-1]) - np.interp(phase, LANDS_AT, LANDS_LOW)) / LANDS_SPREAD


def seen(body: Body, pose: WalkPose, duty: float) -> np.ndarray:
    """Return residuals of the times at which toes move after toe-off and heels stop before heel strike."""
    places = (
        pose.motions["toe.L"].carry(body.toe[LEFT])[:, 0],
        pose.motions["foot.L"].carry(body.heel[LEFT])[:, 0],
    )
    toes, heels = (
        float(pose.stride[0]) + 0.5 * SAMPLES * (np.roll(place, -1) - np.roll(place, 1)) for place in places
    )
    lift = first_above(toes, MOVES * toes.max(), round(duty * SAMPLES) - 5) / SAMPLES - duty
    early = first_above(heels[::-1], STOPS * heels.max(), 0) / SAMPLES
    return np.array([lift - LATE, early - EARLY]) / SEEN_SPREAD


def kicks(knee: np.ndarray, goal: WalkGoal, period: float) -> np.ndarray:
    """Return residuals of a knee's acceleration, from its angle `(SAMPLES,)` in degrees over a cycle of
    `period` seconds."""
    ours, people = (
        np.radians(np.roll(one, 1) + np.roll(one, -1) - 2.0 * one) * (SAMPLES / period) ** 2
        for one in (knee, goal.knee)
    )
    return (ours - people) / (KICK + KICK_SHARE * np.abs(people).max())


def first_above(values: np.ndarray, limit: float, start: int) -> float:
    """Return the (fractional) row from `start` on at which values exceed a limit."""
    row = start + int(np.argmax(values[start:] > limit))
    if row == start:
        return float(start)
    return row - (values[row] - limit) / (values[row] - values[row - 1])


def _within(values: np.ndarray, start: float, end: float) -> np.ndarray:
    """Return the values `(SAMPLES,)` of a part of the cycle."""
    return values[round(start * SAMPLES) : round(end * SAMPLES)]
