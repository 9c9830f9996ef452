"""Recipes with things, followed by mouse in a window, sentence by sentence, with pictures of what is then
seen: docs/images/followed_NAME.

Run by Blender in a window (see `panels`), after `demo.recipes` has made the character; `-- NAME ...` after
the script: only those. Each page of docs/recipes names the buttons that are clicked here, and no other is.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import bpy
from mathutils import Euler, Vector

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from demo.stage import armchair, box_and_table, disc, stairs  # noqa: E402
from demo.window import ANSWER, LAST, Wait, Window, play  # noqa: E402
from neurarig_addon.blender import registration  # noqa: E402

# of a picture
KEPT = ("-gravity", "East", "-crop", "1250x840+0+0", "+repage", "-resize", "900", "-quality", "82")
FIRST, CHECK = 0.28, 0.45  # of the sidebar's width: the first of two buttons, and a box to tick
MODES = ("IN_PLACE", "TRAVEL", "PATH")


def hero() -> bpy.types.Object:
    """Return the character."""
    return bpy.data.objects["Walker"]


def walk() -> bpy.types.PropertyGroup:
    """Return the settings of its walk."""
    return hero().neurarig.walk


def generate(window: Window, mode: str) -> Wait:
    """*Generate Walk*, then *Travel* or *Path*."""
    yield from window.press("generate_walk")
    yield from window.choose("walk.mode", MODES.index(mode), len(MODES))
    assert walk().live and walk().mode == mode


def add_act(window: Window, kind: str, place: Vector) -> Wait:
    """*Add Act*, and a click on what is at a place."""
    window.y = window.window.height  # the button is found from above
    yield from window.find("add_act", FIRST)
    yield from window.click()
    yield from window.over(place)
    yield ANSWER
    yield from window.click()
    assert walk().acts[-1].kind == kind, walk().acts[-1].kind


def mark(window: Window) -> Wait:
    """Walk to a mark and stop: the new curve's last point is dragged to it."""
    place = disc("Mark", 1.2, -3.6, 0.26).matrix_basis.translation + Vector((1.2, -3.6, 0.0))
    yield from window.press("generate_walk")
    yield from window.choose("walk.mode", MODES.index("PATH"), len(MODES))
    yield from window.press("add_path", LAST)
    path = walk().path
    assert path is not None and bpy.context.view_layer.objects.active == path
    end = (
        path.data.splines[0].bezier_points
        if path.data.splines[0].bezier_points
        else path.data.splines[0].points
    )
    last = path.matrix_world @ end[-1].co.to_3d()
    yield from window.over(last)
    yield from window.keys("Tab")
    yield from window.click()
    yield from window.drag("g", last, place)
    yield from window.find("is_due", CHECK)
    yield from window.click()
    yield from window.set_number("walk.arrive", 100)
    assert walk().is_due and walk().arrive == 100.0
    bpy.context.scene.frame_set(62)


def flight(window: Window) -> Wait:
    """Stairs: the new curve leads across them, and they are the ground."""
    steps = stairs()
    yield from generate(window, "PATH")
    yield from window.press("add_path", LAST)
    yield from window.open("Path & Ground")
    yield from window.set_object("walk.ground", steps)
    assert walk().ground == steps
    bpy.context.scene.frame_set(84)


def box(window: Window) -> Wait:
    """Carry a box to a table."""
    thing, table = box_and_table()
    yield from generate(window, "TRAVEL")
    yield from add_act(window, "PICK_UP", thing.location)
    yield from add_act(window, "PUT_DOWN", table.location)
    assert walk().acts[0].hand == "BOTH" and walk().acts[1].place == table
    bpy.context.scene.frame_set(130)


def sit(window: Window) -> Wait:
    """Sit down in a chair."""
    chair = armchair()
    yield from generate(window, "TRAVEL")
    yield from add_act(window, "SIT", chair.location)
    yield from window.set_number("seconds", 1.5)
    assert walk().acts[0].seconds == 1.5
    bpy.context.scene.frame_set(190)


def footprint(window: Window) -> Wait:
    """Move a footprint beside a puddle."""
    yield from generate(window, "TRAVEL")
    yield from window.open("Path & Ground")
    yield from window.open("Footprints")
    yield from window.scroll()
    yield from window.find("show_footprints")
    yield from window.click()
    bpy.context.scene.frame_set(50)  # on the right foot
    yield from window.press("edit_footprints", FIRST)
    empty = next(item.object for item in walk().prints if item.side == "RIGHT")
    stood = empty.matrix_world.translation.copy()
    bpy.context.scene.frame_set(30)
    yield 2 * ANSWER
    yield from window.pick(empty)
    disc("Puddle", stood.x, stood.y, 0.19)
    yield from window.drag("g", stood, stood + Vector((-0.26, 0.0, 0.0)))
    yield from window.over(stood + Vector((-0.5, 0.0, 0.0)))
    yield from window.keys("r", "z", "2", "0", "Return")
    assert walk().show_footprints and abs(empty.matrix_world.translation.x - stood.x) > 0.1
    yield from window.press("put_away_footprints", FIRST)
    assert all(item.object is None for item in walk().prints)
    bpy.context.scene.frame_set(54)


FOLLOWED: dict[str, Callable[[Window], Wait]] = {
    "mark": mark,
    "stairs": flight,
    "box": box,
    "sit": sit,
    "footprint": footprint,
}


def follow(name: str) -> Wait:
    """Open a scene with the character alone, follow a recipe, and take its picture."""
    bpy.ops.wm.open_mainfile(
        filepath=str(REPOSITORY / "out" / "recipes" / "make_character.blend"), use_scripts=True
    )
    yield ANSWER
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.object.select_all(action="DESELECT")
    hero().select_set(True)
    bpy.context.view_layer.objects.active = hero()
    window = Window()
    space = window.area.spaces.active
    space.shading.color_type = "VERTEX"
    space.overlay.show_bones = False
    space.region_3d.view_rotation = Euler((1.2, 0.0, 0.7)).to_quaternion()
    space.region_3d.view_location, space.region_3d.view_distance = Vector((1.0, -1.7, 0.6)), 8.0
    with bpy.context.temp_override(window=window.window, area=window.area, region=window.region("WINDOW")):
        bpy.ops.screen.screen_full_area()
    yield ANSWER
    window = Window()
    yield from window.show_tab()
    yield from FOLLOWED[name](window)
    yield 2 * ANSWER
    window.shot(REPOSITORY / "docs" / "images" / f"followed_{name}.webp", "", *KEPT)


def story() -> Wait:
    """Follow all recipes, or those that are named."""
    registration.register()
    named = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    for name in named or FOLLOWED:
        yield from follow(name)
        print("Followed:", name, flush=True)


play(story)  # REAL_BLENDER_READY is made at its end
