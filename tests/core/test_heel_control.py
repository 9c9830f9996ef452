"""Feet under a rig's heel control, which rolls them over heel and toe joint."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING, TOE
from neurarig_addon.core.gait.feet.foot_roll import HeelControl, heel_angles, under_heel_controls
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z, from_axis_angle, rotation_vector
from tests.core.walkers import BODY, HUMAN

FRAMES = np.arange(0.0, 97.0, 0.25)


def heels(below: float) -> dict[str, HeelControl]:
    """Return heel controls whose pivot is so many metres under the heels."""
    return {
        side: HeelControl(
            BODY.heel[row] - [0.0, 0.0, below],
            BODY.toe_joint[row],
            about_z(BODY.foot_heading[row]) @ np.array([0.0, 1.0, 0.0]),
        )
        for row, side in enumerate("LR")
    }


def rolled(pose: WalkPose, below: float = 0.0):
    """Return the motions under heel controls."""
    angles = heel_angles(heels(below), pose.motions, np.minimum(pose.pitch[..., 0], 0.0))
    return under_heel_controls(heels(below), pose.motions, angles)


@pytest.mark.parametrize("below", [0.0, 0.02])
def test_the_foot_is_where_it_was_and_the_control_has_one_angle(below):
    pose = walk(BODY, StyleTrack(), Clock(), FRAMES, HUMAN)
    motions = rolled(pose, below)
    for side, roll in heels(below).items():
        foot, control, backward = (motions[f"{role}.{side}"] for role in ("roll", "foot", "heel"))
        was = pose.motions[f"foot.{side}"]
        turned = rotation_vector(np.swapaxes(control.rotation, -1, -2) @ foot.rotation)
        angle = turned @ roll.axis
        assert turned == pytest.approx(angle[:, None] * roll.axis, abs=1e-6)
        back = control.rotation @ from_axis_angle(roll.axis, np.minimum(angle, 0.0))
        assert backward.rotation == pytest.approx(back, abs=1e-6)
        assert control.carry(roll.heel) == pytest.approx(backward.position, abs=1e-9)
        joint = backward.position + (back @ (roll.joint - roll.heel)[:, None])[..., 0]
        assert joint + (foot.rotation @ (was.rest - roll.joint)[:, None])[..., 0] == pytest.approx(
            was.position, abs=1e-6
        )


def test_the_control_stands_until_the_foot_is_on_its_tips():
    pose = walk(BODY, StyleTrack(), Clock(), FRAMES, HUMAN)
    for row, side in enumerate("LR"):
        control = pose.root.holding(rolled(pose)[f"foot.{side}"])
        stands = ~np.isin(pose.pivot[:, row], (SWING, TOE))
        for step in np.unique(np.floor(pose.phase[stands, row])):
            rows = np.flatnonzero(stands & (np.floor(pose.phase[:, row]) == step))
            assert np.ptp(control.position[rows], axis=0).max() < 1e-6
            assert np.ptp(control.rotation[rows], axis=0).max() < 1e-6


def test_feet_without_a_heel_control_stay_as_they_are():
    pose = walk(BODY, StyleTrack(), Clock(), FRAMES, HUMAN)
    assert under_heel_controls({}, pose.motions, np.zeros((len(FRAMES), 2))) == dict(pose.motions)
