"""Facing apart from travel: planted whatever way it goes, turned in steps; legs cross in quick sidesteps
alone; a pose is still a function of the frame."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import BALL, HEEL, SWING, TOE
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.gaze import Gaze
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Steps, footsteps
from neurarig_addon.core.gait.synthesis import walk, walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import yaw_of as yaw
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT, Path, Straight
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip, knee_angle, sole_points
from tests.core.walk_paths import PATHS, circle, line
from tests.core.walkers import BODY, WALKING

FRAMES = np.arange(-10.0, 220.0, 0.5)
GRID = np.arange(-20.0, 260.0, 0.25)


def walker(
    path: Path = STRAIGHT, gait: Gait = WALKING, face: Gaze | None = None, keys=None, **style: float
) -> Walker:
    """Return who walks at 0.9 m/s; `keys`: frames and degrees between which the facing goes evenly."""
    curves = {} if keys is None else {"facing": (GRID, np.interp(GRID, *zip(*keys, strict=True)))}
    return Walker.of(
        BODY, StyleTrack(Style(**{"speed": 0.9, **style}), curves), Clock(), gait, path, LEVEL, face
    )


def drawn(seed: int, **style: float) -> Walker:
    """Return who turns to drawn sides at drawn times."""
    draw = np.random.default_rng(seed)
    frames = np.sort(draw.uniform(5.0, 160.0, 4))
    return walker(
        keys=list(zip(frames, draw.uniform(-180.0, 180.0, 4), strict=True)),
        **{"speed": draw.uniform(0.4, 1.3), **style},
    )


def planned(who: Walker, cycles: int = 8) -> Steps:
    return footsteps(who, np.arange(float(cycles))[:, None] + [0.1, 0.6]).steps


def kick(pose: WalkPose) -> float:
    """Return the greatest angular acceleration of a knee in rad/s^2."""
    return (
        max(float(np.abs(np.diff(knee_angle(pose, side), 2)).max()) for side in "LR")
        * (24.0 / (pose.frames[1] - pose.frames[0])) ** 2
    )


@pytest.mark.few(14)
@pytest.mark.parametrize("gait", [WALKING, PLAIN], ids=["network", "plain"])
@pytest.mark.parametrize("degrees", [30.0, 60.0, 90.0, 135.0, 180.0, -90.0, -160.0])
@pytest.mark.parametrize(
    "path", [STRAIGHT, PATHS["circle of 0.7 m"], PATHS["S"], PATHS["corner of 135 degrees"]]
)
def test_feet_are_planted_whatever_way_it_goes(path, degrees, gait):
    pose = walked(walker(path, gait, facing=degrees), FRAMES)
    assert greatest_slip(BODY, pose) < 1e-9
    assert deepest(BODY, pose) < 1e-9
    assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("seed", range(8))
def test_feet_are_planted_while_it_turns(seed):
    pose = walked(drawn(seed, asymmetry=0.1 * seed, stance_width=1.0 + 0.1 * seed), FRAMES)
    assert (
        greatest_slip(BODY, pose) < 1e-9
        and deepest(BODY, pose) < 1e-9
        and greatest_reach(BODY, pose) <= 0.999
    )


def test_who_faces_ahead_walks_as_ever():
    """But for a millimetre at the knee: the moments at which it is looked what legs demand lie elsewhere."""
    clock, track = Clock(whole_frames=False), StyleTrack(Style(speed=0.9))
    plain = walk(BODY, track, clock, FRAMES, WALKING)
    for degrees in (0.0, 1e-9):
        keyed = replace(track, curves={"facing": (GRID, np.full(len(GRID), degrees))})
        pose = walked(Walker.of(BODY, keyed, clock, WALKING, STRAIGHT, LEVEL), FRAMES)
        for role, motion in plain.motions.items():
            assert_allclose(pose.motions[role].position, motion.position, atol=1e-3, err_msg=role)


def test_a_backward_walk_is_a_walk_ahead_in_reversed_time():
    """Ball first and heel last, forward of where it goes; strides shorter, both feet longer down."""
    ahead, back = (
        walked(walker(Straight(-np.radians(degrees)), facing=degrees), FRAMES) for degrees in (0.0, 180.0)
    )
    assert back.root.position[-1, 0] < -5.0 and (yaw(back.motions["pelvis"].rotation) < 0.3).all()
    for side in (LEFT, RIGHT):
        order = [pivot for pivot in back.pivot[np.argsort(back.phase[:, side] % 1.0), side] if pivot != SWING]
        assert order[0] in (BALL, TOE) and order[-1] == HEEL
    assert 0.75 < back.stride[0] / ahead.stride[0] < 0.95 and back.duty.mean() > ahead.duty.mean() + 0.003
    flexed = [np.sort(knee_angle(pose, "L")) for pose in (ahead, back)]
    assert_allclose(flexed[1], flexed[0], atol=np.radians(9.0))
    # The leg that swings goes back past the other one with the knee bent.
    feet = [
        np.gradient(back.root.carried(back.motions["foot.L"].position)[:, 0])[back.pivot[:, LEFT] == SWING]
    ]
    assert np.mean(feet[0]) < 0.0


@pytest.mark.parametrize("degrees", [90.0, -90.0])
def test_who_goes_sideways_opens_and_closes_the_legs(degrees):
    """Without a squat: knees of an animator's side steps (hifi_side_step): 17 to 44 degrees, mean 28."""
    who = walker(Straight(-np.radians(degrees)), facing=degrees, speed=0.6)
    steps, pose = planned(who), walked(who, FRAMES)
    left = who.path.at(np.zeros(1)).turned(np.radians(degrees)).left[0]
    beside = (steps.place @ left)[1:]
    ordered = np.sort(np.concatenate([beside[:, LEFT], beside[:, RIGHT]]))
    gaps = np.abs(np.diff(beside, axis=1))[:, 0], np.abs(np.diff(ordered))
    apart = beside[:, LEFT] - beside[:, RIGHT]
    assert (apart > 0.1).all(), "beside each other, never crossed"
    assert max(gaps[0].max(), gaps[1].max()) > 0.3, "and wide apart in between"
    height = [
        sole_points(BODY, pose, row)[point][pose.pivot[:, row] == BALL, 2]
        for row in (LEFT, RIGHT)
        for point in (HEEL,)
    ]
    assert max((values.max(initial=0.0) for values in height), default=0.0) < 0.06, "on flat feet"
    assert np.abs(yaw(pose.motions["pelvis"].rotation)).max() < np.radians(8.0)
    knees = np.degrees([knee_angle(pose, side) for side in "LR"])
    assert 22.0 < knees.mean() < 34.0 and knees.min() < 20.0 and knees.max() < 50.0


