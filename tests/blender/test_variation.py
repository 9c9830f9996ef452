"""Strides that differ, as an animator has them: live, baked and looped the same, by a seed, and refused where
they are no numbers."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.walking import driven_bones, played, walker
from tests.refusals import refuses

FRAMES = range(1, 90, 8)
SAME_M = 1e-5


def test_a_seed_is_one_walk_and_another_seed_another() -> None:
    obj = walker(mode="TRAVEL", variation=1.0, variation_seed=3)
    report = api.contact_report(obj, (1, 60))
    assert not report["past_limits"] and report["slip_mm"]["L"]["max"] < 0.1
    first = played(obj, FRAMES)
    assert (played(obj, reversed(FRAMES))[::-1] == first).all()
    obj.neurarig.walk.variation_seed = 4
    assert np.abs(played(obj, FRAMES) - first).max() > 0.01
    obj.neurarig.walk.variation_seed = 3
    assert (played(obj, FRAMES) == first).all()


def test_without_variation_the_seed_changes_nothing() -> None:
    obj = walker(mode="TRAVEL")
    first = played(obj, FRAMES)
    obj.neurarig.walk.variation_seed = 9
    assert (played(obj, FRAMES) == first).all()


@pytest.mark.parametrize("gait", ["WALK", "RUN"])
def test_a_loop_closes_over_as_many_strides_as_differ(gait: str) -> None:
    obj = walker(variation=1.5, variation_strides=4, gait=gait)
    bones = driven_bones(obj)
    report = api.contact_report(obj)
    live = played(obj, FRAMES, bones)
    action = api.bake_walk(obj, loop=True, frame_start=1, target="LAYER")
    assert action.frame_range[1] - action.frame_range[0] == pytest.approx(
        4.0 * report["cycle_frames"], abs=1e-4
    )
    assert np.abs(played(obj, FRAMES, bones) - live).max() < SAME_M
    length = round(action.frame_range[1] - action.frame_range[0])
    assert np.abs(played(obj, [frame + length for frame in FRAMES], bones) - live).max() < SAME_M


@pytest.mark.parametrize(
    "given", [{"variation_seed": -1}, {"variation_seed": 1.5}, {"variation": float("nan")}]
)
def test_what_is_no_number_of_a_seed_is_refused(given: dict) -> None:
    obj = walker()
    with refuses(next(iter(given))):
        api.generate_walk(obj, **given)
    assert bpy.context.scene is not None and obj.neurarig.walk.live


def test_a_crowd_is_of_many_people() -> None:
    people = [walker(f"Hero {seed}", individual=1.0, person_seed=seed) for seed in range(3)]
    poses = [played(obj, FRAMES, ["LeftFoot", "LeftHand", "Head"]) for obj in people]
    assert (
        min(np.abs(one - other).max() for number, one in enumerate(poses) for other in poses[:number]) > 0.01
    )
    assert all(not api.contact_report(obj)["past_limits"] for obj in people)
