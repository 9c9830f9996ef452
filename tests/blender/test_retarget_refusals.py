"""What cannot take a clip, or be one: one sentence each, and nothing is changed."""

from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender.retarget import api
from tests.blender.retargeting import actor, hero, rig_state
from tests.blender.walking import walker
from tests.refusals import refuses
from tests.rigs import arms_only, biped, build, make_active


def choices_of(obj: bpy.types.Object) -> dict[str, object]:
    """Return what is chosen for a target, and reported of it."""
    settings = obj.neurarig.retarget
    return {
        prop.identifier: getattr(settings, prop.identifier)
        for prop in settings.bl_rna.properties
        if not prop.is_readonly and prop.identifier != "origin"
    }


def refusals() -> dict[str, tuple]:
    """Return what is wrong -> how to ask for it, and what the sentence says."""
    return {
        "no source": (lambda obj, source: {}, "no source"),
        "itself": (lambda obj, source: {"source": obj}, "both source and target"),
        "no biped": (lambda obj, source: {"source": build(arms_only(), "Torso")}, "leg"),
        "an empty action": (
            lambda obj, source: {"source": source, "action": bpy.data.actions.new("Empty")},
            "'Empty' moves no bone",
        ),
        "no file": (lambda obj, source: {"file": "nowhere.bvh"}, "There is no file"),
        "no clip": (lambda obj, source: {"file": __file__}, "not a clip"),
        "an unknown setting": (lambda obj, source: {"source": source, "sped": 1.0}, "no setting 'sped'"),
        "an unknown root": (lambda obj, source: {"source": source, "root": "FEET"}, "'FEET' is not a choice"),
        "half a step": (lambda obj, source: {"source": source, "step": 0.5}, "'step' needs a whole number"),
        "no number": (lambda obj, source: {"source": source, "stride": "long"}, "needs a number"),
    }


@pytest.mark.parametrize("wrong", refusals())
@pytest.mark.parametrize("do", [api.retarget, api.link_retarget], ids=["retarget", "link"])
def test_a_refusal_is_one_sentence_and_changes_nothing(wrong: str, do) -> None:
    source, _ = actor()
    obj = hero()
    given, sentence = refusals()[wrong]
    asked = given(obj, source)
    make_active(obj)
    before, chosen = rig_state(obj), choices_of(obj)
    with refuses(sentence) as refusal:
        do(obj, root="BONE", **asked) if "root" not in asked else do(obj, **asked)
    assert rig_state(obj) == before and choices_of(obj) == chosen and str(refusal.value).endswith(".")
    assert not obj.neurarig.attachment and not obj.neurarig.retarget.live


def test_a_setting_that_is_no_number_is_named() -> None:
    source, action = actor()
    obj = hero()
    obj.neurarig.retarget.stride = float("nan")
    before = rig_state(obj)
    with refuses("'stride' needs a number"):
        api.retarget(obj, source=source, action=action)
    assert rig_state(obj) == before
    api.link_retarget(obj, source=source, action=action, stride=1.0)
    obj.neurarig.retarget.root_smoothing = float("nan")
    assert not obj.neurarig.retarget.live and "'root_smoothing' needs a number" in obj.neurarig.retarget.error


def test_a_target_without_legs_is_refused() -> None:
    source, action = actor()
    obj = build(arms_only(), "Torso")
    before = rig_state(obj)
    with refuses("leg"):
        api.retarget(obj, source=source, action=action)
    assert rig_state(obj) == before


def test_a_walking_target_is_refused() -> None:
    source, action = actor()
    obj = walker("Hero")
    with refuses("Remove Walk"):
        api.retarget(obj, source=source, action=action)
    assert obj.neurarig.walk.live


def test_a_character_with_a_clip_does_not_walk_over_it() -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action)
    with pytest.raises(RuntimeError, match="Apply or remove it in Retarget"):
        bpy.ops.neurarig.generate_walk()
    assert obj.neurarig.retarget.live and obj.neurarig.holders == {"CLIP"}


def test_linked_data_is_refused(tmp_path: Path) -> None:
    build(biped(), "Hero")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "hero.blend"), link=True) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    source, action = actor()
    with refuses("linked from another file"):
        api.retarget(bpy.data.objects["Hero"], source=source, action=action)