@pytest.mark.parametrize("degrees", [15.0, 30.0, 45.0, 75.0, 90.0, 110.0, 150.0, -30.0, -75.0])
@pytest.mark.parametrize("speed", [0.5, 1.0])
def test_legs_never_cross(degrees, speed):
    steps = planned(walker(facing=degrees, speed=speed))
    place = np.concatenate([steps.place[1:, LEFT], steps.place[1:, RIGHT]])
    number = np.concatenate([steps.contact[1:, LEFT], steps.contact[1:, RIGHT] - 0.5])
    side = np.repeat([1.0, -1.0], len(number) // 2)
    order = np.argsort(number)
    course = steps.course[1, LEFT]
    beside = place[order] @ [-np.sin(course), np.cos(course), 0.0]
    assert (np.diff(beside) * side[order][1:] > 0.0).all()


def test_diagonals_turn_the_legs_to_their_way_and_the_chest_stays():
    pose = walked(walker(Straight(-np.radians(40.0)), facing=40.0), FRAMES)
    turned = {
        role: float(np.degrees(yaw(pose.motions[role].rotation)).mean())
        for role in ("pelvis", "spine.3", "head")
    }
    feet = float(
        np.degrees(
            np.mean(
                [
                    yaw(pose.motions[f"foot.{side}"].rotation)[pose.pivot[:, row] != SWING].mean()
                    for row, side in enumerate("LR")
                ]
            )
        )
    )
    assert (
        feet < -22.0
        and -25.0 < turned["pelvis"] < -15.0
        and abs(turned["spine.3"]) < 8.0
        and abs(turned["head"]) < 3.0
    )


@pytest.mark.parametrize("seed", range(8))
def test_it_turns_in_steps_that_hips_can_do(seed):
    steps = planned(drawn(seed))
    order = np.argsort((steps.contact - [0.0, 0.5]).reshape(-1))
    course = steps.course.reshape(-1)[order]
    assert np.degrees(np.abs(np.diff(course)).max()) < 66.0
    pose = walked(drawn(seed), FRAMES)
    body = np.unwrap(yaw(pose.root.rotation))
    for row, side in enumerate("LR"):
        stands = pose.pivot[:, row] != SWING
        foot = np.unwrap(yaw(pose.root.rotation @ pose.motions[f"foot.{side}"].rotation))
        off = np.degrees((foot - body + np.pi) % (2.0 * np.pi) - np.pi)[stands]
        assert np.abs(off).max() < 90.0
    assert np.abs(np.diff(body, 2)).max() < 0.03


@pytest.mark.parametrize("degrees, most", [(90.0, 216.0), (180.0, 216.0), (45.0, 216.0), (-135.0, 216.0)])
def test_knees_do_not_kick_whatever_way_it_goes(degrees, most):
    """1.5 times 144 straight ahead; at the speeds of people who go that way."""
    pose = walked(
        walker(facing=degrees, speed=0.6 if abs(degrees) == 90.0 else 0.9), np.arange(40.0, 110.0, 0.25)
    )
    assert kick(pose) < most


@pytest.mark.parametrize("seed", range(6))
def test_knees_do_not_kick_while_it_turns(seed):
    """Hips sink by how much it turns over some steps: where a turn changes its side they do not rise for a
    step."""
    assert kick(walked(drawn(seed, speed=0.7), np.arange(1.0, 180.0, 0.25))) < 180.0


def test_it_faces_a_thing_that_it_walks_by():
    thing = Gaze(np.zeros(1), np.array([[4.0, 2.0, 1.0]]))
    who = walker(path=line((0.0, 0.0), (9.0, 0.0)), face=thing)
    pose = walked(who, np.arange(60.0, 260.0))
    way = thing.places[0, :2] - pose.root.position[:, :2]
    off = np.degrees(np.angle(np.exp(1j * (np.arctan2(way[:, 1], way[:, 0]) - yaw(pose.root.rotation)))))
    assert np.abs(off).max() < 30.0 and np.ptp(np.degrees(np.unwrap(yaw(pose.root.rotation)))) > 90.0
    assert greatest_slip(BODY, pose) < 1e-9
    behind = walked(
        walker(path=line((0.0, 0.0), (9.0, 0.0)), face=thing, facing=180.0), np.arange(60.0, 260.0)
    )
    assert_allclose(np.cos(yaw(behind.root.rotation) - yaw(pose.root.rotation)), -1.0, atol=0.3)


def test_a_whole_turn_is_one():
    """Keyed from 0 to 360 degrees it turns round once, and goes on as before."""
    pose = walked(walker(keys=[(20.0, 0.0), (110.0, 360.0)]), FRAMES)
    turned = np.degrees(np.unwrap(yaw(pose.root.rotation)))
    assert turned[0] == pytest.approx(0.0, abs=1e-9) and turned[-1] == pytest.approx(360.0, abs=1e-6)


def test_the_head_goes_first_in_a_turn():
    pose = walked(walker(keys=[(60.0, 0.0), (80.0, 90.0)]), np.arange(40.0, 140.0, 0.25))
    turned = [
        np.maximum.accumulate(yaw(pose.root.holding(pose.motions[role]).rotation))
        for role in ("head", "spine.3")
    ]
    halfway = [
        float(np.interp(np.pi / 4.0, angle, pose.frames))
        for angle in (*turned, np.maximum.accumulate(yaw(pose.root.rotation)))
    ]
    assert halfway[0] < halfway[1] < halfway[2] < halfway[0] + 16.0


def test_on_a_circle_it_leans_into_it_whatever_it_faces():
    for degrees in (0.0, 90.0, 180.0, -90.0):
        pose = walked(walker(circle(1.0), facing=degrees, speed=1.2), np.arange(40.0, 200.0))
        up = (pose.root.rotation @ pose.motions["spine.3"].rotation)[:, :, 2]
        inward = np.array([0.0, 1.0, 0.0]) - pose.root.position
        assert np.degrees(np.sum(up * inward, axis=1).mean()) > 0.8, degrees


@pytest.mark.parametrize(
    ("first", "then", "lasts"), [(0.0, 180.0, 12.0), (180.0, 0.0, 1.0), (90.0, -90.0, 1.0), (0.0, 90.0, 1.0)]
)
def test_who_turns_quickly_neither_squats_nor_kicks(first, then, lasts):
    """Strides are those of the time in which the steps turn: long ones went on into sidesteps, and hips came
    down by a third of a leg."""
    pose = walked(walker(keys=[(60.0, first), (60.0 + lasts, then)], speed=1.0), np.arange(40.0, 140.0, 0.5))
    assert pose.motions["pelvis"].position[:, 2].min() > 0.775 and kick(pose) < 330.0


@pytest.mark.parametrize("begins", [30.0, 34.0, 38.0, 42.0])
@pytest.mark.parametrize("degrees", [90.0, 180.0, -180.0])
def test_feet_pass_beside_each_other_in_a_turn(begins, degrees):
    """Legs that opened less in turns had calmer knees, and shins that went through each other."""
    pose = walked(
        walker(keys=[(begins, 0.0), (begins + 1.0, degrees)], speed=1.0), np.arange(20.0, 120.0, 0.5)
    )
    feet = [[pose.motions[f"{joint}.{side}"].position for joint in ("foot", "toe")] for side in "LR"]
    shares = np.linspace(0.0, 1.0, 7)[:, None, None]
    left, right = (ankle + shares * (ball - ankle) for ankle, ball in feet)
    assert np.linalg.norm(left[:, None] - right[None], axis=-1).min() > 0.035
