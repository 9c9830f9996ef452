"""Marks on a path: waited at, come to on time, refused where nobody could; the speed between changes
smoothly."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.marks import Mark
from tests.core.walk_measures import greatest_slip
from tests.core.walk_paths import LEG, line
from tests.core.walk_styles import keyed
from tests.core.walkers import BODY, WALKING
from tests.refusals import refuses

CLOCK = Clock(start=1.0)
FRAMES = np.arange(-10.0, 420.0, 0.5)
CORNER = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 5.0, 0.0]]


def at_frame(frame: float) -> float:
    return (frame - CLOCK.start) / CLOCK.fps


def way(*marks: Mark, points: list | None = None, starts: bool = True) -> Curve:
    return Curve.through(np.array(points or CORNER), LEG, starts=starts, marks=marks)


def walked(path: Curve, track: StyleTrack | None = None, frames: np.ndarray = FRAMES) -> WalkPose:
    return walk(BODY, track or StyleTrack(Style(speed=1.1)), CLOCK, frames, WALKING, path)


def place_at(pose: WalkPose, frame: float) -> np.ndarray:
    return np.array([np.interp(frame, pose.frames, pose.root.position[:, axis]) for axis in range(2)])


@pytest.mark.parametrize("frame", [110.0, 150.0, 400.0])
@pytest.mark.parametrize("starts", [True, False])
def test_who_is_to_arrive_at_a_frame_does(frame, starts):
    path = way(Mark(due=at_frame(frame), is_end=True), starts=starts)
    pose = walked(path)
    assert np.linalg.norm(place_at(pose, frame) - path.places[-1, :2]) < 1e-6
    assert np.linalg.norm(place_at(pose, frame - 6.0) - path.places[-1, :2]) > 2e-3, "and not long before"
    assert greatest_slip(BODY, pose) < 1e-9


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(8))
def test_drawn_marks_are_come_to_on_time_and_waited_at(seed):
    """Within a hundredth of a leg of the place, which is where the path's table has one."""
    draw = np.random.default_rng(seed)
    distances = np.sort(draw.uniform(0.6, 8.0, 3)) + [0.0, 0.1, 0.2]
    pauses = np.where(draw.random(3) < 0.5, draw.uniform(0.8, 3.0, 3), 0.0)
    seconds = np.cumsum(
        np.diff(distances, prepend=0.0) / draw.uniform(0.3, 0.9, 3)
        + 0.8
        + np.concatenate([[0.0], pauses[:-1]])
    )
    marks = [
        Mark(distance, pause, due) for distance, pause, due in zip(distances, pauses, seconds, strict=True)
    ]
    path = way(*marks)
    pose = walked(path, frames=np.arange(1.0, 60.0 + 24.0 * seconds[-1], 0.25))
    for mark in marks:
        frame = 1.0 + 24.0 * mark.due
        assert (
            np.linalg.norm(place_at(pose, frame) - path.at(np.array(mark.distance)).place[:2]) < 0.011 * LEG
        )
        if mark.pause:
            waits = (pose.frames >= frame + 0.1) & (pose.frames <= frame + 24.0 * mark.pause - 0.1)
            assert (pose.ground_speed[waits] == 0.0).all() and not (pose.pivot[waits] == SWING).any()
    assert greatest_slip(BODY, pose) < 1e-9


def test_the_speed_between_two_times_changes_smoothly():
    path = way(
        Mark(2.5, due=at_frame(80.0)), Mark(5.0, due=at_frame(120.0)), points=[[0, 0, 0], [12.0, 0, 0]]
    )
    pose = walked(path, frames=np.arange(30.0, 260.0, 0.25))
    assert np.abs(np.diff(pose.ground_speed) * 96.0).max() < 1.5, "metres a second squared"
    assert pose.ground_speed[pose.frames == 200.0] == pytest.approx(1.1, abs=1e-6), (
        "afterwards at its own speed again"
    )


