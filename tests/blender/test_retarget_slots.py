"""Several clips as slots of one action: the others are named, and the chosen one is taken; what is empty is
told."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.retarget import api
from neurarig_addon.blender.retarget import source as clip_source
from tests.blender.retargeting import FIRST, LAST, actor, hero
from tests.blender.walking import played
from tests.refusals import refuses

pytestmark = [
    pytest.mark.skipif(not compat.HAS_SLOTS, reason="this Blender has no slots"),
]


@pytest.fixture
def takes() -> tuple[bpy.types.Object, bpy.types.Action]:
    """An actor whose action holds slots with a walk, the same backward to its middle, and nothing; none of
    them is assigned."""
    source, action = actor()
    source.animation_data.action_slot, action.use_frame_range = None, False
    made = action.slots.new(id_type="OBJECT", name="Back")
    curves, _ = compat.ensure_channels(action, made)
    for pattern in compat.find_channels(action, action.slots[0]):
        points = [point.co[:] for point in pattern.keyframe_points]
        copy = curves.new(pattern.data_path, index=pattern.array_index)
        for (frame, _), (_, value) in zip(points[: len(points) // 2], points[::-1], strict=False):
            copy.keyframe_points.insert(frame, value)
    action.slots.new(id_type="OBJECT", name="Empty")
    return source, action


def test_the_clip_of_a_chosen_slot_is_taken_live_and_baked_and_the_others_are_named(takes) -> None:
    source, action = takes
    obj = hero()
    first = finish(api.retarget.steps(obj, source=source))[0]
    assert "'OBBack'" in first.remark and "Choose one under Slot" in first.remark
    assert clip_source.slots(source, action) == [action.slots[0].identifier, "OBBack"]
    forward = played(obj, range(FIRST, LAST), ["LeftFoot"])
    api.link_retarget(obj, source=source, action=action, slot="Back")
    linked = played(obj, (FIRST, FIRST + 9), ["LeftFoot"])
    made = api.retarget(obj)
    assert obj.neurarig.retarget.slot == "Back" and made.frame_range[1] < first.action.frame_range[1] - 20
    np.testing.assert_allclose(played(obj, (FIRST, FIRST + 9), ["LeftFoot"]), linked, atol=1e-5)
    assert np.abs(forward[[0, 9]] - linked).max() > 0.2
    assert source.animation_data.action_slot is None and len(action.slots) == 3


@pytest.mark.parametrize("slot", ["Empty", "Nowhere"])
def test_a_slot_without_keys_is_told(takes, slot: str) -> None:
    source, _ = takes
    with refuses(f"'Actor Walk' has no keys for 'Actor' in a slot '{slot}'"):
        api.retarget(hero(), source=source, slot=slot)


def test_an_action_without_any_key_for_the_source_is_told() -> None:
    source, _ = actor()
    source.animation_data.action = bpy.data.actions.new("Nothing")
    with refuses(
        r"Nothing moves 'Actor': its action 'Nothing' holds no keys for it\. Choose another action\.",
    ):
        api.retarget(hero(), source=source)


def test_all_actions_are_all_clips_that_slots_hold(takes) -> None:
    source, action = takes
    obj = hero()
    assert action in api.actions_of_source(obj, source)
    found = api.retarget_actions(obj, [action], source=source)
    first, back = (clip.action for clip in found)
    assert (
        [clip.refusal for clip in found] == ["", ""]
        and back.name.endswith("Back")
        and first.name != back.name
    )
    assert back.frame_range[1] < first.frame_range[1] - 20
    assert len(api.retarget_actions(obj, [action], source=source, slot="Back")) == 1


def test_a_source_without_animation_is_told_and_leaves_no_action() -> None:
    source, _ = actor()
    source.animation_data_clear()
    obj = hero()
    before = len(bpy.data.actions)
    for make in (api.retarget, api.link_retarget):
        with refuses(r"Nothing moves 'Actor': it has no animation\."):
            make(obj, source=source)
    assert len(bpy.data.actions) == before and not obj.neurarig.attachment
