"""Feet as a control on the print and a roll over heel, tip and joint of the toes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.gait.feet.foot_roll import PIVOTS, on_pivots, roll_points
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z, rotated, rotation_vector
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, HUMAN

WITHOUT_TOES = replace(BODY, toe_joint=np.full((2, 3), np.nan))
FRAMES = np.arange(0.0, 97.0, 0.25)


def rolled(pose: WalkPose, body=BODY):
    foot, toes = pose.pitch[..., 0], pose.pitch[..., 1]
    return on_pivots(body, pose.motions, np.stack([np.minimum(foot, 0.0), toes], axis=-1))


@pytest.mark.few(10)
@pytest.mark.parametrize("name", WALKS)
def test_the_control_stands_still_while_its_foot_stands(name):
    pose = walk(BODY, WALKS[name], Clock(), FRAMES, HUMAN)
    for row, side in enumerate("LR"):
        control = pose.root.holding(rolled(pose)[f"foot.{side}"])
        stands = pose.pivot[:, row] != SWING
        for step in np.unique(np.floor(pose.phase[stands, row])):
            rows = np.flatnonzero(stands & (np.floor(pose.phase[:, row]) == step))
            assert np.ptp(control.position[rows], axis=0).max() < 1e-9
            assert np.ptp(control.rotation[rows], axis=0).max() < 1e-9


@pytest.mark.parametrize("body", [BODY, WITHOUT_TOES], ids=["toes", "one piece"])
def test_the_chain_leads_from_the_control_to_the_foot_as_it_was(body):
    pose = walk(body, StyleTrack(), Clock(), FRAMES, HUMAN)
    motions, points = rolled(pose, body), roll_points(body)
    for row, side in enumerate("LR"):
        chain = [motions[f"{role}.{side}"] for role in ("foot", *PIVOTS)]
        for (held, pivot), point in zip(pairwise(chain), points[row], strict=True):
            assert held.carry(point) == pytest.approx(pivot.position, abs=1e-9)
        assert chain[-1].rotation == pytest.approx(pose.motions[f"foot.{side}"].rotation, abs=1e-9)
        assert chain[-1].carry(body.ankle[row]) == pytest.approx(
            pose.motions[f"foot.{side}"].position, abs=1e-9
        )
        left = about_z(body.foot_heading[row]) @ np.array([0.0, 1.0, 0.0])
        for held, pivot in pairwise(chain[:-1]):
            turned = rotation_vector(np.swapaxes(held.rotation, -1, -2) @ pivot.rotation)
            assert turned - np.outer(turned @ left, left) == pytest.approx(0.0, abs=1e-7)
        if body is BODY:
            toes = pose.motions[f"toe.{side}"]
            assert chain[2].rotation == pytest.approx(toes.rotation, abs=1e-9)
            assert chain[2].carry(body.toe_joint[row]) == pytest.approx(toes.position, abs=1e-9)


def test_the_control_has_no_pitch_of_its_own():
    pose = walk(BODY, StyleTrack(), Clock(), FRAMES, HUMAN)
    for row, side in enumerate("LR"):
        up = rotated(rolled(pose)[f"foot.{side}"].rotation, np.array([0.0, 0.0, 1.0]))
        assert np.degrees(np.arccos(np.clip(up[:, 2], -1.0, 1.0))).max() < 1.0
        assert np.degrees(np.ptp(pose.pitch[:, row, 0])) > 60.0
