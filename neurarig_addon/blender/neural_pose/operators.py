"""Targets and the pose that follows them: making, choosing, removing, solving, keying."""

from collections.abc import Generator

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...core.errors import NeuraRigError
from ..character.record import POSE
from ..character.selection import armature_of
from ..interface.operator import CharacterOperator
from ..interface.steps_operator import StepsOperator
from . import api, mocap, targets
from .points import POINT_ITEMS, SET_ITEMS, label, out_of_reach

_POINT = EnumProperty(name="Point", description="What of the character", items=POINT_ITEMS, options={"SKIP_SAVE"})


class _PosedOperator(CharacterOperator):
    """An operator on a character that has targets."""

    holder = POSE


class NEURARIG_OT_pose_targets(CharacterOperator, bpy.types.Operator):
    """Add an empty at each of these joints for the body to follow. Existing targets stay"""

    bl_idname = "neurarig.pose_targets"
    bl_label = "Create Targets"
    takes = POSE

    point_set: EnumProperty(name="Targets", description="Which points get a target", items=SET_ITEMS, options={"SKIP_SAVE"})
    controls: EnumProperty(
        name="Controls",
        description="What is posed",
        items=(("FK", "FK Bones", "The character's own bones"), ("IK", "IK Controls", "Rigify's IK controls, or a control layer")),
        options={"SKIP_SAVE"},
    )

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        given = self.properties.is_property_set
        made = api.pose_targets(obj, self.point_set if given("point_set") else None, controls=self.controls if given("controls") else None)
        return f"'{obj.name}' follows {len(made)} targets. Drag the empties; the arrows in the list select them."


class NEURARIG_OT_add_target(CharacterOperator, bpy.types.Operator):
    """Add a target for one more point of the character"""

    bl_idname = "neurarig.add_target"
    bl_label = "Add Target"
    takes = POSE

    point: _POINT

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        api.pose_targets(obj, [self.point])
        return f"Added a target for {label(self.point)} of '{obj.name}'."


class NEURARIG_OT_choose_target(CharacterOperator, bpy.types.Operator):
    """Make a point of the character follow any object, or a bone of another armature"""

    bl_idname = "neurarig.choose_target"
    bl_label = "Choose Target"

    point: _POINT
    target: StringProperty(name="Object", description="Name of the object that is followed", options={"SKIP_SAVE"})
    bone: StringProperty(name="Bone", description="The bone of it whose head is followed", options={"SKIP_SAVE"})
    weight: FloatProperty(name="Weight", description="How much the target is trusted", default=1.0, min=0.0, max=1.0, options={"SKIP_SAVE"})
    lock: BoolProperty(name="Lock", description="Reach the target exactly", options={"SKIP_SAVE"})

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        target = context.scene.objects.get(self.target)
        if target is None:
            raise NeuraRigError(f"There is no object '{self.target}' in the scene. Choose another.")
        given = self.properties.is_property_set
        api.choose_target(
            obj, self.point, target, self.bone, lock=self.lock if given("lock") else None, weight=self.weight if given("weight") else None
        )
        return f"{label(self.point)} of '{obj.name}' follows '{self.bone or self.target}'."


class NEURARIG_OT_select_target(_PosedOperator, bpy.types.Operator):
    """Select this target so that you can drag it. Leaves Pose Mode"""

    bl_idname = "neurarig.select_target"
    bl_label = "Select Target"

    point: _POINT

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        return f"Selected '{targets.select(obj, self.point).name}'."


class NEURARIG_OT_remove_target(_PosedOperator, bpy.types.Operator):
    """Remove this target. The network places its point from the others"""

    bl_idname = "neurarig.remove_target"
    bl_label = "Remove Target"

    point: _POINT

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        own = obj.neurarig.neural_pose
        point = self.point if self.properties.is_property_set("point") or not own.targets else own.targets[own.active_target].point
        api.remove_targets(obj, [point])
        return f"Removed the target for {label(point)} of '{obj.name}'."


