"""An animal's clip on other animals: each in its own proportions, planted on all four feet."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.roles import role_map, store_roles
from neurarig_addon.core.skeleton.roles import FEET, QUADRUPED, RoleMap
from tests.animals import LEFT_LEGS, TRUNK, dog
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import Bone, biped, build, with_mirror

FRAMES = (1, 48)
# how much wider, longer and higher than the dog
SHAPES = {"pony": (1.4, 1.0, 2.1), "dachshund": (0.9, 1.1, 0.45), "horse": (2.9, 2.6, 3.0)}
CROUCHED = {"weasel": (1.0, 2.2, 1.0)}


def shaped(name: str) -> bpy.types.Object:
    """Return an animal of other proportions than the dog."""

    def moved(place: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(np.multiply((SHAPES | CROUCHED)[name], place))

    bones = [
        Bone(bone.name, bone.parent, moved(bone.head), moved(bone.tail))
        for bone in [*TRUNK, *with_mirror(LEFT_LEGS)]
    ]
    obj = build(bones, name.title())
    store_roles(obj, RoleMap({bone.name: bone.name for bone in bones}, kind=QUADRUPED))
    return obj


def recorded(gait: str = "WALK") -> bpy.types.Object:
    """Return a dog that plays a walk as keys."""
    obj = dog("Recorded")
    api.generate_walk(obj, gait=gait, mode="TRAVEL")
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[1])
    return obj


def worst(obj: bpy.types.Object) -> float:
    """Return how far a foot of a retargeted clip slips, in permille of the leg, if nothing is amiss."""
    report = json.loads(obj.neurarig.retarget.report)
    assert tuple(report["slip_mm"]) == FEET and not report["past_limits"]
    return max(side["max"] for side in report["slip_mm"].values()) / report["leg_length_m"]


@pytest.mark.parametrize("gait", ["WALK", "TROT"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_dogs_clip_is_planted_on_an_animal_of_other_proportions(name, gait):
    source, obj = recorded(gait), shaped(name)
    api.retarget(obj, source=source)
    assert worst(obj) < 0.1
    bones = list(role_map(obj).bones.values())
    own, other = (played(one, range(10, 40, 3), bones) for one in (source, obj))
    ways = [np.ptp(one[:, bones.index("pelvis"), 0, 1]) for one in (own, other)]
    assert ways[1] / ways[0] == pytest.approx(SHAPES[name][2], rel=0.05), "as high a leg, as long a way"
    assert (
        np.ptp(np.linalg.norm(other[:, :, 1] - other[:, :, 0], axis=-1), axis=0).max()
        < 1e-4 * SHAPES[name][2]
    )
    for paw in ("toe.L", "fingers.R"):
        lifts = [one[:, bones.index(paw), 0, 2] for one in (own, other)]
        assert np.corrcoef(lifts)[0, 1] > 0.9, "lifted when the source's is"


def test_legs_that_stand_more_bent_stay_bent():
    source, obj = recorded(), shaped("weasel")
    api.retarget(obj, source=source)
    own, other = (played(one, range(10, 40, 3), ["thigh.L"])[..., 0, 2].mean() for one in (source, obj))
    assert other == pytest.approx(own, rel=0.02)


@pytest.mark.parametrize("gait", ["CANTER", "GALLOP", "BOUND"])
@pytest.mark.parametrize("name", ["pony", "dachshund"])
def test_quick_gaits_are_planted_at_24_frames_a_second(name, gait):
    source, obj = recorded(gait), shaped(name)
    api.retarget(obj, source=source)
    assert worst(obj) < 0.1


def test_a_dogs_own_clip_comes_back_shoulder_blades_and_all():
    source, obj = recorded("TROT"), dog("Twin")
    api.retarget(obj, source=source)
    bones = obj.pose.bones.keys()
    own, other = (played(one, range(6, 44), bones) for one in (source, obj))
    off = dict(zip(bones, np.linalg.norm(other - own, axis=-1).max(axis=(0, 2)), strict=True))
    assert max(off.values()) < 3e-3, max(off, key=off.get)


@pytest.mark.parametrize("root", ["OBJECT", "IN_PLACE"])
def test_it_is_carried_as_a_persons_clip_is_live_and_mirrored_too(root):
    source, obj = recorded(), shaped("pony")
    api.retarget(obj, source=source, root=root)
    assert worst(obj) < 0.1
    baked = seen(obj, 20.0)
    api.remove_retarget(obj)
    api.link_retarget(obj, source=source, root=root)
    np.testing.assert_allclose(seen(obj, 20.0), baked, atol=1e-4)
    api.retarget(obj, source=source, root=root, mirror=True)
    bones = obj.pose.bones.keys()
    before, after = (dict(zip(bones, each, strict=True)) for each in (baked, seen(obj, 20.0)))
    np.testing.assert_allclose(after["hand.R"], before["hand.L"] * [-1.0, 1.0, 1.0], atol=2e-3)


def test_clips_of_four_legs_and_of_two_are_told_apart(tmp_path: Path):
    source, man = recorded(), walker("Man")
    with refuses("is a motion on four legs: only animals on four legs can take it"):
        api.retarget(build(biped(), "Other"), source=source)
    with refuses("is a motion on four legs"):
        api.encode_action(source, tmp_path / "walk.csv")
    api.bake_walk(man, frame_start=1, frame_end=20)
    with refuses("carries a character on four legs: it takes clips of others on four legs only"):
        api.retarget(dog("Third"), source=man)
    with refuses("what fills a gap is learned from people"):
        api.fill_motion(source, 10, 20)
    for given in ({"continue_turn": 20.0}, {"continue_stand": True}):
        with refuses("which goes on as its last stride went"):
            api.continue_motion(source, seconds=1.0, **given)
    for does in (
        lambda: api.make_parametric(dog("Fourth"), source.animation_data.action, armature=source),
        lambda: api.learn_style(source.animation_data.action, "Trotting", armature=source),
    ):
        with refuses("styles, and clips as walks, are learned from people"):
            does()


@pytest.mark.parametrize("gait", ["WALK", "TROT", "GALLOP"])
def test_a_clip_goes_on_as_its_last_stride_went_in_its_phase(gait):
    obj = dog()
    api.generate_walk(obj, gait=gait, mode="TRAVEL")
    bones = list(role_map(obj).bones.values())
    walked = played(obj, range(2, 80, 3), bones)
    api.bake_walk(obj, frame_start=1, frame_end=43)
    made = api.continue_motion(obj, seconds=1.5)
    assert made.frame_range[1] == 43 + 36 and worst(obj) < 0.1
    np.testing.assert_allclose(played(obj, range(2, 80, 3), bones), walked, atol=3e-3)


def test_a_clip_without_a_stride_does_not_go_on():
    obj = dog()
    api.generate_walk(obj, mode="TRAVEL", speed=0.0)
    api.bake_walk(obj, frame_start=1, frame_end=30)
    with refuses("shows no whole stride"):
        api.continue_motion(obj, seconds=1.0)


def test_a_clip_on_four_legs_is_the_same_from_a_file(tmp_path: Path):
    source, obj = recorded("TROT"), shaped("pony")
    api.encode_action(source, tmp_path / "trot.npz")
    bones = obj.pose.bones.keys()
    api.retarget(obj, source=source)
    expected = played(obj, range(4, 44, 5), bones)
    api.remove_retarget(obj)
    api.retarget(obj, file=tmp_path / "trot.npz")
    np.testing.assert_allclose(played(obj, range(4, 44, 5), bones), expected, atol=1e-4)
    assert worst(obj) < 0.1