@pytest.mark.parametrize("pause", [0.7, 3.0])
def test_a_pause_without_a_time_is_waited_at_whenever_it_is_come_to(pause):
    pose = walked(way(Mark(3.0, pause)), keyed("speed", [1.0, 60.0, 120.0], [0.8, 1.4, 0.9]))
    still = pose.frames[pose.ground_speed == 0.0]
    inner = still[(still > 20.0) & (still < 200.0)]
    inner = inner[
        np.linalg.norm(pose.root.position[np.isin(pose.frames, inner), :2] - [2.98, 0.0], axis=-1) < 0.05
    ]
    assert np.ptp(inner) == pytest.approx(24.0 * pause, abs=1.0)
    rows = np.isin(pose.frames, inner)
    feet = [pose.root.carried(pose.motions[f"foot.{side}"].position)[rows] for side in "LR"]
    assert np.ptp(feet[0], axis=0).max() < 1e-9 and abs(feet[0][0, 0] - feet[1][0, 0]) < 2e-3, (
        "feet side by side"
    )


def test_a_mark_beside_the_path_is_where_the_path_comes_nearest():
    path = way(Mark(pause=1.0, place=np.array([2.0, 0.7, 3.0])))
    assert path.marks[-1].distance == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        (
            (Mark(due=1.0, is_end=True),),
            (
                r"would have to walk at 2\d\.\d m/s; the fastest walk is 3\.0 m/s. Let it arrive at frame \d+"
                r" or later"
            ),
        ),
        ((Mark(3.0, due=-2.0),), "be there before it starts"),
        ((Mark(3.0, due=9.0), Mark(5.0, due=9.1)), "5 m along the path at frame 219"),
        ((Mark(3.0, 5.0, due=5.0), Mark(5.0, due=8.0)), "before it leaves the marker at 3.0 m"),
        (
            (Mark(3.0, 20.0), Mark(5.0, due=8.0)),
            r"before it starts, as it pauses for 20\.\d s on the way; .* frame 5\d\d or later",
        ),
        ((Mark(3.0, 3.0), Mark(5.0, due=4.0)), r"walk at \d+\.\d m/s, as it pauses for 3\.\d s on the way"),
        ((Mark(3.0, due=5.0), Mark(3.001, due=8.0)), "Two times are set for the same place"),
        ((Mark(0.0, due=5.0),), "is at the start of the path"),
        ((Mark(30.0),), "not on the path, which is"),
        ((Mark(float("nan")),), "not on the path"),
    ],
)
def test_what_nobody_can_keep_is_refused_in_one_sentence(marks, sentence):
    with refuses(sentence):
        walked(way(*marks))


def test_the_frame_that_a_refusal_names_is_possible():
    with refuses() as refusal:
        walked(way(Mark(due=1.0, is_end=True)))
    frame = float(str(refusal.value).split("at frame ")[-1].split()[0])
    path = way(Mark(due=at_frame(frame), is_end=True))
    assert np.linalg.norm(place_at(walked(path), frame) - path.places[-1, :2]) < 1e-6


@pytest.mark.parametrize("seconds", [0.5, 1.0, 2.0])
def test_marks_may_follow_each_other_soon(seconds):
    path = way(
        Mark(2.0, due=4.0), Mark(2.0 + seconds, due=4.0 + seconds), points=[[0.0, 0.0, 0.0], [8.0, 0.0, 0.0]]
    )
    pose = walked(path)
    for mark in path.marks[-2:]:
        assert (
            np.linalg.norm(place_at(pose, CLOCK.start + mark.due * CLOCK.fps) - [mark.distance, 0.0]) < 1e-3
        )


def test_a_closed_path_has_no_marks():
    with refuses("closed path repeats"):
        line((0, 0), (3, 0), (3, 3), is_closed=True, marks=(Mark(1.0, 2.0),))


@pytest.mark.parametrize("shift", [0.004, 0.012, 0.02])
def test_stands_beside_one_another_are_one_longer_stand(shift):
    """Also beside the stand at the start, and the stop at the end."""
    end = way().length
    marks = (
        Mark(shift, pause=1.0),
        Mark(3.0, pause=1.0),
        Mark(3.0 + shift, pause=1.5),
        Mark(end - shift, pause=0.5),
    )
    pose = walked(way(*marks))
    assert np.isfinite(pose.root.position).all()
    there = np.linalg.norm(pose.root.position[:, :2] - [3.0, 0.0], axis=-1) < 0.03
    assert 2.5 <= np.ptp(pose.frames[there]) / CLOCK.fps < 3.6
