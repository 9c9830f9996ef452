"""Looking at something: the eyes meet it, the head before the chest, within limits; a function of the frame,
also of what moves."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.gait.inputs.gaze import Gaze
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walk_measures import greatest_slip
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import keyed
from tests.core.walkers import BODY, HUMAN

FRAMES = np.arange(1.0, 120.0, 0.5)


def looks(
    at: object,
    path: Path = STRAIGHT,
    frames: np.ndarray = FRAMES,
    track: StyleTrack | None = None,
    **options: bool,
) -> WalkPose:
    """Return a walk that looks at a place, or at what moves through places over 100 frames."""
    places = np.atleast_2d(np.array(at, dtype=float))
    gaze = Gaze(np.linspace(1.0, 101.0, len(places)), places, **options)
    walker = Walker.of(BODY, track or StyleTrack(Style(speed=1.0)), Clock(), HUMAN, path, LEVEL)
    return walked(replace(walker, gaze=gaze), frames)


def headed(pose: WalkPose, role: str) -> np.ndarray:
    """Return where a role is turned `(f,)` in degrees, against the world."""
    turn = pose.root.holding(pose.motions[role]).rotation
    return np.degrees(np.unwrap(np.arctan2(turn[:, 1, 0], turn[:, 0, 0])))


def away(pose: WalkPose, place: np.ndarray) -> np.ndarray:
    """Return by how many degrees the face is off what is looked at `(f,)`."""
    head = pose.root.holding(pose.motions["head"])
    way = place - head.position
    cos = np.sum(head.rotation[:, :, 0] * way, axis=-1) / np.linalg.norm(way, axis=-1)
    return np.degrees(np.arccos(np.clip(cos, -1.0, 1.0)))


@pytest.mark.parametrize("place", [[9.0, 3.0, 1.6], [8.0, -4.0, 0.3], [12.0, 2.0, 4.0]])
def test_the_face_is_turned_to_what_is_ahead(place):
    assert away(looks(place, frames=FRAMES[FRAMES < 90.0]), np.array(place)).max() < 8.0


@pytest.mark.parametrize("name", ["S", "corner of 90 degrees"])
def test_on_a_path_the_eyes_stay_on_it(name):
    place = np.array([7.0, 3.0, 1.4])
    pose = looks(place, PATHS[name])
    within = np.linalg.norm(place[:2] - pose.root.position[:, :2], axis=-1) > 1.0
    assert np.median(away(pose, place)[within]) < 8.0
    assert greatest_slip(BODY, pose) < 1e-9


def test_the_chest_follows_the_head_and_neither_turns_farther_than_it_can():
    """What passes quickly from left to right, and then behind."""
    places = [[4.0, 4.0, 1.5], [4.0, -4.0, 1.5], [-6.0, -3.0, 1.5]]
    pose = looks(places, track=StyleTrack(Style(speed=0.0, idle=0.0)))
    head, chest = headed(pose, "head"), headed(pose, "spine.3")
    assert np.abs(head - chest).max() < 71.0 and np.abs(chest).max() < 33.0
    crossed = [float(pose.frames[np.argmax(angle < 0.0)]) for angle in (head, chest)]
    assert crossed[0] + 3.0 < crossed[1]
    assert np.abs(np.diff(head)).max() < 8.0, "no jump, degrees a half frame"


def test_what_is_passed_is_let_go_without_a_jump():
    pose = looks([2.0, 1.0, 1.5], frames=np.arange(1.0, 200.0, 0.5))
    head = headed(pose, "head")
    assert np.abs(np.diff(head)).max() < 12.0 and np.abs(head[-20:]).max() < 8.0
    below = looks([2.0, 0.0, 0.0], frames=np.arange(1.0, 100.0, 0.5))
    assert np.abs(np.diff(headed(below, "head"))).max() < 12.0


def test_the_slider_says_how_far_and_may_be_keyed():
    place = [9.0, 5.0, 1.5]
    none, some, whole = (
        headed(looks(place, track=StyleTrack(Style(speed=1.0, look=look))), "head")
        for look in (0.0, 0.5, 1.0)
    )
    plain = walked(Walker.of(BODY, StyleTrack(Style(speed=1.0)), Clock(), HUMAN, STRAIGHT, LEVEL), FRAMES)
    assert_allclose(none, headed(plain, "head"), atol=1e-9)
    assert (whole > some).all() and (some > none).all()
    pose = looks(place, track=keyed("look", [30.0, 60.0], [0.0, 1.0], speed=1.0))
    assert headed(pose, "head")[FRAMES == 30.0] < 5.0 and away(pose, np.array(place))[FRAMES == 70.0] < 8.0


def test_in_place_it_is_seen_from_where_the_walk_began():
    pose = looks([3.0, 3.0, 1.6], on_the_spot=True)
    assert np.ptp(headed(pose, "head")) < 8.0 and abs(headed(pose, "head").mean() - 45.0) < 5.0


def around(frames: np.ndarray, seed: int = 0, strides: int = 16, **style: float) -> WalkPose:
    """Return a walk straight on that looks around."""
    track = StyleTrack(Style(**{"speed": 1.2, "look_around": 1.0, **style}), seed=seed, strides=strides)
    return walked(Walker.of(BODY, track, Clock(), HUMAN, STRAIGHT, LEVEL), frames)


@pytest.mark.parametrize(
    ("slider", "axis", "sign"),
    [("head_turn", (1, 0), 1.0), ("head_nod", (2, 0), -1.0), ("head_tilt", (2, 1), -1.0)],
)
def test_a_head_is_held_as_its_sliders_say(slider, axis, sign):
    """To its left, down, to its left; the neck takes half of it, and all else stays as it was."""
    plain, held = (around(FRAMES, look_around=0.0, **{slider: degrees}) for degrees in (0.0, 20.0))

    def angle(pose: WalkPose, role: str) -> np.ndarray:
        return sign * np.degrees(np.arcsin(pose.motions[role].rotation[:, axis[0], axis[1]]))

    assert_allclose(angle(held, "head") - angle(plain, "head"), 20.0, atol=0.7)
    assert_allclose(angle(held, "neck") - angle(plain, "neck"), 10.0, atol=0.7)
    for role in plain.motions.keys() - {"neck", "head"}:
        assert_array_equal(held.motions[role].rotation, plain.motions[role].rotation, err_msg=role)


def test_a_head_goes_no_farther_than_necks_do():
    far = around(np.arange(1.0, 400.0), head_turn=90.0, head_nod=60.0, head_tilt=45.0, look_around=3.0)
    assert np.abs(headed(far, "head") - headed(far, "spine.3")).max() < 73.0
    assert np.abs(np.degrees(np.arcsin(far.motions["head"].rotation[:, 2, 0]))).max() < 42.0


@pytest.mark.parametrize("seed", range(4))
def test_who_looks_around_looks_ahead_most_of_the_time_and_aside_now_and_then(seed):
    pose = around(np.arange(1.0, 1000.0, 0.5), seed)
    head = headed(pose, "head") - headed(around(np.arange(1.0, 1000.0, 0.5), look_around=0.0), "head")
    assert 0.4 < (np.abs(head) < 3.0).mean() < 0.9 and 12.0 < np.abs(head).max() < 42.0
    assert np.abs(np.diff(head)).max() < 4.0, "no jump, degrees a half frame"
    assert greatest_slip(BODY, pose) < 1e-9


def test_looks_depend_on_frame_and_seed_alone_and_repeat_with_the_strides():
    frames = np.arange(1.0, 60.0, 0.5)
    pose, alone, other = around(frames), around(frames[40:41]), around(frames, seed=1)
    assert_array_equal(alone.motions["head"].rotation[0], pose.motions["head"].rotation[40])
    assert np.abs(headed(other, "head") - headed(pose, "head")).max() > 3.0
    assert pose.lap == 16
    lap = pose.lap * float(pose.period[0]) * 24.0
    assert lap == pytest.approx(round(lap))
    assert_allclose(
        around(frames + round(lap)).motions["head"].rotation, pose.motions["head"].rotation, atol=1e-9
    )
    still = around(frames, speed=0.0, idle=0.0)
    assert np.abs(headed(still, "head")).max() > 3.0, "who stands looks around too"


def test_who_looks_at_something_does_not_look_around():
    place = [[9.0, 3.0, 1.6]]
    plain, both = (looks(place, track=StyleTrack(Style(speed=1.0, look_around=much))) for much in (0.0, 2.0))
    assert np.abs(headed(plain, "head") - headed(both, "head")).max() < 2.0


def test_looking_around_is_keyed():
    pose = walked(
        Walker.of(
            BODY,
            keyed("look_around", [1.0, 60.0, 61.0], [0.0, 0.0, 2.0], speed=1.2),
            Clock(),
            HUMAN,
            STRAIGHT,
            LEVEL,
        ),
        np.arange(1.0, 400.0),
    )
    head = headed(pose, "head")
    assert np.abs(head[:59]).max() < 3.0 and np.abs(head[60:]).max() > 8.0
