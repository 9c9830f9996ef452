"""What goes out of Blender and comes in: exports of live and baked characters, clips of FBX, GLB and BVH, clips made parametric."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.cli import export
from neurarig_addon.blender.interface import exporters
from neurarig_addon.blender.live import stand_in
from neurarig_addon.core.neural import pose_parameters
from tests.blender.command_line import run
from tests.blender.leading import linked, sheet
from tests.blender.record.characters import RIGS, hero, walker
from tests.blender.record.clips import short
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 5, 9)
LAST = 9


def read_back(seen: Seen, path: Path) -> None:
    """Read an exported file into a file of its own and look at it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_end = LAST
    if path.suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path))
    elif path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0)
    elif path.suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(path))
    scene = bpy.context.scene
    seen.note("imported", sorted((obj.name, obj.type) for obj in scene.objects))
    seen.note("keys", sorted((tuple(action.frame_range), len(action.name) > 0) for action in bpy.data.actions))
    for frame in FRAMES:
        scene.frame_set(frame)
        for obj in sorted(scene.objects, key=lambda obj: obj.name):
            seen.note(f"{frame} {obj.name}", np.array(obj.matrix_world))
            if obj.type == "ARMATURE":
                seen.note(f"{frame} {obj.name} bones", np.array([bone.matrix for bone in obj.pose.bones]))


def exported(ending: str, deform_only: bool, seen: Seen, make: str = "animated", **settings: object) -> None:
    """Export a live character, look at what is left in the file, and read the export."""
    obj = walker(make, **settings)
    crate = linked("Crate", bpy.data.meshes.new("Crate"))
    crate.parent = obj
    crate.hide_set(True)
    make_active(crate if ending == "glb" else obj)
    if ending == "fbx":
        bpy.ops.object.mode_set(mode="POSE")
    path = seen.folder / f"out.{ending}"
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 3, 40
    seen.ask(export.export, obj, path, (1, LAST), deform_only)
    seen.look(1, 9)
    seen.ask(export.export, obj, seen.folder / "none" / f"out.{ending}", (1, LAST))
    with (
        patch.object(export.addon_utils, "check", lambda _: (False, False)),
        patch.object(export.addon_utils, "enable", lambda *_, **__: None),
    ):
        seen.ask(export.export, obj, path, (1, LAST))
    read_back(seen, path)


def stood_in(seen: Seen) -> None:
    """Let actions stand in for live characters while an exporter is at work, and give all back, whatever has gone meanwhile."""
    obj, other = walker("animated"), walker("other", mode="IN_PLACE")
    obj.keyframe_insert("scale", frame=2)
    obj.rotation_mode = "QUATERNION"
    bpy.context.scene.frame_end = LAST
    for begin, end in ((exporters.before_export, exporters.after_export), (partial(stand_in.begin, bpy.context.scene), stand_in.end)):
        seen.ask(begin)
        seen.look(1, 6)
        seen.ask(begin)
        seen.note("stand in", len(stand_in._standing_in))
        seen.ask(end)
        seen.look(1, 6)
    with stand_in.standing_in(bpy.context.scene):
        bpy.data.objects.remove(other)
        seen.look(1)
    seen.look(1)
    registered: list[object] = []
    app = SimpleNamespace(background=False, timers=SimpleNamespace(register=registered.append))
    with patch.object(exporters, "bpy", SimpleNamespace(context=bpy.context, app=app)):
        exporters.before_export()
    seen.note("timers", [each is stand_in.end for each in registered])
    exporters.after_export()
    seen.ask(api.remove_walk, obj)
    with stand_in.standing_in(bpy.context.scene):
        seen.note("nobody", len(stand_in._standing_in))


