"""Looking at something: the eyes meet it, the head before the chest, within limits; a function of the frame, also of what moves."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.human_body import human_body
from neurarig_addon.core.gait.gait import Gait
from neurarig_addon.core.gait.gaze import Gaze
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT, Path
from neurarig_addon.training.gait.human_gait import HumanGait
from tests.core.walk_measures import greatest_slip
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import keyed

BODY, HUMAN = human_body(), Gait(HumanGait.load())
FRAMES = np.arange(1.0, 120.0, 0.5)


def looks(at: object, path: Path = STRAIGHT, frames: np.ndarray = FRAMES, track: StyleTrack | None = None, **options: bool) -> WalkPose:
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
    none, some, whole = (headed(looks(place, track=StyleTrack(Style(speed=1.0, look=look))), "head") for look in (0.0, 0.5, 1.0))
    plain = walked(Walker.of(BODY, StyleTrack(Style(speed=1.0)), Clock(), HUMAN, STRAIGHT, LEVEL), FRAMES)
    np.testing.assert_allclose(none, headed(plain, "head"), atol=1e-9)
    assert (whole > some).all() and (some > none).all()
    pose = looks(place, track=keyed("look", [30.0, 60.0], [0.0, 1.0], speed=1.0))
    assert headed(pose, "head")[FRAMES == 30.0] < 5.0 and away(pose, np.array(place))[FRAMES == 70.0] < 8.0


def test_in_place_it_is_seen_from_where_the_walk_began():
    pose = looks([3.0, 3.0, 1.6], on_the_spot=True)
    assert np.ptp(headed(pose, "head")) < 8.0 and abs(headed(pose, "head").mean() - 45.0) < 5.0


def test_a_look_is_a_function_of_the_frame():
    places = [[4.0, 4.0, 1.5], [8.0, -4.0, 1.0]]
    together = looks(places, PATHS["S"])
    for row in (3, 50, 180):
        alone = looks(places, PATHS["S"], FRAMES[row : row + 1])
        for role, motion in together.motions.items():
            np.testing.assert_allclose(alone.motions[role].rotation[0], motion.rotation[row], atol=1e-12, err_msg=role)
