"""What hardly anybody asks for, and how it is refused: sources, actions, folders, bakes, grounds, styles, preset files, armatures."""

import json
import math

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.manner import presets
from tests.blender.leading import linked, sheet
from tests.blender.record.characters import RIGS, hero, walker
from tests.blender.record.clips import short
from tests.blender.record.refused_rigs import armatures
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import biped, build, make_active

SHIPPED = {"format": 1, "name": "Mine", "description": "", "sliders": {"energy": 0.5}, "pace": 1.0, "styles": {}}


def clips(seen: Seen) -> None:
    """Ask for clips of sources that are gone, hidden, still, strange, or are recorded points; name what is not there."""
    source, action = short()
    obj = RIGS["other"]()
    make_active(obj)
    scene = bpy.context.scene
    empty, one = bpy.data.actions.new("Empty"), action.copy()
    one.name = "Others"
    still = build(biped(), "Still")
    for bone in still.pose.bones:
        bone.keyframe_insert("location", frame=1)
    camera = linked("Camera", bpy.data.cameras.new("Camera"))
    make_active(obj)
    (seen.folder / "none").mkdir()
    (seen.folder / "points.csv").write_text("time,head_x,head_y,head_z\n0,0,0,1\n0.1,0,0,1\n")
    for given in (
        {"source": still},
        {"source": camera},
        {"source": source, "action": empty},
        {"source": still, "action": action},
        {"file": seen.folder / "points.csv"},
        {"source": obj},
    ):
        seen.ask(api.retarget, obj, **given)
        seen.ask(api.link_retarget, obj, **given)
        seen.ask(api.remove_retarget, obj)
    seen.ask(api.retarget_folder, obj, seen.folder / "none")
    seen.ask(api.retarget_folder, obj, seen.folder / "nowhere")
    seen.ask(api.retarget_actions, obj, [], source=source)
    seen.ask(api.retarget_actions, obj, [empty, action], source=source)
    seen.ask(api.retarget_actions, obj, [action])
    for given in ({"source": "Nobody"}, {"source": "Actor", "action": "Nobody"}, {"source": "Camera"}):
        seen.press("retarget", **given)
        seen.press("retarget_actions", **{name: value for name, value in given.items() if name == "source"})
    seen.press("retarget_folder", directory=str(seen.folder / "none"))
    seen.press("encode_action", filepath=str(seen.folder / "clip.npz"))
    obj.data.pose_position = "REST"
    seen.ask(api.retarget, obj, source=source)
    obj.data.pose_position = "POSE"
    hidden = bpy.data.collections.new("Hidden")
    scene.collection.children.link(hidden)
    hidden.objects.link(source)
    scene.collection.objects.unlink(source)
    bpy.context.view_layer.layer_collection.children["Hidden"].exclude = True
    seen.ask(api.retarget, obj, source=source)
    hidden.objects.unlink(source)
    seen.ask(api.retarget, obj, source=source)
    for bone in obj.pose.bones:
        bone.keyframe_insert("location", frame=1)
    own = obj.animation_data.action
    for each, tolerance in ((own, 0.01), (empty, 0.01), (own, math.nan), (own, 0.0)):
        seen.ask(api.reduce_keys, obj, each, tolerance=tolerance)
    seen.press("reduce_keys")
    seen.press("mark_timeline")
    seen.look(1)


def walks(seen: Seen) -> None:
    """Ask for walks over grounds without faces, along what does not lead, with wrong values, in too many styles; bake nothing."""
    obj = walker("animated")
    make_active(obj)
    walk = obj.neurarig.walk
    flat = sheet("Flat", lambda x, _y: 0.0 * x, reach=2.0, cells=2)
    flat.scale.z = flat.scale.x = 0.0
    nothing = linked("Nothing", bpy.data.meshes.new("Nothing"))
    grounds = bpy.data.collections.new("Grounds")
    bpy.context.scene.collection.children.link(grounds)
    grounds.objects.link(nothing)
    keyed, still = linked("Keyed", None), linked("Still", None)
    for frame, y in ((1, 0.0), (20, -3.0)):
        keyed.location.y = y
        keyed.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.update()
    for given in (
        {"ground": flat},
        {"ground": nothing},
        {"ground_collection": grounds},
        {"ground": None, "ground_collection": None},
        {"mode": "PATH", "path": still},
        {"mode": "PATH", "path": keyed},
        {"mode": "TRAVEL", "path": None},
        {"speed": math.inf},
        {"speed": 1.0, "person_seed": -1},
        {"idle_seed": 0.5},
        {"markers": [{"distance": 1.0, "place": "Nobody"}]},
        {"markers": [], "styles": {"Sad": "much"}},
        {"styles": ["Sad"]},
        {"styles": {f"Nobody {number}": 1.0 for number in range(2)}},
    ):
        seen.ask(api.generate_walk, obj, use_network=False, **given)
        seen.note("walks", [walk.live, walk.error, walk.mode])
    for name, _ in presets.names(presets.STYLE):
        seen.press("use_style", style=name)
    seen.note("styles", len(walk.styles))
    driver = walk.driver_add("energy").driver
    driver.expression = "1.0 / 0.0 if frame > 5 else log(-1.0)"
    bpy.context.scene.frame_set(9)
    seen.look(9)
    walk.driver_remove("energy")
    walk.keyframe_insert("weight", frame=3)
    seen.ask(api.resume_walk, obj)
    seen.ask(api.add_print, obj, "LEFT", -5)
    seen.ask(api.edit_print, obj, "LEFT", 2, added=True)
    for bone in obj.data.bones:
        bone.use_deform = False
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5, target="DEFORM")
    walk.live = False
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5, target="DEFORM")
    for first, last in (("one", 5), (1, math.nan), (None, 9), (5, 1), (True, 4)):
        seen.ask(api.bake_walk, obj, frame_start=first, frame_end=last)
        seen.ask(api.contact_report, obj, (first, last))
    long = bpy.data.actions["Own"].copy()
    long.name = "Long"
    seen.ask(api.layer_action, obj, long)
    obj.neurarig.reference = "{}"
    seen.ask(api.layer_action, obj, long)
    seen.look(1)


