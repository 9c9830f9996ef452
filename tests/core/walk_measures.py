"""What a WalkPose does with its feet and knees, measured from the motions alone."""

import numpy as np

from neurarig_addon.core.body.feet import BALL, FLAT, HEEL, SWING, TOE
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.key_poses import steps_of
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.skeleton.roles import SIDES


def carried(motion: Motion, point: np.ndarray) -> np.ndarray:
    """Return where a rest point `(3,)` that rides on a role is at every frame `(frames, 3)`."""
    return motion.rotation @ (point - motion.rest) + motion.position


def sole_points(body: Body, pose: WalkPose, row: int) -> dict[int, np.ndarray]:
    """Return the pivots of one foot on the ground: heel, ball (the toe joint where there is one) and toe tip
    `(frames, 3)`."""
    foot = pose.motions[f"foot.{SIDES[row]}"]
    toe = pose.motions.get(f"toe.{SIDES[row]}", foot)
    ball = body.toe_joint[row] if np.isfinite(body.toe_joint[row]).all() else body.toe[row]
    points = {HEEL: carried(foot, body.heel[row]), BALL: carried(toe, ball), TOE: carried(toe, body.toe[row])}
    return {pivot: pose.root.carried(point) for pivot, point in points.items()}


def greatest_slip(body: Body, pose: WalkPose) -> float:
    """Return how far any active pivot moves over the ground within one contact, in metres."""
    worst = 0.0
    for row in range(2):
        step = np.floor(pose.phase[:, row])
        for pivot, point in sole_points(body, pose, row).items():
            active = (pose.pivot[:, row] == pivot) | ((pose.pivot[:, row] == FLAT) & (pivot in (HEEL, BALL)))
            # A contact may pass heel, flat and ball: the ball stays where it is for as long as it bears, with
            # whatever between. Heel and
            # tip that come up while the foot turns on its ball come down elsewhere.
            time = step if pivot == BALL else np.cumsum(active & ~np.concatenate([[False], active[:-1]]))
            for number in np.unique(time[active]):
                stands = active & (time == number)
                worst = max(worst, float(np.ptp(point[stands], axis=0).max()))
    return worst


def deepest(body: Body, pose: WalkPose) -> float:
    """Return how far below its standing height a heel, ball or toe tip goes, in metres (0 when none does)."""
    rest = {
        HEEL: body.heel,
        BALL: np.where(np.isfinite(body.toe_joint), body.toe_joint, body.toe),
        TOE: body.toe,
    }
    depth = [
        rest[pivot][row, 2] - point[:, 2].min()
        for row in range(2)
        for pivot, point in sole_points(body, pose, row).items()
    ]
    return max(0.0, *depth)


def toe_clearance(body: Body, pose: WalkPose) -> float:
    """Return the smallest height of the toe tip in the middle half of the swing, in metres."""
    heights = []
    for row in range(2):
        share = (pose.phase[:, row] % 1.0 - pose.duty[:, row]) / (1.0 - pose.duty[:, row])
        middle = (pose.pivot[:, row] == SWING) & (share > 0.25) & (share < 0.75)
        heights.append((sole_points(body, pose, row)[TOE][middle, 2] - body.toe[row, 2]).min())
    return float(min(heights))


def greatest_reach(body: Body, pose: WalkPose) -> float:
    """Return hip to ankle over thigh plus shin at the worst frame."""
    length = body.thigh_length + body.shin_length
    spans = [pose.motions[f"foot.{side}"].position - pose.motions[f"thigh.{side}"].position for side in SIDES]
    return float(max((np.linalg.norm(span, axis=1) / length[row]).max() for row, span in enumerate(spans)))


def knee_angle(pose: WalkPose, side: str) -> np.ndarray:
    """Return knee flexion in radians `(frames,)`, 0 for a straight leg."""
    thigh = pose.motions[f"shin.{side}"].position - pose.motions[f"thigh.{side}"].position
    shank = pose.motions[f"foot.{side}"].position - pose.motions[f"shin.{side}"].position
    cos = np.sum(thigh * shank, axis=1) / (np.linalg.norm(thigh, axis=1) * np.linalg.norm(shank, axis=1))
    return np.arccos(np.clip(cos, -1.0, 1.0))


def named_poses(pose: WalkPose) -> list[tuple[str, int]]:
    """Return the named poses of a walk's whole steps as (name, frame)."""
    return [named for step in steps_of(pose) for named in step.named()]
