"""What operators on footprints have in common."""

import bpy

from .....core.errors import NeuraRigError
from ....character.record import WALK
from ....interface.operator import CharacterOperator
from .. import api


class PrintsOperator(CharacterOperator):
    """An operator on a walking character."""

    holder = WALK

    def chosen(self, context: bpy.types.Context, obj: bpy.types.Object) -> list[api.Key]:
        """Return the prints whose objects are selected; raises NeuraRigError if none is."""
        prints = api.prints_of(context.selected_objects, obj)
        if not prints:
            raise NeuraRigError("Select the object of a footprint first; Edit Footprints makes one.")
        return prints


def select(context: bpy.types.Context, objects: list[bpy.types.Object], extend: bool = False) -> None:
    """Select objects, in Object Mode, the first one active."""
    layer = context.view_layer
    if layer.objects.active is not None and layer.objects.active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for other in () if extend else layer.objects.selected:
        other.select_set(False)
    for handle in objects:
        if handle.name in layer.objects:
            handle.select_set(True)
            layer.objects.active = handle
