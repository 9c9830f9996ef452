"""Reducing the keys of an action, at once without a window, with progress and Esc in one; and its key poses
on the timeline."""

from bpy.types import Action, Context, Object

from ..animation.properties import KEPT, in_scene_units, shown_as
from ..animation.steps import Steps
from ..interface.operator import CharacterOperator, StepsOperator
from . import api, figures


@in_scene_units()
class NEURARIG_OT_reduce_keys(StepsOperator):
    """Make few keys of the character's action: poses at contact, down, passing and up, with handles, and more
    where it would stray"""

    bl_label = "Reduce Keys"
    needs = "Needs an action that the character plays: bake, retarget or key it first"
    lacks = "The character plays no action. Bake, retarget or key it first", lambda _, obj: _played(obj)
    doing = "Reduce Keys"
    confirm = "Reduce"

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

    def draw(self, context: Context) -> None:
        self.layout.use_property_split = True
        self.layout.prop(self, shown_as(self, "tolerance"))

    def steps(self, context: Context, obj: Object) -> Steps[Action]:
        return api.reduce_keys.steps(obj, tolerance=self.tolerance)

    def done(self, context: Context, obj: Object, result: Action) -> str:
        return f"'{result.name}': {figures.sentence(result)}"


class NEURARIG_OT_mark_timeline(CharacterOperator):
    """Copy the contact, down, passing and up markers of the character's action to the timeline"""

    bl_label = "Mark Steps on Timeline"
    needs = "Needs an action with markers: bake or retarget first"
    lacks = (
        "The character plays no action with markers. Bake or retarget first",
        lambda _, obj: (action := _played(obj)) and action.pose_markers,
    )

    def act(self, context: Context, obj: Object) -> str:
        return f"Put {len(api.mark_timeline(obj))} markers on the timeline."


def _played(obj: Object) -> Action | None:
    return obj.animation_data and obj.animation_data.action
