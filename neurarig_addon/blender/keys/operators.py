"""Reducing the keys of an action, at once without a window, with progress and Esc in one; and its key poses
on the timeline."""

from collections.abc import Generator

import bpy

from ..animation.properties import KEPT, in_scene_units, shown_as
from ..character.selection import armature_of
from ..interface.language import said
from ..interface.operator import CharacterOperator, StepsOperator
from . import api, figures


@in_scene_units()
class NEURARIG_OT_reduce_keys(StepsOperator, bpy.types.Operator):
    """Make few keys of the character's action: poses at contact, down, passing and up, with handles, and more
    where it would stray"""

    bl_idname = "neurarig.reduce_keys"
    bl_label = "Reduce Keys"
    needs = "Needs an action that the character plays: bake, retarget or key it first"
    doing = "Reduce Keys"

    tolerance: KEPT.number(
        "Tolerance",
        "How far joints and soles may be off, and standing feet slip; with 5 mm, axes turn by 2° at most,"
        " but for trembling",
        default=figures.TOLERANCE,
        min=figures.LEAST,
        max=figures.MOST,
        precision=4,
        unit="LENGTH",
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.use_property_split = True
        self.layout.prop(self, shown_as(self, "tolerance"))

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        data = armature_of(context).animation_data
        if data is None or data.action is None:
            cls.poll_message_set(said("The character plays no action. Bake, retarget or key it first"))
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        return context.window_manager.invoke_props_dialog(self, confirm_text="Reduce")

    def steps(
        self, context: bpy.types.Context, obj: bpy.types.Object
    ) -> Generator[float, None, bpy.types.Action]:
        return api.reduce_keys_steps(obj, tolerance=self.tolerance)

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: bpy.types.Action) -> str:
        return f"'{result.name}': {figures.sentence(result)}"


class NEURARIG_OT_mark_timeline(CharacterOperator, bpy.types.Operator):
    """Copy the contact, down, passing and up markers of the character's action to the timeline"""

    bl_idname = "neurarig.mark_timeline"
    bl_label = "Mark Steps on Timeline"
    needs = "Needs an action with markers: bake or retarget first"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        data = armature_of(context).animation_data
        if data is None or data.action is None or not len(data.action.pose_markers):
            cls.poll_message_set(said("The character plays no action with markers. Bake or retarget first"))
            return False
        return True

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        return f"Put {len(api.mark_timeline(obj))} markers on the timeline."


register, unregister = bpy.utils.register_classes_factory(
    (NEURARIG_OT_reduce_keys, NEURARIG_OT_mark_timeline)
)
