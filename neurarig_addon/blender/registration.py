"""The order in which the add-on's parts are registered."""

from collections.abc import Iterable
from typing import Any

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
from .interface import characters, exporters, language, menus, work
from .keys import operators as keys_operators
from .learning import operators as learning_operators
from .live import handlers
from .neural_pose import draw as targets_draw
from .neural_pose import live as neural_pose_live
from .neural_pose import operators as neural_pose_operators
from .neural_pose import over_live as targets_over
from .neural_pose import panel as neural_pose_panel
from .neural_pose import selection as target_selection
from .retarget import live as retarget_live
from .retarget import operators as retarget_operators
from .retarget import panel as retarget_panel
from .rig import operators as rig_operators
from .rig import panel as rig_panel
from .sets import operators as sets_operators
from .walk.show import live as walk_live
from .walk.ui import bars_drawing, pictures, print_drawing
from .walk.ui import operators as walk_operators
from .walk.ui.panel import walk as walk_panel

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
        walk_operators,
        crowd_operators,
        learning_operators,
        retarget_operators,
        neural_pose_operators,
        sets_operators,
        engine_operators,
    ),
    pictures,
    # in their order in the tab
    *(walk_panel, follow_panel, crowd_panel, retarget_panel, neural_pose_panel, rig_panel, engine_panel),
    menus,
    preferences,
    handlers,
    cli,
)
# What follows characters, draws in the viewport, or sends poses: from the first character that the file has.
FOLLOWING = (
    *(walk_live, retarget_live, neural_pose_live, targets_over, own_live),
    *(target_selection, print_drawing, bars_drawing, targets_draw, link),
)
_registered: list[Any] = []
_count = -1  # objects of the file when characters were last looked for


def _add(parts: Iterable[Any]) -> None:
    for part in parts:
        part.register()
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
        _registered.pop().unregister()
