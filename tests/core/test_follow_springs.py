"""Chains follow as exactly as at a kilohertz, in any order of frames, and close where the motion repeats."""

import numpy as np
import pytest

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.follow.capsules import turned_out
from neurarig_addon.core.follow.chains import HangingChain
from neurarig_addon.core.follow.follow import Answer, Drives, Grid
from neurarig_addon.core.geometry.rotation import from_rotation_vector
from tests.hanging_chains import FPS, HOLDER, LEG, DrawnDrive, answered, drawn_chain, off


@pytest.mark.few
@pytest.mark.parametrize("seed", range(6))
def test_chains_swing_as_when_integrated_at_a_kilohertz(seed):
    assert off(seed) < 0.01


def test_a_frame_is_the_same_in_any_order():
    draw = np.random.default_rng(3)
    springs, drive = drawn_chain(draw), DrawnDrive(draw)
    frames = np.concatenate([np.arange(-700.0, 900.0, 160.3), [5.0]])
    once = answered(springs, drive).bends(frames)
    one_by_one = answered(springs, drive)
    back = np.concatenate([one_by_one.bends(frame[None]) for frame in frames[::-1]])[::-1]
    np.testing.assert_allclose(back, once, atol=1e-9)


def test_what_repeats_closes():
    springs = drawn_chain(np.random.default_rng(5))

    def sampled(frames: np.ndarray) -> dict[str, Motion]:
        phase = 2.0 * np.pi * frames[:, None] / 19.0
        place = np.hstack([0.06 * frames[:, None], 0.02 * np.sin(phase), 0.03 * np.cos(2.0 * phase)])
        return {
            HOLDER: Motion(from_rotation_vector(0.2 * np.sin(phase + [0.0, 1.0, 2.0])), place, np.zeros(3))
        }

    period, window = (
        Answer([springs], Drives(sampled, [HOLDER], Grid.of(FPS, frames)), LEG) for frames in (19.0, 0.0)
    )
    frames = np.arange(0.0, 19.0, 0.3)
    np.testing.assert_allclose(period.bends(frames + 38.0), period.bends(frames), atol=1e-12)
    np.testing.assert_allclose(window.bends(frames), period.bends(frames), atol=1e-7)


def test_a_chain_is_turned_out_of_a_thigh_smoothly():
    frames, hip, knee = 80, np.array([0.0, 0.1, 0.9]), np.array([0.0, 0.1, 0.5])
    angles = np.linspace(0.0, np.radians(60.0), frames)
    turn = from_rotation_vector(np.outer(-angles, [0.0, 1.0, 0.0]))
    still = np.broadcast_to(np.eye(3), (frames, 3, 3))
    thigh = Motion(turn, np.tile(hip, (frames, 1)), hip)
    motions = {
        "pelvis": Motion(still, np.tile([0.0, 0.0, 1.0], (frames, 1)), np.array([0.0, 0.0, 1.0])),
        "thigh.L": thigh,
        "shin.L": Motion(turn, thigh.carry(knee), knee),
    }
    joints = np.array([[0.11, 0.1, 0.95], [0.12, 0.1, 0.8], [0.13, 0.1, 0.65], [0.14, 0.1, 0.5]])
    chain = HangingChain(("a", "b", "c"), "SKIRT", "pelvis", joints)
    turns = turned_out([chain], np.broadcast_to(np.eye(3), (frames, 3, 3, 3)), motions, LEG)
    joint, carried, deepest = np.tile(joints[0], (frames, 1)), still, []
    for row, way in enumerate(np.diff(joints, axis=0)):
        carried = carried @ turns[:, row]
        joint = joint + carried @ way
        along = thigh.carry(knee) - hip
        share = np.clip(((joint - hip) * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
        deepest.append(0.08 - np.linalg.norm(joint - hip - share[:, None] * along, axis=1))
    assert np.max(deepest) < 0.01 * LEG
    assert np.abs(turns[0] - np.eye(3)).max() < 1e-12
    assert np.abs(np.diff(turns, n=2, axis=0)).max() < 0.05
