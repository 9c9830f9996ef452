"""Acts on the way: adding one where the walk is, removing one, saving it as a file."""

from typing import Any, ClassVar

import bpy
from bpy.props import EnumProperty

from .....core.acts import flight
from .....core.errors import NeuraRigError
from ....animation.objects import select
from ....character import held
from ....character.record import WALK
from ....character.selection import armature_behind
from ....interface.file_operator import reads, writes
from ....interface.language import said
from ....interface.operator import CharacterOperator
from ...api import acts as act_api
from ...way import acts
from ...way.acts import ITEMS, OWN

JUMPS_M, HOLDS_S = 1.0, 2.0  # of a new act: how far an adult jumps, how long it is held


class _ActOperator(CharacterOperator):
    """An operator on the chosen act of a walking character."""

    holder = WALK

    @classmethod
    def refusal(cls, context, obj):
        return super().refusal(context, obj) or (
            "" if len(obj.neurarig.walk.acts) else "There is no act. Add one"
        )


class NEURARIG_OT_add_act(CharacterOperator, bpy.types.Operator):
    """Have the character do something where it is at the playhead: jump, sit down, pick something up, wave"""

    bl_idname = "neurarig.add_act"
    bl_label = "Add Act"
    bl_property = "kind"
    holder = WALK

    kind: EnumProperty(
        name="Act", description="What the character does", items=[item for item in ITEMS if item[0] != OWN]
    )

    def act(self, context, obj):
        kind = acts.shipped_acts()[self.kind]
        given: dict[str, Any] = {"seconds": HOLDS_S} if kind.hold is not None else {}
        if kind.flight is not None:
            given |= {"length": JUMPS_M * obj.neurarig.walk.leg_length / flight.ADULT_LEG}
        if not acts.needs_thing(kind):
            act_api.add_after_others(obj, self.kind, context.scene.frame_current, **given)
        elif thing := _chosen(context, obj):
            act_api.add_act(obj, self.kind, thing=thing, **given)
        else:
            act_api.add_waiting(obj, self.kind, **given)
            return f"Added {kind.name}. Choose what for under Thing: until then '{obj.name}' walks on."
        return f"'{obj.name}' does this now: {kind.name}. Set where and how in Acts."


def _chosen(context: bpy.types.Context, obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return what is selected besides a character, the active object first; nothing that is part of it, leads
    it, or is ours."""
    ours = held.of(obj)
    others = sorted(context.selected_objects, key=lambda other: other != context.view_layer.objects.active)
    return next((other for other in others if armature_behind(other) != obj and other not in ours), None)


class NEURARIG_OT_place_act(_ActOperator, bpy.types.Operator):
    """Get an empty where the chosen act is. Move it, and the act moves along the way"""

    bl_idname = "neurarig.place_act"
    bl_label = "Move Act"

    def act(self, context, obj):
        handle = act_api.place_act(obj, obj.neurarig.walk.active_act)
        select(handle)
        return f"Move '{handle.name}', and the act moves along the way."


class NEURARIG_OT_remove_act(CharacterOperator, bpy.types.Operator):
    """Remove the chosen act: the walk goes on without it"""

    bl_idname = "neurarig.remove_act"
    bl_label = "Remove Act"
    holder = WALK

    def act(self, context, obj):
        walk = obj.neurarig.walk
        if not 0 <= walk.active_act < len(walk.acts):
            return "There is no act to remove."
        act_api.remove_act(obj, walk.active_act)
        return "Removed an act."


class NEURARIG_OT_save_act(_ActOperator, writes("JSON file to write", ".json"), bpy.types.Operator):
    """Save the chosen act as a file, for other characters"""

    bl_idname = "neurarig.save_act"
    bl_label = "Save Act"

    def file_name(self, obj):
        return "act.json"

    def act(self, context, obj):
        act_api.save_act(obj, obj.neurarig.walk.active_act, self.file())
        return f"Saved '{self.file()}'."


class NEURARIG_OT_load_act(reads("JSON file of an act", ".json"), bpy.types.Operator):
    """Add an act from a file"""

    bl_idname = "neurarig.load_act"
    bl_label = "Load Act"
    holder = WALK

    def act(self, context, obj):
        number = act_api.add_act(obj, OWN, frame=context.scene.frame_current, file=self.filepath)
        return f"'{obj.name}' does this now: {obj.neurarig.walk.acts[number].name}."


class NEURARIG_OT_free_thing(bpy.types.Operator):
    """Take off the active object what holds it for a character that is gone"""

    bl_idname = "neurarig.free_thing"
    bl_label = "Free"
    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    def execute(self, context):
        thing = context.view_layer.objects.active
        try:
            if thing is None:
                raise NeuraRigError("Select the thing.")
            act_api.free_thing(thing)
        except NeuraRigError as error:
            self.report({"ERROR"}, said(str(error)))
            return {"CANCELLED"}
        self.report({"INFO"}, said(f"'{thing.name}' is free."))
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (
        NEURARIG_OT_add_act,
        NEURARIG_OT_place_act,
        NEURARIG_OT_remove_act,
        NEURARIG_OT_save_act,
        NEURARIG_OT_load_act,
        NEURARIG_OT_free_thing,
    )
)
