"""A run beside runners': the published table from 2 to 9 m/s, and the joint angles of 26 of them."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.body.flight import Pushes, spring_rise
from neurarig_addon.core.gait.kinds.law import run_duty, run_stride
from neurarig_addon.core.gait.kinds.natural import SOLE_LEG_SHARE
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.training.gait import run_goal
from neurarig_addon.training.gait.misfit import joint_angles
from neurarig_addon.training.gait.norms import curve, rms
from tests.core.walkers import BODY, RUNNING

# Of an adult with 0.92 m from hip to sole: m/s, seconds of contact and flight, steps a minute, stride (m),
# duty factor, rise (m).
TABLE = (
    (2.0, 0.315, 0.075, 154, 1.56, 0.40, 0.077),
    (2.7, 0.276, 0.108, 156, 2.07, 0.36, 0.086),
    (3.5, 0.235, 0.129, 165, 2.55, 0.32, 0.086),
    (4.5, 0.205, 0.143, 172, 3.13, 0.29, 0.085),
    (5.5, 0.180, 0.145, 185, 3.57, 0.28, 0.077),
    (7.0, 0.147, 0.143, 207, 4.06, 0.25, 0.065),
    (9.0, 0.115, 0.125, 250, 4.32, 0.24, 0.046),
)


def one_cycle(speed: float, body: Body = BODY, frames: float = 100.0) -> Clock:
    """Return a clock of so many frames to a cycle."""
    return Clock(
        fps=frames * speed / float(run_stride(speed, body.leg_length)), start=0.0, whole_frames=False
    )


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} m/s")
def test_the_law_of_a_run_is_that_of_runners(row):
    speed, _, flight, cadence, stride, duty, rise = row
    leg = 0.92 / SOLE_LEG_SHARE
    found_stride, found_duty = float(run_stride(speed, leg)), float(run_duty(speed, leg))
    step = 0.5 * found_stride / speed
    assert found_stride == pytest.approx(stride, rel=0.05)
    assert 60.0 / step == pytest.approx(cadence, rel=0.05)
    assert found_duty == pytest.approx(duty, rel=0.05)
    shares = np.linspace(0.0, 1.0, 400)
    pushes = Pushes(np.array([0.0, 0.5]), np.full(2, found_duty), np.ones(2))
    assert np.ptp(spring_rise(shares, pushes, 2.0 * step)) == pytest.approx(rise, rel=0.05)
    assert (1.0 - 2.0 * found_duty) * step == pytest.approx(flight, rel=0.05)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} m/s")
def test_a_run_as_it_is_shown_is_that_of_runners(row):
    """Measured where feet stand and hips rise, over one cycle in 400 frames, on an adult with 0.92 m from hip
    to sole."""
    speed, contact, flight, cadence, stride, duty, rise = row
    body = human_body(scale=0.92 / (SOLE_LEG_SHARE * BODY.leg_length))
    period = float(run_stride(speed, body.leg_length)) / speed
    pose = walk(
        body, StyleTrack(Style(speed=speed)), one_cycle(speed, body, 400.0), np.arange(400.0, 800.0), RUNNING
    )
    stands = pose.pivot != SWING
    hips = 0.5 * (pose.motions["thigh.L"].position + pose.motions["thigh.R"].position)[:, 2]
    found = (
        stands.mean() * period,
        (~stands).all(axis=1).mean() * 0.5 * period,
        120.0 / period,
        pose.stride[0],
        stands.mean(),
        np.ptp(hips),
    )
    assert found == pytest.approx((contact, flight, cadence, stride, duty, rise), rel=0.05)


@pytest.mark.parametrize("entry", run_goal.load()["speeds"], ids=lambda entry: f"{entry['speed']} m/s")
def test_a_runner_has_the_joint_angles_of_26_runners(entry):
    wanted = {name: curve(entry["curves"][name], np.arange(100) / 100) for name in run_goal.LEGS}
    pose = walk(
        BODY,
        StyleTrack(Style(speed=entry["speed"])),
        one_cycle(entry["speed"]),
        np.arange(100.0, 200.0),
        RUNNING,
    )
    found = joint_angles(pose)
    turn = pose.motions["pelvis"].rotation
    tilt = np.degrees(np.arctan2(turn[:, 0, 2], turn[:, 2, 2]))
    for name, angle in (
        ("hip_flexion", found["thigh"] + tilt),
        ("knee_flexion", found["knee"]),
        ("ankle_dorsiflexion", found["ankle"]),
    ):
        off = angle - wanted[name]
        assert rms(off) < 7.0, name
        assert np.mean(np.abs(off) < 2.0 * entry["curves"][name]["sd"]) > 0.95, name
