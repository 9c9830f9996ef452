"""What leads and moves others: clips that curves alone do not tell, objects that keys move, lines of edges, recorded points."""

from typing import Any

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.animation.curve_pose import object_path
from neurarig_addon.blender.character.read_clip import read_clip
from tests import rigs
from tests.blender.keeping import tweak, with_track
from tests.blender.leading import curve, linked, sheet
from tests.blender.record.characters import RIGS, hero
from tests.blender.record.clips import short
from tests.blender.record.recordings import recordings
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 9, 20)


def ways_of_playing(seen: Seen) -> None:
    """Take clips of a source whose motion curves alone do not tell: constraints, drivers, NLA, parents, modifiers, uneven scale."""
    source, action = short()
    obj = RIGS["other"]()
    scene = bpy.context.scene
    holder = linked("Holder", None)

    def put_on(name: str) -> None:
        make_active(obj)
        seen.ask(api.retarget, obj, source=source, action=action, frame_start=5, check=False)
        seen.bones(f"{name} ", (5, 17))
        seen.ask(api.remove_retarget, obj)
        seen.note(
            f"{name} is as before", [source.animation_data.use_nla, [round(value, 6) for value in source.pose.bones["Head"].location]]
        )

    bone = source.pose.bones["Head"]
    copied = bone.constraints.new("COPY_ROTATION")
    copied.target = holder
    holder.rotation_euler.x = 0.4
    put_on("constraint")
    copied.mute = True
    put_on("muted constraint")
    bone.constraints.remove(copied)
    bone.driver_add("location", 1).driver.expression = "0.001 * frame"
    put_on("driver")
    bone.driver_remove("location", 1)
    source.parent = holder
    holder.location.x = 0.3
    put_on("parent")
    holder.keyframe_insert("location", frame=4)
    holder.location.x = 0.6
    holder.keyframe_insert("location", frame=20)
    put_on("moving parent")
    source.parent = None
    source.data.bones["LeftUpLeg"].inherit_scale = "NONE"
    source.pose.bones["Hips"].scale = (1.0, 1.2, 1.0)
    put_on("uneven scale")
    source.pose.bones["Hips"].scale = (1.0, 1.0, 1.0)
    source.data.driver_add("pose_position").driver.expression = "0"
    put_on("driven relation")
    source.data.driver_remove("pose_position")
    track = with_track(action, source, "Over")
    second = action.copy()
    second.name = "Second"
    source.pose.bones["Head"].location = (0.0, 0.05, 0.0)
    seen.ask(api.retarget, obj, source=source, action=second, frame_start=5, check=False)
    seen.bones("second ", (5, 17))
    seen.ask(api.remove_retarget, obj)
    source.animation_data.action = None
    put_on("track")
    tweak(source, track)
    copied = bone.constraints.new("COPY_ROTATION")
    copied.target = holder
    put_on("tweaked")
    source.animation_data.use_tweak_mode = False
    scene.render.frame_map_old, scene.render.frame_map_new = 100, 50
    put_on("remapped")
    scene.render.frame_map_old = scene.render.frame_map_new = 100
    for name, given in {"rest": "REST", "pose": "POSE"}.items():
        source.data.pose_position = given
        put_on(name)
    make_active(source)
    bpy.ops.object.mode_set(mode="EDIT")
    put_on("edited")
    bpy.ops.object.mode_set(mode="OBJECT")
    for each in (None, holder):
        seen.ask(read_clip, bpy.context, each)
    empty = bpy.data.actions.new("Empty")
    seen.ask(read_clip, bpy.context, source, empty)
    still = rigs.build(rigs.biped(), "Still")
    still.pose.bones["Head"].constraints.new("COPY_ROTATION").target = holder
    seen.ask(read_clip, bpy.context, still, action)
    seen.note("still", still.animation_data is None)
    seen.ask(api.generate_walk, still, use_network=False)
    seen.ask(read_clip, bpy.context, still, action)


