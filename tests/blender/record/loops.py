"""Loops of walks that repeat, and those that do not; steps that are added and taken out; the timeline's markers."""

from typing import Any

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import prints
from tests.blender.leading import curve, linked
from tests.blender.record.characters import walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 9, 20)


def loops(seen: Seen) -> None:
    """Ask for loops of walks that repeat on a closed path, that stand, and that do not repeat."""
    obj = walker("animated")
    action = bpy.data.actions["Own"]
    thing = linked("Thing", None)
    thing.location = (0.0, -5.0, 1.0)
    ring = curve([(0.0, 0.0), (0.0, -3.0), (2.0, -4.0), (4.0, -2.0), (2.0, 1.0)], "BEZIER", is_closed=True)
    line = curve([(0.0, 0.0), (0.0, -3.0)])
    plain = {"use_network": False, "mode": "TRAVEL", "speed": 1.0}

    def bake(name: str, **given: Any) -> None:
        seen.ask(api.generate_walk, obj, **plain, **given)
        action = seen.ask(api.bake_walk, obj, loop=True, keys="DENSE")
        seen.bones(f"{name} ", (1, 12))
        seen.note(name, [obj.neurarig.walk.live, list(action.frame_range) if action else None])
        obj.neurarig.walk.live = True
        if action:
            bpy.data.actions.remove(action)

    plain["mode"] = "PATH"
    bake("ring", path=ring)
    bake("ring, varied", path=ring, variation=1.0)
    bake("line", path=line, variation=0.0)
    plain["mode"] = "TRAVEL"
    plain["speed"] = 0.0
    bake("stands", idle=1.0)
    bake("still", idle=0.0)
    plain["speed"] = 1.0
    for name in ("look_at", "face", "stand_on"):
        bake(name, **{name: thing})
        setattr(obj.neurarig.walk, name, None)
    obj.neurarig.walk.keyframe_insert("energy", frame=3)
    bake("keyed")
    seen.ask(api.remove_walk, obj)
    obj.animation_data_clear()
    seen.ask(api.layer_action, obj, action)
    bake("layered")
    seen.ask(api.layer_action, obj, None)
    seen.ask(api.edit_print, obj, "LEFT", 2, aside=0.05)
    bake("edited")
    seen.press("add_footprint")
    seen.look(1, 30)
    seen.press("add_footprint")
    make_active(obj)
    seen.ask(api.add_print, obj, "RIGHT", 4)
    seen.ask(api.add_print, obj, "ARM", 1)
    seen.ask(api.edit_print, obj, "LEFT", 2, added=True)
    seen.note("stood on", [prints.stood_on(obj, frame) for frame in (1, 20, 33)])
    seen.look(1, 30)
    seen.press("copy_footprints")
    seen.ask(api.reset_prints, obj, [("LEFT", 3)])
    seen.ask(api.reset_prints, obj)
    seen.look(1, 30)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=40, keys="DENSE")
    for _ in range(2):
        seen.press("mark_timeline")
        seen.look(1)
    seen.press("resume_walk")
    seen.press("mark_timeline")
    seen.press("save_report", filepath=str(seen.folder / "report.json"))
    seen.look(1)


def held(seen: Seen) -> None:
    """Hang prints in hand on an object that is turned, move that, and put them away."""
    obj = walker()
    holder = linked("Holder", None)
    holder.location, holder.rotation_euler = (0.5, -0.5, 0.0), (0.0, 0.0, 0.7)
    for handle in api.take_prints(obj, [("LEFT", 2), ("RIGHT", 3)]):
        handle.parent = holder
    bpy.context.view_layer.update()
    seen.look(1, 30)
    holder.location.x += 0.05
    bpy.context.view_layer.update()
    seen.look(1, 30)
    make_active(obj)
    seen.press("put_away_footprints")
    seen.look(1, 30)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"of all": loops, "prints held": held}