def targets(seen: Seen) -> None:
    """Ask for targets over a walk that stands, is baked, in Edit Mode, for feet, for bones there are not, and that chase themselves."""
    obj = walker("bones")
    make_active(obj)
    cup = linked("Cup", None)
    cup.parent, cup.parent_type, cup.parent_bone = obj, "BONE", "LeftHand"
    bpy.context.view_layer.update()
    seen.ask(api.pose_targets, obj, ["ankle.L"])
    seen.ask(api.choose_target, obj, "wrist.L", cup)
    seen.ask(api.choose_target, obj, "ankle.L", cup)
    obj.neurarig.walk.live = False
    seen.ask(api.pose_targets, obj, ["wrist.L"])
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5)
    seen.ask(api.pose_targets, obj, ["wrist.L"])
    obj.neurarig.walk.live = True
    bpy.ops.object.mode_set(mode="EDIT")
    seen.ask(api.pose_targets, obj, ["wrist.L"])
    bpy.ops.object.mode_set(mode="OBJECT")
    for item in obj.neurarig.roles:
        if item.role == "hand.R":
            item.bone = ""
    seen.ask(api.pose_targets, obj, ["wrist.R"])
    seen.ask(api.pose_targets, obj, ["wrist.L", "head"])
    obj.neurarig.walk.live = False
    bpy.context.scene.frame_set(3)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=3)
    seen.ask(api.remove_targets, obj)
    seen.ask(api.remove_walk, obj)
    for given in ({"collection": bpy.data.collections.new("Empty")}, {}, {"source": cup}, {"source": obj}):
        seen.ask(api.solve_clip, obj, **given)
    obj.neurarig.neural_pose.source_kind = "COLLECTION"
    seen.ask(api.solve_clip, obj)
    seen.ask(api.pose_targets, obj)
    for item in obj.neurarig.neural_pose.targets:
        item.use = False
    bpy.context.view_layer.update()
    for call in (api.solve_pose, api.key_pose, api.snap_targets):
        seen.ask(call, obj)
    seen.look(1)


def files(seen: Seen) -> None:
    """Read presets whose files are damaged in each way, and save what there is not."""
    obj = hero()
    make_active(obj)
    wrong = {
        "no object": [],
        "no sliders": SHIPPED | {"sliders": 3},
        "no slider": SHIPPED | {"sliders": {"wings": 1.0}},
        "no number": SHIPPED | {"sliders": {"energy": "much"}},
        "no pace": SHIPPED | {"pace": None},
        "styles": SHIPPED | {"styles": {"Sad": "much"}},
        "other format": SHIPPED | {"format": 99},
        "no name": {name: value for name, value in SHIPPED.items() if name != "name"},
        "bones": {"bones": {"pelvis": 3}},
        "no bones": {"bones": []},
        "controls": {"controls": {"chest": 3}},
    }
    for kind in (presets.WALK, presets.ROLES, presets.CONTROLS):
        folder = presets._user_folder(kind)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in wrong.items():
            (folder / f"{name}.json").write_text(json.dumps(content))
        (folder / "damaged.json").write_text("{")
        seen.note(kind, presets.names(kind))
        for name in (*wrong, "damaged", "Nobody"):
            seen.ask(api.apply_preset, obj, name, kind)
            seen.note(name, [presets.description(kind, name) if name in wrong else "", len(obj.neurarig.roles)])
        seen.ask(api.save_preset, obj, "Mine", kind)
    seen.look(1)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"clips": clips, "walks": walks, "targets": targets, "files": files, "armatures": armatures}
