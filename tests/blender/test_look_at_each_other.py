"""Walkers that look at, face and stand on each other: they work whatever the order, or are refused in one
sentence."""

import itertools

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.blender.leading import linked
from tests.blender.walking import played, walker
from tests.refusals import refuses
from tests.rigs import biped, build

FRAMES = (2, 40, 11.5, 30)
PLACES = ((0.0, 0.0, 0.0), (1.0, -4.0, 0.0), (-2.0, -3.0, 0.0))


def ring(count: int, setting: str, order: tuple[int, ...], **settings: object) -> list[bpy.types.Object]:
    """Return walkers of which each looks at, or faces, the next; chosen in an order, and scrubbed between."""
    walkers = [walker(f"Walker {number}", use_network=True, **settings) for number in range(count)]
    for obj, place in zip(walkers, PLACES, strict=False):
        obj.location = place
    bpy.context.view_layer.update()
    for number in order:
        bpy.context.scene.frame_set(7 * number + 3)
        setattr(walkers[number].neurarig.walk, setting, walkers[(number + 1) % count])
        bpy.context.view_layer.update()
    return walkers


@pytest.mark.few(2)
@pytest.mark.parametrize("setting", ["look_at", "face"])
@pytest.mark.parametrize("mode", ["TRAVEL", "IN_PLACE"])
@pytest.mark.parametrize("count", [2, 3])
def test_in_whatever_order_they_are_chosen_and_shown_the_pose_is_the_same(count, mode, setting, tmp_path):
    found = []
    for order in itertools.islice(itertools.permutations(range(count)), 2):
        walkers = ring(count, setting, order, mode=mode)
        assert [obj.neurarig.walk.error for obj in walkers] == [""] * count
        found += [
            np.array([played(obj, frames)[:: 1 if frames is FRAMES else -1] for obj in walkers])
            for frames in (FRAMES, FRAMES[::-1])
        ]
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "ring.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "ring.blend"))
        found.append(
            np.array([played(bpy.data.objects[f"Walker {number}"], FRAMES) for number in range(count)])
        )
        bpy.ops.wm.read_homefile(use_empty=True)
    for other in found[1:]:
        assert_allclose(other, found[0], atol=1e-5)


def test_the_head_turns_to_the_other_and_bakes_as_it_is_live():
    walkers = ring(2, "look_at", (0, 1), mode="TRAVEL")
    live = [played(obj, FRAMES) for obj in walkers]
    api.bake_walk(walkers[1], frame_start=1, frame_end=40, target="LAYER")
    assert_allclose(played(walkers[0], FRAMES), live[0], atol=1e-5)
    assert_allclose(played(walkers[1], (2, 30)), live[1][[0, 3]], atol=1e-4)
    walkers[0].neurarig.walk.look_at = None
    assert np.abs(played(walkers[0], FRAMES) - live[0]).max() > 0.01


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_stands_on_whom_stands_on_him_is_refused_both_ways(order):
    walkers = ring(2, "stand_on", order, mode="TRAVEL")
    assert all("moves with a walk that" in obj.neurarig.walk.error for obj in walkers)


@pytest.mark.parametrize("setting", ["look_at", "face"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_stands_on_whom_looks_back_is_refused_both_ways(setting, order):
    walkers = [walker(name, mode="TRAVEL") for name in "AB"]
    for number in order:
        setattr(walkers[number].neurarig.walk, ("stand_on", setting)[number], walkers[1 - number])
        bpy.context.view_layer.update()
    assert all("leads in turn" in obj.neurarig.walk.error for obj in walkers)


def test_eyes_on_each_others_heads_are_refused_for_both_also_in_a_new_file(tmp_path):
    walkers, eyes = [walker(name, mode="TRAVEL") for name in "AB"], []
    for obj in walkers:
        eye = linked(f"Eye {obj.name}", None)
        eye.parent, eye.parent_type, eye.parent_bone = obj, "BONE", "Head"
        eyes.append(eye)
    for obj, eye in zip(walkers, eyes[::-1], strict=True):
        obj.neurarig.walk.look_at = eye
        bpy.context.view_layer.update()
    assert all("leads in turn" in obj.neurarig.walk.error for obj in walkers)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "eyes.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "eyes.blend"))
    assert all("leads in turn" in bpy.data.objects[name].neurarig.walk.error for name in "AB")


@pytest.mark.parametrize("setting", ["look_at", "face", "stand_on"])
def test_nobody_leads_itself(setting):
    obj = build(biped(), "Hero")
    with refuses(r"'Hero' cannot lead itself\. Clear .*, or choose another object"):
        api.generate_walk(obj, mode="TRAVEL", use_network=False, **{setting: obj})
    assert getattr(obj.neurarig.walk, setting) is None and not obj.neurarig.attachment
