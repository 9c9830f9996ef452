"""Scenes in which nothing is as Blender has it at first: frame rate, remapped time, units, steps, subframes, where the character hangs."""

import bpy

from neurarig_addon.blender import api
from tests.blender.leading import curve, linked, sheet
from tests.blender.record.characters import RIGS
from tests.blender.record.clips import short
from tests.blender.record.poses import move
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (3, 7.25, 12)


def set_up(make: str) -> bpy.types.Object:
    """Return a character that is turned, sized and hangs on an object, in a scene with a time and units of its own."""
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.25
    scene.frame_start, scene.frame_end, scene.frame_step = 3, 14, 2
    scene.unit_settings.scale_length = 0.5
    scene.frame_set(5, subframe=0.5)
    holder = linked("Holder", None)
    holder.location, holder.rotation_euler = (0.4, 0.2, 0.1), (0.0, 0.0, 0.6)
    obj = RIGS[make]()
    obj.name = "Hero"
    obj.parent = holder
    obj.scale = (1.2, 1.2, 1.2)
    bpy.context.view_layer.update()
    make_active(obj)
    return obj


def used(seen: Seen) -> None:
    """Walk, bake, take a clip and follow targets there; the present frame stays."""
    source, action = short()
    obj = set_up("animated")
    scene = bpy.context.scene
    for mapped in (False, True):
        if mapped:
            scene.render.frame_map_old, scene.render.frame_map_new = 100, 80
        seen.ask(api.generate_walk, obj, use_network=False, mode="TRAVEL", speed=1.1)
        seen.look(*FRAMES)
        seen.ask(api.bake_walk, obj)
        seen.ask(api.contact_report, obj)
        seen.look(*FRAMES)
        seen.ask(api.bake_walk, obj, loop=True, keys="DENSE")
        seen.ask(api.remove_walk, obj)
        seen.note("frame", scene.frame_current_final)
        seen.ask(api.retarget, obj, source=source, action=action)
        seen.look(*FRAMES)
        seen.note("frame", scene.frame_current_final)
        seen.ask(api.remove_retarget, obj)
        seen.ask(api.link_retarget, obj, source=source, action=action)
        seen.bones("linked ", FRAMES)
        seen.ask(api.remove_retarget, obj)
        seen.ask(api.pose_targets, obj)
        move(obj)
        seen.ask(api.key_pose, obj)
        seen.look(*FRAMES)
        seen.ask(api.remove_targets, obj)
        obj.animation_data_clear()
        seen.note("frame", scene.frame_current_final)


def moved(seen: Seen) -> None:
    """Walk in every way of travelling with an object that keys move and turn, in each rotation mode, at rest and on a deck; bake it."""
    scene = bpy.context.scene
    deck = sheet("Deck", lambda x, _y: 0.0 * x, reach=6.0, cells=4)
    for frame, x in ((1, 0.0), (30, 2.0)):
        deck.location.x, deck.rotation_euler.z = x, 0.2 * x
        deck.keyframe_insert("location", frame=frame)
        deck.keyframe_insert("rotation_euler", frame=frame)
    line = curve([(0.0, 0.0), (0.5, -2.0), (2.0, -4.0)], "BEZIER")
    ways = (
        ("QUATERNION", {"mode": "TRAVEL"}, deck),
        ("AXIS_ANGLE", {"mode": "TRAVEL", "travel_with": "BONE"}, deck),
        ("ZYX", {"mode": "PATH", "path": line}, None),
        ("QUATERNION", {"mode": "PATH", "path": line, "travel_with": "BONE"}, None),
        ("XYZ", {"mode": "IN_PLACE"}, None),
        ("XYZ", {"mode": "TRAVEL", "facing": 40.0}, None),
        ("XYZ", {"mode": "TRAVEL", "travel_with": "BONE"}, None),
    )
    for number, (mode, given, carrier) in enumerate(ways):
        obj = RIGS["rooted" if number % 2 else "bones"]()
        obj.name, obj.rotation_mode = f"Hero {number}", mode
        turned = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
        for frame in (1, 20):
            obj.location.x += 0.3
            getattr(obj, turned)[2] += 0.2
            obj.keyframe_insert("location", frame=frame)
            obj.keyframe_insert(turned, frame=frame)
        obj.keyframe_insert("color", frame=3)
        scene.frame_set(4)
        make_active(obj)
        seen.ask(api.generate_walk, obj, use_network=False, stand_on=carrier, **given)
        seen.bones(f"{number} ", FRAMES)
        seen.note("location", [list(obj.location), obj.neurarig.walk.error, list(obj.neurarig.standing.own)])
        seen.ask(api.bake_walk, obj, frame_start=1, frame_end=8)
        seen.look(*FRAMES)
        seen.ask(api.remove_walk, obj)
        seen.look(4)


def led(seen: Seen) -> None:
    """Walk along a curve over ground there, look at something, and take prints in hand."""
    obj = set_up("animated")
    things = [
        curve([(0.0, 0.0), (0.5, -2.0), (2.0, -4.0)], "BEZIER"),
        sheet("Ground", lambda x, y: 0.06 * x - 0.03 * y, reach=8.0, cells=16),
    ]
    thing = linked("Thing", None)
    thing.location = (1.0, -3.0, 2.0)
    seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=things[0], ground=things[1], look_at=thing)
    seen.look(*FRAMES)
    for handle in seen.ask(api.take_prints, obj, [("LEFT", 2), ("RIGHT", 3)]) and api.take_prints(obj, [("LEFT", 2)]):
        handle.location.x += 0.1
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, frame_start=3, frame_end=9)
    seen.look(*FRAMES)
    seen.ask(api.remove_walk, obj)
    seen.look(5)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"used": used, "moved": moved, "led": led}
