"""A live character is exported as it is seen: by Blender's own exporters, and by the command line."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

import neurarig_addon
from neurarig_addon.blender import api, cli
from neurarig_addon.blender.interface import exporters
from tests.blender.walking import seen, walker
from tests.rigs import biped, build, make_active

FRAMES = (1, 9, 20, 30)
SAME = 2e-4  # metres; the formats hold float32, and some of them turned axes and centimetres


def _dressed(obj: bpy.types.Object) -> None:
    """Put a skin on a foot, and a cube on the other that is only carried."""
    heel = obj.data.bones["LeftFoot"].head_local
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(
        [heel, heel + Vector((0.0, -0.1, 0.0)), heel + Vector((0.0, 0.0, 0.05))], [], [(0, 1, 2)]
    )
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = obj
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    skin.vertex_groups.new(name="LeftFoot").add([0, 1, 2], 1.0, "REPLACE")
    bpy.ops.mesh.primitive_cube_add(size=0.2)
    cube = bpy.context.object
    cube.parent, cube.parent_type, cube.parent_bone = obj, "BONE", "RightFoot"
    make_active(obj)


def _moves() -> dict[bool, np.ndarray]:
    """Return how far skin (True) and cube (False) have moved `(frames, 3)` since the first frame."""
    found = {}
    for obj in [obj for obj in bpy.context.scene.objects if obj.type == "MESH"]:
        places = []
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            mesh = evaluated.to_mesh()
            corners = np.array([evaluated.matrix_world @ vertex.co for vertex in mesh.vertices])
            evaluated.to_mesh_clear()
            places.append((corners.min(axis=0) + corners.max(axis=0)) / 2.0)
        moved, is_skin = np.array(places) - places[0], len(obj.data.vertices) == 3
        # importers add shapes of bones, which stand still
        if is_skin not in found or np.ptp(moved) > np.ptp(found[is_skin]):
            found[is_skin] = moved
    return found


def _gltf(path: str) -> None:
    exporters.before_export()  # the exporter calls these of an add-on that is installed
    bpy.ops.export_scene.gltf(filepath=path)
    exporters.after_export()


def _fbx(path: str) -> None:
    bpy.ops.export_scene.fbx(
        filepath=path,
        bake_anim_simplify_factor=0.0,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=False,
    )


EXPORTERS: dict[str, tuple[Callable, Callable]] = {
    "abc": (
        lambda path: bpy.ops.wm.alembic_export(filepath=path, start=1, end=30, as_background_job=False),
        lambda path: bpy.ops.wm.alembic_import(filepath=path, as_background_job=False),
    ),
    "usdc": (
        lambda path: bpy.ops.wm.usd_export(filepath=path, export_animation=True),
        lambda path: bpy.ops.wm.usd_import(filepath=path),
    ),
    "glb": (_gltf, lambda path: bpy.ops.import_scene.gltf(filepath=path)),
    "fbx": (_fbx, lambda path: bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)),
}


def _imported(ending: str, path: str) -> dict[bool, np.ndarray]:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 30
    EXPORTERS[ending][1](path)
    return _moves()


@pytest.mark.few(2)
@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
@pytest.mark.parametrize("ending", EXPORTERS)
def test_a_live_walk_is_exported_as_it_is_seen(ending: str, mode: str, tmp_path: Path):
    obj = walker(mode=mode)
    _dressed(obj)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 30
    wanted = _moves()
    bpy.context.scene.frame_set(1)
    EXPORTERS[ending][0](str(tmp_path / f"x.{ending}"))
    assert obj.neurarig.walk.live and not bpy.data.actions
    assert np.abs(_moves()[True] - wanted[True]).max() < 1e-5
    got = _imported(ending, str(tmp_path / f"x.{ending}"))
    for is_skin in (True, False):
        assert np.abs(wanted[is_skin]).max() > 0.1
        assert np.abs(got[is_skin] - wanted[is_skin]).max() < SAME


@pytest.mark.parametrize("ending", ["glb", "fbx", "bvh"])
def test_the_command_line_exports_a_walk_that_is_not_baked(ending: str, tmp_path: Path):
    build(biped(), "Hero")
    path = tmp_path / f"x.{ending}"
    assert cli.main(["walk", "--armature", "Hero", "--frames", "1", "30", "--output", str(path)]) == 0
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if ending == "bvh":
        bpy.ops.import_anim.bvh(filepath=str(path))
    else:
        EXPORTERS[ending][1](str(path))
    armature = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")
    assert np.abs(seen(armature, 2, ["LeftFoot"]) - seen(armature, 14, ["LeftFoot"])).max() > 0.05


def test_a_keyed_slider_is_exported_too(tmp_path: Path):
    obj = walker(mode="TRAVEL")
    _dressed(obj)
    for frame, speed in ((1, 0.5), (30, 1.6)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    action = obj.animation_data.action
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 30
    wanted = _moves()
    _gltf(str(tmp_path / "x.glb"))
    assert obj.animation_data.action == action and len(bpy.data.actions) == 1
    got = _imported("glb", str(tmp_path / "x.glb"))
    assert np.abs(got[True] - wanted[True]).max() < SAME


def test_a_removed_walk_leaves_no_sign():
    obj = build(biped(), "Hero")
    api.generate_walk(obj, use_network=False)
    assert [driver.data_path for driver in obj.animation_data.drivers] == ["neurarig.moving.frame"]
    api.remove_walk(obj)
    assert obj.animation_data is None


def test_an_exporter_that_failed_leaves_no_stand_in():
    obj = walker()
    exporters.before_export()
    assert obj.animation_data.action
    exporters.before_export()
    assert len(bpy.data.actions) == 1
    exporters.after_export()
    assert not obj.animation_data.action and not bpy.data.actions


def test_the_root_tells_the_gltf_exporter():
    """It looks in each add-on for functions of these names."""
    source = (Path(neurarig_addon.__file__).parents[1] / "__init__.py").read_text(encoding="utf-8")
    assert "def glTF2_pre_export_callback(" in source and "def glTF2_post_export_callback(" in source
