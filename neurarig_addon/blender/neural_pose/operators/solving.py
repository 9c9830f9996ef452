"""Poses and motion from targets and recorded points, as keys and files."""

import bpy
from bpy.types import Action

from ....core.neural import pose_parameters
from ...animation.frame_range import played_range
from ...animation.properties import ASKED
from ...animation.steps import Steps
from ...character.record import POSE
from ...interface.file_operator import writes
from ...interface.operator import StepsOperator, named
from ...interface.options import properties_of
from .. import api, mocap
from ..empties import out_of_reach
from ..settings import CLIP_OPTIONS
from .base import PosedOperator


class NEURARIG_OT_solve_pose(PosedOperator):
    """Pose the character to its targets on this frame"""

    bl_label = "Solve Pose"

    key: ASKED.switch("Key", "Also key the pose on the current frame, in its own action")

    def act(self, context, obj):
        action = api.solve_pose(obj, key=self.key)
        done = f"Keyed '{obj.name}' in action '{action.name}'." if action else f"Posed '{obj.name}'."
        return f"{done} {out_of_reach(api.missed_targets(obj))}".strip()


class NEURARIG_OT_solve_range(PosedOperator, StepsOperator):
    """Pose the character to its targets on every frame of a range, as a new action"""

    bl_label = "Solve Range"
    doing = "Solving the range"
    confirm = "Solve"

    frame_start: ASKED.whole("Start Frame", "First frame", default=1)
    frame_end: ASKED.whole("End Frame", "Last frame", default=250)
    action_name: ASKED.text("Name", "Name of the new action; empty: after the character")

    def invoke(self, context, event):
        self.frame_start, self.frame_end = played_range(context.scene)
        return super().invoke(context, event)

    def steps(self, context, obj) -> Steps[Action]:
        first, last = map(self.given, ("frame_start", "frame_end"))
        return api.solve_range.steps(obj, first, last, self.action_name)

    def done(self, context, obj, result: Action):
        return f"Solved '{obj.name}' to action '{result.name}'."


class NEURARIG_OT_solve_clip(properties_of(CLIP_OPTIONS, ASKED, is_brief=True), StepsOperator):
    """Solve recorded points to a new action, with feet kept planted"""

    bl_label = "Solve Mocap"
    needs = "Needs recorded points: choose them in Neural Pose"
    takes = POSE
    doing = "Solving the recording"

    file: ASKED.text("File", "A .bvh, .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy or .json file")
    source: ASKED.text("Armature", "Name of an armature whose joints or bones were recorded")
    collection: ASKED.text("Collection", "Name of a collection of points")
    mapping: ASKED.text("Names", "Which recorded point is which: wrist.L=Marker7")
    noise: ASKED.number("Jitter (mm)", "Error of the points", default=1.0, min=0.0)
    frame_start: ASKED.whole("Start Frame", "Frame at which the clip begins", default=1)
    frame_end: ASKED.whole("End Frame", "Last frame to read (ignored for files)", default=250)

    def steps(self, context, obj) -> Steps[tuple]:
        names = (*NEURARIG_OT_solve_clip.__annotations__, *(option.name for option in CLIP_OPTIONS))
        given = {name: getattr(self, name) for name in names if self.properties.is_property_set(name)}
        for name, blocks in (("source", bpy.data.objects), ("collection", bpy.data.collections)):
            if name in given:
                given[name] = named(blocks, given[name], name)
        return mocap.solve_clip_steps(obj, **given)

    def done(self, context, obj, result: tuple):
        action, solved = result
        return solved.sentence(obj.name, action.name)


class NEURARIG_OT_export_pose(writes(".npz file to write", ".npz"), StepsOperator):
    """Export the character's motion as SMPL-like pose parameters: axis-angle rotations of 22 joints"""

    bl_label = "Export Pose Parameters"
    doing = "Reading the motion"

    frame_start: ASKED.whole("Start Frame", "First frame (default: the action's)")
    frame_end: ASKED.whole("End Frame", "Last frame")

    def file_name(self, obj):
        return f"{obj.name}.npz"

    def steps(self, context, obj) -> "Steps[pose_parameters.PoseParameters]":
        frames = map(self.given, ("frame_start", "frame_end"))
        return mocap.export_pose.steps(obj, self.filepath, *frames)

    def done(self, context, obj, result):
        return f"Wrote {len(result)} frames of '{obj.name}' to '{self.filepath}'."
