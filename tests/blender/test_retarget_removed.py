"""A clip that is removed, applied or cancelled leaves the character as it should be."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.retarget import api
from tests.blender.retargeting import FIRST, LAST, actor, hero, rig_state
from tests.blender.walking import deform_bones, played

SHOWN = (1, FIRST, 20, 33.5, LAST, 12)
SAME = 1e-5  # metres between a link and its bake
ROOTS, CONTROLS = ("PELVIS", "OBJECT", "BONE", "IN_PLACE"), ("FK", "IK")


@pytest.mark.parametrize("controls", CONTROLS)
@pytest.mark.parametrize("baked", [False, True], ids=["linked", "baked"])
def test_removal_gives_everything_back(controls: str, baked: bool) -> None:
    source, action = actor()
    obj = hero()
    before = rig_state(obj)
    do = api.retarget if baked else api.link_retarget
    do(obj, source=source, action=action, root="OBJECT", controls=controls)
    bpy.context.scene.frame_set(40)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.neurarig.remove_retarget() == {"FINISHED"}
    after = rig_state(obj)
    made = [name for name in after["data"]["actions"] if name not in before["data"]["actions"]]
    assert len(made) == int(baked)
    after["data"]["actions"] = before["data"]["actions"]
    assert after == before


@pytest.mark.parametrize("controls", CONTROLS)
@pytest.mark.parametrize("root", ["PELVIS", "OBJECT"])
def test_an_applied_clip_plays_on_as_the_characters_own(root: str, controls: str) -> None:
    source, action = actor()
    obj = hero()
    with pytest.raises(RuntimeError, match="has no retargeted clip"):
        bpy.ops.neurarig.remove_retarget(keep_clip=True)
    api.link_retarget(obj, source=source, action=action, root=root)
    with pytest.raises(RuntimeError, match="'Hero' plays no retargeted action yet"):
        bpy.ops.neurarig.remove_retarget(keep_clip=True)
    made = api.retarget(obj, controls=controls, check=False)
    shown = played(obj, SHOWN, deform_bones(obj))
    assert bpy.ops.neurarig.remove_retarget(keep_clip=True) == {"FINISHED"}
    assert obj.animation_data.action == made and not obj.neurarig.attachment and not obj.neurarig.stash
    # legs between frames: bones turn from key to key, where IK reached
    within = [SAME if controls == "FK" or frame % 1.0 == 0.0 else 4e-3 for frame in SHOWN]
    assert (np.abs(played(obj, SHOWN, deform_bones(obj)) - shown).max(axis=(1, 2, 3)) < within).all()
    # a clip of the user's now, which makes way and comes back
    api.link_retarget(obj, source=source, action=action, root=root)
    api.remove_retarget(obj)
    assert obj.animation_data.action == made
    assert (np.abs(played(obj, SHOWN, deform_bones(obj)) - shown).max(axis=(1, 2, 3)) < within).all()


def test_a_cancelled_clip_leaves_nothing() -> None:
    source, action = actor()
    obj = hero()
    before = rig_state(obj)
    for stop_after in (0, 1, 2, 3, 5, 20):
        work = api.retarget.steps(obj, source=source, action=action, controls="IK", root="OBJECT")
        for _ in range(stop_after):
            next(work)
        work.close()
        assert rig_state(obj) == before, stop_after


def test_a_second_clip_that_is_cancelled_leaves_the_first_playing() -> None:
    source, action = actor()
    obj = hero()
    first = api.retarget(obj, source=source, action=action, controls="FK", check=False)
    shown = played(obj, SHOWN)
    work = api.retarget.steps(obj, controls="IK", root="OBJECT")
    for _ in range(6):
        next(work)
    work.close()
    assert obj.animation_data.action == first
    assert np.abs(played(obj, SHOWN) - shown).max() < SAME
    api.retarget(obj, controls="IK", check=False)
    api.remove_retarget(obj)
    assert obj.animation_data.action == bpy.data.actions["Wave"]


def test_one_click_is_one_undo_step() -> None:
    source, _ = actor()
    obj = hero()
    obj.neurarig.retarget.source = source
    bpy.ops.ed.undo_push(message="Ready")
    before = rig_state(obj)
    assert bpy.ops.neurarig.retarget("EXEC_DEFAULT", True, controls="IK") == {"FINISHED"}
    assert len(bpy.data.actions) == len(before["data"]["actions"]) + 1
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    after = rig_state(obj)
    assert {name: after[name] for name in ("bones", "constraints", "pose", "data")} == {
        name: before[name] for name in ("bones", "constraints", "pose", "data")
    }
    assert not obj.neurarig.attachment and obj.animation_data.action.name == "Wave"
