"""Footprints in hand: taken, dragged, carried, snapped, mirrored, copied, saved, loaded, put away, reset."""

from functools import partial

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import prints
from tests.blender.leading import linked, sheet
from tests.blender.record.characters import walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 20, 40.5, 70)


def dragged(seen: Seen, **settings: object) -> None:
    """Take prints in hand by the buttons, and drag, key, hang and delete them."""
    obj = walker(**settings)
    bpy.context.scene.frame_end = 60
    bpy.context.scene.frame_set(20)
    seen.press("edit_footprints")
    seen.look(*FRAMES)
    for number, handle in enumerate(list(bpy.context.selected_objects)):
        handle.location.x += 0.05 * (number + 1)
        handle.rotation_euler.z += 0.2
        handle.rotation_euler.x += 0.1
        handle.location.z += 0.04
        bpy.context.view_layer.update()
    seen.look(*FRAMES)
    for button in ("mirror_footprints", "lay_footprints", "neighbour_footprints"):
        seen.press(button)
        seen.look(*FRAMES)
    held = [item.object for item in obj.neurarig.walk.prints if item.object]
    crate = linked("Crate", None)
    held[0].parent = crate
    bpy.context.view_layer.update()
    crate.location.y = -0.05
    held[1].location.y -= 0.1
    held[1].keyframe_insert("location", frame=1)
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    bpy.data.objects.remove(held[2])
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(24)
    seen.look(*FRAMES)
    obj.neurarig.walk.speed = 0.9
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    make_active(held[0])
    seen.press("reset_footprints")
    make_active(obj)
    seen.press("put_away_footprints")
    seen.look(*FRAMES)
    seen.press("edit_footprints", which="RANGE")
    seen.look(*FRAMES)
    seen.press("reset_footprints", every=True)
    seen.look(*FRAMES)
    seen.press("edit_footprints")
    seen.press("remove_walk")
    seen.look(*FRAMES)


def edited(seen: Seen) -> None:
    """Edit prints by numbers, and in all ways that are refused."""
    obj = walker()
    for side, number, values in (
        ("LEFT", 2, {"along": 0.1, "aside": 0.05}),
        ("RIGHT", 1, {"yaw": 0.3, "height": 0.1, "slope": 0.1, "bank": -0.1}),
        ("LEFT", 3, {"touch": 0.05, "lift": -0.05}),
        ("RIGHT", 2, {"held": True}),
        ("LEFT", 4, {"on_ground": True}),
        ("LEFT", 2, {"aside": -0.05}),
        ("BOTH", 2, {"along": 0.1}),
        ("LEFT", -1, {"along": 0.1}),
        ("LEFT", 2, {"wings": 1.0}),
        ("LEFT", 2, {"along": 50.0}),
        ("LEFT", 2, {"yaw": float("nan")}),
        ("LEFT", 10**7, {"along": 0.1}),
    ):
        seen.ask(api.edit_print, obj, side, number, **values)
    seen.look(*FRAMES)
    seen.ask(api.take_prints, obj, [("LEFT", 2), ("RIGHT", 1)])
    seen.look(*FRAMES)
    seen.ask(api.mirror_prints, obj, [("LEFT", 2)])
    seen.ask(api.mirror_prints, obj, [("LEFT", 9)])
    seen.ask(prints.lay_prints, obj, [("RIGHT", 1)])
    seen.note("between", prints.prints_between(obj, 1, 60))
    seen.note("neighbours", prints.neighbours([("LEFT", 2), ("RIGHT", 5)]))
    seen.look(*FRAMES)
    path = seen.folder / "prints.json"
    seen.ask(api.save_prints, obj, path)
    seen.note("saved", path.read_text())
    other = walker("other")
    seen.ask(api.copy_prints, obj, other)
    seen.ask(api.copy_prints, obj, obj)
    seen.look(*FRAMES)
    seen.ask(api.reset_prints, other)
    seen.ask(api.save_prints, other, path)
    seen.ask(api.load_prints, other, path)
    seen.look(*FRAMES)
    seen.ask(api.reset_prints, obj, [("LEFT", 2)])
    seen.ask(api.put_away_prints, obj)
    seen.look(*FRAMES)
    (seen.folder / "odd.json").write_text("{}")
    seen.ask(api.load_prints, obj, seen.folder / "odd.json")
    seen.ask(api.take_prints, obj, [("LEFT", number) for number in range(500)])
    seen.ask(api.generate_walk, obj, prints=path, speed=1.0)
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=30, keys="EDITABLE")
    seen.look(*FRAMES)


def on_ground(seen: Seen) -> None:
    """Take prints in hand on a hill that then changes."""
    obj = walker()
    hill = sheet("Hill", lambda x, y: 0.1 * x - 0.08 * y, reach=5.0, cells=10)
    make_active(obj)
    obj.neurarig.walk.ground = hill
    handles = seen.ask(api.take_prints, obj, [("LEFT", 1), ("RIGHT", 2)])
    handles[0].location.x += 0.15
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    seen.ask(api.edit_print, obj, "RIGHT", 2, on_ground=False, height=0.1)
    seen.look(*FRAMES)
    hill.location.z = 0.2
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    obj.neurarig.walk.ground = None
    seen.look(*FRAMES)


def in_place(seen: Seen) -> None:
    """Ask for prints of who walks in place, hops, runs, follows a clip."""
    obj = walker(mode="IN_PLACE")
    seen.press("edit_footprints")
    seen.ask(api.edit_print, obj, "LEFT", 1, along=0.1)
    seen.look(*FRAMES)
    seen.ask(api.generate_walk, obj, mode="TRAVEL", gait="HOP", hop_on="LEFT")
    seen.ask(api.take_prints, obj, [("RIGHT", 1)])
    seen.ask(api.edit_print, obj, "RIGHT", 1, along=0.1)
    seen.ask(api.take_prints, obj, [("LEFT", 2)])
    obj.neurarig.walk.show_footprints = True
    seen.look(*FRAMES)
    for button in ("mirror_footprints", "lay_footprints", "neighbour_footprints", "reset_footprints", "copy_footprints", "pick_footprint"):
        make_active(obj)
        seen.press(button)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        "dragged": dragged,
        "dragged on metarig": partial(dragged, make="metarig"),
        "edited": edited,
        "on ground": on_ground,
        "in place": in_place,
    }
