"""Baking a walk to keyframes: at once without a window, with progress and Esc in one."""

from time import monotonic

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ...core.errors import NeuraRigError
from .. import api
from ..character import armature_of
from .base import CharacterOperator

SLICE = 0.05  # seconds of baking between two looks at the keyboard


class NEURARIG_OT_bake_walk(CharacterOperator, bpy.types.Operator):
    """Bake the walk to keyframes of a new action; your own actions are not touched"""

    bl_idname = "neurarig.bake_walk"
    bl_label = "Bake Walk"
    needs_walk = True

    frame_start: IntProperty(name="Start Frame", description="First frame of the bake", default=1)
    frame_end: IntProperty(name="End Frame", description="Last frame of the bake", default=250)
    step: IntProperty(name="Frame Step", description="Key every n-th frame", default=1, min=1, soft_max=12)
    target: EnumProperty(
        name="Target",
        description="Which bones get the keyframes",
        items=(
            ("CONTROLS", "Controls", "The controls that the walk moves: few curves, easy to edit"),
            ("DEFORM", "Deform Bones", "The bones that deform the mesh: for game engines and export"),
        ),
    )
    loop: BoolProperty(name="Loop", description="Bake one cycle that repeats by itself")
    push_nla: BoolProperty(name="Push to NLA", description="Put the bake on an NLA track of its own")
    check: BoolProperty(name="Check Contacts", description="Measure the baked frames afterwards and show the contact report")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        scene = context.scene
        if not self.properties.is_property_set("frame_start"):
            self.frame_start = scene.frame_start
        if not self.properties.is_property_set("frame_end"):
            self.frame_end = scene.frame_end
        self._in_window = True
        return context.window_manager.invoke_props_dialog(self, confirm_text="Bake")

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "loop")
        column = layout.column(align=True)
        column.prop(self, "frame_start")
        end = column.column(align=True)
        end.active = not self.loop
        end.prop(self, "frame_end", text="End")
        column.prop(self, "step", text="Step")
        layout.prop(self, "target")
        layout.prop(self, "push_nla")
        layout.prop(self, "check")

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not getattr(self, "_in_window", False):
            return super().execute(context)
        self._in_window = False
        try:
            self._work = api.bake_steps(armature_of(context), **self._options(context))
        except NeuraRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.0, window=context.window)
        context.window_manager.progress_begin(0.0, 1.0)
        context.window_manager.modal_handler_add(self)
        self._show(context, 0.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type == "ESC":
            self._work.close()
            self._tidy(context)
            self.report({"INFO"}, "The bake was cancelled; nothing was changed.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        return self._go_on(context)

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender takes the window away: leave nothing."""
        if hasattr(self, "_timer"):
            self._work.close()
            self._tidy(context)

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        action = api.bake_walk(obj, check=self.check, **self._options(context))
        return f"Baked '{obj.name}' to the action '{action.name}'."

    def _go_on(self, context: bpy.types.Context) -> set[str]:
        until, share = monotonic() + SLICE, 0.0
        try:
            while monotonic() < until:
                share = next(self._work)
            self._show(context, share)
        except StopIteration as finished:
            self._tidy(context)
            if self.check:
                api.contact_report(armature_of(context), api.baked_frames(finished.value))
            self.report({"INFO"}, f"Baked the walk to the action '{finished.value.name}'.")
            return {"FINISHED"}
        except NeuraRigError as error:
            self._tidy(context)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}

    def _show(self, context: bpy.types.Context, share: float) -> None:
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(f"Baking the walk: {share:.0%}    Esc: Cancel")

    def _tidy(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def _options(self, context: bpy.types.Context) -> dict:
        """Return the options given; frames that nobody set are the scene's."""
        given = self.properties.is_property_set
        return {
            "frame_start": self.frame_start if given("frame_start") else context.scene.frame_start,
            "frame_end": self.frame_end if given("frame_end") else context.scene.frame_end,
            "step": self.step,
            "target": self.target,
            "loop": self.loop,
            "push_nla": self.push_nla,
        }


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_bake_walk,))
