"""Turns on the spot as part of a path: in steps, feet planted, as fast as people turn, whatever comes before
and after."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import HEEL, SWING, TOE
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.marks import Mark
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip, knee_angle, sole_points
from tests.core.walk_paths import LEG
from tests.core.walkers import BODY, WALKING

LINES = {"straight": [[0, 0, 0], [4.0, 0, 0]], "corner": [[0, 0, 0], [2.5, 0, 0], [2.5, 2.5, 0]]}


def way(start: float = 0.0, between: float = 0.0, end: float = 0.0, line: str = "straight") -> Curve:
    """Return a path with turns on the spot, in degrees: before it, after 1.5 m, at its end."""
    marks = (Mark(1.5, 1.0, turn=np.radians(between)), Mark(is_end=True, turn=np.radians(end)))
    return Curve.through(np.array(LINES[line]), LEG, starts=True, start_turn=np.radians(start), marks=marks)


def walked(path: Curve, frames: np.ndarray, gait: Gait = WALKING, speed: float = 1.3) -> WalkPose:
    return walk(BODY, StyleTrack(Style(speed=speed)), Clock(), frames, gait, path)


def turned(rotation: np.ndarray) -> np.ndarray:
    """Return where rotations are headed `(f,)` in degrees."""
    return np.degrees(np.unwrap(np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])))


@pytest.mark.few(4)
@pytest.mark.parametrize("gait", [WALKING, PLAIN], ids=["network", "plain"])
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("turns", [(180.0, 90.0, -135.0), (-45.0, -180.0, 20.0), (90.0, 10.0, 400.0)])
def test_feet_stay_planted_in_turns(turns, line, gait):
    pose = walked(way(*turns, line), np.arange(-20.0, 850.0, 0.5), gait)
    assert (
        greatest_slip(BODY, pose) < 1e-9
        and deepest(BODY, pose) < 1e-9
        and greatest_reach(BODY, pose) <= 0.999
    )
    heading = turned(pose.root.rotation)
    end = 90.0 if line == "corner" else 0.0
    assert np.cos(np.radians(heading[0] - turns[0])) == pytest.approx(1.0)
    assert heading[-1] - heading[0] == pytest.approx(end + turns[2] - turns[0], abs=2.0)
    for row in (0, -1):
        ankles = [pose.motions[f"foot.{side}"].position[row] for side in "LR"]
        assert_allclose(ankles[0] * [1, -1, 1], ankles[1], atol=1e-6, err_msg="side by side")


@pytest.mark.parametrize("speed", [0.7, 1.3])
def test_knees_do_not_kick_in_turns(speed):
    """Little more than the 144 rad/s^2 of the walk straight on."""
    pose = walked(way(180.0, 90.0, -135.0), np.arange(1.0, 900.0, 0.25), speed=speed)
    assert max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 96.0**2 for side in "LR") < 1.7 * 144.0


def on_the_spot(degrees: float, speed: float = 1.3, body: Body = BODY) -> tuple[WalkPose, np.ndarray, float]:
    """Return a turn after a walk, at 96 frames a second, the hips' heading in degrees, and its leg as a share
    of an adult's."""
    mark, size = Mark(is_end=True, turn=np.radians(degrees)), body.leg_length / LEG
    path = Curve.through(
        np.array([[0.0, 0, 0], [2.0 * size, 0, 0]]), body.leg_length, starts=True, marks=(mark,)
    )
    who = Walker.of(
        body, StyleTrack(Style(speed=speed * np.sqrt(size))), Clock(fps=96.0), WALKING, path, LEVEL
    )
    begin, end = who.rhythm.rests.end[-2], who.rhythm.rests.begin[-1]
    pose = walk(
        body, who.track, who.clock, 1.0 + 96.0 * np.arange(begin - 0.1, end + 0.3, 1.0 / 96.0), WALKING, path
    )
    return pose, turned(pose.root.holding(pose.motions["pelvis"]).rotation), size


