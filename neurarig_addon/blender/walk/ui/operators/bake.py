"""Baking a walk to keyframes: at once without a window, with progress and Esc in one."""

import bpy
from bpy.types import Action, Context, Object

from ....animation.properties import KEPT, in_scene_units, shown_as
from ....animation.steps import Steps, part_of
from ....character import ledger
from ....character.record import WALK
from ....character.selection import armature_of
from ....interface import report_text
from ....interface.addon import preferred
from ....interface.operator import StepsOperator
from ....interface.options import properties_of
from ....keys import figures
from ...api import bake, report
from ...bake import bake as baking
from ...bake.bake_options import DENSE, EDITABLE, NAME_PATTERN, OPTIONS, PREFERRED


@in_scene_units()
class NEURARIG_OT_bake_walk(properties_of(OPTIONS), StepsOperator):
    """Bake the walk to keyframes in a new action. Your own actions are not touched"""

    bl_label = "Bake Walk"
    holder = WALK
    doing = confirm = "Bake"

    frame_start: KEPT.whole("Start Frame", "First frame of the bake", default=1)
    frame_end: KEPT.whole("End Frame", "Last frame of the bake", default=250)
    check: KEPT.switch("Check Motion", "Measure the baked frames and fill in the report")

    def invoke(self, context, event):
        self.begin(context)
        return super().invoke(context, event)

    def begin(self, context: Context) -> None:
        """Set what is not given as the scene and the preferences have it."""
        declared = bpy.ops.neurarig.bake_walk.get_rna_type().properties
        wished = {name: preferred(name, declared[name].default) for name in PREFERRED} | {
            "frame_start": context.scene.frame_start,
            "frame_end": context.scene.frame_end,
            "action_name": baking.default_name(armature_of(context), preferred("bake_name", NAME_PATTERN)),
        }
        for name, value in wished.items():
            if not self.properties.is_property_set(name):
                setattr(self, name, value)

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "action_name")
        layout.prop(self, "loop")
        column = layout.column(align=True)
        column.prop(self, "frame_start")
        end = column.column(align=True)
        end.active = not self.loop
        end.prop(self, "frame_end", text="End")
        step = column.column(align=True)
        step.active = not _is_editable(self)
        step.prop(self, "step")
        layout.prop(self, "target")
        keys = layout.column(align=True)
        keys.active = self.target != "DEFORM"
        keys.prop(self, "keys")
        if _is_editable(self):
            keys.prop(self, shown_as(self, "tolerance"))
        layout.prop(self, "push_nla")
        layout.prop(self, "check")

    def steps(self, context, obj) -> Steps[Action]:
        return self._checked(obj, bake.bake_steps(obj, **self._options(context)))

    def _checked(self, obj: Object, steps: Steps[Action]) -> Steps[Action]:
        action = yield from part_of(steps, 0.0, 0.5 if self.check else 1.0)
        if self.check:
            self.stands = action
            found = yield from part_of(report.contact_report.steps(obj, bake.baked_frames(action)), 0.5, 1.0)
            self.warn(report_text.warning(obj.name, found))
        return action

    def done(self, context, obj, result: Action):
        other = result.get(baking.DEFORM_ACTION)
        besides = f", its deform bones to '{other.name}'" if other is not None else ""
        told_of = figures.sentence(result)
        return " ".join(
            filter(None, (f"Baked '{obj.name}' to the action '{result.name}'{besides}.", told_of))
        )

    def _options(self, context: Context) -> dict:
        """Return the options; unset frames are those that the scene plays."""
        given = self.properties.is_property_set
        by_step = given("step") and self.step != 1 and not given("keys")
        editable = _is_editable(self) and not by_step
        return {
            "frame_start": self.frame_start if given("frame_start") else context.scene.frame_start,
            "frame_end": self.frame_end if given("frame_end") else context.scene.frame_end,
            **{option.name: getattr(self, option.name) for option in OPTIONS},
            "step": 1 if editable else self.step,
            "keys": EDITABLE if editable else DENSE,
        }


class NEURARIG_OT_rebake_walk(StepsOperator):
    """Bake into the same action again with the current sliders. Keys that you changed stay"""

    bl_label = "Re-bake"
    needs = "Needs a walk that has been baked"
    holder = WALK
    doing = "Re-bake"
    lacks = "Nothing has been baked yet", lambda _, obj: ledger.of_kind(obj, ledger.BAKE)

    def steps(self, context, obj) -> Steps[Action]:
        return bake.rebake_walk.steps(obj)

    def done(self, context, obj, result: Action):
        stays = bake.kept_keys(result)
        return " ".join(
            filter(
                None, (f"Baked '{result.name}' again; {stays} of your keys stay.", figures.sentence(result))
            )
        )


def _is_editable(choices: NEURARIG_OT_bake_walk) -> bool:
    """Return whether few keys are made: on controls, at frames of their own choice."""
    return choices.keys == EDITABLE and choices.target != "DEFORM"
