"""A profile as a walk source: its own stride and duty factor, feet planted or left to the formulas, one
sentence for a fault."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.contract.channels import SLICES
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from tests.core.profile_walks import FRAMES, PLAIN, SHIPPED, WADER, edited, gait, walked
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY

NOTHING_M = 1e-9


@pytest.mark.few(24)
@pytest.mark.parametrize("profile", SHIPPED.values(), ids=SHIPPED)
@pytest.mark.parametrize("name", WALKS)
def test_planted_feet_stay_planted_whatever_the_profile(name, profile):
    pose = walked(profile, WALKS[name])
    assert greatest_slip(BODY, pose) < NOTHING_M
    assert deepest(BODY, pose) < NOTHING_M
    assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("name", PATHS)
def test_feet_stay_planted_on_paths_with_corners_and_without(name):
    source = gait(PLAIN)
    pose = walk(BODY, StyleTrack(Style(speed=1.0)), Clock(), FRAMES, Gait(source, source), PATHS[name])
    assert greatest_slip(BODY, pose) < NOTHING_M and deepest(BODY, pose) < NOTHING_M


@pytest.mark.parametrize("profile", SHIPPED.values(), ids=SHIPPED)
def test_stride_is_the_profiles_own(profile):
    """Stride over leg goes with the root of speed over leg, times two constants, in all three."""
    for speed in (0.5, 1.2):
        pose = walk(
            BODY,
            StyleTrack(Style(speed=speed)),
            Clock(whole_frames=False),
            FRAMES[:4],
            Gait(*[gait(profile)] * 2),
        )
        constants = profile.constants
        expected = constants["stride_scale"] * constants["gait_scale"] * np.sqrt(speed * BODY.leg_length)
        assert pose.stride[0] == pytest.approx(expected, rel=1e-9)
        assert pose.period[0] == pytest.approx(expected / speed, rel=1e-9)


def test_duty_factor_is_the_profiles_own():
    for duty in (0.6, 0.76, 0.84):
        pose = walked(WADER.with_constants(duty=duty), StyleTrack(Style(speed=0.8)))
        assert np.abs(pose.duty - duty).max() < 1e-8
        on_ground = (pose.pivot != SWING).mean()
        assert on_ground == pytest.approx(duty, abs=0.02)


def test_stance_is_measured_where_no_phase_is_named_after_it():
    """Renamed phases leave only the curves to tell: stance is where the foot moves back on the ground."""

    def rename(schema):
        for phase in schema["Rules"][0]["Phases"]:
            phase["id"] = f"number {len(phase['x'])}"

    renamed = edited(PLAIN, rename)
    slow = np.array([0.0, 0.42, 0.42, 0.0, 0.0, 0.42, 0.42, 0.0, 0.0])
    assert np.abs(gait(renamed).stance(slow).duty - 0.5).max() < 1e-6
    assert (
        np.abs(gait(renamed).stance(slow).begins % 1.0 - gait(PLAIN).stance(slow).begins % 1.0).max() % 1.0
        < 1e-6
    )


@pytest.mark.parametrize("named", [True, False], ids=["named", "measured"])
def test_each_foot_stands_for_its_own_share_of_the_cycle(named):
    """Of a profile that limps, as its left thigh is shorter."""

    def limp(schema):
        rule = schema["Rules"][0]
        for number, formulas in enumerate((rule["Logic"], *rule["Phases"])):
            for name, formula in formulas.items():
                formulas[name] = re.sub(r"\bduty\b", "(duty * bone_l1 / 0.42)", formula)
            if number and not named:
                formulas["id"] = f"number {number}"

    slow = np.array([0.0, 0.42, 0.42, 0.0, 0.0, 0.36, 0.48, 0.0, 0.0])
    stance = gait(edited(WADER, limp)).stance(slow)
    for side, share in ((LEFT, 0.36 / 0.42), (RIGHT, 1.0)):
        assert_allclose(stance.duty[:, side], WADER.constants["duty"] * share, atol=1e-6)
        assert_allclose(np.mod(stance.begins[:, side] + 0.5, 1.0), 0.5, atol=1e-6)


def test_a_profile_that_begins_elsewhere_in_its_cycle_walks_the_same():
    def later(schema):
        for rule in schema["Rules"]:
            rule["Logic"]["phase"] = rule["Logic"]["phase"].replace("+ offset", "+ offset + 0.3")

    ours, theirs = (
        walked(profile, StyleTrack(Style(speed=1.1))) for profile in (PLAIN, edited(PLAIN, later))
    )
    for role in ("foot.L", "foot.R", "pelvis"):
        assert np.abs(ours.motions[role].position - theirs.motions[role].position).max() < 1e-6


def test_channels_are_the_profiles_outputs():
    source = gait(PLAIN)
    slow = np.array([[1.1, 0.42, 0.42, 0.0, 0.1, 0.42, 0.42, 0.0, 0.1]])
    phase = np.linspace(0.0, 0.99, 50)
    values = source.sample(slow, phase, phase + 0.5)
    inputs = np.repeat(np.r_[slow[0], 0.0, 0.0][None], 50, axis=0)
    inputs[:, 7] = 0.5
    inputs[:, 9] = phase * source.stride(slow)[0] / 1.1
    own = PLAIN.evaluate(inputs)
    assert np.abs(values[:, : SLICES["chest"].start] - own).max() < 1e-9


@pytest.mark.parametrize("name", ["speed 1.3", "speed keyed 0.6 to 1.8"])
def test_velocities_of_planted_feet_are_continuous(name):
    """The corners of a linear stance and a sine arc are gone: halving the time step halves the largest change
    of velocity."""
    changes = []
    for step in (1 / 16, 1 / 32):
        pose = walked(PLAIN, WALKS[name], frames=np.arange(10.0, 60.0, step))
        paths = [pose.motions[role].position for role in ("foot.L", "foot.R", "pelvis")]
        changes.append(max(np.abs(np.diff(path, 2, axis=0) / step).max() for path in paths))
    assert changes[1] < 0.62 * changes[0]


def test_free_feet_follow_the_formulas():
    pose = walked(PLAIN, StyleTrack(Style(speed=1.1)), planted=False)
    period, stride = pose.period[0], pose.stride[0]
    reach = (
        0.25
        * PLAIN.constants["gait_scale"]
        * PLAIN.constants["stride_scale"]
        * np.sqrt(1.1 * BODY.leg_length)
    )
    for side, role in ((LEFT, "foot.L"), (RIGHT, "foot.R")):
        cycle = 2.0 * (pose.phase[:, side] % 1.0) - 1.0
        x = np.where(cycle < 0.0, -reach * (2.0 * cycle + 1.0), -reach * np.cos(np.pi * cycle))
        assert np.abs(pose.motions[role].position[:, 0] - x).max() < 1e-6
    assert stride == pytest.approx(period * 1.1)
    assert greatest_slip(BODY, pose) > 1e-3, (
        "an ankle that moves straight back while the heel rises lets the ball slip"
    )


def test_standing_still_is_exact():
    for profile in SHIPPED.values():
        pose = walked(profile, StyleTrack(Style(speed=0.0, idle=0.0)))
        assert all(np.ptp(motion.position, axis=0).max() < 1e-12 for motion in pose.motions.values())
