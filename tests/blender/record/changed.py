"""What the file goes through while its characters are in use: undo, imports cut off, things chosen, deleted, renamed and swapped."""

from types import SimpleNamespace
from unittest.mock import patch

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat, scratch
from neurarig_addon.blender.character.record import CLIP, POSE, WALK
from neurarig_addon.blender.neural_pose.selection import follow_selection
from tests.blender.leading import linked
from tests.blender.record.characters import RIGS, hero, walker
from tests.blender.record.clips import short
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 9, 20)
REMOVED = {WALK: api.remove_walk, CLIP: api.remove_retarget, POSE: api.remove_targets}


def undone(seen: Seen) -> None:
    """Undo and redo under a walk, a clip and targets, each posed anew afterwards."""
    short()
    for name in ("walk", "clip", "pose"):
        obj = hero()
        obj.name = f"Hero {name}"
        bpy.ops.ed.undo_push(message="free")
        if name == "walk":
            seen.ask(api.generate_walk, obj, use_network=False, mode="TRAVEL")
            seen.ask(api.take_prints, obj, [("LEFT", 2)])
        elif name == "clip":
            seen.ask(api.link_retarget, obj, source=bpy.data.objects["Actor"])
        else:
            seen.ask(api.pose_targets, obj)
        make_active(obj)
        bpy.ops.ed.undo_push(message="on")
        bpy.context.scene.frame_set(12)
        obj.location.x += 0.4
        if name == "pose":
            obj.neurarig.neural_pose.targets[0].object.location.z += 0.1
        elif name == "walk":
            obj.neurarig.walk.speed = 1.9
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message="moved")
        seen.look(12)
        for step in (bpy.ops.ed.undo, bpy.ops.ed.redo, bpy.ops.ed.undo, bpy.ops.ed.undo):
            step()
            seen.look(bpy.context.scene.frame_current, 20)
        make_active(bpy.data.objects["Actor"])


def swept(seen: Seen) -> None:
    """Take away the scenes that an import leaves where it is stopped, on loading and on undo."""
    other = bpy.data.scenes.new("Half imported")
    shown = bpy.data.scenes.new("Shown")
    seen.note("names", [name for name in dir(scratch) if name.isupper()])
    for scene in (other, shown):
        scene[scratch.MARK] = True
        scene.collection.objects.link(bpy.data.objects.new(f"In {scene.name}", None))
    window = SimpleNamespace(scene=shown)
    manager = SimpleNamespace(windows=[window, SimpleNamespace(scene=bpy.context.scene)])
    with patch.object(
        scratch, "bpy", SimpleNamespace(data=bpy.data, types=bpy.types, context=SimpleNamespace(window_manager=manager), app=bpy.app)
    ):
        seen.ask(scratch.sweep)
    seen.note("window", window.scene.name)
    seen.look(1)
    scratch._on_undo()
    seen.look(1)


def chosen(seen: Seen) -> None:
    """Select targets by the list and in the viewport, and delete, hide, share, and rename what they are."""
    obj = RIGS["animated"]()
    make_active(obj)
    seen.ask(api.pose_targets, obj, "LIMBS")
    own = obj.neurarig.neural_pose
    for item in list(own.targets):
        seen.press("select_target", point=item.point)
        seen.note("active", [own.active_target, bpy.context.view_layer.objects.active.name])
    for each in (own.targets[1].object, obj, own.targets[2].object):
        make_active(each)
        follow_selection()
        seen.note("row", own.active_target)
        seen.panels("row")
    bpy.context.view_layer.objects.active = None
    follow_selection()
    make_active(obj)
    bpy.ops.object.mode_set(mode="POSE")
    seen.press("select_target", point="wrist.R")
    seen.look(1)
    own.targets[0].object.hide_set(True)
    seen.press("select_target", point=own.targets[0].point)
    seen.press("select_target", point="nose")
    bpy.data.objects.remove(own.targets[1].object)
    seen.press("select_target", point=own.targets[1].point)
    make_active(obj)
    cup = linked("Cup", None)
    hung = linked("Hung", None)
    hung.parent, hung.parent_type, hung.parent_bone = obj, "BONE", "Head"
    bpy.context.view_layer.update()
    for given in (
        {"point": "wrist.L", "target": "Cup", "lock": True, "weight": 0.5},
        {"point": "wrist.L", "target": "Cup"},
        {"point": "wrist.R", "target": "Hung"},
        {"point": "wrist.R", "target": "Nobody"},
        {"point": "head", "target": "Hero", "bone": "Head"},
    ):
        seen.press("choose_target", **given)
        seen.look(1)
    for given in ({"point": "chest"}, {"point": "chest"}, {"point": "knee.L"}, {"point": "nose"}):
        seen.press("add_target", **given)
        seen.look(1)
    for given in ({"point": "chest"}, {}, {"point": "chest"}):
        seen.press("remove_target", **given)
        seen.look(1)
    follower = linked("Follower", None)
    copied = follower.constraints.new("COPY_LOCATION")
    copied.target = own.targets[0].object
    child = linked("Child", None)
    child.parent = own.targets[1].object
    copy = obj.copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    seen.look(1)
    seen.ask(api.remove_targets, obj)
    seen.look(1)
    cup.name = "Cup"


def deleted(seen: Seen) -> None:
    """Delete what a live character needs while it is live: its data, its action, a handle, the scene's camera; swap its armature."""
    obj = walker("animated")
    other = RIGS["other"]()
    bpy.context.view_layer.update()
    data = obj.data
    obj.data = other.data
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(5)
    seen.look(1, 9)
    obj.data = data
    bpy.context.view_layer.update()
    seen.ask(api.resume_walk, obj)
    seen.look(1, 9)
    bpy.data.actions.remove(bpy.data.actions["Own"])
    seen.ask(api.remove_walk, obj)
    seen.look(1, 9)
    seen.ask(api.generate_walk, obj, use_network=False)
    for bone in obj.pose.bones:
        for constraint in list(bone.constraints):
            if len(bone.name) % 2:
                bone.constraints.remove(constraint)
    for number, bone in enumerate([bone.name for bone in obj.data.bones if bone.name.startswith("NR")]):
        if number % 3 == 0:
            obj.data.bones[bone].name = f"Mine {number}"
    seen.look(1, 9)
    obj.animation_data_clear()
    seen.ask(api.remove_walk, obj)
    seen.look(1, 9)
    obj.animation_data_create()
    made = bpy.data.actions.new("Meanwhile")
    for user in (True, False):
        obj.pose.bones["Head"].keyframe_insert("location", frame=1)
        seen.ask(api.generate_walk, obj, use_network=False)
        obj.neurarig.walk.keyframe_insert("energy", frame=3)
        if user:
            compat.assign(obj.animation_data, made, compat.suitable_slot(made, obj))
            obj.pose.bones["Hips"].keyframe_insert("location", frame=2)
        seen.ask(api.remove_walk, obj)
        seen.look(1, 9)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"undone": undone, "swept": swept, "chosen": chosen, "deleted": deleted}
