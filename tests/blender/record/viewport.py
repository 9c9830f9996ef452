"""What is drawn in the viewport and picked there: soles, their numbers, targets, a profile's curves."""

from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import draw as target_draw
from neurarig_addon.blender.walk.source import source
from neurarig_addon.blender.walk.ui import pictures, print_drawing
from neurarig_addon.blender.walk.ui.operators import pick
from tests.blender.drawing import stand_in
from tests.blender.record.characters import RIGS, walker
from tests.blender.record.poses import move
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.screen import FROM_ABOVE, PREFERENCES, REGION, VIEW, Noted, screen, shown_in
from tests.rigs import make_active


def drawn(seen: Seen, what: str, **context: Any) -> None:
    """Note what is drawn of footprints."""
    calls: list[tuple[str, list[Any]]] = []
    with screen(calls, print_drawing, **context):
        print_drawing._draw_soles()
        print_drawing._draw_labels()
    seen.note(what, calls)


def marked(seen: Seen, what: str, **context: Any) -> None:
    """Note what is drawn of targets."""
    calls: list[tuple[str, list[Any]]] = []
    with screen(calls, target_draw, **context):
        target_draw._draw_lines()
        target_draw._draw_names()
    seen.note(what, calls)


def handlers(seen: Seen, drawing: Any) -> None:
    """Note when a module begins and ends to draw, without a window and with one."""
    calls: list[tuple[str, list[Any]]] = []
    types = SimpleNamespace(SpaceView3D=Noted(calls, "space"))
    for background in (True, False):
        with patch.object(drawing, "bpy", SimpleNamespace(app=SimpleNamespace(background=background), types=types)):
            drawing.register()
            seen.note("drawing", len(drawing._handles))
            drawing.unregister()
            seen.note("drawing", len(drawing._handles))
    seen.note("handlers", [(name, [each for each in given if isinstance(each, str)]) for name, given in calls])


def soles(seen: Seen) -> None:
    """Draw the footprints of two characters, some of them edited or out of reach, on several frames and beside what hides them."""
    other = walker("other", use_network=False)
    obj = walker()
    scene = bpy.context.scene
    scene.frame_end = 50
    drawn(seen, "none asked for")
    for each in (obj, other):
        each.neurarig.walk.show_footprints = True
    drawn(seen, "two")
    drawn(seen, "two again")
    for frame in (30, 300, -20):
        scene.frame_set(frame)
        drawn(seen, f"on {frame}")
    obj.neurarig.walk.speed = 1.5
    bpy.context.view_layer.update()
    drawn(seen, "faster")
    scene.frame_set(20)
    handles = api.take_prints(obj, [("LEFT", 2), ("RIGHT", 3)])
    handles[0].location.x += 0.1
    handles[1].location.y -= 3.0
    bpy.context.view_layer.update()
    drawn(seen, "out of reach")
    drawn(seen, "no overlays", space_data=shown_in(overlays=False))
    drawn(seen, "no space", space_data=None)
    drawn(seen, "no view", region_data=None)
    drawn(seen, "no region", region=None)
    other.hide_set(True)
    drawn(seen, "one hidden")
    obj.neurarig.walk.mode = "IN_PLACE"
    bpy.context.view_layer.update()
    drawn(seen, "in place")
    scene.frame_start, scene.frame_end = 1, 40_000
    obj.neurarig.walk.mode = "TRAVEL"
    bpy.context.view_layer.update()
    seen.note("many", len(print_drawing.shown(obj, scene, source.source_of(obj, scene)).keys))
    handlers(seen, print_drawing)


def targets(seen: Seen) -> None:
    """Draw the targets of two characters: dragged out of reach, hidden, off, selected, following objects and bones."""
    obj, other = RIGS["animated"](), RIGS["other"]()
    other.name = "Other"
    marked(seen, "none")
    for each in (obj, other):
        make_active(each)
        api.pose_targets(each, "MAIN")
    marked(seen, "at rest")
    move(obj, 4.0)
    marked(seen, "out of reach")
    own = obj.neurarig.neural_pose
    for item in own.targets[1:4]:
        item.object.select_set(True)
    own.targets[1].object.hide_set(True)
    own.targets[2].use = False
    seen.ask(api.choose_target, obj, "head", other, "Head")
    other.select_set(True)
    bpy.context.view_layer.update()
    marked(seen, "chosen")
    obj.scale = (1.5, 1.5, 1.5)
    own.in_front = not own.in_front
    bpy.context.view_layer.update()
    seen.look(1)
    marked(seen, "in front")
    bpy.context.scene.unit_settings.scale_length = 0.5
    marked(seen, "other units")
    other.neurarig.neural_pose.show_lines = False
    marked(seen, "one")
    own.live = False
    marked(seen, "paused")
    own.live = True
    bpy.data.objects.remove(own.targets[0].object)
    for name, context in {
        "gone": {},
        "no overlays": {"space_data": shown_in(overlays=False)},
        "no extras": {"space_data": shown_in(extras=False)},
        "no space": {"space_data": None},
        "no view": {"region_data": None},
        "no region": {"region": None},
    }.items():
        marked(seen, name, **context)
    handlers(seen, target_draw)


