"""Footprints: edited by numbers, in hand, mirrored, copied, saved, loaded, put away, reset."""

from functools import partial

import bpy

from neurarig_addon.blender import api
from tests.blender.leading import linked, sheet
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.walks import walker
from tests.compare.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 20, 40.5, 70)


def edited(seen: Seen) -> None:
    """Edit prints by numbers, and in ways that are refused; mirror, copy, save and load them."""
    obj = walker(seen)
    for side, number, values in (
        ("LEFT", 2, {"along": 0.1, "aside": 0.05}),
        ("RIGHT", 1, {"yaw": 0.3, "height": 0.1, "slope": 0.1, "bank": -0.1}),
        ("LEFT", 3, {"touch": 0.05, "lift": -0.05}),
        ("RIGHT", 2, {"held": True}),
        ("LEFT", 4, {"on_ground": True}),
        ("BOTH", 2, {"along": 0.1}),
        ("LEFT", -1, {"along": 0.1}),
        ("LEFT", 2, {"wings": 1.0}),
        ("LEFT", 2, {"along": 50.0}),
        ("LEFT", 2, {"yaw": float("nan")}),
    ):
        seen.ask(api.edit_print, obj, side, number, **values)
    seen.look(*FRAMES)
    seen.ask(api.add_print, obj, "RIGHT", 2)
    seen.look(*FRAMES)
    seen.ask(api.mirror_prints, obj, [("LEFT", 2)])
    seen.look(*FRAMES)
    path = seen.folder / "prints.json"
    seen.ask(api.save_prints, obj, path)
    seen.note("saved", path.read_text())
    seen.ask(api.reset_prints, obj, [("LEFT", 2)])
    seen.look(*FRAMES)
    seen.ask(api.reset_prints, obj)
    seen.ask(api.load_prints, obj, path)
    seen.look(*FRAMES)
    path.write_text("{}")
    seen.ask(api.load_prints, obj, path)


def dragged(rig: str, seen: Seen) -> None:
    """Take prints in hand over a hill, and drag, key, hang and delete them."""
    obj = walker(seen, rig)
    hill = sheet("Hill", lambda x, y: 0.05 * x - 0.05 * y, reach=6.0, cells=6)
    bpy.context.scene.frame_end = 60
    bpy.context.scene.frame_set(20)
    make_active(obj)
    obj.neurarig.walk.ground = hill
    seen.press("edit_footprints")
    seen.look(*FRAMES)
    for number, handle in enumerate(list(bpy.context.selected_objects)):
        handle.location.x += 0.05 * (number + 1)
        handle.rotation_euler.z += 0.2
        handle.rotation_euler.x += 0.1
        handle.location.z += 0.04
        bpy.context.view_layer.update()
    seen.look(*FRAMES)
    for button in ("mirror_footprints", "lay_footprints", "neighbour_footprints", "copy_footprints"):
        seen.press(button)
        seen.look(*FRAMES[:2])
    held = [item.object for item in obj.neurarig.walk.prints if item.object]
    crate = linked("Crate", None)
    held[0].parent = crate
    bpy.context.view_layer.update()
    crate.location.y = -0.05
    held[1].keyframe_insert("location", frame=1)
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    bpy.data.objects.remove(held[-1])
    obj.neurarig.walk.speed = 0.9
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(24)
    seen.look(*FRAMES)
    make_active(obj)
    for button, given in (
        ("put_away_footprints", {}),
        ("edit_footprints", {"which": "RANGE"}),
        ("reset_footprints", {"every": True}),
    ):
        seen.press(button, **given)
        seen.look(*FRAMES)
    seen.press("remove_walk")
    seen.look(20)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {"edited": edited, **{f"dragged on {rig}": partial(dragged, rig) for rig in ("bones", "metarig")}}
