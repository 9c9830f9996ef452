"""The active row of the list of targets follows the object selected in the view."""

import bpy
from bpy.app.handlers import persistent

_OWNER = object()  # identifies our subscriptions on Blender's message bus


def follow_selection() -> None:
    """Make the active object's row active in every list that holds it."""
    layer = bpy.context.view_layer
    active = layer.objects.active if layer else None
    for obj in layer.objects if active else ():
        own = obj.neurarig.neural_pose if obj.type == "ARMATURE" else None
        row = (
            next((row for row, item in enumerate(own.targets) if item.object == active), None)
            if own
            else None
        )
        if own and row is not None and row != own.active_target:
            own.active_target = row


@persistent
def _listen(_path=None, _=None) -> None:
    """Subscribe again: loading a file ends all subscriptions."""
    bpy.msgbus.clear_by_owner(_OWNER)
    bpy.msgbus.subscribe_rna(
        key=(bpy.types.LayerObjects, "active"), owner=_OWNER, args=(), notify=follow_selection
    )


HANDLERS = ((bpy.app.handlers.load_post, _listen),)


register = _listen


def unregister() -> None:
    """Stop."""
    bpy.msgbus.clear_by_owner(_OWNER)