def picked(seen: Seen) -> None:
    """Click footprints, beside them, with Shift, and leave by Esc."""
    obj = walker()
    scene = bpy.context.scene
    scene.frame_end = 40
    bpy.context.view_layer.update()
    calls: list[tuple[str, list[Any]]] = []
    area = SimpleNamespace(type="VIEW_3D", tag_redraw=Noted(calls, "redraw"))
    context = SimpleNamespace(
        scene=scene, region=REGION, region_data=VIEW, area=area, view_layer=bpy.context.view_layer, preferences=PREFERENCES,
        mode=bpy.context.mode, window=Noted(calls, "window"), window_manager=Noted(calls, "manager"), active_object=obj, object=obj,
        selected_objects=[obj],
    )  # fmt: skip
    for x in range(0, 960, 60):
        for y in range(0, 760, 95):
            seen.note(f"under {x} {y}", pick.print_under(context, obj, (x, y)))
    for name in ("region", "region_data"):
        seen.note(f"no {name}", pick.print_under(SimpleNamespace(**{**vars(context), name: None}), obj, (300, 300)))
    behind = SimpleNamespace(**{**vars(context), "region_data": SimpleNamespace(perspective_matrix=-FROM_ABOVE)})
    seen.note("behind", pick.print_under(behind, obj, (300, 300)))
    prints = print_drawing.shown(obj, scene, pick.walk_source.source_of(obj, scene))
    where, rows = pick.on_screen(prints.places, FROM_ABOVE, (REGION.width, REGION.height))
    seen.note("on screen", [where, rows.astype(float)])
    told: list[tuple[Any, ...]] = []
    kind = bpy.types.NEURARIG_OT_pick_footprint
    seen.note("can pick", [kind.poll(context), kind.poll(SimpleNamespace(**{**vars(context), "area": None}))])
    own = stand_in(kind, None, report=lambda *said: told.append(said))
    event = SimpleNamespace(type="LEFTMOUSE", value="PRESS", shift=False, mouse_x=0, mouse_y=0)
    seen.ask(own.invoke, context, event)
    places = [tuple(int(value) for value in where[row] + (REGION.x, REGION.y)) for row in rows[:3]]
    for shift, (x, y) in ((True, places[0]), (True, places[1]), (False, places[2]), (False, (5000, 5000))):
        event = SimpleNamespace(type="LEFTMOUSE", value="PRESS", shift=shift, mouse_x=x, mouse_y=y)
        seen.ask(own.modal, context, event)
        seen.look(1)
    for button, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "RELEASE"), ("RIGHTMOUSE", "PRESS"), ("ESC", "PRESS")):
        seen.ask(own.modal, context, SimpleNamespace(type=button, value=value, shift=False, mouse_x=1, mouse_y=1))
    obj.neurarig.walk.mode = "IN_PLACE"
    bpy.context.view_layer.update()
    seen.ask(own.modal, context, SimpleNamespace(type="LEFTMOUSE", value="PRESS", shift=False, mouse_x=places[0][0], mouse_y=places[0][1]))
    seen.ask(own.act, context, obj)
    seen.note("window", [[name for name, _ in calls], [str(said) for said in told]])


class Icons(dict):
    """Previews that note their pixels."""

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen

    def new(self, _key: str) -> SimpleNamespace:
        pixels = SimpleNamespace(foreach_set=lambda values: self.seen.note("pixels", values[:: 4 * 37].astype(float)))
        self[_key] = SimpleNamespace(image_size=(0, 0), image_pixels_float=pixels, icon_id=7)
        return self[_key]


def curved(seen: Seen) -> None:
    """Draw the curves of each binding of a profile, of a wrong one, and of one that cannot be evaluated."""
    obj = walker()
    make_active(obj)
    api.use_profile(obj, "Plain Biped")
    settings = obj.neurarig.walk
    with patch.object(pictures, "_icons", Icons(seen)), patch.object(bpy.utils.previews, "remove", lambda _: None):
        for binding in [each.name for each in pictures.profile_gait(settings).profile.bindings]:
            seen.ask(partial(setattr, settings, "profile_binding", binding))
            seen.note(binding, vars(pictures.curves_of(obj)))
            found = seen.ask(pictures.curves, settings, 24)
            seen.note(binding, None if found is None else [found[0], found[1].astype(float)])
            seen.panels(binding)
        seen.note("again", vars(pictures.curves_of(obj)))
        settings.leg_length = 0.0
        seen.note("unmeasured", vars(pictures.curves_of(obj)))
        text = settings.profile
        for wrong in ("{}", text.replace("foot_l", "leg_l")):
            settings.profile = wrong
            seen.note("wrong", vars(pictures.curves_of(obj)))
            seen.panels("wrong")


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"soles": soles, "targets": targets, "picked": picked, "curves": curved}
