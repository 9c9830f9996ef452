"""The order in which the add-on's parts are registered."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from types import ModuleType

import bpy
from bpy.app import handlers as app
from bpy.app.handlers import persistent

from .character import hanging, record
from .live import handlers


def _parts(*names: str) -> list[ModuleType]:
    return [import_module(f".{name}", __package__) for name in names]


# Properties first: everything else reads them.  Handlers after what they call, the command line last.
PARTS = _parts(
    "interface.language",
    "properties",
    "interface.work",
    "interface.exporters",
    "interface.characters",
    "rig.operators",
    "keys.operators",
    "hands.operators",
    "follow.operators",
    "walk.ui.operators.walk",
    "walk.ui.operators.way",
    "walk.ui.operators.acts",
    "walk.ui.operators.bars",
    "walk.ui.operators.bake",
    "walk.ui.operators.presets",
    "walk.ui.operators.footprints",
    "walk.ui.operators.pick",
    "walk.ui.operators.profile",
    "crowd.operators",
    "learning.operators",
    "retarget.operators",
    "neural_pose.operators.targets",
    "neural_pose.operators.solving",
    "neural_pose.operators.poses",
    "sets.operators",
    "engine.operators",
    "walk.ui.pictures",
    # in their order in the tab
    "walk.ui.panel.walk",
    "walk.ui.panel.manner",
    "walk.ui.panel.sliders",
    "walk.ui.panel.way",
    "walk.ui.panel.results",
    "walk.ui.panel.advanced",
    "follow.panel",
    "crowd.panel",
    "retarget.panel",
    "neural_pose.panel",
    "rig.panel",
    "engine.panel",
    "interface.menus",
    "preferences",
    "interface.keymap",
    "live.handlers",
    "cli",
)
# What follows characters, draws in the viewport, or sends poses: from the first character that the file has.
FOLLOWING = _parts(
    "walk.show.live",
    "retarget.live",
    "neural_pose.live",
    "neural_pose.over_live",
    "follow.own_live",
    "neural_pose.selection",
    "walk.ui.print_drawing",
    "walk.ui.bars_drawing",
    "neural_pose.draw",
    "engine.link",
)
_registered: list[ModuleType] = []
# what classes are, by what Blender has in the names of such
_KINDS = {"OT": "Operator", "PT": "Panel", "UL": "UIList"}
_count = -1  # objects of the file when characters were last looked for


@cache
def _classes_of(part: ModuleType) -> list[type]:
    """Return the classes of a part that Blender is to know, in their order.

    One with the name of an operator, a panel or a list becomes one here: its bases are ours, which may
    declare properties.
    """
    dir(part)  # reads what is left for later
    found = []
    for name, kind in vars(part).items():
        if name.startswith("NEURARIG_") and getattr(kind, "__module__", "") == part.__name__:
            base = getattr(bpy.types, _KINDS.get(name[9:11], ""), kind)
            found.append(kind if issubclass(kind, base) else type(name, (kind, base), {}))
    return found


def _add(parts: Iterable[ModuleType]) -> None:
    for part in parts:
        for kind in _classes_of(part):
            bpy.utils.register_class(kind)
        handlers.add(getattr(part, "HANDLERS", ()))
        getattr(part, "register", bool)()
        _registered.append(part)


@persistent
def _look(*_: object) -> None:
    """Register what follows characters, once the file has one."""
    if len(_registered) == len(PARTS) and any(
        obj.type == "ARMATURE" and (record.is_attached(obj) or hanging.is_layer(obj))
        for obj in bpy.data.objects
    ):
        _add(FOLLOWING)


@persistent
def _look_if_more(*_: object) -> None:
    global _count
    if len(bpy.data.objects) != _count:
        _count = len(bpy.data.objects)
        _look()


_HANDLERS = (
    *((when, _look) for when in (app.load_post, app.undo_post, app.redo_post)),
    *((when, _look_if_more) for when in (app.depsgraph_update_post, app.frame_change_pre)),
    (record.changes.listeners, _look),
)


def register() -> None:
    """Register every part that is there without a character; the open file is looked at later, as Blender
    hides it from an add-on that is being enabled."""
    _add(PARTS)
    handlers.add(_HANDLERS)
    bpy.app.timers.register(_look)


def unregister() -> None:
    """Unregister every part, in reverse order."""
    global _count
    _count = -1
    handlers.remove(_HANDLERS)
    while _registered:
        part = _registered.pop()
        getattr(part, "unregister", bool)()
        handlers.remove(getattr(part, "HANDLERS", ()))
        for kind in reversed(_classes_of(part)):
            bpy.utils.unregister_class(kind)
