"""Chains follow as exactly as at a kilohertz, in any order of frames, and close where the motion repeats."""

import numpy as np
import pytest

from neurarig_addon.core.character.motion import Motion
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
