"""When and where feet come down, and how far the body has got: answers that can be worked out by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import FLAT, SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.kinds.natural import natural_duty, natural_period, natural_speed, natural_stride
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.report.walk_report import contact_report
from tests.core.walk_measures import carried
from tests.core.walk_styles import keyed
from tests.core.walkers import BODY

LEG = BODY.leg_length
FRAMES = np.arange(1.0, 121.0, 0.5)
FREE = Clock(fps=24.0, start=1.0, whole_frames=False)


def walked(track: StyleTrack, clock: Clock = FREE, frames: np.ndarray = FRAMES) -> WalkPose:
    return walk(BODY, track, clock, frames)


def prints(pose: WalkPose, side: int) -> dict[int, np.ndarray]:
    """Return where the ankle of a foot is above its flat prints, over the ground, by the number of the
    step."""
    ankle = pose.motions["foot.L" if side == LEFT else "foot.R"].position + pose.root.position
    steps = np.floor(pose.phase[:, side]).astype(int)
    flat = pose.pivot[:, side] == FLAT
    return {int(step): ankle[flat & (steps == step)].mean(axis=0) for step in np.unique(steps[flat])}


@pytest.mark.parametrize("speed", [0.3, 1.0, 1.3, 2.0])
def test_people_step_as_measured(speed):
    """2.57 legs from hip to sole times the 0.56th power of the dimensionless speed; a foot is down for a
    little over half of it.

    Slow strides are longer, as their length goes with the 0.42th power there.
    """
    leg = 1.09 * LEG
    vhat = speed / np.sqrt(9.81 * leg)
    pose = walked(StyleTrack(Style(speed=speed)))
    slower = min((0.28 / vhat) ** 0.14, 1.12) if vhat < 0.28 else 1.0
    assert_allclose(pose.stride, leg * 2.57 * vhat**0.56 * slower, rtol=0.02 if vhat < 0.33 else 1e-7)
    assert_allclose(pose.duty, np.clip(0.685 - 0.178 * vhat, 0.52, 0.685))
    assert_allclose(pose.period, pose.stride / speed)
    assert_allclose(natural_period(np.array([speed]), LEG), pose.period[0])


def test_standing_has_no_period_and_no_stride_is_longer_than_legs_reach():
    assert natural_period(np.array([0.0]), LEG)[0] == np.inf
    assert natural_stride(np.array([0.0, -1.0]), LEG).tolist() == [0.0, 0.0]
    assert natural_duty(np.array([0.0]), LEG)[0] == 0.685 and natural_duty(np.array([9.0]), LEG)[0] == 0.52
    assert walked(StyleTrack(Style(speed=2.2, stride=3.0))).stride[0] == pytest.approx(2.6 * LEG)


@pytest.mark.parametrize("fps", [12.0, 24.0, 25.0, 60.0])
@pytest.mark.parametrize("speed", [0.4, 1.0, 1.7])
def test_a_steady_walk_loops_on_whole_frames_at_its_speed(fps, speed):
    pose = walked(StyleTrack(Style(speed=speed)), Clock(fps=fps))
    frames = pose.period[0] * fps
    assert frames == pytest.approx(round(frames), abs=1e-9)
    assert abs(frames - fps * natural_period(np.array([speed]), LEG)[0]) <= 0.5 + 1e-9, (
        "and no farther off than that needs"
    )
    assert_allclose(pose.root.position[:, 0], speed * (FRAMES - 1.0) / fps, atol=1e-9)
    assert_allclose(pose.phase[:, LEFT], (FRAMES - 1.0) / frames, atol=1e-9)


def test_a_natural_speed_is_comfortable_and_loops_on_an_even_number_of_frames():
    for fps in (24.0, 30.0, 60.0):
        speed = natural_speed(BODY, fps)
        assert speed / np.sqrt(9.81 * 1.09 * LEG) == pytest.approx(0.42, rel=0.1)
        frames = natural_period(np.array([speed]), LEG)[0] * fps
        assert frames / 2.0 == pytest.approx(round(frames / 2.0), abs=1e-6)


def test_the_way_is_the_integral_of_a_keyed_speed_and_goes_straight_on_at_both_ends():
    """From 0.6 to 1.8 m/s between frames 25 and 73, two seconds; before and after at these speeds."""
    pose = walked(keyed("speed", [25, 73], [0.6, 1.8]), frames=np.arange(-100.0, 401.0))
    at = dict(zip(pose.frames.tolist(), pose.root.position[:, 0].tolist(), strict=True))
    assert at[1.0] == pytest.approx(0.0, abs=1e-12)
    assert at[25.0] == pytest.approx(0.6, abs=1e-9)
    assert at[49.0] - at[25.0] == pytest.approx(0.9, abs=1e-3)
    assert at[73.0] - at[25.0] == pytest.approx(2.4, abs=1e-3)
    assert at[400.0] - at[376.0] == pytest.approx(1.8, abs=1e-9)
    assert at[-76.0] - at[-100.0] == pytest.approx(0.6, abs=1e-9)
    assert_allclose(np.interp([-50, 49, 200], pose.frames, pose.ground_speed), [0.6, 1.2, 1.8], atol=1e-9)


def test_the_phase_runs_with_speed_over_stride():
    pose = walked(keyed("speed", [25, 73], [0.6, 1.8]), frames=np.arange(1.0, 121.0, 0.25))
    rate = np.diff(pose.phase[:, LEFT]) * 24.0 / 0.25
    assert_allclose(rate, (pose.ground_speed / pose.stride)[:-1], rtol=0.02)
    assert pose.phase[0, LEFT] == 0.0


@pytest.mark.parametrize("speed", [0.6, 1.3])
def test_prints_of_a_steady_walk_are_half_a_stride_apart_on_both_sides_of_the_path(speed):
    pose = walked(StyleTrack(Style(speed=speed)))
    left, right = prints(pose, LEFT), prints(pose, RIGHT)
    for step in range(1, max(left)):
        assert_allclose(left[step] - left[step - 1], [pose.stride[0], 0.0, 0.0], atol=1e-9)
        assert_allclose(right[step][0] - left[step][0], -pose.stride[0] / 2.0, atol=1e-9)
        assert left[step][1] == pytest.approx(-right[step][1]) and left[step][1] > 0.02


def test_the_root_is_over_the_print_at_mid_stance():
    """Half of the stance after the heel strike, but for what the hips are ahead of the feet."""
    pose = walked(StyleTrack(Style(speed=1.3)), frames=np.arange(1.0, 121.0, 0.05))
    for side in (LEFT, RIGHT):
        ahead = [
            np.interp(step + 0.5 * pose.duty[0, side], pose.phase[:, side], pose.root.position[:, 0]) - at[0]
            for step, at in prints(pose, side).items()
            if step > 0
        ]
        assert_allclose(ahead, ahead[0], atol=1e-9)
        assert 0.0 < ahead[0] < 0.15 * LEG


@pytest.mark.parametrize("asymmetry", [-1.0, 0.0, 0.6, 1.0])
def test_a_limp_hurries_the_sound_foot_down(asymmetry):
    """The sore leg bears for less time, the other foot comes down sooner after it."""
    pose = walked(StyleTrack(Style(speed=1.0, asymmetry=asymmetry)))
    assert_allclose(pose.phase[:, RIGHT] - pose.phase[:, LEFT], 0.5 + 0.05 * asymmetry, atol=1e-9)
    shorter = pose.duty[0, LEFT] - pose.duty[0, RIGHT]
    assert shorter == pytest.approx(0.12 * asymmetry, abs=1e-9)


@pytest.mark.parametrize("shift", [0.25, -0.4])
def test_the_phase_slider_begins_the_walk_elsewhere_in_its_cycle(shift):
    plain, shifted = (walked(StyleTrack(Style(speed=1.3, phase=value))) for value in (0.0, shift))
    assert_allclose(shifted.phase - plain.phase, shift, atol=1e-9)
    late = walked(StyleTrack(Style(speed=1.3)), frames=FRAMES + shift * plain.period[0] * 24.0)
    for role in ("foot.L", "foot.R", "pelvis", "hand.R"):
        assert_allclose(shifted.motions[role].position, late.motions[role].position, atol=1e-6, err_msg=role)


@pytest.mark.parametrize("gone", [8, 13, 20, 40])
def test_every_standstill_finds_both_feet_down_however_short_the_way_since_the_one_before(gone):
    """What a stop needs is taken from the strides since the last one: where it stood then, it has stood."""
    stops = keyed(
        "speed", [10, 20, 40, 50, 60, 64, 64 + gone, 68 + gone], [0.0, 1.3, 1.3, 0.0, 0.0, 1.0, 1.0, 0.0]
    )
    for first, last in ((51, 59), (69 + gone, 80 + gone)):
        pose = walked(stops, frames=np.arange(first, last + 0.0))
        assert (pose.pivot != SWING).all()


def test_curves_follow_a_change_of_speed_as_a_body_does():
    """A leap of the speed is answered within half a second before it: the arms begin to swing, the hips are
    planned, nothing jumps."""
    leaping = keyed("speed", [48.0, 48.25], [0.3, 1.8])
    frames = np.arange(30.0, 66.0, 0.25)
    lean = np.abs(np.diff(walked(leaping, frames=frames).motions["hand.L"].position[:, 0]))
    steady = [
        np.abs(
            np.diff(walked(StyleTrack(Style(speed=speed)), frames=frames).motions["hand.L"].position[:, 0])
        ).max()
        for speed in (0.3, 1.8)
    ]
    assert lean.max() < 1.6 * max(steady)
    slow, leap = (
        walked(track, frames=frames).motions["pelvis"].position[:, 2]
        for track in (StyleTrack(Style(speed=0.3)), leaping)
    )
    differ = frames[np.abs(slow - leap) > 1e-6]
    assert 48.0 - 0.5 * 24.0 < differ.min() < 48.0 - 0.1 * 24.0


def test_limits_grow_with_the_leg():
    """A giant's feet may slip as much farther as he is larger, and none of his figures are past limits that a
    human keeps."""
    for scale in (1.0, 8.0):
        body = human_body(scale=scale)
        pose = walk(body, StyleTrack(Style(speed=1.3 * np.sqrt(scale))), Clock(), np.arange(1.0, 60.0))
        points = (("foot", body.heel), ("toe", body.ball), ("toe", body.toe))
        sides = [
            [carried(pose.motions[f"{bone}.{side}"], point[row]) for bone, point in points]
            for row, side in enumerate("LR")
        ]
        feet = np.moveaxis(np.array(sides), 2, 0)
        legs = np.stack(
            [
                np.stack([pose.motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot")], 1)
                for side in "LR"
            ],
            1,
        )
        head = pose.motions["head"].position
        report = contact_report(feet, legs, head, body, pose, 24.0)
        assert report["past_limits"] == []
        size = body.leg_length / 0.9
        assert [
            report["limits"][name] for name in ("slip_mm", "penetration_mm", "toe_clearance_mm")
        ] == pytest.approx([0.5 * size, size, 10.0 * size])
        assert report["limits"]["reach"] == 0.999
        feet[..., 2] -= 2e-3
        assert contact_report(feet, legs, head, body, pose, 24.0)["past_limits"] == (
            ["penetration_mm"] if scale == 1.0 else []
        )
