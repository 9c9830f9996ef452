"""Corners of a path: step turns, knees that do not kick, feet that turn no farther than hips."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.way.strides import corner_marks
from neurarig_addon.core.geometry.rotation import yaw_of as yaw
from neurarig_addon.core.path.path import Path
from tests.core.walk_measures import greatest_reach, greatest_slip, knee_angle
from tests.core.walk_paths import PATHS, line
from tests.core.walkers import BODY, WALKING

FRAMES = np.arange(-10.0, 220.0, 0.5)


def walked(path: Path, frames: np.ndarray = FRAMES, gait: Gait = WALKING, **style: float) -> WalkPose:
    return walk(BODY, StyleTrack(Style(**{"speed": 1.2, **style})), Clock(), frames, gait, path)


def test_the_head_turns_before_the_corner_comes():
    pose = walked(PATHS["corner of 90 degrees"], np.arange(1.0, 160.0, 0.25))
    turned = [yaw(pose.root.holding(pose.motions[role]).rotation) for role in ("head", "spine.3", "pelvis")]
    halfway = [float(np.interp(np.pi / 4.0, np.maximum.accumulate(angle), pose.frames)) for angle in turned]
    assert halfway[0] < halfway[1] < halfway[2] < halfway[0] + 24.0


@pytest.mark.parametrize("name", ["circle of 0.7 m", "circle of 2 m", "S", "corner of 90 degrees"])
def test_standing_feet_are_turned_no_farther_than_hips_turn(name):
    """Against where the root is headed, besides the toe-out: outward 48 degrees, inward 28."""
    pose = walked(PATHS[name])
    for row, (side, out) in enumerate((("L", 1.0), ("R", -1.0))):
        outward = out * np.degrees(yaw(pose.motions[f"foot.{side}"].rotation))[pose.pivot[:, row] != SWING]
        assert outward.min() > -28.0 - 2.0 and outward.max() < 48.0 + 8.0


def test_knees_do_not_kick_in_corners_anywhere():
    """Drawn at random: of 60 to 135 degrees, after any way, at several speeds."""
    draw, kicks = np.random.default_rng(5), []
    for _ in range(12):
        turn, lead, speed = (
            np.radians(draw.uniform(60.0, 135.0) * draw.choice([-1.0, 1.0])),
            draw.uniform(2.5, 4.2),
            draw.uniform(0.8, 1.5),
        )
        path = line((0.0, 0.0), (lead, 0.0), (lead + 7.0 * np.cos(turn), 7.0 * np.sin(turn)))
        pose = walked(path, np.arange(1.0, 24.0 * (lead + 3.5) / speed, 0.5), speed=speed)
        assert greatest_slip(BODY, pose) < 1e-9 and greatest_reach(BODY, pose) <= 0.999
        kicks.append(max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 48.0**2 for side in "LR"))
    assert np.median(kicks) < 1.5 * 144.0 and max(kicks) < 2.0 * 144.0


@pytest.mark.parametrize("lead", [3.0, 3.3, 3.6, 3.9])
@pytest.mark.parametrize("degrees", [90.0, -120.0])
def test_sharp_corners_are_step_turns(lead, degrees):
    """The outer foot stands in the corner and the inner one opens out, however long the way to it is (Taylor
    2005)."""
    turn = np.radians(degrees)
    path = line((0.0, 0.0), (lead, 0.0), (lead + 6.0 * np.cos(turn), 6.0 * np.sin(turn)))
    pose = walked(path, np.arange(1.0, 160.0, 0.25))
    headings = np.unwrap(yaw(pose.root.rotation))
    middle = int(np.argmin(np.abs(headings - 0.5 * turn)))
    outer = RIGHT if degrees > 0.0 else LEFT
    assert pose.pivot[middle, outer] != SWING and pose.pivot[middle, 1 - outer] == SWING


def test_corners_far_along_a_path_are_step_turns_too():
    """A zigzag of 590 m: every corner is marked, with the outer foot in it."""
    corners = np.array([(12.0 * number, 6.0 * (number % 2)) for number in range(45)])
    path = line(*corners.tolist())
    found = corner_marks(
        path, BODY.leg_length, 0.7, lambda distance: (np.zeros_like(distance), np.full_like(distance, 0.62))
    )
    assert path.length > 580.0 and len(found.at) == len(corners) - 2
    near = np.linalg.norm(path.at(found.at).place[:, None, :2] - corners[1:-1], axis=-1)
    assert (near.argmin(axis=1) == np.arange(len(corners) - 2)).all()
    to_left = np.arange(1, len(corners) - 1) % 2 == 0
    np.testing.assert_allclose(np.mod(found.phase, 1.0), 0.31 + np.where(to_left, 0.5, 0.0))
