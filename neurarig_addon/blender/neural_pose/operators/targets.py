"""Targets: create, choose, select, remove and snap them."""

import bpy

from ...animation.properties import ASKED
from ...animation.steps import Steps
from ...character.selection import armature_of
from ...interface.file_operator import RemoveOperator
from ...interface.operator import CharacterOperator, StepsOperator, named
from .. import api, over, targets
from ..empties import POINT_ITEMS, SET_ITEMS, label
from .base import TargetMaker, TargetOperator

_POINT = ASKED.choice("Point", "Part of the character", items=POINT_ITEMS)


class NEURARIG_OT_pose_targets(TargetMaker, StepsOperator):
    """Add an empty at each of these joints for the body to follow. Existing targets stay"""

    bl_label = doing = "Create Targets"

    point_set: ASKED.choice("Targets", "Which points get a target", items=SET_ITEMS)
    controls: ASKED.choice(
        "Controls",
        "What the pose drives",
        items=(
            ("FK", "FK Bones", "The rig's FK controls, or the character's bones"),
            ("IK", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
        ),
    )

    def steps(self, context, obj) -> Steps[list[str]]:
        return api.pose_targets.steps(obj, self.given("point_set"), controls=self.given("controls"))

    def done(self, context, obj, result: list[str]):
        return (
            f"'{obj.name}' follows {len(result)} targets. Drag the empties; the arrows in the list select"
            " them."
        )


class NEURARIG_OT_add_target(TargetMaker):
    """Add a target for one more point of the character"""

    bl_label = "Add Target"

    point: _POINT

    def act(self, context, obj):
        api.pose_targets(obj, [self.point])
        return f"Added a target for {label(self.point)} of '{obj.name}'."


class NEURARIG_OT_choose_target(CharacterOperator):
    """Make a point of the character follow any object, or a bone of another armature"""

    bl_label = "Choose Target"

    point: _POINT
    target: ASKED.text("Object", "Name of the object to follow")
    bone: ASKED.text("Bone", "Bone of that object whose head to follow")
    weight: ASKED.number("Weight", "How much the target is trusted", default=1.0, min=0.0, max=1.0)
    lock: ASKED.switch("Lock", "Reach the target exactly")
    needs = "Needs an object to follow: the other one that is selected, or one that you name"

    def invoke(self, context, event):
        if self.target:
            return self.execute(context)
        obj = armature_of(context)
        others = [each for each in context.selected_objects if each != obj]
        self.target = others[0].name if others else ""
        return context.window_manager.invoke_props_dialog(self, confirm_text="Choose")

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.prop(self, "point")
        self.layout.prop_search(self, "target", context.scene, "objects")
        self.layout.prop(self, "bone")

    def act(self, context, obj):
        target = named(context.scene.objects, self.target, "object")
        api.choose_target(
            obj,
            self.point,
            target,
            self.bone,
            lock=self.given("lock"),
            weight=self.given("weight"),
        )
        return f"{label(self.point)} of '{obj.name}' follows '{self.bone or self.target}'."


def _meant(operator: bpy.types.Operator, obj: bpy.types.Object) -> str:
    """Return the point that an operator is given, else that of the target chosen in the list."""
    own = obj.neurarig.neural_pose
    if operator.properties.is_property_set("point") or not own.targets:
        return operator.point
    return own.targets[min(own.active_target, len(own.targets) - 1)].point


class NEURARIG_OT_select_target(TargetOperator):
    """Select this target so that you can drag it. Leaves Pose Mode"""

    bl_label = "Select Target"

    point: _POINT

    def act(self, context, obj):
        return f"Selected '{targets.select(obj, _meant(self, obj)).name}'."


class NEURARIG_OT_remove_target(TargetOperator):
    """Remove this target. The network places its point from the others"""

    bl_label = "Remove Target"

    point: _POINT

    def act(self, context, obj):
        point = _meant(self, obj)
        api.remove_targets(obj, [point])
        return f"Removed the target for {label(point)} of '{obj.name}'."


class NEURARIG_OT_remove_targets(RemoveOperator, TargetOperator):
    """Remove all targets and restore the rig, pose and animation from before"""

    bl_label = "Remove Targets"
    keep, keeping = "keep_pose", "Remove all targets; keep the current pose, keyed poses and solved clips"

    keep_pose: ASKED.switch("Keep Pose", "Keep the current pose and any keyed poses on the character")

    def act(self, context, obj):
        is_over = over.is_over(obj)
        self.tell(api.remove_targets(obj, keep_pose=self.keep_pose, bakes=self.bakes))
        if is_over:
            return f"Removed the targets of '{obj.name}'. It moves as without them."
        return (
            f"'{obj.name}' keeps its pose. The targets are gone."
            if self.keep_pose
            else f"'{obj.name}' is back as it was before Neural Pose."
        )


class NEURARIG_OT_snap_targets(TargetOperator):
    """Move the targets onto the joints, after posing by hand or when a target is out of reach"""

    bl_label = "Snap Targets to Pose"

    def act(self, context, obj):
        api.snap_targets(obj)
        return f"Moved the targets of '{obj.name}' onto its joints."
