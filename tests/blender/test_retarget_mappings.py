"""Corrected source bones are remembered for the next clip of the same bones, on another armature or in a
file."""

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.retarget.source import _names_key, recalled_roles
from neurarig_addon.core.skeleton.bvh import read_bvh
from tests.blender.retargeting import actor, hero
from tests.refusals import refuses
from tests.shared_data import shared_path


def correct(obj: bpy.types.Object, role: str, bone: str) -> None:
    """Choose another bone for a role, as in the panel."""
    api.detect_rig(obj)
    next(item for item in obj.neurarig.roles if item.role == role).bone = bone


def names_of(obj: bpy.types.Object) -> list[str]:
    """Return the names of an armature's bones."""
    return [bone.name for bone in obj.data.bones]


def listed(obj: bpy.types.Object, role: str) -> str:
    """Return the bone that an armature's list has for a role."""
    return next((item.bone for item in obj.neurarig.roles if item.role == role), "")


def test_a_corrected_source_is_remembered_when_it_is_gone() -> None:
    first, action = actor("First")
    target = hero()
    api.retarget(target, source=first, action=action, check=False)
    assert recalled_roles(names_of(first)) is None  # nothing was corrected
    correct(first, "clavicle.L", "")
    api.retarget(target, source=first, action=action, check=False)
    known = recalled_roles(names_of(first))
    assert known is not None and not known.has("clavicle.L") and known.has("clavicle.R")
    bpy.data.objects.remove(first)
    bpy.context.view_layer.update()
    second, action = actor("Second")
    second.neurarig.roles.clear()
    api.retarget(target, source=second, action=action, check=False)
    assert listed(second, "clavicle.R") and not listed(second, "clavicle.L")  # seen under Source Bones


def test_detected_again_it_is_forgotten() -> None:
    source, action = actor()
    target = hero()
    correct(source, "clavicle.L", "")
    api.retarget(target, source=source, action=action, check=False)
    api.detect_rig(source)
    api.retarget(target, source=source, action=action, check=False)
    assert recalled_roles(names_of(source)) is None and target.neurarig.retarget.mappings == ""


def test_a_refused_clip_teaches_nothing() -> None:
    source, _ = actor()
    target = hero()
    correct(source, "clavicle.L", "")
    with refuses("both source and target"):
        api.retarget(target, source=target)
    assert target.neurarig.retarget.mappings == ""


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1]",
        '{"a": 3}',
        '{"%s": {"pelvis": 1}}',
        '{"%s": {"pelvis": "Nobody"}}',
        '{"%s": {"tail": "Hips"}}',
    ],
)
def test_damaged_memory_says_nothing(text: str) -> None:
    source, _ = actor()
    key = _names_key(names_of(source))
    source.neurarig.retarget.mappings = text.replace("%s", key)
    assert recalled_roles(names_of(source)) is None


def test_a_file_is_read_as_the_armature_that_was_imported_from_it() -> None:
    file = shared_path("data", "mocap", "walk", "cmu_02_01.bvh")
    bpy.ops.import_anim.bvh(filepath=str(file), update_scene_fps=False, update_scene_duration=False)
    imported = bpy.context.object
    assert sorted(names_of(imported)) == sorted(read_bvh(file).skeleton.names)
