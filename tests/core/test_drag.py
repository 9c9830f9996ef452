"""Overlap: hips, chest, arms and hands trail the walk by frames, feet never do."""

import numpy as np
import pytest

from neurarig_addon.core.gait.body.channels import SLIDERS
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from tests.core.walk_measures import greatest_slip
from tests.core.walkers import BODY, HUMAN

FRAMES = np.arange(1.0, 60.0)
LATE = 3
UPPER = ("spine.3", "upper_arm.L", "forearm.R", "hand.L")


def walking(frames: np.ndarray = FRAMES, **sliders: float) -> WalkPose:
    """Return a steady walk with some sliders."""
    return walk(BODY, StyleTrack(Style(speed=1.2, **sliders)), Clock(), frames, HUMAN)


def turn(pose: WalkPose, role: str) -> np.ndarray:
    """Return how a role is turned `(f, 3, 3)`."""
    return pose.motions[role].rotation


@pytest.mark.parametrize(("slider", "late", "in_time"), [
    ("drag_hips", ("pelvis", *UPPER), ()),
    ("drag_chest", UPPER, ("pelvis",)),
    ("drag_hands", ("hand.L", "hand.R"), ("pelvis", "spine.3", "forearm.L", "forearm.R")),
])  # fmt: skip
def test_a_part_does_what_it_did_frames_before(slider, late, in_time):
    plain, dragged = walking(), walking(**{slider: LATE})
    for role in late:
        assert turn(dragged, role)[LATE:] == pytest.approx(turn(plain, role)[:-LATE], abs=1e-6), role
        assert np.abs(turn(dragged, role) - turn(plain, role)).max() > 1e-3, role
    for role in in_time:
        assert turn(dragged, role) == pytest.approx(turn(plain, role), abs=1e-12), role


def test_arms_trail_a_chest_that_stays():
    plain, dragged = walking(), walking(drag_arms=LATE)
    assert turn(dragged, "spine.3") == pytest.approx(turn(plain, "spine.3"), abs=1e-12)
    assert np.abs(turn(dragged, "upper_arm.L") - turn(plain, "upper_arm.L")).max() > 0.02


@pytest.mark.parametrize("slider", SLIDERS)
def test_feet_are_never_late(slider):
    plain, dragged = walking(), walking(**{slider: 1.0 if slider == "slow_in" else 6.0})
    for role in ("foot.L", "foot.R", "toe.L"):
        assert turn(dragged, role) == pytest.approx(turn(plain, role), abs=1e-12)
        assert dragged.motions[role].position == pytest.approx(plain.motions[role].position, abs=1e-9)
    assert greatest_slip(BODY, dragged) < 1e-9
    assert np.ptp(dragged.motions["pelvis"].position[:, 2]) < 1.3 * np.ptp(
        plain.motions["pelvis"].position[:, 2]
    )


def test_slow_in_lingers_at_contacts():
    frames = np.arange(1.0, 60.0, 0.1)

    def share_at_contacts(**sliders: float) -> float:
        """Return how fast arms turn near contacts against all the time."""
        pose = walking(frames, **sliders)
        speed = np.abs(np.diff(turn(pose, "upper_arm.L"), axis=0)).sum(axis=(1, 2))
        near = np.abs((2.0 * pose.phase[1:, 0] + 0.5) % 1.0 - 0.5) < 0.1
        return float(speed[near].mean() / speed.mean())

    assert share_at_contacts(slow_in=1.0) < 0.5 * share_at_contacts() < share_at_contacts(slow_in=-1.0)
