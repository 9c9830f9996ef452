"""Skeletons of nodes, and files of several armatures: what moves like a body is the clip."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.retarget import read_source
from tests.blender.retargeting import FIRST, LAST, actor, hero
from tests.refusals import refuses
from tests.rigs import Bone, build

FRAMES = np.arange(FIRST, LAST + 1)


def written(path: Path, kind: str) -> Path:
    """Write all objects of a kind to a file, remove everything, and return the path."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    for obj in scene.objects:
        obj.select_set(obj.type == kind)
    if path.suffix == ".fbx":
        bpy.ops.export_scene.fbx(filepath=str(path), use_selection=True, add_leaf_bones=False,
            bake_anim_use_nla_strips=False,
                                 bake_anim_use_all_actions=False, bake_anim_simplify_factor=0.0)  # fmt: skip
    else:
        bpy.ops.export_scene.gltf(filepath=str(path), use_selection=True)
    for obj in list(scene.objects):
        bpy.data.objects.remove(obj)
    return path


def as_empties(source: bpy.types.Object) -> np.ndarray:
    """Make a tree of empties that moves as an armature's bones, without the armature; return the heads `(f,
    bones, 3)` by name."""
    scene = bpy.context.scene
    empties = {}
    for bone in source.data.bones:
        empties[bone.name] = bpy.data.objects.new(bone.name, None)
        empties[bone.name].rotation_mode = "QUATERNION"
        empties[bone.name].parent = empties[bone.parent.name] if bone.parent else None
        scene.collection.objects.link(empties[bone.name])
    heads = []
    for frame in FRAMES:
        scene.frame_set(int(frame))
        posed = source.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        for name, empty in empties.items():
            matrix = posed[name].matrix
            own = (
                posed[name].parent.matrix.inverted() @ matrix
                if posed[name].parent
                else source.matrix_world @ matrix
            )
            empty.location, empty.rotation_quaternion, _ = own.decompose()
            empty.keyframe_insert("location", frame=frame)
            empty.keyframe_insert("rotation_quaternion", frame=frame)
        heads.append([(source.matrix_world @ posed[name].head)[:] for name in sorted(empties)])
    bpy.data.objects.remove(source)
    return np.array(heads)


@pytest.mark.parametrize("ending", [".glb", ".fbx"])
def test_nodes_are_read_as_a_skeleton(ending: str, tmp_path: Path) -> None:
    heads = as_empties(actor()[0])
    path = written(tmp_path / f"nodes{ending}", "EMPTY")
    [(character, clip)] = read_source.read_imported(bpy.context, path)
    assert clip.remark and character.roles.get("thigh.L") == "LeftUpLeg"
    rows = [clip.skeleton.index[name] for name in sorted(clip.skeleton.names)]
    np.testing.assert_allclose(clip.heads[:, rows], heads, atol=2e-3)
    assert api.retarget(hero(), file=path).name == "nodes" and not bpy.data.objects.get("Hips")


def test_nodes_that_are_no_body_say_where_they_are_solved(tmp_path: Path) -> None:
    empty = bpy.data.objects.new("Door", None)
    bpy.context.scene.collection.objects.link(empty)
    for frame in (FIRST, LAST):
        empty.location.x = frame
        empty.keyframe_insert("location", frame=frame)
    with refuses("Solve Mocap > Collection"):
        api.retarget(hero(), source=empty)
    path = written(tmp_path / "door.glb", "EMPTY")
    with refuses(r"'door\.glb' holds nodes, no armature .* Solve Mocap > Collection\."):
        read_source.read_imported(bpy.context, path)


@pytest.mark.parametrize("moves", [True, False])
def test_of_several_armatures_the_body_is_read(moves: bool, tmp_path: Path) -> None:
    actor()
    chain = [
        Bone(f"C{n}", f"C{n - 1}" if n else None, (2, 0, 0.1 * n), (2, 0, 0.1 * n + 0.1)) for n in range(60)
    ]
    rope = build(chain, "Rope").pose.bones["C5"]
    for turn in (1.0, 0.9) if moves else ():
        rope.rotation_quaternion.w = turn
        rope.keyframe_insert("rotation_quaternion", frame=LAST * turn)
    [(character, clip)] = read_source.read_imported(bpy.context, written(tmp_path / "rope.glb", "ARMATURE"))
    assert character.roles.get("thigh.L") == "LeftUpLeg" and bool(clip.remark) == moves
