"""Acts added by pointing in a window: a stool, a wall, what cannot be done, Esc and undo; and their bars
dragged in the dope sheet."""

import sys
from pathlib import Path

import bpy
from bl_ext.user_default.neurarig.neurarig_addon.blender.walk.ui import bars_drawing
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))

from telling import Story, press, tell, until, view, window, working

TOOL = "NEURARIG_OT_add_act"


def acts() -> list[tuple[str, str]]:
    """Return the acts of the character, each with its thing."""
    return [
        (item.kind, item.thing.name if item.thing else "")
        for item in bpy.data.objects["Character"].neurarig.walk.acts
    ]


def block(name: str, place: tuple[float, float, float], size: tuple[float, float, float]) -> None:
    """Add a box at a place."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    made = bpy.context.object
    made.name, made.scale = name, size


def mouse(kind: str, value: str, place: tuple[float, float, float]) -> None:
    """Have the mouse do something over a place of the scene."""
    with view():
        region = bpy.context.region
        seen = location_3d_to_region_2d(region, bpy.context.region_data, Vector(place))
        x, y = round(region.x + seen.x), round(region.y + seen.y)
    window().event_simulate(kind, value, x=x, y=y)


def point(place: tuple[float, float, float], *keys: str) -> Story:
    """Begin the tool, turn to another act with keys, and click a place."""
    with view():
        assert bpy.ops.neurarig.add_act("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: TOOL in working(), "the tool begins")
    mouse("MOUSEMOVE", "NOTHING", place)
    yield 0.5
    for key in keys:
        mouse(key, "PRESS", place)
        yield 0.1
    for value in ("PRESS", "RELEASE"):
        mouse("LEFTMOUSE", value, place)
    yield 0.5


def largest() -> bpy.types.Area:
    """Return the largest area of the window: the 3D view, or what is put in its place."""
    return max(window().screen.areas, key=lambda area: area.width * area.height)


def wave() -> bars_drawing.DrawnBar:
    """Return the bar of the last act as it is drawn in the dope sheet."""
    area = largest()
    region = next(region for region in area.regions if region.type == "WINDOW")
    bar = next(one for one in bars_drawing.drawn_in(region) if one.bar.name == "Wave")
    left, right, low, high = bar.place
    return bar._replace(place=(region.x + left, region.x + right, region.y + low, region.y + high))


def drag() -> Story:
    """Drag the bar of the last act to the right, take that back, and click beside it."""
    largest().type = "DOPESHEET_EDITOR"
    bpy.ops.ed.undo_push(message="Wave")
    yield 1.0
    begin, (left, right, low, high) = wave().bar.begin, wave().place
    x, y = round(0.5 * (left + right)), round(0.5 * (low + high))
    for kind, value, at in (
        ("MOUSEMOVE", "NOTHING", x),
        ("LEFTMOUSE", "PRESS", x),
        ("MOUSEMOVE", "NOTHING", x + 4),
        ("MOUSEMOVE", "NOTHING", x + 12),
        ("LEFTMOUSE", "RELEASE", x + 12),
    ):
        window().event_simulate(kind, value, x=at, y=y)
        yield 0.2
    yield from until(lambda: wave().bar.begin > begin + 2.0 and not working(), "the bar is dragged")
    bpy.ops.ed.undo()
    yield from until(lambda: wave().bar.begin == begin, "undo takes it back")
    window().event_simulate("MOUSEMOVE", "NOTHING", x=x, y=y + 60)
    window().event_simulate("LEFTMOUSE", "PRESS", x=x, y=y + 60)
    yield 0.2
    assert "NEURARIG_OT_retime" not in working(), "beside a bar the mouse is Blender's"
    window().event_simulate("LEFTMOUSE", "RELEASE", x=x, y=y + 60)
    yield 0.2
    largest().type = "VIEW_3D"
    yield 1.0


def story() -> Story:
    for area in window().screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.show_region_ui = False
    with view():
        block("Stool", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45))
        block("Wall", (0.0, -6.0, 1.0), (2.0, 0.1, 2.0))
        hero = bpy.data.objects["Character"]
        bpy.context.view_layer.objects.active = hero
        assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
        hero.neurarig.walk.mode = "TRAVEL"
        bpy.ops.view3d.view_axis(type="RIGHT")
        bpy.ops.view3d.view_all()
        bpy.ops.ed.undo_push(message="Walk")
    yield 1.0

    yield from point((0.2, -3.0, 0.3))
    yield from until(lambda: acts() == [("SIT", "Stool")] and not working(), "the stool is clicked")
    press("Z", ctrl=True)
    yield from until(lambda: acts() == [], "undo takes it back")
    press("Z", ctrl=True, shift=True)
    yield from until(lambda: acts() == [("SIT", "Stool")], "redo gives it back")
    press("Z", ctrl=True)
    yield from until(lambda: acts() == [], "undo takes it back again")

    yield from point((1.0, -6.0, 1.4), "TAB", "TAB", "TAB")
    assert acts() == [] and TOOL in working(), "what cannot be done stays to be pointed at"
    press("ESC")
    yield from until(lambda: not working(), "Esc ends it")

    yield from point((1.0, -6.0, 1.4))
    yield from until(lambda: acts() == [("TOUCH", "Wall")] and not working(), "the wall is touched")
    with view():
        bpy.ops.neurarig.add_act(kind="WAVE", distance=1.0)
    assert acts()[-1] == ("WAVE", ""), "a script adds without pointing"

    yield from drag()

    with view():
        bpy.ops.neurarig.add_act("INVOKE_DEFAULT")
    yield from until(lambda: TOOL in working(), "the tool begins again")
    bpy.data.objects.remove(bpy.data.objects["Character"])
    mouse("MOUSEMOVE", "NOTHING", (0.0, -3.0, 0.3))
    yield from until(lambda: not working(), "a deleted character ends it")


tell(story())
