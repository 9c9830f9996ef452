"""Training a network on the profile of a character."""

import bpy
from bpy.props import IntProperty, StringProperty

from .. import trainer
from ..preferences import training_python
from .base import CharacterOperator


class NEURARIG_OT_train_profile(CharacterOperator, bpy.types.Operator):
    """Train a network on this profile with PyTorch, in a Python outside Blender; you can work on meanwhile"""

    bl_idname = "neurarig.train_profile"
    bl_label = "Train on This Profile"
    bl_options = {"REGISTER"}

    python: StringProperty(name="Python", description="A Python with PyTorch; empty: the one in the preferences", subtype="FILE_PATH")
    steps: IntProperty(name="Steps", description="Most steps; it ends sooner when nothing is left to learn", default=40, min=1)
    seed: IntProperty(name="Seed", description="The same seed gives the same network", default=1, min=0)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if trainer.is_running():
            cls.poll_message_set("A training is under way")
            return False
        return True

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        trainer.start(obj, self.python or training_python(), self.steps, self.seed)
        return f"Training on '{obj.neurarig.profile_name}' has begun."


class NEURARIG_OT_cancel_training(bpy.types.Operator):
    """Cancel the training; the character keeps what it had"""

    bl_idname = "neurarig.cancel_training"
    bl_label = "Cancel Training"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not trainer.is_running():
            cls.poll_message_set("No training is under way")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        trainer.cancel()
        self.report({"INFO"}, "The training was cancelled.")
        return {"FINISHED"}


class NEURARIG_OT_copy_pip_line(bpy.types.Operator):
    """Copy the line that installs PyTorch, to paste into a terminal"""

    bl_idname = "neurarig.copy_pip_line"
    bl_label = "Copy Install Line"
    bl_options = {"INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        context.window_manager.clipboard = trainer.pip_line()
        self.report({"INFO"}, f"Copied: {context.window_manager.clipboard}")
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (NEURARIG_OT_train_profile, NEURARIG_OT_cancel_training, NEURARIG_OT_copy_pip_line)
)
