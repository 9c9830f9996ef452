"""Down a path: planted by geometry, slower in bends, leaning in, the head first; a pose is still a function
of the frame."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Steps, footsteps
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import yaw_of as yaw
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path import line as drawn_lines
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.turning_strides import strides_of
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip, knee_angle
from tests.core.walk_paths import LEG, PATHS, circle, line
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, WALKING
from tests.refusals import refuses

FRAMES = np.arange(-10.0, 220.0, 0.5)


def walked(path: Path, frames: np.ndarray = FRAMES, gait: Gait = WALKING, **style: float) -> WalkPose:
    return walk(BODY, StyleTrack(Style(**{"speed": 1.2, **style})), Clock(), frames, gait, path)


def planned(path: Path, phase: np.ndarray, **style: float) -> Steps:
    """Return the steps at foot phases `(n, 2)`."""
    walker = Walker.of(BODY, StyleTrack(Style(**{"speed": 1.2, **style})), Clock(), WALKING, path, LEVEL)
    return footsteps(walker, phase).steps


@pytest.mark.few(10)
@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("gait", [WALKING, PLAIN], ids=["network", "plain"])
@pytest.mark.parametrize("speed", [0.5, 1.2, 1.9])
def test_feet_are_planted_wherever_the_path_leads(name, gait, speed):
    pose = walked(PATHS[name], gait=gait, speed=speed)
    assert greatest_slip(BODY, pose) < 1e-9
    assert deepest(BODY, pose) < 1e-9
    assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize(
    "name",
    [
        "start and stop",
        "stop and go",
        "asymmetry 1.0",
        "stride 1.5",
        "stance_width 3.0",
        "width keyed",
        "weight 1.0",
    ],
)
def test_sliders_and_keys_go_round_corners_too(name):
    for path in (PATHS["corner of 90 degrees"], PATHS["circle of 0.7 m"]):
        pose = walk(BODY, WALKS[name], Clock(), FRAMES, WALKING, path)
        assert greatest_slip(BODY, pose) < 1e-9
        assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("degrees", [0.0, 90.0, -150.0])
def test_a_line_drawn_straight_is_the_walk_straight_ahead(degrees):
    """Whichever way it leads, as the root sees it."""
    frames = np.arange(-20.0, 100.0, 0.5)
    clock, track = Clock(whole_frames=False), StyleTrack(Style(speed=1.2))
    ahead = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
    straight = walk(BODY, track, clock, frames, WALKING)
    drawn = walk(BODY, track, clock, frames, WALKING, Curve.through(np.outer([0.0, 3.0, 12.0], ahead), LEG))
    assert_allclose(drawn.root.position, straight.root.position[:, :1] * ahead, atol=1e-9)
    for role, motion in straight.motions.items():
        # The line ends at some time, so hips are planned and heels rise a degree sooner than in a steady
        # walk.
        assert_allclose(drawn.motions[role].position, motion.position, atol=1e-2, err_msg=role)
        assert_allclose(drawn.motions[role].rotation, motion.rotation, atol=5e-2, err_msg=role)


def test_the_root_stays_on_the_line_and_ends_at_its_end():
    for name, path in PATHS.items():
        root = walked(path, np.arange(1.0, 400.0)).root
        assert (
            np.linalg.norm(root.position[:, None, :2] - path.places[::3, :2], axis=-1).min(axis=1).max()
            < 0.03
        ), name
        if not path.is_closed:
            assert_allclose(root.position[-1], path.places[-1], atol=1e-6)
    assert_allclose(
        np.linalg.norm(PATHS["circle of 2 m"].places[:, :2] - [0.0, 2.0], axis=-1), 2.0, rtol=0.01
    )
    assert_allclose(
        np.linalg.norm(PATHS["circle of 0.7 m"].places[:, :2] - [0.0, 0.7], axis=-1), 0.7, rtol=0.01
    )


@pytest.mark.parametrize("speed", [0.6, 1.3])
def test_who_comes_to_the_end_stands_on_both_feet(speed):
    pose = walked(line((0.0, 0.0), (5.0, 0.0)), np.arange(1.0, 500.0), speed=speed)
    assert pose.ground_speed[-1] == 0.0 and not (pose.pivot[-1] == SWING).any()
    assert np.ptp(pose.motions["foot.L"].position[-50:], axis=0).max() < 1e-9


@pytest.mark.parametrize("radius", [0.7, 2.0])
def test_in_a_bend_people_slow_down_and_shorten_the_inner_stride(radius):
    """v0 / sqrt(1 + (1.1 / R)^2) for an adult; the outer foot's stride as long as it is at that speed
    straight on."""
    pose = walked(circle(radius), np.arange(1.0, 100.0))
    assert_allclose(pose.ground_speed, 1.2 / np.sqrt(1.0 + (1.0 / (1.1 * radius)) ** 2), rtol=0.02)
    phase = np.arange(3.0)[:, None] + [0.1, 0.6]
    place = planned(circle(radius), phase).place
    inner, outer = (float(np.linalg.norm(place[1, side] - place[0, side])) for side in (LEFT, RIGHT))
    aside = 0.052
    assert inner / outer == pytest.approx((radius - aside) / (radius + aside), rel=0.02)
    natural = walk(
        BODY, StyleTrack(Style(speed=float(pose.ground_speed[0]))), Clock(whole_frames=False), FRAMES[:1]
    ).stride[0]
    assert 0.8 * natural < outer <= 1.1 * natural, "and a whole number of them goes round"


def test_slowing_in_bends_can_be_turned_off():
    pose = walked(circle(1.0, slows=False), np.arange(1.0, 100.0))
    assert_allclose(pose.ground_speed, 1.2, rtol=0.005, err_msg="a lap is a whole number of frames")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_body_leans_in_and_the_head_looks_where_the_path_leads(sign):
    angle = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    path = line(*zip(np.sin(angle), sign * (1.0 - np.cos(angle)), strict=True), is_closed=True)
    pose = walked(path, np.arange(1.0, 200.0, 0.5))
    cycle = slice(0, int(round(2 * pose.period[0] * 24.0)))
    pelvis, chest, head = (pose.motions[role] for role in ("pelvis", "spine.3", "head"))
    turned = [
        sign * float(np.degrees(yaw(motion.rotation[cycle]).mean())) for motion in (pelvis, chest, head)
    ]
    assert 1.5 < turned[0] < turned[1] - 2.0 < turned[2] - 12.0 < 20.0
    leans = [
        sign * float(np.degrees(np.arcsin(-motion.rotation[cycle, 2, 1]).mean()))
        for motion in (pelvis, chest, head)
    ]
    expected = np.degrees(np.arctan(pose.ground_speed[0] ** 2 / 9.81))
    assert leans[0] == pytest.approx(0.3 * expected, abs=0.5) and leans[1] == pytest.approx(
        0.75 * expected, abs=0.7
    )
    assert abs(leans[2]) < 1.0, "the head stays upright"
    world = {role: pose.root.holding(motion) for role, motion in pose.motions.items()}
    legs = sign * strides_of(BODY, world, 48.0).legs.mean()
    assert expected < legs < 1.5 * expected, (
        "people's hips lean in over their feet by 1.1 to 1.3 of it (CMU 16 and 105)"
    )


@pytest.mark.parametrize("name", PATHS)
def test_knees_do_not_kick_in_bends(name):
    """Against 144 rad/s^2 of the walk straight on, seen at 96 frames a second."""
    pose = walked(PATHS[name], np.arange(1.0, 200.0, 0.25))
    assert max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 96.0**2 for side in "LR") < 1.8 * 144.0


def test_a_closed_path_goes_on_lap_by_lap():
    path = circle(2.0)
    lap = path.at(np.array([-path.length + 0.3, 0.3, path.length + 0.3]))
    assert_allclose(lap.place, lap.place[:1].repeat(3, axis=0), atol=1e-9)
    assert_allclose(np.diff(lap.heading), 2.0 * np.pi, atol=1e-9)
    seam = path.at(path.length + np.array([-1e-6, 1e-6]))
    assert_allclose(np.diff(seam.place, axis=0), 2e-6 * seam.ahead[:1], atol=1e-9)
    assert walked(path, np.array([5000.0])).root.position[0] == pytest.approx([0.0, 2.0, 0.0], abs=2.1)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([[0, 0, 0]], "fewer than two points"),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], "shorter than a step"),
        ([[0, 0, 0], [0.2, 0, 0]], "shorter than a step"),
        ([[0, 0, 0], [np.nan, 0, 0], [4, 0, 0]], "not finite"),
        ([[0, 0, 0], [1e9, 0, 0]], "too far away"),
        ([[0, 0, 0], [0, 0, 4]], "straight up"),
        ([[0, 0, 0], [4, 0, 0], [0, 0, 0]], "turns back on itself"),
    ],
)
def test_a_path_that_nobody_can_walk_is_refused_in_one_sentence(points, sentence):
    with refuses(sentence):
        Curve.through(np.array(points, dtype=float), LEG)


@pytest.mark.parametrize("path", [STRAIGHT, *PATHS.values()], ids=["straight", *PATHS])
def test_curvature_and_heading_alone_are_those_of_the_place(path):
    distance = np.linspace(-3.0, 25.0, 700)
    assert_array_equal(path.heading_at(distance), path.at(distance).heading)
    assert_allclose(path.curvature(distance), path.at(distance).curvature, atol=1e-9)


def test_the_coarser_table_of_a_long_path_leads_the_same_way(monkeypatch):
    along = np.arange(0.0, 300.0, 0.5)
    points = np.stack([along, 4.0 * np.sin(0.2 * along), 0.0 * along], -1)
    coarse = Curve.through(points, BODY.leg_length)
    monkeypatch.setattr(drawn_lines, "MANY_PLACES", drawn_lines.MOST_PLACES)
    fine = Curve.through(points, BODY.leg_length)
    assert len(fine.places) > 1.5 * len(coarse.places)
    at = np.linspace(-1.0, fine.length + 1.0, 7001)
    one, other = coarse.at(at), fine.at(at)
    assert np.linalg.norm(one.place - other.place, axis=1).max() < 2e-3
    assert np.abs(one.heading - other.heading).max() < 2e-3
    assert np.abs(one.curvature - other.curvature).max() < 5e-3
    assert np.abs(coarse.pace(at) - fine.pace(at)).max() < 5e-3