@pytest.mark.parametrize("body", [BODY, human_body(scale=0.4)], ids=["adult", "small"])
@pytest.mark.parametrize("speed", [0.7, 1.3, 2.0])
@pytest.mark.parametrize("degrees", [180.0, -180.0])
def test_half_a_circle_is_turned_as_people_turn(degrees, speed, body):
    """1.3 s from a tenth to nine tenths, up to 220 degrees a second, hips going 0.3 m (CMU 105); first the
    foot on the inside."""
    pose, heading, size = on_the_spot(degrees, speed, body)
    tenths = np.interp([0.1, 0.9], heading / degrees, np.arange(len(heading)) / 96.0 / np.sqrt(size))
    assert (
        0.8 < np.diff(tenths)[0] < 1.6
        and 150.0 < np.abs(np.gradient(heading)).max() * 96.0 * np.sqrt(size) < 260.0
    )
    hips = pose.root.carried(pose.motions["pelvis"].position)[:, :2]
    assert np.linalg.norm(np.diff(hips, axis=0), axis=1).sum() > 0.2 * size
    lands = np.floor(pose.phase[-1]) - np.floor(pose.phase[0])
    assert lands.tolist() == ([2.0, 1.0] if degrees > 0.0 else [1.0, 2.0])
    assert (
        pose.motions["pelvis"].position[:, 2].min()
        > pose.motions["pelvis"].position[0, 2] - 0.03 * body.leg_length
    )


@pytest.mark.parametrize("degrees", [20.0, -40.0, 90.0, -120.0, 180.0, 300.0, -400.0])
def test_feet_do_not_meet_in_a_turn(degrees):
    pose, heading, _ = on_the_spot(degrees)
    assert heading[-1] - heading[0] == pytest.approx(degrees, abs=1.5) and abs(heading[0]) < 1.5, (
        "who stands stands straight"
    )
    ends = [
        np.stack([sole_points(BODY, pose, row)[point][:, :2] for point in (HEEL, TOE)], axis=1)
        for row in range(2)
    ]
    along = np.linspace(0.0, 1.0, 13)[:, None]
    lines = [end[:, None, 0] + along * (end[:, None, 1] - end[:, None, 0]) for end in ends]
    apart = np.linalg.norm(lines[0][:, :, None] - lines[1][:, None], axis=-1).min(axis=(1, 2))
    assert apart.min() > 0.75 * apart[0]


def test_arms_swing_out_in_a_turn():
    pose, heading, _ = on_the_spot(180.0)
    wide = np.linalg.norm(pose.motions["hand.L"].position - pose.motions["hand.R"].position, axis=1)
    assert wide.max() > wide[0] + 0.1 and heading[np.argmax(wide)] > 90.0


def test_the_place_does_not_change_in_a_turn_and_feet_face_with_the_hips():
    pose = walked(way(150.0), np.arange(1.0, 140.0, 0.25))
    turning = pose.root.position[:, 0] < 1e-9
    assert turning.sum() > 150 and np.abs(pose.root.position[turning]).max() < 1e-9
    for row, (side, out) in enumerate((("L", 1.0), ("R", -1.0))):
        outward = out * turned(pose.motions[f"foot.{side}"].rotation)[turning & (pose.pivot[:, row] != SWING)]
        assert outward.min() > -45.0 and outward.max() < 60.0, "besides 6.5 degrees of toe-out"


def test_the_place_advances_wherever_nobody_turns_on_the_spot():
    path = way(90.0, 0.0, -135.0)
    distance = (np.arange(0, len(path.places) - 1) + 0.5) * path.spacing
    moved = np.linalg.norm(np.diff(path.places, axis=0), axis=-1) > 0.5 * path.spacing
    assert not moved[0] and moved.any()
    assert_array_equal(path.advance(distance), moved.astype(float))
    assert_array_equal(path.advance(np.array([-1.0, path.length + 1.0])), moved[[0, -1]].astype(float))


def test_the_head_turns_first():
    pose = walked(way(0.0, 0.0, 120.0), np.arange(60.0, 240.0, 0.25))
    crossed = []
    for role in ("head", "spine.3", "pelvis"):
        heading = turned(pose.root.holding(pose.motions[role]).rotation)
        crossed.append(float(pose.frames[np.argmax(heading > 30.0)]))
    assert crossed[0] < crossed[1] <= crossed[2]


def test_times_are_kept_with_turns_on_the_way():
    marks = (Mark(1.5, 1.0, due=6.0, turn=np.radians(-90.0)), Mark(due=14.0, is_end=True))
    path = Curve.through(np.array(LINES["straight"]), LEG, starts=True, start_turn=1.0, marks=marks)
    pose = walked(path, np.arange(1.0, 400.0, 0.5))
    for seconds, metres in ((6.0, 1.5), (14.0, 4.0)):
        assert np.interp(1.0 + 24.0 * seconds, pose.frames, pose.root.position[:, 0]) == pytest.approx(
            metres, abs=0.011 * LEG
        )
