"""One frame of a walk shown: the object moved, the bones posed, hands and head on their targets."""

from typing import NamedTuple

from bpy.types import Depsgraph, Object, Scene

from ....core.posing.channels import Channels
from ...animation.scratch import is_passing
from ...animation.write_pose import Slots, apply_row
from ...over import taker, wishes
from ..source import keys
from ..source.memory import Known, Ready, Untouched
from ..walk import Block, Row
from ..way import deck
from . import travel


class ShownMoment(NamedTuple):
    """When characters are posed: the frame, its depsgraph (None: not evaluated yet), and whether an edit
    asked for it."""

    scene: Scene
    frame: float
    depsgraph: Depsgraph | None = None
    edited: bool = False

    @classmethod
    def of_edit(cls, scene: Scene) -> "ShownMoment":
        return cls(scene, scene.frame_current_final, edited=True)

    @classmethod
    def of_frame(cls, scene: Scene) -> "ShownMoment":
        return cls(scene, scene.frame_current_final)

    def shown(self, obj: Object) -> Object:
        """Return the object with its animated properties as of this moment."""
        return obj if self.depsgraph is None else obj.evaluated_get(self.depsgraph)


def show(obj: Object, row: Row, moment: ShownMoment) -> None:
    """Show a frame of a character's walk."""
    _lead(obj, row, moment)
    if (moment.edited or moment.depsgraph is not None) and wishes.is_on(obj):
        apply_row(obj, _over(obj, row, moment), 0)
    else:  # targets' places are known only after Blender has evaluated the frame
        apply_row(obj, row.block.channels, row.index)
    _hold(obj, row.block, row.index)


def show_untouched(obj: Object, known: Known, scene: Scene) -> None:
    """Show a row of a walk that nothing has touched since it was last looked at closely, before Blender
    evaluates the frame.

    A walk that does not move the object has put it back where it belongs when it was looked at.
    """
    untouched, block, row = known
    ready = untouched.ready
    if ready is None or ready.block is not block:
        ready = untouched.ready = _made_ready(obj, untouched, block)
    if ready.leads:
        _lead(obj, Row(block, row), ShownMoment.of_frame(scene))
    if block.fingers is not None and not untouched.shows_fingers:
        _hold(obj, block, row)
        untouched.shows_fingers = True
    if ready.row == row or not ready.moves[row]:
        apply_row(obj, block.channels, row)
        return
    ready.row = row
    ready.filled.put(obj, row)


def _made_ready(obj: Object, untouched: Untouched, block: Block) -> Ready:
    if untouched.slots is None or untouched.slots.properties is not block.channels.properties:
        untouched.slots = Slots.of(obj, block.channels)
    return Ready(block, untouched.slots)


def holds_on(obj: Object, scene: Scene) -> bool:
    """Return whether hands, chest and head are on their targets."""
    return (
        is_passing(scene)
        or not wishes.is_on(obj)
        or taker.is_fresh(obj, wishes.at(obj, scene.frame_current_final, None))
    )


def _over(obj: Object, row: Row, moment: ShownMoment) -> Channels:
    """Return the channels of one frame with hands, chest and head on their targets."""
    moved = moment.depsgraph is not None and keys.is_late(obj)
    wants = wishes.at(obj, moment.frame, moment.depsgraph, moved)
    found = row.source.taker.shown(obj, row.pose, wants, is_below=moment.depsgraph is not None)
    return row.source.followed(found, row.pose)


def _hold(obj: Object, block: Block, row: int) -> None:
    """Pose the fingers that a walk holds."""
    if block.fingers is not None:
        apply_row(obj, block.fingers, min(row, len(block.fingers.values) - 1))


def _lead(obj: Object, row: Row, moment: ShownMoment) -> None:
    """Move the object to where its walk has taken it."""
    source = row.source
    if source.rides:
        travel.ride(obj, source, row.step, deck.place_at(obj.neurarig.walk.stand_on, moment.depsgraph))
    elif source.travels_with != "OBJECT":
        travel.stay(obj)
    elif source.turns:
        travel.lead_to(obj, row)
    else:
        travel.carry_to(obj, source, row.place, moment.edited, moment.shown(obj).matrix_basis)
