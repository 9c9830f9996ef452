"""What each number of a walk's curves moves: one channel at a time, against the pose that all zeros give."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.contract.channels import ARM_AXES, CHANNELS, POSE_AXES, TURN_AXES
from neurarig_addon.core.gait.body.upper_body import LEANS_ALONG, spine_turns
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import from_euler, rotation_vector, transposed
from tests.core.walkers import BODY

SIDES = (("l", "L", 1.0), ("r", "R", -1.0))
SIZE = 0.05
# as `from_euler` takes them
TURNS = {"pitch": (SIZE, 0.0, 0.0), "yaw": (0.0, SIZE, 0.0), "roll": (0.0, 0.0, SIZE)}


class Still:
    """Curves of which one channel is a constant, and all others zero."""

    def __init__(self, channel: str, size: float):
        self.row = np.zeros(len(CHANNELS))
        if channel:
            self.row[CHANNELS.index(channel)] = size

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        return np.tile(self.row, (len(phase_right), 1))


@cache
def posed(channel: str = "", size: float = SIZE) -> WalkPose:
    """Return a pose, the feet where the curves have them; knees bent, so that no leg is too short."""
    track = StyleTrack(Style(speed=1.0, crouch=0.1))
    return walk(BODY, track, Clock(), np.array([3.0, 11.0]), Gait(Still(channel, size), planted=False))


def moved(role: str, channel: str, size: float = SIZE) -> np.ndarray:
    return posed(channel, size).motions[role].position - posed().motions[role].position


def turned(role: str, channel: str, size: float = SIZE) -> np.ndarray:
    """Return how a bone is turned `(f, 3, 3)` against the pose without."""
    return posed(channel, size).motions[role].rotation @ transposed(posed().motions[role].rotation)


@pytest.mark.parametrize("axis", POSE_AXES[:3])
@pytest.mark.parametrize(("letter", "side", "_sign"), SIDES)
def test_a_foot_goes_where_its_channels_say_and_the_other_stays(letter, side, _sign, axis):
    way = np.eye(3)[POSE_AXES.index(axis)] * SIZE
    assert_allclose(moved(f"foot.{side}", f"foot_{letter}.{axis}"), np.tile(way, (2, 1)), atol=1e-9)
    other = "R" if side == "L" else "L"
    assert_allclose(moved(f"foot.{other}", f"foot_{letter}.{axis}"), 0.0, atol=1e-9)


@pytest.mark.parametrize("axis", TURN_AXES)
@pytest.mark.parametrize(("letter", "side", "_sign"), SIDES)
def test_a_foot_turns_as_its_channels_say(letter, side, _sign, axis):
    """About its own axes: pitch and roll as the foot is headed, yaw about the vertical."""
    turn = rotation_vector(turned(f"foot.{side}", f"foot_{letter}.{axis}"))
    assert_allclose(np.linalg.norm(turn, axis=-1), SIZE, atol=1e-6)
    foot = posed().motions[f"foot.{side}"].rotation @ from_euler(
        0.0, -BODY.foot_heading[0 if side == "L" else 1], 0.0
    )
    heading = np.arctan2(foot[:, 1, 0], foot[:, 0, 0])
    zero, one = np.zeros(2), np.ones(2)
    about = {
        "pitch": [-np.sin(heading), np.cos(heading), zero],
        "yaw": [zero, zero, one],
        "roll": [np.cos(heading), np.sin(heading), zero],
    }[axis]
    assert_allclose(turn / SIZE, np.stack(about, axis=-1), atol=0.02)


@pytest.mark.parametrize(("letter", "side", "_sign"), SIDES)
def test_the_toes_bend_against_the_foot(letter, side, _sign):
    bend = rotation_vector(
        transposed(posed().motions[f"toe.{side}"].rotation)
        @ posed(f"ball_{letter}.pitch").motions[f"toe.{side}"].rotation
    )
    assert_allclose(np.linalg.norm(bend, axis=-1), SIZE, atol=1e-9)
    assert_allclose(turned(f"foot.{side}", f"ball_{letter}.pitch"), np.tile(np.eye(3), (2, 1, 1)), atol=1e-12)


@pytest.mark.parametrize("axis", POSE_AXES[:3])
def test_the_hips_go_where_the_pelvis_channels_say(axis):
    size = -0.02 if axis == "z" else 0.02
    way = np.eye(3)[POSE_AXES.index(axis)] * size
    for role in ("pelvis", "thigh.L", "thigh.R", "head", "hand.L"):
        assert_allclose(moved(role, f"pelvis.{axis}", size)[:, :2], np.tile(way[:2], (2, 1)), atol=1e-9)
        assert_allclose(moved(role, f"pelvis.{axis}", size)[:, 2], way[2], atol=2e-3)


@pytest.mark.parametrize("axis", TURN_AXES)
@pytest.mark.parametrize(("block", "role"), [("pelvis", "pelvis"), ("chest", "spine.3"), ("head", "head")])
def test_pelvis_chest_and_head_turn_as_their_channels_say(block, role, axis):
    """Pitch leans forward, yaw turns to the left, roll leans to the right; the middle between the hips
    stays."""
    expected = from_euler(*TURNS[axis])
    assert_allclose(posed(f"{block}.{axis}").motions[role].rotation, np.tile(expected, (2, 1, 1)), atol=1e-9)
    if block == "pelvis":
        middle = (moved("thigh.L", f"pelvis.{axis}") + moved("thigh.R", f"pelvis.{axis}")) / 2.0
        assert_allclose(middle, 0.0, atol=2e-3)


def test_the_spine_shares_the_turn_from_pelvis_to_chest_and_the_neck_that_to_the_head():
    count = len(BODY.spine)
    for axis in TURN_AXES:
        for n in range(count if axis != "roll" else 0):
            turn = rotation_vector(posed(f"chest.{axis}").motions[f"spine.{n + 1}"].rotation)
            whole = rotation_vector(posed(f"chest.{axis}").motions[f"spine.{count}"].rotation)
            assert_allclose(turn, whole * (n + 1) / count, atol=1e-9)
        neck = rotation_vector(posed(f"head.{axis}").motions["neck"].rotation)
        assert_allclose(
            neck, rotation_vector(posed(f"head.{axis}").motions["head"].rotation) / 2.0, atol=1e-9
        )


@pytest.mark.parametrize("bones", [2, 3, 5])
@pytest.mark.parametrize("bend", [0.0, 20.0])
def test_shoulders_lean_with_the_chest_whatever_the_pelvis_does(bones, bend):
    """Pelvis and chest rolled by a degree or two, as recorded people's; the whole body may lean into a
    bend."""
    small, leans = np.radians(1.0), np.radians(bend)
    for pelvis in (-small, 0.0, small):
        rolls = back_rolls(bones, leans, pelvis, small)
        joints = np.vstack([BODY.hip.mean(axis=0), spine_of(bones), BODY.shoulder.mean(axis=0)])
        lengths = np.linalg.norm(np.diff(joints, axis=0), axis=1)
        aside = lengths @ np.append(leans + pelvis, rolls) / lengths.sum()
        assert rolls[-1] == pytest.approx(leans + small)
        assert aside - leans == pytest.approx(LEANS_ALONG * small, abs=0.03 * small)


def test_a_chest_that_sways_far_bends_the_back_nearly_evenly():
    far = np.radians(60.0)
    assert_allclose(
        back_rolls(3, 0.0, 0.0, far), far * np.array([1.0, 2.0, 3.0]) / 3.0, atol=np.radians(10.0)
    )


def back_rolls(bones: int, leans: float, pelvis: float, chest: float) -> np.ndarray:
    """Return the rolls of a spine's bones, of a body that leans as a whole, with a pelvis and a chest that
    its walk rolls."""
    body = replace(BODY, spine=spine_of(bones))
    return rolls_of(
        spine_turns(body, rolled(leans + pelvis), rolled(leans + chest), np.array([[pelvis], [chest]]))
    )


def spine_of(bones: int) -> np.ndarray:
    return np.linspace(BODY.spine[0], BODY.spine[-1], bones)


def rolled(angle: float) -> np.ndarray:
    return from_euler(np.zeros(1), np.zeros(1), np.array([angle]))


def rolls_of(turns: list[np.ndarray]) -> np.ndarray:
    return np.array([rotation_vector(turn)[0, 0] for turn in turns])


def bend(upper: Motion, fore: Motion, hand: Motion) -> np.ndarray:
    first, second = fore.position - upper.position, hand.position - fore.position
    return np.arccos(
        np.sum(first * second, axis=-1) / np.linalg.norm(first, axis=-1) / np.linalg.norm(second, axis=-1)
    )


@pytest.mark.parametrize("axis", ARM_AXES)
@pytest.mark.parametrize(("letter", "side", "outward"), SIDES)
def test_an_arm_moves_as_its_channels_say(letter, side, outward, axis):
    """Flexion swings it forward, abduction off the body; rotation turns the forearm in; the elbow bends, and
    the wrist to the palm."""
    channel, size = f"arm_{letter}.{axis}", 0.2
    before, after = (
        [pose.motions[f"{part}.{side}"] for part in ("upper_arm", "forearm", "hand")]
        for pose in (posed(), posed(channel, size))
    )
    elbow, hand = (moved(f"{part}.{side}", channel, size) for part in ("forearm", "hand"))
    bent = bend(*after) - bend(*before)
    upper = rotation_vector(turned(f"upper_arm.{side}", channel, size))
    if axis == "flexion":
        assert_allclose(upper, np.tile([0.0, -size, 0.0], (2, 1)), atol=1e-9)
        assert (elbow[:, 0] > 0.03).all() and (hand[:, 0] > 0.06).all()
    elif axis == "abduction":
        assert_allclose(upper, np.tile([outward * size, 0.0, 0.0], (2, 1)), atol=1e-9)
        assert (outward * elbow[:, 1] > 0.03).all()
    elif axis == "rotation":
        assert_allclose(elbow, 0.0, atol=1e-9)
        assert (outward * hand[:, 1] < -0.005).all()
    elif axis == "elbow":
        assert_allclose(bent, size, atol=1e-6)
        assert_allclose(elbow, 0.0, atol=1e-9)
        assert (hand[:, 0] > 0.03).all()
    else:
        assert_allclose(hand, 0.0, atol=1e-9)
        assert_allclose(
            np.linalg.norm(rotation_vector(turned(f"hand.{side}", channel, size)), axis=-1), size, atol=1e-9
        )
        assert (rotation_vector(turned(f"hand.{side}", channel, size))[:, 1] < -0.9 * size).all()
    if axis != "elbow":
        assert_allclose(bent, 0.0, atol=1e-9)
    other = "R" if side == "L" else "L"
    assert_allclose(moved(f"hand.{other}", channel, size), 0.0, atol=1e-12)
