"""When a foot or a hand stands, where the floor is, and how offsets are bridged: known answers."""

import numpy as np
import pytest

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.ground.pivots import SWING
from neurarig_addon.core.retarget.belt import belt_velocity, off_the_belt
from neurarig_addon.core.retarget.bridge import bridged
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.feet import standing_of, touching_frames
from neurarig_addon.core.retarget.floor import floor_plane, height_of
from neurarig_addon.core.retarget.spans import closed, flags_of, intervals_of, kept, touched

from . import retarget_bodies as given


@pytest.mark.parametrize("speed", [0.7, 1.3, 1.9])
def test_a_generated_walk_stands_when_it_says_so(speed):
    motions, pose = given.generated(given.human(), speed=speed)
    found = standing_of(touching_frames(find_contacts(given.human(), motions, given.FPS), len(pose.frames)))
    told = pose.pivot != SWING
    # Three frames at each of the ends: a heel that lands is still fast, a ball that leaves still slow.
    assert (found != told).mean() < 0.06
    assert intervals_of(found[:, 0]).shape == intervals_of(told[:, 0]).shape


def test_contacts_do_not_depend_on_size_place_or_floor():
    motions, _ = given.generated(given.human())
    raised = {role: given.shifted(motion, np.array([5.0, -3.0, 0.8])) for role, motion in motions.items()}
    first, second = (find_contacts(given.human(), moved, given.FPS).intervals for moved in (motions, raised))
    for point, intervals in first.items():
        np.testing.assert_array_equal(second[point], intervals, err_msg=point)


def test_a_run_flies_and_a_tilted_floor_is_a_floor():
    character, clip = given.recorded("walk", "cmu_16_35")
    motions = character.motions(clip)
    standing = standing_of(touching_frames(find_contacts(character, motions, clip.fps), len(clip)))
    assert (~standing.any(axis=1)).mean() > 0.2
    slope = np.tan(np.radians(1.0))
    tilted = {role: given.shifted(m, np.outer(slope * m.position[:, 0], [0.0, 0.0, 1.0])) for role, m in motions.items()}
    assert (standing_of(touching_frames(find_contacts(character, tilted, clip.fps), len(clip))) != standing).mean() < 0.03


def test_a_hand_that_stays_while_the_body_goes_is_planted():
    """One hand holds on to something, then both hang still on a body that stands still."""
    human = given.human()
    frames, leg = 120, human.body.leg_length
    sway = 0.3 * leg * np.sin(np.linspace(0.0, 2.0 * np.pi, 60))
    way = np.zeros((frames, 3))
    way[:60, 1] = sway
    rest = {
        role: Motion(np.tile(np.eye(3), (frames, 1, 1)), np.tile(human.rest_head(role), (frames, 1)), human.rest_head(role))
        for role in human.roles.bones
    }
    motions = {role: motion if role.startswith(("hand.L", "foot", "toe")) else given.shifted(motion, way) for role, motion in rest.items()}
    hands = find_contacts(human, motions, given.FPS).intervals
    assert len(hands["hand.L"]) == 1 and hands["hand.L"][0, 0] == 0
    assert not len(hands["hand.R"])


def test_the_floor_is_the_lowest_place_where_feet_often_stand():
    draw = np.random.default_rng(0)
    path = np.column_stack([np.linspace(0.0, 8.0, 60), draw.normal(0.0, 0.1, 60)])
    floor = np.column_stack([path, 0.3 + 0.02 * path[:, 0] + draw.normal(0.0, 0.004, 60)])
    on_boxes = np.column_stack([path[:40], np.full(40, 1.1)])
    plane = floor_plane(np.concatenate([floor, on_boxes]), 0.9)
    np.testing.assert_allclose(height_of(plane, floor), 0.3 + 0.02 * path[:, 0], atol=0.01)
    damaged = floor_plane(np.concatenate([floor, on_boxes, [[0.0, 0.0, 1e15], [0.0, 0.0, -1e15]]]), 0.9)
    np.testing.assert_allclose(damaged, plane, atol=1e-9)
    assert not floor_plane(np.zeros((0, 3)), 0.9).any()


def test_spans_are_cleaned():
    flags = np.array([0, 1, 1, 1, 0, 1, 0, 0, 1, 0], dtype=bool)
    assert intervals_of(flags).tolist() == [[1, 3], [5, 5], [8, 8]]
    np.testing.assert_array_equal(flags_of(intervals_of(flags), len(flags)), flags)
    assert intervals_of(kept(flags, 2)).tolist() == [[1, 3]]
    assert intervals_of(touched(flags, np.arange(10) == 5)).tolist() == [[5, 5]]
    places = np.zeros((10, 3))
    places[8:] = 1.0
    assert intervals_of(closed(flags, 2, places, 0.1)).tolist() == [[1, 5], [8, 8]]


def test_a_bridge_leaves_and_arrives_as_it_is_held():
    """Offsets are kept where held, have no kink at the ends, and vanish in the middle of a long gap."""
    fps, frames = 1000.0, 4000
    time = np.arange(frames) / fps
    held = (time < 1.0) | (time > 3.0)
    offset = np.stack([0.1 + 0.05 * time, np.where(time < 2.0, 0.2, -0.1)], axis=1)
    found = bridged(offset, held, fps, 0.5)
    np.testing.assert_array_equal(found[held], offset[held])
    speed = np.diff(found, axis=0) * fps
    for edge in (1000, 3001):
        np.testing.assert_allclose(speed[edge - 2], speed[edge + 1], atol=0.02)
    assert not found[1600:2400].any()


def test_a_walk_on_the_spot_gets_its_ground_back():
    motions, pose = given.generated(given.human(), speed=1.4)
    assert not belt_velocity(given.human().body, motions, given.FPS).any()
    on_the_spot = {role: given.shifted(motion, -pose.root.position) for role, motion in motions.items()}
    velocity = belt_velocity(given.human().body, on_the_spot, given.FPS)
    np.testing.assert_allclose(velocity, [-1.4, 0.0], atol=0.03)
    travelled = off_the_belt(on_the_spot, velocity, given.FPS)["pelvis"].position
    np.testing.assert_allclose(travelled[-1], motions["pelvis"].position[-1], atol=0.1)