class NEURARIG_OT_remove_targets(_PosedOperator, bpy.types.Operator):
    """Remove all targets and restore the rig, pose and animation from before"""

    bl_idname = "neurarig.remove_targets"
    bl_label = "Remove Targets"

    keep_pose: BoolProperty(
        name="Keep Pose", description="Keep the current pose and any keyed poses on the character", options={"SKIP_SAVE"}
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        if properties.keep_pose:
            return "Remove all targets; keep the current pose, keyed poses and solved clips"
        return cls.__doc__ or ""

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        self.tell(api.remove_targets(obj, keep_pose=self.keep_pose))
        return (
            f"'{obj.name}' keeps its pose. The targets are gone."
            if self.keep_pose
            else f"'{obj.name}' is back as it was before Neural Pose."
        )


class NEURARIG_OT_snap_targets(_PosedOperator, bpy.types.Operator):
    """Move the targets onto the joints, after posing by hand or when a target is out of reach"""

    bl_idname = "neurarig.snap_targets"
    bl_label = "Snap Targets to Pose"

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        api.snap_targets(obj)
        return f"Moved the targets of '{obj.name}' onto its joints."


class NEURARIG_OT_solve_pose(_PosedOperator, bpy.types.Operator):
    """Pose the character to its targets on this frame"""

    bl_idname = "neurarig.solve_pose"
    bl_label = "Solve Pose"

    key: BoolProperty(name="Key", description="Also key the pose on the current frame, in its own action", options={"SKIP_SAVE"})

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        action = api.solve_pose(obj, key=self.key)
        done = f"Keyed '{obj.name}' in action '{action.name}'." if action else f"Posed '{obj.name}'."
        return f"{done} {out_of_reach(api.missed_targets(obj))}".strip()


class NEURARIG_OT_solve_range(_PosedOperator, StepsOperator, bpy.types.Operator):
    """Pose the character to its targets on every frame of a range, as a new action"""

    bl_idname = "neurarig.solve_range"
    bl_label = "Solve Range"
    doing = "Solving the range"

    frame_start: IntProperty(name="Start Frame", description="First frame", default=1, options={"SKIP_SAVE"})
    frame_end: IntProperty(name="End Frame", description="Last frame", default=250, options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.frame_start, self.frame_end = context.scene.frame_start, context.scene.frame_end
        self.in_window = True
        return context.window_manager.invoke_props_dialog(self, confirm_text="Solve")

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, bpy.types.Action]:
        given = self.properties.is_property_set
        return api.solve_range_steps(
            obj, self.frame_start if given("frame_start") else None, self.frame_end if given("frame_end") else None
        )

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: bpy.types.Action) -> str:
        return f"Solved '{obj.name}' to action '{result.name}'."


class NEURARIG_OT_solve_clip(StepsOperator, bpy.types.Operator):
    """Solve recorded points to a new action, with feet kept planted"""

    bl_idname = "neurarig.solve_clip"
    bl_label = "Solve Mocap"
    takes = POSE
    doing = "Solving the recording"

    file: StringProperty(name="File", description="A .bvh, .c3d, .csv, .tsv or .npz file", options={"SKIP_SAVE"})
    source: StringProperty(name="Armature", description="Name of an armature whose joints or bones were recorded", options={"SKIP_SAVE"})
    collection: StringProperty(name="Collection", description="Name of a collection of points", options={"SKIP_SAVE"})
    mapping: StringProperty(name="Names", description="Which recorded point is which: wrist.L=Marker7", options={"SKIP_SAVE"})
    contacts: BoolProperty(name="Keep Contacts", description="Keep feet planted", default=True, options={"SKIP_SAVE"})
    resize: BoolProperty(name="Fit to Size", description="Scale the actor to this character", default=True, options={"SKIP_SAVE"})
    mend: BoolProperty(
        name="Smooth and Mend", description="Remove jitter up to Noise, bridge gaps, drop outliers", default=True, options={"SKIP_SAVE"}
    )
    noise: FloatProperty(name="Noise (mm)", description="Error of the points", default=1.0, min=0.0, options={"SKIP_SAVE"})
    frame_start: IntProperty(name="Start Frame", description="Frame at which the clip begins", default=1, options={"SKIP_SAVE"})
    frame_end: IntProperty(name="End Frame", description="Last frame to read (ignored for files)", default=250, options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        return self.execute(context)

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, tuple]:
        given = {name: getattr(self, name) for name in type(self).__annotations__ if self.properties.is_property_set(name)}
        for name, blocks in (("source", bpy.data.objects), ("collection", bpy.data.collections)):
            if name in given:
                if given[name] not in blocks:
                    raise NeuraRigError(f"There is no {name} '{given[name]}'. Choose another.")
                given[name] = blocks[given[name]]
        return mocap.solve_clip_steps(obj, **given)

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: tuple) -> str:
        action, solved = result
        return f"Solved {len(solved.frames)} frames of '{obj.name}' to action '{action.name}'. {solved.advice}".rstrip()


class NEURARIG_OT_export_pose(StepsOperator, bpy.types.Operator):
    """Export the character's motion as SMPL-like pose parameters: axis-angle rotations of 22 joints"""

    bl_idname = "neurarig.export_pose"
    bl_label = "Export Pose Parameters"
    bl_options = {"REGISTER"}
    doing = "Reading the motion"

    filepath: StringProperty(name="File Path", description=".npz file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.npz", options={"HIDDEN"})
    check_existing: BoolProperty(default=True, options={"HIDDEN"})
    frame_start: IntProperty(name="Start Frame", description="First frame (default: the action's)", options={"SKIP_SAVE"})
    frame_end: IntProperty(name="End Frame", description="Last frame", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.filepath = self.filepath or f"{armature_of(context).name}.npz"
        self.in_window = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, tuple]:
        given = self.properties.is_property_set
        frames = (self.frame_start if given("frame_start") else None, self.frame_end if given("frame_end") else None)
        return mocap.export_steps(obj, self.filepath, *frames)

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result) -> str:
        return f"Wrote {len(result)} frames of '{obj.name}' to '{self.filepath}'."


register, unregister = bpy.utils.register_classes_factory(
    (
        NEURARIG_OT_pose_targets,
        NEURARIG_OT_add_target,
        NEURARIG_OT_choose_target,
        NEURARIG_OT_select_target,
        NEURARIG_OT_remove_target,
        NEURARIG_OT_remove_targets,
        NEURARIG_OT_snap_targets,
        NEURARIG_OT_solve_pose,
        NEURARIG_OT_solve_range,
        NEURARIG_OT_solve_clip,
        NEURARIG_OT_export_pose,
    )
)