def paths_of(seen: Seen) -> None:
    """Ask where objects go by their curves alone, and where that cannot be told."""
    frames = np.array([1.0, 5.5, 12.0])
    thing, parent = linked("Thing", None), linked("Parent", None)

    def ask(name: str) -> None:
        seen.note(name, object_path(thing, frames))

    ask("still")
    for frame, x in ((1, 0.0), (10, 3.0)):
        thing.location, thing.rotation_euler.z = (x, 1.0, 0.5 * x), x
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_euler", frame=frame)
    ask("keyed")
    thing.keyframe_insert("hide_viewport", frame=1)
    ask("with something else")
    channels = list(compat.find_channels(*compat.assigned(thing.animation_data)))
    channels[0].mute = True
    ask("muted")
    channels[0].mute = False
    thing.parent = parent
    parent.location = (1.0, 0.0, 2.0)
    bpy.context.view_layer.update()
    ask("carried")
    parent.constraints.new("COPY_LOCATION")
    ask("carried by constraint")
    parent.constraints.clear()
    parent.keyframe_insert("location", frame=1)
    ask("carried by keys")
    thing.parent = None
    thing.driver_add("hide_render").driver.expression = "1"
    ask("driven elsewhere")
    thing.driver_add("scale", 0).driver.expression = "2"
    ask("driven")
    thing.animation_data.drivers[-1].mute = True
    ask("driven, muted")
    thing.driver_remove("scale", 0)
    constraint = thing.constraints.new("COPY_LOCATION")
    ask("constrained")
    constraint.mute = True
    ask("constrained, muted")
    constraint.keyframe_insert("influence", frame=2)
    ask("constraint keyed")
    thing.constraints.remove(constraint)
    for prop in ("delta_location", "rotation_mode"):
        thing.keyframe_insert(prop, frame=3)
        ask(prop)
        thing.keyframe_delete(prop, frame=3)
    action = thing.animation_data.action
    track = with_track(action, thing, "Track")
    ask("track")
    track.mute = True
    ask("track muted")
    thing.animation_data.use_nla = False
    track.mute = False
    ask("no nla")


def lines_to_walk(seen: Seen) -> None:
    """Lead a character along edges of a mesh, open and closed, along curves with modifiers, and what is no line."""
    obj = hero()
    around = [(0.0, 0.0, 0.0), (0.0, -2.0, 0.0), (1.5, -3.0, 0.0), (3.0, -2.0, 0.0), (3.0, 0.0, 0.0)]

    def edges(name: str, points: list[Any], rows: list[Any], faces: list[Any] = ()) -> bpy.types.Object:
        data = bpy.data.meshes.new(name)
        data.from_pydata(points, rows, list(faces))
        return linked(name, data)

    order = [around[row] for row in (2, 0, 4, 1, 3)]
    things = [
        edges("Open", order, [(1, 3), (3, 0), (0, 4), (4, 2)]),
        edges("Closed", around, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]),
        edges("Faces", around, [], [(0, 1, 2)]),
        edges("Nothing", [], []),
        edges("Two", around[:2], [(0, 1)]),
    ]
    bent = curve([(0.0, 0.0), (0.0, -3.0), (2.0, -4.0)], "BEZIER")
    bent.name = "Bent"
    bent.modifiers.new("Wave", "SIMPLE_DEFORM").deform_method = "BEND"
    cyclic = curve([(0.0, 0.0), (0.0, -3.0), (2.0, -4.0), (3.0, -1.0)], "NURBS", is_closed=True)
    cyclic.name = "Cyclic"
    lone = curve([(0.0, 0.0)], "POLY")
    lone.name = "Lone"
    keyed = linked("Keyed", None)
    for frame, y in ((1, 0.0), (50, -3.0)):
        keyed.location.y = y
        keyed.keyframe_insert("location", frame=frame)
    for thing in (*things, bent, cyclic, lone, keyed):
        make_active(obj)
        seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=thing)
        seen.bones(f"{thing.name} ", FRAMES)
        seen.panels(thing.name)
    seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=keyed, arrive=90)
    seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=keyed, markers=[{"distance": 1.0, "pause": 1.0}])
    keyed.parent = obj
    bpy.context.view_layer.update()
    seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=keyed)
    seen.look(*FRAMES)
    wall = sheet("Wall", lambda x, y: 0.0 * x + np.where(y < -1.5, 2.0, 0.0), reach=4.0, cells=30)
    seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=things[0], ground=wall)
    seen.look(*FRAMES)
    skin = sheet("Skin", lambda x, _y: 0.0 * x, reach=1.0, cells=2)
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    for thing in (skin, keyed, obj):
        seen.ask(api.generate_walk, obj, use_network=False, mode="TRAVEL", ground=thing)
        for name in ("look_at", "face", "stand_on"):
            seen.ask(api.generate_walk, obj, use_network=False, mode="TRAVEL", **{name: thing})
    seen.look(1)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"ways of playing": ways_of_playing, "paths": paths_of, "lines": lines_to_walk, "recordings": recordings}
