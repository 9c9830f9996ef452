"""The contact report: what it must see, on walks that are right and on walks with one fault each."""

import json

import numpy as np
import pytest

from neurarig_addon.core.body.feet import HEEL, SWING, TOE
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.report.jolts import BALL_POINT, HEEL_POINT, TOE_POINT
from neurarig_addon.core.report.walk_report import contact_report
from tests.core.walkers import BODY

FPS = 24.0


@pytest.fixture(scope="module")
def pose() -> WalkPose:
    """Return two cycles and a frame of a plain walk."""
    return walk(BODY, StyleTrack(Style(speed=1.3)), Clock(FPS), np.arange(1.0, 1.0 + 2 * 26 + 1))


def carried(pose: WalkPose, role: str, rest: np.ndarray) -> np.ndarray:
    """Return rest points `(2, 3)` carried by both sides' bones `(f, 2, 3)`."""
    sides = [pose.motions[f"{role}.{side}"] for side in "LR"]
    return np.stack(
        [np.einsum("fij,j->fi", m.rotation, rest[row] - m.rest) + m.position for row, m in enumerate(sides)],
        1,
    )


def points(pose: WalkPose) -> tuple[np.ndarray, np.ndarray]:
    """Return the feet's and legs' points as a rig without any error would show them."""
    feet = [carried(pose, "foot", BODY.heel), carried(pose, "toe", BODY.ball), carried(pose, "toe", BODY.toe)]
    legs = [
        carried(pose, "thigh", BODY.hip),
        carried(pose, "shin", BODY.knee),
        carried(pose, "foot", BODY.ankle),
    ]
    return np.stack(feet, 2), np.stack(legs, 2)


def report_of(pose: WalkPose, feet: np.ndarray, legs: np.ndarray) -> dict:
    return contact_report(feet, legs, pose.motions["head"].position, BODY, pose, FPS)


def test_a_sound_walk_is_within_limits(pose):
    feet, legs = points(pose)
    report = report_of(pose, feet, legs)
    assert report["past_limits"] == []
    assert report["slip_mm"]["L"]["max"] < 1e-6
    assert report["cycle_frames"] == pytest.approx(round(report["cycle_frames"]))
    assert report["seam_m"] < 1e-9
    assert report["ground_speed_m_s"] * report["cycle_frames"] / FPS == pytest.approx(report["stride_m"])
    assert report["cadence_steps_min"] == pytest.approx(120.0 * FPS / report["cycle_frames"])


def test_the_report_says_of_which_walk_and_body_it_is(pose):
    report = report_of(pose, *points(pose))
    assert report["frames"] == [1.0, 53.0]
    assert report["leg_length_m"] == pytest.approx(BODY.leg_length)
    assert report["duty_factor"] == {
        side: pytest.approx(float(pose.duty[:, row].mean())) for row, side in enumerate("LR")
    }
    assert report["integrity_percent"] is None and report["open_joints"] == report["left_behind"] == []


def test_report_is_json(pose):
    report = report_of(pose, *points(pose))
    assert json.loads(json.dumps(report)) == report


@pytest.mark.parametrize("point", [HEEL_POINT, BALL_POINT, TOE_POINT])
def test_a_sliding_point_is_seen(pose, point):
    feet, legs = points(pose)
    feet[:, 1, point, 0] += 1e-3 * pose.frames  # a millimetre a frame
    report = report_of(pose, feet, legs)
    assert report["past_limits"] == ["slip_mm", "seam_m"]
    assert report["slip_mm"]["L"]["max"] < 1e-6 < 0.9 < report["slip_mm"]["R"]["max"]
    assert report["slip_mm"]["R"]["p95"] <= report["slip_mm"]["R"]["max"]


def test_swinging_feet_do_not_slip(pose):
    feet, legs = points(pose)
    feet[pose.pivot == SWING] += [0.05, 0.0, 0.0]
    assert report_of(pose, feet, legs)["slip_mm"]["R"]["max"] < 1e-6


def test_sunken_feet_are_seen(pose):
    feet, legs = points(pose)
    feet[..., 2] -= 0.002
    report = report_of(pose, feet, legs)
    assert report["penetration_mm"] == pytest.approx(2.0, abs=0.05)
    assert "penetration_mm" in report["past_limits"]


def test_a_dragged_toe_is_seen(pose):
    feet, legs = points(pose)
    feet[..., TOE_POINT, 2] = np.minimum(feet[..., TOE_POINT, 2], 0.004)
    assert report_of(pose, feet, legs)["toe_clearance_mm"] == pytest.approx(4.0)


def test_an_overstretched_leg_is_seen(pose):
    feet, legs = points(pose)
    legs[9, 0, 2, 2] -= 0.5
    assert "reach" in report_of(pose, feet, legs)["past_limits"]


def test_the_seam_is_the_farthest_that_a_point_is_off_after_a_cycle(pose):
    feet, legs = points(pose)
    cycle = round(report_of(pose, feet, legs)["cycle_frames"])
    feet[cycle:] += [0.0, 0.003, 0.0]
    legs[cycle:] += [0.0, 0.0, 0.004]
    assert report_of(pose, feet, legs)["seam_m"] == pytest.approx(0.004, abs=1e-9)
    legs[cycle + 3, 1, 0] += [0.003, 0.0, 0.0]
    assert report_of(pose, feet, legs)["seam_m"] == pytest.approx(0.005, abs=1e-9)


def test_figures_that_frames_cannot_tell_are_none(pose):
    short = walk(BODY, StyleTrack(Style(speed=1.3)), Clock(FPS), np.array([3.0, 4.0]))
    report = report_of(short, *points(short))
    assert report["seam_m"] is None
    assert (
        report["pelvis_acceleration_m_s2"]
        is report["knee_jump_degrees"]
        is report["height_lost_percent"]
        is None
    )
    assert report["worst_frames"] == {}


def test_a_walk_whose_period_changes_has_no_seam_and_no_cadence():
    grid = np.arange(1.0, 60.0, 0.25)
    faster = StyleTrack(Style(), {"speed": (grid, np.linspace(1.0, 1.6, len(grid)))})
    keyed = walk(BODY, faster, Clock(FPS), np.arange(5.0, 55.0))
    report = report_of(keyed, *points(keyed))
    assert report["seam_m"] is None and report["cycle_frames"] is None and report["cadence_steps_min"] is None


def test_contacts_go_from_heel_to_toe(pose):
    standing = pose.pivot[:, 0][pose.pivot[:, 0] != SWING]
    assert standing[0] == HEEL
    assert standing.max() == TOE
