"""One frame of a walk shown: the object put where the walk has taken it, the bones posed, hands and head where targets want them."""

from typing import NamedTuple

import bpy

from ...core.posing.channels import Channels
from ..animation.alone import is_passing
from ..animation.write_pose import apply_row
from ..character import carry
from ..over import posed, wanted
from . import late, travel
from .ground import deck
from .walk import Row


class Moment(NamedTuple):
    """When characters are posed: the frame, who has evaluated it (None: nobody yet), and whether it was an edit that asked."""

    scene: bpy.types.Scene
    frame: float
    depsgraph: bpy.types.Depsgraph | None = None
    edited: bool = False

    @classmethod
    def of_edit(cls, scene: bpy.types.Scene) -> "Moment":
        return cls(scene, scene.frame_current_final, edited=True)

    def shown(self, obj: bpy.types.Object) -> bpy.types.Object:
        """Return the object with its animated properties as they are at this moment."""
        return obj if self.depsgraph is None else obj.evaluated_get(self.depsgraph)


def show(obj: bpy.types.Object, row: Row, moment: Moment) -> None:
    """Show a frame of a character's walk."""
    _lead(obj, row, moment)
    if (moment.edited or moment.depsgraph is not None) and wanted.is_on(obj):
        apply_row(obj, _over(obj, row, moment), 0)
    else:  # Blender has to evaluate the frame before it is known where targets are
        apply_row(obj, row.block.channels, row.index)


def holds_on(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Say whether hands, chest and head are where the targets of a character are now."""
    return is_passing(scene) or not wanted.is_on(obj) or posed.is_fresh(obj, wanted.at(obj, scene.frame_current_final, None))


def _over(obj: bpy.types.Object, row: Row, moment: Moment) -> Channels:
    """Return the channels of one frame with hands, chest and head where targets want them."""
    moved = moment.depsgraph is not None and late.is_late(obj)
    wants = wanted.at(obj, moment.frame, moment.depsgraph, moved)
    return row.source.taker.shown(obj, row.pose, wants, is_below=moment.depsgraph is not None)


def _lead(obj: bpy.types.Object, row: Row, moment: Moment) -> None:
    """Put the object where its walk has taken it."""
    source = row.source
    if source.rides:
        travel.ride(obj, source, row.step, deck.place_at(obj.neurarig.walk.stand_on, moment.depsgraph))
    elif source.travels_with != "OBJECT":
        carry.put_back(obj)
    elif source.turns:
        travel.lead_to(obj, row)
    else:
        travel.carry_to(obj, source, row.place, moment.edited, moment.shown(obj).matrix_basis)
