"""An action over a walk: in place of its motion or on top of it, by a weight, for its own frames, whatever
hangs on it."""

import numpy as np
import pytest

from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_y, about_z, rotation_vector, transposed
from neurarig_addon.core.over.layer import HEAD, LEFT_ARM, RIGHT_ARM, TRUNK, Layer, part_of
from tests.core.walkers import BODY

FRAMES = np.arange(1.0, 41.0)
WALK = walk(BODY, StyleTrack(Style(speed=1.3)), Clock(), FRAMES).motions
WHOLE = (np.zeros(1), np.ones(1))


def layer(turns: dict, weight: tuple = WHOLE, adds: bool = False, ease: float = 4.0) -> Layer:
    """Return a layer of constant turns from frame 10 to 20."""
    return Layer(
        {role: np.repeat(turn[None], 41, 0) for role, turn in turns.items()}, 10.0, 20.0, ease, adds, weight
    )


def against(motions, role: str, holder: str) -> np.ndarray:
    return transposed(motions[holder].rotation) @ motions[role].rotation


def test_an_action_is_there_on_its_frames_and_the_walk_on_all_others() -> None:
    turn = about_y(np.array(0.7))
    found = layer({"upper_arm.L": turn}).over(WALK, FRAMES)
    held, before, after = (FRAMES >= 10) & (FRAMES <= 20), FRAMES <= 6, FRAMES >= 24
    assert np.abs(against(found, "upper_arm.L", "clavicle.L")[held] - turn).max() < 1e-9
    for role, motion in WALK.items():
        for rows in (before, after):
            assert np.abs(found[role].rotation[rows] - motion.rotation[rows]).max() < 1e-9, role
        if not role.endswith(".L") or part_of(role) != LEFT_ARM:
            assert np.abs(found[role].position - motion.position).max() < 1e-12, role


def test_what_hangs_on_a_turned_bone_goes_along_in_one_piece() -> None:
    found = layer({"spine.2": about_z(np.array(0.5)), "forearm.R": about_y(np.array(-1.0))}).over(
        WALK, FRAMES
    )
    for holder, role in (("spine.2", "spine.3"), ("spine.3", "neck"), ("neck", "head"),
        ("clavicle.L", "upper_arm.L"),
                         ("upper_arm.R", "forearm.R"), ("forearm.R", "hand.R")):  # fmt: skip
        assert np.abs(found[holder].carry(WALK[role].rest) - found[role].position).max() < 1e-9, role
    assert np.abs(against(found, "head", "neck") - against(WALK, "head", "neck")).max() < 1e-9
    for role in ("pelvis", "thigh.L", "foot.R"):
        assert found[role] is WALK[role]


def test_added_turns_go_on_top_of_the_walk() -> None:
    turn = about_y(np.array(0.4))
    found = layer({"upper_arm.L": turn}, adds=True).over(WALK, FRAMES)
    own = against(WALK, "upper_arm.L", "clavicle.L")[9:20]
    assert np.abs(against(found, "upper_arm.L", "clavicle.L")[9:20] - own @ turn).max() < 1e-9


@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_the_weight_is_how_much_of_it_there_is(weight: float) -> None:
    turn = about_y(np.array(0.8))
    found = layer({"head": turn}, (np.zeros(1), np.full(1, weight))).over(WALK, FRAMES)
    own, now = (against(motions, "head", "neck")[12] for motions in (WALK, found))
    whole, part = (np.linalg.norm(rotation_vector(other @ own.T)) for other in (turn, now))
    assert part == pytest.approx(weight * whole, abs=1e-9)


def test_a_pose_stays_on_all_frames() -> None:
    turn = about_y(np.array(0.7))
    pose = Layer({"hand.R": turn[None]}, 7.0, 7.0, np.inf, False, WHOLE)
    assert pose.repeats and not layer({"hand.R": turn}).repeats
    assert np.abs(against(pose.over(WALK, FRAMES), "hand.R", "forearm.R") - turn).max() < 1e-9


def test_parts() -> None:
    roles = ("spine.2", "neck", "head", "clavicle.L", "hand.R", "thigh.L", "pelvis")
    assert [part_of(role) for role in roles] == [TRUNK, HEAD, HEAD, LEFT_ARM, RIGHT_ARM, "", ""]
