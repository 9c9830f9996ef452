"""Where a character lies, in what mode and file, and who else has its armature: nothing of that is lost or in
the way."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from tests.blender.keeping import reopened, walk
from tests.blender.retargeting import actor
from tests.blender.walking import seen, seen_now, state_of, walker
from tests.refusals import refuses
from tests.rigs import biped, build, make_active


def test_a_walk_whose_transforms_were_applied_is_put_back_where_it_began() -> None:
    """The step that the object was carried is in its own space, which Apply turns and resizes."""
    obj = build(biped(), "Hero")
    obj.rotation_euler.z, obj.scale = 1.0, (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    api.generate_walk(obj, mode="TRAVEL", use_network=False)
    bpy.context.scene.frame_set(30)
    bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    bpy.context.view_layer.update()
    api.remove_walk(obj)
    assert obj.location.length < 1e-4


def test_a_character_in_a_hidden_collection_is_given_back() -> None:
    obj = walker()
    collection = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    bpy.context.view_layer.layer_collection.children["Hidden"].hide_viewport = True
    assert api.remove_walk(obj) == []
    assert not any(bone.name.startswith("NR-") for bone in obj.data.bones)
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]


def test_a_removal_that_is_refused_changes_nothing() -> None:
    obj = walker()
    other = bpy.data.objects.new("Shares its armature", obj.data)
    before = state_of(obj)
    with refuses("single-user"):
        api.remove_walk(obj)
    assert state_of(obj) == before and obj.neurarig.walk.live
    bpy.data.objects.remove(other)
    api.remove_walk(obj)
    assert not any(bone.name.startswith("NR-") for bone in obj.data.bones)


def test_pose_mode_stays_while_the_mesh_is_in_weight_paint() -> None:
    obj = build(biped(), "Hero")
    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object
    mesh.modifiers.new("Armature", "ARMATURE").object = obj
    make_active(obj)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.view_layer.objects.active = mesh
    mesh.select_set(True)
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    before = obj.mode, mesh.mode
    walk(obj)
    assert (obj.mode, mesh.mode, bpy.context.view_layer.objects.active) == (*before, mesh)


def travelling() -> bpy.types.Object:
    obj = walker(mode="TRAVEL", controls="FK")
    bpy.context.scene.frame_set(30)
    assert obj.location.length > 1.0
    return obj


def enabled_anew(obj: bpy.types.Object, _: Path) -> bpy.types.Object:
    neurarig_addon.unregister()
    neurarig_addon.register()
    return obj


def appended(_: bpy.types.Object, tmp_path: Path, link: bool = False) -> bpy.types.Object:
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=link) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


def overridden(obj: bpy.types.Object, tmp_path: Path) -> bpy.types.Object:
    return appended(obj, tmp_path, link=True).override_create(remap_local_usages=True)


@pytest.mark.parametrize("come", [enabled_anew, appended, overridden])
def test_a_travelling_character_begins_where_it_began_however_it_came(come: Callable, tmp_path: Path) -> None:
    obj = come(travelling(), tmp_path)
    bpy.context.scene.frame_set(1)
    assert obj.location.length < 1e-4
    bpy.context.scene.frame_set(40)
    assert obj.location.length > 1.0
    api.remove_walk(obj)
    assert obj.location.length < 1e-4


def test_a_file_saved_in_edit_mode_walks_on_when_that_is_left(tmp_path: Path) -> None:
    obj = walker()
    expected = seen(obj, 17)
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    obj = reopened(tmp_path)
    bpy.context.scene.frame_set(9)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(17)
    assert np.abs(seen_now(obj) - expected).max() < 1e-5


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_an_overridden_character_walks_as_in_its_library_and_keeps_what_is_changed_on_it(
    controls: str, tmp_path: Path, capfd
) -> None:
    obj = walker(mode="TRAVEL", controls=controls)
    frames = (1, 9, 33)
    expected = [seen(obj, frame) for frame in frames]
    obj = overridden(obj, tmp_path)
    assert np.abs([seen(obj, frame) for frame in frames] - np.array(expected)).max() < 1e-5
    bpy.context.scene.frame_set(1)
    obj.location.x += 0.5
    obj.neurarig.walk.speed = 0.7
    bpy.context.view_layer.update()
    changed = [seen(obj, frame) for frame in frames]
    assert np.abs(np.array(changed) - expected).max() > 0.3
    bpy.context.scene.frame_set(17)
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    capfd.readouterr()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert "ERROR" not in "".join(capfd.readouterr())
    obj = next(each for each in bpy.data.objects if each.override_library)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error and obj.neurarig.standing.is_known
    assert np.abs([seen(obj, frame) for frame in frames] - np.array(changed)).max() < 1e-5


def test_controls_of_the_library_stay_on_an_override_and_the_remedies_help(tmp_path: Path) -> None:
    obj = overridden(walker(), tmp_path)
    make_active(obj)
    for step in (lambda: api.remove_walk(obj), lambda: api.generate_walk(obj, controls="FK")):
        before = state_of(obj)
        with refuses("are linked from another file"):
            step()
        assert state_of(obj) == before
    api.bake_walk(obj, frame_start=1, frame_end=5)
    bpy.ops.object.make_local(type="ALL")
    obj = bpy.context.view_layer.objects.active
    obj.data = obj.data.copy()  # the linked object, local now too, has the other
    assert api.remove_walk(obj) == [] and not any(bone.name.startswith("NR-") for bone in obj.data.bones)


STEPS = {
    "generate": lambda obj: api.generate_walk(obj, use_network=False),
    "check": api.contact_report,
    "retarget": lambda obj: api.retarget(obj, source=bpy.data.objects["Actor"]),
    "solve": lambda obj: api.solve_range(obj, 1, 9),
}


@pytest.mark.parametrize("where", ["frame_change_pre", "frame_change_post"])
@pytest.mark.parametrize("step", STEPS)
def test_a_character_that_a_handler_deletes_on_the_way_is_told_in_a_sentence(step: str, where: str) -> None:
    if step == "retarget":
        actor()
    obj = walker() if step == "check" else build(biped(), "Hero")
    if step == "solve":
        api.pose_targets(obj)
    make_active(obj)
    scenes = len(bpy.data.scenes)

    def delete(scene: bpy.types.Scene, _: object = None) -> None:
        if scene.frame_current == 5 and "Hero" in bpy.data.objects:
            bpy.data.objects.remove(bpy.data.objects["Hero"])

    getattr(bpy.app.handlers, where).append(delete)
    try:
        with refuses("'Hero' was deleted"):
            STEPS[step](obj)
    finally:
        getattr(bpy.app.handlers, where).remove(delete)
    assert len(bpy.data.scenes) == scenes and "Hero" not in bpy.data.objects
    bpy.context.scene.frame_set(7)


def test_an_override_without_controls_of_its_own_walks_by_its_bones(tmp_path: Path) -> None:
    obj = overridden(build(biped(), "Hero"), tmp_path)
    api.generate_walk(obj, use_network=False)
    assert record.kind_of(obj) == "FK" and "takes no new bones" in record.attachment(obj)["why"]
    assert api.contact_report(obj)["past_limits"] == []
    api.remove_walk(obj)
