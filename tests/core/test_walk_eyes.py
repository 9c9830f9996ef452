"""Eyes: they meet what is looked at before the head does, lead its turns, keep within limits and never
cross."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from neurarig_addon.core.gait.body.upper_body import MOST_ASIDE, MOST_INWARD, MOST_UP_AND_DOWN
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
from tests.core.walkers import BODY as BLIND
from tests.core.walkers import HUMAN

BODY = replace(BLIND, eye=np.array([[0.08, 0.032, 1.66], [0.08, -0.032, 1.66]]))
FRAMES = np.arange(1.0, 120.0, 0.5)
STANDING = StyleTrack(Style(speed=0.0, idle=0.0))


def looks(
    at: object, path: Path = STRAIGHT, frames: np.ndarray = FRAMES, track: StyleTrack | None = None
) -> WalkPose:
    """Return a walk with eyes that looks at a place, or at what moves through places over 100 frames."""
    places = np.atleast_2d(np.array(at, dtype=float))
    walker = Walker.of(BODY, track or StyleTrack(Style(speed=1.0)), Clock(), HUMAN, path, LEVEL)
    return walked(replace(walker, gaze=Gaze(np.linspace(1.0, 101.0, len(places)), places)), frames)


def walks(track: StyleTrack) -> WalkPose:
    return walked(Walker.of(BODY, track, Clock(), HUMAN, STRAIGHT, LEVEL), FRAMES)


def in_head(pose: WalkPose) -> np.ndarray:
    """Return yaw and pitch `(2, f, 2)` of the left and right eye in the head, in radians."""
    turns = np.stack(
        [pose.motions["head"].seeing(pose.motions[f"eye.{side}"]).rotation for side in "LR"], axis=1
    )
    return np.stack([np.arctan2(turns[..., 1, 0], turns[..., 0, 0]), np.arcsin(-turns[..., 2, 0])])


def off(pose: WalkPose, place: np.ndarray, role: str) -> np.ndarray:
    """Return by how many degrees a role's forward is off what is looked at `(f,)`."""
    motion = pose.root.holding(pose.motions[role])
    way = place - motion.position
    cos = np.sum(motion.rotation[:, :, 0] * way, axis=-1) / np.linalg.norm(way, axis=-1)
    return np.degrees(np.arccos(np.clip(cos, -1.0, 1.0)))


@pytest.mark.parametrize("place", [[9.0, 3.0, 1.6], [8.0, -4.0, 0.3], [12.0, 2.0, 4.0]])
def test_both_eyes_meet_what_is_looked_at_and_the_head_leaves_them_some_of_the_way(place):
    pose = looks(place, frames=FRAMES[FRAMES < 90.0])
    assert max(off(pose, np.array(place), f"eye.{side}").max() for side in "LR") < 0.5
    assert 3.0 < np.median(off(pose, np.array(place), "head")) < 14.0


@pytest.mark.parametrize("name", ["S", "corner of 90 degrees"])
def test_on_a_path_they_stay_on_it_as_long_as_they_can_and_feet_stay_planted(name):
    place = np.array([7.0, 3.0, 1.4])
    pose = looks(place, PATHS[name])
    ahead = np.linalg.norm(place[:2] - pose.root.position[:, :2], axis=-1) > 1.0
    assert np.median(off(pose, place, "eye.L")[ahead]) < 1.0
    assert greatest_slip(BODY, pose) < 1e-9


def test_they_keep_within_their_limits_never_cross_and_never_look_apart():
    """What passes close by, from far left to far right, above and below, and behind."""
    draw = np.random.default_rng(4)
    places = draw.uniform([-2.0, -3.0, 0.0], [3.0, 3.0, 3.0], (24, 3))
    (yaw, pitch), near = (
        in_head(looks(places, track=STANDING)),
        in_head(looks([0.2, 0.0, 1.66], track=STANDING)),
    )
    for left, right in (yaw.T, near[0].T):
        inward = 0.5 * (right - left)
        assert inward.min() > -1e-9 and inward.max() <= MOST_INWARD
        assert np.abs(0.5 * (left + right)).max() <= MOST_ASIDE
    assert np.abs(pitch).max() <= MOST_UP_AND_DOWN
    assert 0.5 * float((near[0][:, 1] - near[0][:, 0]).max()) > 0.5 * MOST_INWARD, (
        "what is near is looked at with both"
    )


def test_eyes_are_there_before_the_head_and_let_go_without_a_jump():
    """What jumps from one side to the other within a frame."""
    places = np.repeat([[4.0, 1.5, 1.6], [4.0, -1.5, 1.6]], 50, axis=0)
    pose = looks(places, track=STANDING)
    when = {
        role: float(pose.frames[np.argmin(off(pose, places[-1], role) > 10.5)])
        for role in ("eye.L", "eye.R", "head")
    }
    assert max(when["eye.L"], when["eye.R"]) + 1.0 <= when["head"]
    passed = looks([2.0, 1.0, 1.5], frames=np.arange(1.0, 200.0, 0.5))
    assert np.degrees(np.abs(np.diff(in_head(passed)[0], axis=0))).max() < 20.0
    assert np.abs(in_head(passed)[0][-20:]).max() < 0.01, "what is behind is let go"


def test_they_lead_a_keyed_head_turn_and_rest_ahead_while_it_is_held():
    turning = keyed("head_turn", [40, 60], [0.0, 40.0], speed=1.0)
    yaw = in_head(walks(turning))[0].mean(axis=1)
    moving = (FRAMES > 40.0) & (FRAMES < 56.0)
    assert yaw[moving].min() > np.radians(2.0) and np.abs(yaw[(FRAMES < 30.0) | (FRAMES > 65.0)]).max() < 1e-9


def test_they_glance_around_with_the_head_and_repeat_with_it():
    yaw = in_head(walks(StyleTrack(Style(speed=1.0, look_around=1.0))))[0]
    assert np.radians(3.0) < np.abs(yaw).max() <= MOST_ASIDE
    alone = walked(
        Walker.of(BODY, StyleTrack(Style(speed=1.0, look_around=1.0)), Clock(), HUMAN, STRAIGHT, LEVEL),
        FRAMES[7:8],
    )
    assert_array_equal(in_head(alone)[0], yaw[7:8])


def test_a_body_without_eyes_walks_as_before_and_one_with_eyes_too_where_it_looks_at_nothing():
    plain, seeing = (
        walked(Walker.of(body, StyleTrack(Style()), Clock(), HUMAN, STRAIGHT, LEVEL), FRAMES)
        for body in (BLIND, BODY)
    )
    assert not [role for role in plain.motions if role.startswith(("eye", "gaze"))]
    for role, motion in plain.motions.items():
        assert_array_equal(motion.rotation, seeing.motions[role].rotation)
    assert np.abs(in_head(seeing)).max() < 1e-9
