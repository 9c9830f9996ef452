"""What a click opens in a window: dialogs and what they draw, file browsers, work that goes on; what a button says of itself."""

from collections import defaultdict
from functools import partial
from types import SimpleNamespace
from typing import Any

import bpy

from tests.blender.drawing import Layout, stand_in
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.retargeting import actor
from tests.blender.situated import STATES
from tests.rigs import make_active

IN = ("free", "walks", "baked", "prints in hand", "in styles", "by a profile", "linked", "posed")
SOMETHING = ("nothing", "a mesh", "no biped", "prints in hand")
WRITTEN = {
    "filepath": "mine.json",
    "kind": "ROLES",
    "target": "DEFORM",
    "keys": "DENSE",
    "loop": True,
    "keep_pose": True,
    "keep_clip": True,
    "preset": "Brisk",
    "style": "Sad",
}


class Window:
    """A window manager that notes what is opened, begun and ended."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.window = None
        self.window_manager = self.workspace = self

    def __getattr__(self, name: str) -> Any:
        def noted(*given: object, **named: object) -> set[str]:
            self.opened.append(f"{name} {[each for each in given if isinstance(each, str | float)]} {sorted(named)}")
            return {"RUNNING_MODAL"}

        return noted


class Items(list):
    """A list of an operator's, as Blender has it."""

    def add(self) -> SimpleNamespace:
        self.append(SimpleNamespace(bl_rna=SimpleNamespace(properties=defaultdict(lambda: SimpleNamespace(name="")))))
        return self[-1]

    @property
    def values(self) -> list[list[str]]:
        return [[f"{name}={value}" for name, value in vars(item).items() if name != "bl_rna"] for item in self]


def opened(state: str, seen: Seen) -> None:
    """Click every button in a window, untouched and with its properties set, and draw its dialog."""
    STATES[state]()
    obj = bpy.context.view_layer.objects.active
    if obj is not None and obj.type == "ARMATURE" and not obj.neurarig.retarget.source:
        obj.neurarig.retarget.source = bpy.data.objects.get("Actor") or actor()[0]
        make_active(obj)
    for name in dir(bpy.types):
        if name.startswith("NEURARIG_OT_"):
            for is_set in (False, True):
                clicked(name, is_set, seen)


def off(state: str, seen: Seen) -> None:
    """Press every button that is off, which changes nothing and says why."""
    STATES[state]()
    for name in dir(bpy.types):
        if name.startswith("NEURARIG_OT_") and not getattr(bpy.ops.neurarig, name.removeprefix("NEURARIG_OT_")).poll():
            seen.press(name.removeprefix("NEURARIG_OT_"))
    seen.look(1)


def clicked(name: str, is_set: bool, seen: Seen) -> None:
    """Click one button, and draw its dialog."""
    kind, rna = getattr(bpy.types, name), getattr(bpy.ops.neurarig, name.removeprefix("NEURARIG_OT_")).get_rna_type()
    values = {prop.identifier: Items() if prop.type == "COLLECTION" else prop.default for prop in rna.properties if prop.type != "POINTER"}
    if is_set:
        values |= {each: value for each, value in WRITTEN.items() if each in values}
    if is_set and not any(each in values for each in WRITTEN):
        return
    window, told, widgets = Window(), [], []
    context = SimpleNamespace(
        **{each: getattr(bpy.context, each) for each in ("scene", "view_layer", "selected_objects", "object", "active_object", "mode")}
    )
    context.window_manager = context.workspace = window
    context.window = context.area = window
    own = stand_in(kind, Layout(widgets), execute=lambda _: {"FINISHED"}, report=lambda *said: told.append(said), **values)
    vars(own).update(properties=SimpleNamespace(is_property_set=lambda each: is_set and each in WRITTEN), bl_rna=rna)
    here = f"{name} {is_set}"
    if hasattr(kind, "description"):
        seen.note(f"{here} says", kind.description(bpy.context, SimpleNamespace(**values)))
    if "invoke" in dir(kind):
        event = SimpleNamespace(type="LEFTMOUSE", value="PRESS", shift=False, mouse_x=0, mouse_y=0)
        seen.note(f"{here} answers", seen.ask(own.invoke, context, event))
    if "draw" in dir(kind):
        seen.ask(own.draw, bpy.context)
    after = {each: getattr(own, each) for each in (*values, "in_window") if getattr(own, each, None) is not None}
    items = {each: value.values if isinstance(value, Items) else value for each, value in after.items()}
    seen.note(here, [window.opened, [str(said) for said in told], items, [repr(list(vars(widget).values())) for widget in widgets]])


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{state: partial(opened, state) for state in IN},
        **{f"off with {state}" if state in SOMETHING else f"off when {state}": partial(off, state) for state in STATES},
    }
