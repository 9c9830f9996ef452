"""BVH files drawn at random are read as in plain spelling, or refused in one sentence; never read as
something else."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.skeleton.bvh import parse_bvh
from tests.core import drawn_bvh

DRAWS = 12


@pytest.mark.parametrize("seed", range(DRAWS))
def test_other_words_are_the_same_clip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = drawn_bvh.plain(rng)
    wanted, found = parse_bvh(text), parse_bvh(drawn_bvh.respelled(rng, text))
    assert found.skeleton.names == wanted.skeleton.names and len(found) == len(wanted)
    assert_allclose(found.heads, wanted.heads, atol=1e-9)
    assert_allclose(found.axes, wanted.axes, atol=1e-9)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_whole_frames_of_a_miscounted_file_are_used(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = drawn_bvh.plain(rng)
    spoiled, whole = drawn_bvh.miscounted(rng, text)
    wanted, found = parse_bvh(text), parse_bvh(spoiled)
    assert_array_equal(found.heads, wanted.heads[:whole])
    assert f"Frames: {whole}\n" in spoiled or f"{whole} whole frames" in found.remark


@pytest.mark.parametrize("seed", range(DRAWS))
def test_places_carry_a_skeleton(seed: int) -> None:
    text, places = drawn_bvh.placed(np.random.default_rng(seed))
    clip = parse_bvh(text, metres_per_unit=1.0, up="z")
    rows = [int(name.split()[1]) for name in clip.skeleton.names]
    assert_allclose(clip.heads, places[:, rows], atol=1e-4)
    for row, below in enumerate(clip.skeleton.children):
        if len(below) == 1:  # its bone ends at the joint below
            line = clip.heads[:, below[0]] - clip.heads[:, row]
            assert_allclose(
                clip.axes[:, row, :, 1], line / np.linalg.norm(line, axis=-1, keepdims=True), atol=1e-4
            )
