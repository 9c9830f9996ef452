"""Footprints clicked in a window: left by Esc, undone in between, and of a character that a script deletes
meanwhile."""

import sys
from pathlib import Path

import bpy
import numpy as np
from bl_ext.user_default.neurarig.neurarig_addon.blender.interface.screen import on_screen
from bl_ext.user_default.neurarig.neurarig_addon.blender.walk.source import source
from bl_ext.user_default.neurarig.neurarig_addon.blender.walk.ui import print_drawing

sys.path.insert(0, str(Path(__file__).resolve().parent))

from telling import Story, press, tell, until, view, window, working

PICK = "NEURARIG_OT_pick_footprint"


def character() -> bpy.types.Object:
    return bpy.data.objects["Character"]


def begin() -> Story:
    """Begin to pick."""
    with view():
        assert bpy.ops.neurarig.pick_footprint("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: PICK in working(), "picking begins")


def click() -> None:
    """Click the footprint nearest to the middle of the view, with Shift."""
    obj, scene = character(), bpy.context.scene
    with view():
        region, area = bpy.context.region, bpy.context.area
        places = print_drawing.shown(obj, scene, source.source_of(obj, scene)).places
        where, rows = on_screen(places, region, area.spaces.active.region_3d)
        middle = np.array([region.width, region.height]) / 2.0
        nearest = min(where[rows], key=lambda place: np.abs(place - middle).max())
        x, y = (int(value) for value in nearest + (region.x, region.y))
    for value in ("PRESS", "RELEASE"):
        window().event_simulate("LEFTMOUSE", value, x=x, y=y, shift=True)


def edited() -> int:
    return len(character().neurarig.walk.prints)


def story() -> Story:
    bpy.context.view_layer.objects.active = character()
    with view():
        assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
        character().neurarig.walk.mode = "TRAVEL"
        bpy.ops.view3d.view_axis(type="TOP")
        bpy.ops.view3d.view_all()
        bpy.ops.ed.undo_push(message="Walk")
    yield 1.0

    yield from begin()
    press("ESC")
    yield from until(lambda: not working(), "Esc ends it")

    yield from begin()
    click()
    yield from until(lambda: edited() == 1, "a print is clicked")
    press("Z", ctrl=True)
    yield from until(lambda: edited() == 0, "undo takes it back")
    click()
    yield from until(lambda: edited() == 1, "it is clicked again")
    assert PICK in working(), "with Shift it goes on"

    bpy.data.objects.remove(character())
    yield 0.5
    with view():
        x, y = (
            bpy.context.area.x + bpy.context.area.width // 2,
            bpy.context.area.y + bpy.context.area.height // 2,
        )
    window().event_simulate("LEFTMOUSE", "PRESS", x=x, y=y)
    window().event_simulate("LEFTMOUSE", "RELEASE", x=x, y=y)
    yield from until(lambda: not working(), "a deleted character ends it")


tell(story())
