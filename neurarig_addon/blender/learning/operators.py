"""Learn Style, Learn Act and Turn Clip into Walk, from own animation, an action, or a file; and Remove
Recorded Walk."""

import bpy

from ...core.styles.learned_style import LearnedStyle
from ..animation.properties import ASKED
from ..animation.steps import Steps
from ..character.record import WALK
from ..interface import report_text
from ..interface.file_operator import reads
from ..interface.operator import CharacterOperator, StepsOperator, named
from ..walk.manner import gait_source
from .api import act, style, take

CLIPS = (".bvh", ".fbx", ".glb", ".gltf")


class _LearnStyle(StepsOperator):
    """The base of both operators: reporting the learned style."""

    doing = "Learn Style"

    def done(self, context, obj, result: LearnedStyle):
        return f"'{result.name}' was added to the styles. {result.description}"


class NEURARIG_OT_learn_style(_LearnStyle):
    """Learn a style that any character can use, from an action of this armature or from its present motion"""

    bl_label = "Learn Style"
    confirm = "Learn"

    style: ASKED.text("Name", "Name of the new style")
    action: ASKED.text("Action", "Action of this armature; empty: whatever moves it now")

    def draw(self, context):
        self.layout.activate_init = True
        self.layout.prop(self, "style")
        self.layout.prop_search(self, "action", bpy.data, "actions")

    def steps(self, context, obj) -> Steps[LearnedStyle]:
        action = named(bpy.data.actions, self.action, "action") if self.action else obj
        return style.learn_style.steps(action, self.style, armature=obj)


class NEURARIG_OT_learn_style_file(reads("Clip to learn from", *CLIPS), _LearnStyle):
    """Learn a style that any character can use, from a motion capture file (.bvh, .fbx, .glb)"""

    bl_label = "Learn Style from File"

    style: ASKED.text("Name", "Name of the new style; empty: that of the file")

    def steps(self, context, obj) -> Steps[LearnedStyle]:
        name = self.style or bpy.path.display_name_from_filepath(self.filepath)
        return style.learn_style.steps(self.filepath, name)


class _LearnAct(StepsOperator):
    """The base of both operators: reporting the learned act."""

    doing = "Learn Act"
    holder = WALK

    upper: ASKED.switch("Upper Body Only", "Only chest, head and arms, over whatever the legs do")

    def done(self, context, obj, result: int):
        return (
            f"'{obj.name}' does this now: {obj.neurarig.walk.acts[result].name}. Set where and how in Acts."
        )


class NEURARIG_OT_learn_act(_LearnAct):
    """Learn an act from an action: from where the body leaves standing to where it stands again"""

    bl_label = "Learn Act"
    confirm = "Learn"

    name: ASKED.text("Name", "Name of the new act")
    source: ASKED.text("Armature", "Armature of the action; empty: this one")
    action: ASKED.text("Action", "Action to learn from")

    def draw(self, context):
        self.layout.activate_init = True
        self.layout.prop(self, "name")
        self.layout.prop_search(self, "source", bpy.data, "objects")
        self.layout.prop_search(self, "action", bpy.data, "actions")
        self.layout.prop(self, "upper")

    def steps(self, context, obj) -> Steps[int]:
        armature = named(bpy.data.objects, self.source, "object") if self.source else None
        action = named(bpy.data.actions, self.action, "action") if self.action or armature is None else None
        frame = context.scene.frame_current
        return act.learn_act.steps(
            obj, action or armature, self.name, armature=armature, upper=self.upper, frame=frame
        )


class NEURARIG_OT_learn_act_file(reads("Clip to learn from", *CLIPS, ".npz"), _LearnAct):
    """Learn an act from a motion capture file (.bvh, .fbx, .glb)"""

    bl_label = "Learn Act from File"

    def steps(self, context, obj) -> Steps[int]:
        name = bpy.path.display_name_from_filepath(self.filepath)
        return act.learn_act.steps(
            obj, self.filepath, name, upper=self.upper, frame=context.scene.frame_current
        )


class _MakeParametric(StepsOperator):
    """The base of both operators: reporting the result."""

    takes = WALK
    doing = "Turn Clip into Walk"

    def done(self, context, obj, result: "take.ParametricResult"):
        self.warn(report_text.warning(obj.name, result.report))
        first, last = result.seconds
        return (
            f"'{obj.name}' walks as the clip from {first:.1f} to {last:.1f} s along '{result.path.name}'; its"
            f" joints are {result.off_mm:.0f} mm off, the worst {result.worst_mm:.0f} mm, on a person of"
            " 1.75 m."
        )


class NEURARIG_OT_make_parametric(_MakeParametric):
    """Turn a clip into a walk whose speed, path, ground, footprints and style can be changed"""

    bl_label = "Turn Clip into Walk"
    confirm = "Turn Clip into Walk"

    source: ASKED.text("Armature", "Armature to take the clip from; empty: this one")
    action: ASKED.text("Action", "Action of that armature; empty: whatever moves it now")

    def draw(self, context):
        self.layout.prop_search(self, "source", bpy.data, "objects")
        self.layout.prop_search(self, "action", bpy.data, "actions")

    def steps(self, context, obj) -> "Steps[take.ParametricResult]":
        armature = named(bpy.data.objects, self.source, "object") if self.source else None
        action = named(bpy.data.actions, self.action, "action") if self.action else None
        return take.make_parametric.steps(obj, action, armature=armature)


class NEURARIG_OT_make_parametric_file(reads("Clip to walk as", *CLIPS, ".npz"), _MakeParametric):
    """Turn a motion capture file (.bvh, .fbx, .glb) into a walk whose speed, path, ground, footprints and
    style can be changed"""

    bl_label = "Turn Clip File into Walk"

    def steps(self, context, obj) -> "Steps[take.ParametricResult]":
        return take.make_parametric.steps(obj, self.filepath)


class NEURARIG_OT_remove_take(CharacterOperator):
    """Walk by speed, path and style again instead of as in the clip"""

    bl_label = "Remove Recorded Walk"
    needs = "Needs a walk that was made from a clip"
    lacks = "This walk was not made from a clip", lambda _, obj: gait_source.has_take(obj.neurarig.walk)

    def act(self, context, obj):
        take.remove_take(obj)
        return f"'{obj.name}' keeps no recorded walk."