def clip_files(ending: str, seen: Seen) -> None:
    """Take clips from a file of another program's, one and several at once, and from files that are damaged or hold none."""
    source, action = short()
    other = action.copy()
    other.name = "Second"
    source.animation_data.action = action
    path = seen.folder / f"Clip.{ending}"
    make_active(source)
    if ending == "fbx":
        bpy.ops.export_scene.fbx(filepath=str(path), use_selection=True, bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False)
    else:
        bpy.ops.export_scene.gltf(filepath=str(path), use_selection=True, export_animation_mode="ACTIVE_ACTIONS")
    bpy.data.objects.remove(source)
    bpy.ops.mesh.primitive_cube_add()
    still = seen.folder / f"Cube.{ending}"
    if ending == "fbx":
        bpy.ops.export_scene.fbx(filepath=str(still), use_selection=True)
    else:
        bpy.ops.export_scene.gltf(filepath=str(still), use_selection=True)
    bpy.data.objects.remove(bpy.context.object)
    bpy.context.view_layer.update()
    obj = RIGS["other"]()
    make_active(obj)
    (seen.folder / f"Broken.{ending}").write_bytes(path.read_bytes()[:300])
    bpy.context.scene.name = "Mine"
    seen.ask(api.retarget, obj, file=path)
    seen.look(5, 17, 30)
    for name in ("Cube", "Broken"):
        seen.ask(api.retarget, obj, file=seen.folder / f"{name}.{ending}")
    seen.ask(api.link_retarget, obj, file=path)
    seen.look(5, 17)
    seen.ask(api.remove_retarget, obj)
    seen.ask(api.learn_style, path, "Taken")
    seen.look(5, 17)


def parametric(seen: Seen) -> None:
    """Make another armature's motion, one's own and a file's into a walk that can be changed; what cannot be is refused."""
    source, action = short(use_network=True, crouch=0.08, arm_swing=1.5)
    action.use_frame_range = False
    obj = hero()
    made = seen.ask(api.make_parametric, obj, action, armature=source)
    seen.look(5, 20, 40)
    settings = obj.neurarig.walk
    settings.as_recorded = 0.4
    seen.look(20)
    settings.as_recorded = 1.0
    settings.speed *= 1.3
    seen.look(20)
    settings.keyframe_insert("speed", frame=3)
    seen.ask(api.make_parametric, obj, action, armature=source)
    settings.keyframe_delete("speed", frame=3)
    seen.press("remove_take")
    seen.press("remove_take")
    seen.ask(api.remove_take, obj)
    seen.look(20)
    seen.ask(api.make_parametric, obj)
    seen.ask(api.make_parametric, obj, action, armature=obj)
    make_active(obj)
    for given in (
        {"source": "Nobody"},
        {"action": "Nothing"},
        {"source": "Actor", "action": action.name},
    ):
        seen.press("make_parametric", **given)
    seen.look(30, 50)
    seen.ask(api.encode_action, source, seen.folder / "walk.npz", action)
    for given in ({"file": "walk.npz"}, {"file": "none.bvh"}):
        seen.press("make_parametric_file", filepath=str(seen.folder / given["file"]))
        seen.look(1, 20)
    seen.ask(api.remove_walk, obj)
    seen.note("made", made)
    own = hero()
    own.name = "Still"
    own.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=1)
    own.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=50)
    for given in ({}, {"frame_start": 1.5}, {"frame_start": 10**9}):
        seen.ask(api.make_parametric, own, own.animation_data.action, **given)
    seen.look(1)


def lines(seen: Seen) -> None:
    """Make clips parametric, export, and solve, by command lines that other scenarios do not have."""
    source, action = short(use_network=True)
    action.use_frame_range = False
    action.name = "Walk"
    sheet("Hill", lambda x, _y: 0.0 * x, reach=2.0, cells=2)
    obj = hero()
    api.encode_action(source, seen.folder / "clip.npz", action)
    parameters = np.load(seen.folder / "clip.npz")
    seen.note("names", sorted(parameters.files)[:3])
    for line in (
        "parametric --armature Hero --source Actor --action Walk --start 4 --speed 0.8 --bake --output out.blend",
        "parametric --armature Hero clip.npz --action Walk",
        "parametric --armature Hero --action Nothing",
        "parametric --armature Hero clip.npz",
        "parametric --armature Hero --source Nobody",
        "parametric --help",
    ):
        seen.ask(run, *line.split())
        seen.look(4, 20)
    seen.ask(api.remove_walk, obj)
    seen.note("points", len(pose_parameters.NAMES))
    seen.note("written", sorted(path.name for path in seen.folder.iterdir()))


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        "glb": partial(exported, "glb", False),
        "glb of deforming bones": partial(exported, "glb", True, make="leg ik"),
        "fbx": partial(exported, "fbx", False),
        "fbx of deforming bones": partial(exported, "fbx", True, make="leg ik"),
        "bvh": partial(exported, "bvh", False, travel_with="BONE"),
        "stood in": stood_in,
        **{f"clips of {ending}": partial(clip_files, ending) for ending in ("fbx", "glb")},
        "parametric": parametric,
        "lines": lines,
    }
