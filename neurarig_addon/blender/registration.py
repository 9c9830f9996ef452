"""The order in which the add-on's parts are registered."""

from collections.abc import Iterable
from functools import cache
from types import ModuleType

import bpy
from bpy.app import handlers as app
from bpy.app.handlers import persistent

from . import cli, preferences, properties
from .character import hanging, record
from .crowd import operators as crowd_operators
from .crowd import panel as crowd_panel
from .engine import link
from .engine import operators as engine_operators
from .engine import panel as engine_panel
from .follow import operators as follow_operators
from .follow import own_live
from .follow import panel as follow_panel
from .hands import operators as hands_operators
from .interface import characters, exporters, keymap, language, menus, work
from .keys import operators as keys_operators
from .learning import operators as learning_operators
from .live import handlers
from .neural_pose import draw as targets_draw
from .neural_pose import live as neural_pose_live
from .neural_pose import over_live as targets_over
from .neural_pose import panel as neural_pose_panel
from .neural_pose import selection as target_selection
from .neural_pose.operators import poses, solving, targets
from .retarget import live as retarget_live
from .retarget import operators as retarget_operators
from .retarget import panel as retarget_panel
from .rig import operators as rig_operators
from .rig import panel as rig_panel
from .sets import operators as sets_operators
from .walk.show import live as walk_live
from .walk.ui import bars_drawing, pictures, print_drawing
from .walk.ui.operators import acts, bake, bars, footprints, pick, presets, profile
from .walk.ui.operators import walk as walk_operators
from .walk.ui.operators import way as way_operators
from .walk.ui.panel import advanced, manner, results, sliders
from .walk.ui.panel import walk as walk_panel
from .walk.ui.panel import way as way_panel

# Properties first: everything else reads them.  Handlers after what they call, the command line last.
PARTS = (
    language,
    properties,
    work,
    exporters,
    characters,
    *(
        rig_operators,
        keys_operators,
        hands_operators,
        follow_operators,
        *(walk_operators, way_operators, acts, bars, bake, presets, footprints, pick, profile),
        crowd_operators,
        learning_operators,
        retarget_operators,
        *(targets, solving, poses),
        sets_operators,
        engine_operators,
    ),
    pictures,
    # in their order in the tab
    *(walk_panel, manner, sliders, way_panel, results, advanced),
    *(follow_panel, crowd_panel, retarget_panel, neural_pose_panel, rig_panel, engine_panel),
    menus,
    preferences,
    keymap,
    handlers,
    cli,
)
# What follows characters, draws in the viewport, or sends poses: from the first character that the file has.
FOLLOWING = (
    *(walk_live, retarget_live, neural_pose_live, targets_over, own_live),
    *(target_selection, print_drawing, bars_drawing, targets_draw, link),
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
)


def register() -> None:
    """Register every part that is there without a character; the open file is looked at later, as Blender
    hides it from an add-on that is being enabled."""
    _add(PARTS)
    handlers.add(_HANDLERS)
    record.changes.listeners.append(_look)
    bpy.app.timers.register(_look)


def unregister() -> None:
    """Unregister every part, in reverse order."""
    global _count
    _count = -1
    record.changes.listeners.remove(_look)
    handlers.remove(_HANDLERS)
    while _registered:
        part = _registered.pop()
        getattr(part, "unregister", bool)()
        handlers.remove(getattr(part, "HANDLERS", ()))
        for kind in reversed(_classes_of(part)):
            bpy.utils.unregister_class(kind)
