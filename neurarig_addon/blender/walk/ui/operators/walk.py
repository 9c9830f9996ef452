"""Making, resuming, measuring and removing a walk."""

import bpy

from .....core.gait.sliders.style import SLIDERS
from ....animation.properties import ASKED, KEPT
from ....animation.steps import Steps
from ....character import holding
from ....character.record import WALK
from ....interface import report_text
from ....interface.addon import preferred
from ....interface.file_operator import RemoveOperator, writes
from ....interface.operator import CharacterOperator, StepsOperator, named
from ...api import layer, walk
from ...api import report as report_api


class NEURARIG_OT_generate_walk(StepsOperator):
    """Make the character walk: find its bones and controls, and pose them live"""

    bl_label = "Generate Walk"
    takes = WALK
    doing = "Generate Walk"

    def steps(self, context, obj) -> Steps[dict]:
        name, own = preferred("new_walk", ""), obj.neurarig.walk
        is_new = not own.leg_length and not any(map(own.is_property_set, SLIDERS))
        return walk.generate_walk.steps(obj, preset=name if name and is_new else None)

    def done(self, context, obj, result: dict):
        self.warn(walk.odd_size(obj))
        self.warn(walk.uneven_feet(obj))
        self.warn(report_text.warning(obj.name, result))
        return report_text.greeting(obj.name, result)


class NEURARIG_OT_resume_walk(CharacterOperator):
    """Turn the walk on again after an error turned it off"""

    bl_label = "Resume Walk"
    holder = WALK

    def act(self, context, obj):
        walk.resume_walk(obj)
        return f"'{obj.name}' is walking again."


class NEURARIG_OT_remove_walk(RemoveOperator):
    """Remove the walk and restore the rig, pose and animation from before"""

    bl_label = "Remove Walk"
    holder = WALK
    keep, keeping = "keep_bake", "Keep the bake as the character's own animation and remove the walk"

    keep_bake: ASKED.switch("Keep Bake", "Keep the bake on the character, to edit or export")

    def act(self, context, obj):
        self.tell(walk.remove_walk(obj, keep_bake=self.keep_bake, bakes=self.bakes))
        return (
            f"'{obj.name}' keeps its bake."
            if self.keep_bake
            else f"'{obj.name}' is back as it was before the walk."
        )


class NEURARIG_OT_use_as_layer(CharacterOperator):
    """Move your keys on trunk, head and arms, or an action, into a layer on top of the walk. To set your keys
    aside instead, turn Live off and on"""

    bl_label = "Use as Layer"
    needs = "Needs a live walk, and an action or keys of your own on trunk, head or arms"
    holder = WALK

    action: ASKED.text("Action", "Action to play on top of the walk; empty: your keys")

    def act(self, context, obj):
        if self.action:
            layer.layer_action(obj, named(bpy.data.actions, self.action, "action"))
            return f"'{self.action}' plays on top of the walk of '{obj.name}'."
        action = layer.use_as_layer(obj)
        if left := holding.playing_over(obj):
            names = ", ".join(repr(name) for name in left)
            self.warn(
                f"A layer moves trunk, head and arms. Other keys in {names} still hold their bones: turn Live"
                " off and on to set them aside."
            )
        return f"Your keys are in '{action.name}' now, on top of the walk of '{obj.name}'."


class NEURARIG_OT_check_contacts(StepsOperator):
    """Measure how well the feet are planted and how smoothly the body moves, and fill in the report"""

    bl_label = "Check Motion"
    doing = "Check Motion"
    holder = WALK

    frame_start: KEPT.whole("Start Frame", "First frame to measure (default: the walk's first cycles)")
    frame_end: KEPT.whole("End Frame", "Last frame to measure")

    def steps(self, context, obj) -> Steps[dict]:
        frames = self.given("frame_start"), self.given("frame_end")
        return report_api.contact_report.steps(obj, None if None in frames else frames)

    def done(self, context, obj, result: dict):
        self.warn(report_text.warning(obj.name, result))
        return report_api.summary(obj, result)


class NEURARIG_OT_save_report(writes("JSON file to write", ".json")):
    """Save the last report as a JSON file"""

    bl_label = "Save Report"
    needs = "Needs a report: click Check Motion first"
    lacks = "No report yet. Click Check Motion first", lambda _, obj: obj.neurarig.walk.report

    def file_name(self, obj):
        return "contact_report.json"

    def act(self, context, obj):
        report_api.save_report(obj, self.file())
        return f"Saved '{self.file()}'."
