"""Targets over a walk or clip while it plays: settings that change, walks that end, copies of characters."""

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, Scene

from ...core.errors import NeuraRigError
from ..animation import scratch
from ..character import record
from ..live.memory import Memory
from ..over import wishes
from ..retarget import live as retarget_live
from ..walk.show import live as walk_live
from ..walk.source import keys
from . import over, settings, targets

_known: Memory[bool] = Memory()  # characters already given empties of their own if they needed them


def _settings_changed(obj: Object) -> None:
    """Show a changed setting of a target over a walk or clip."""
    keys.count_edit()
    if not over.is_over(obj):
        return
    own = obj.neurarig.neural_pose
    try:
        over.require_no_circle(obj)
    except NeuraRigError as error:
        with settings.changes.unheard():
            own.error, own.live = str(error), False
    (walk_live if record.holds(obj, record.WALK) else retarget_live).refresh(obj)


def _attachment_changed(obj: Object) -> None:
    """Remove the targets left on a character that is no longer attached."""
    if obj.neurarig.neural_pose.targets and not record.is_attached(obj):
        _end(obj)


def _end(obj: Object) -> None:
    """Remove targets together with the walk or clip that they go over."""
    own = obj.neurarig.neural_pose
    with settings.changes.unheard():
        targets.remove(obj)
        own.live, own.error = False, ""


@persistent
def _on_edit(scene: Scene, depsgraph: Depsgraph) -> None:
    """Give a copied character empties of its own."""
    if depsgraph.id_type_updated("SCENE"):
        for obj in [
            obj
            for obj in scene.objects
            if obj.type == "ARMATURE" and _known.get(obj) is None and over.is_over(obj)
        ]:
            _known[obj] = True
            targets.take_own(obj)


HANDLERS = (
    (bpy.app.handlers.depsgraph_update_post, _on_edit),
    (settings.changes.listeners, _settings_changed),
    (record.changes.listeners, _attachment_changed),
    (wishes.ends.listeners, _end),
    (scratch.company, wishes.things),
)


def unregister() -> None:
    """Forget everything."""
    _known.forget()
