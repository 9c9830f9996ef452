"""The buttons of footprints: editing them, what is done with edited ones, and their files."""

from bpy.types import Context, Object

from .....core.errors import NeuraRigError
from ....animation.frame_range import played_range
from ....animation.objects import leave_modes, select
from ....animation.properties import ASKED, KEPT
from ....character.record import WALK
from ....interface.file_operator import reads, writes
from ....interface.operator import CharacterOperator
from ...api import acts as act_api
from ...api import print_sets
from ...api import prints as api


class PrintsOperator(CharacterOperator):
    """An operator on a walking character."""

    holder = WALK

    def chosen(self, context: Context, obj: Object) -> "list[api.Key]":
        """Return the prints whose objects are selected; raises NeuraRigError if none is."""
        prints = api.prints_of(context.selected_objects, obj)
        if not prints:
            raise NeuraRigError("Select the object of a footprint first; Edit Footprints makes one.")
        return prints


def pick(*objects: Object, extend: bool = False) -> None:
    """Select objects in Object Mode."""
    leave_modes()
    select(*objects, extend=extend)


class NEURARIG_OT_edit_footprints(PrintsOperator):
    """Make footprints, and acts there, into objects: move, turn and tilt them, and the feet follow"""

    bl_label = "Edit Footprints"

    which: KEPT.choice(
        "Footprints",
        "Which footprints to edit",
        items=(
            ("FRAME", "At Playhead", "The prints that both feet are on, or come to, at the current frame"),
            ("RANGE", "Frame Range", "All prints within the scene's frames"),
        ),
        default="FRAME",
    )

    def act(self, context, obj):
        is_at, now = self.which == "FRAME", context.scene.frame_current_final
        first, last = (now, now) if is_at else played_range(context.scene)
        handles = api.take_prints(obj, None if is_at else api.prints_between(obj, first, last))
        empties = act_api.place_acts(obj, first, last)
        obj.neurarig.walk.show_footprints = True
        pick(*empties, *handles)
        acts = f" and {len(empties)} act{'s' * (len(empties) > 1)}" if empties else ""
        return f"{len(handles)} footprints{acts} of '{obj.name}' are objects now. Drag them."


class NEURARIG_OT_add_footprint(PrintsOperator):
    """Add a step after the selected footprint, or at the playhead. The steps around it become shorter and
    quicker"""

    bl_label = "Add Step"

    def act(self, context, obj):
        api.require_shown(obj)
        active = context.view_layer.objects.active
        chosen = api.prints_of([active] if active is not None else [], obj) or [
            api.stood_on(obj, context.scene.frame_current_final)
        ]
        side, number = api.add_print(obj, *chosen[0])
        obj.neurarig.walk.show_footprints = True
        pick(*api.take_prints(obj, [(side, number)]))
        return f"Added {side.lower()} print {number}. Drag it, or Reset to take it out."


class NEURARIG_OT_neighbour_footprints(PrintsOperator):
    """Edit the steps before and after the selected footprints too"""

    bl_label = "Add Neighbours"
    needs = "Needs the object of a footprint to be selected: Edit Footprints makes it"

    def act(self, context, obj):
        handles = api.take_prints(obj, api.neighbours(self.chosen(context, obj)))
        pick(*handles, extend=True)
        return f"{len(handles)} footprints are selected."


class NEURARIG_OT_put_away_footprints(PrintsOperator):
    """Stop editing: remove the objects of the footprints and keep the edits"""

    bl_label = "Done"

    def act(self, context, obj):
        api.put_away_prints(obj)
        pick(obj)
        kept = len(obj.neurarig.walk.prints)
        return f"'{obj.name}' keeps {kept} edited footprint{'' if kept == 1 else 's'}."


class NEURARIG_OT_reset_footprints(PrintsOperator):
    """Put footprints back where the walk planned them"""

    bl_label = "Reset Footprints"

    every: ASKED.switch("All", "All footprints of the character, not just the selected ones")

    def act(self, context, obj):
        count = api.reset_prints(obj, None if self.every else self.chosen(context, obj))
        if context.view_layer.objects.active is None:
            pick(obj)
        return f"{count} footprints of '{obj.name}' are back as planned."


class NEURARIG_OT_mirror_footprints(PrintsOperator):
    """Apply the same edit, mirrored, to the other foot's step"""

    bl_label = "Mirror Footprints"
    needs = "Needs the object of a footprint to be selected: Edit Footprints makes it"

    def act(self, context, obj):
        return f"Mirrored {api.mirror_prints(obj, self.chosen(context, obj))} footprints of '{obj.name}'."


class NEURARIG_OT_lay_footprints(PrintsOperator):
    """Lay the selected footprints flat on the ground under them"""

    bl_label = "Snap Footprints to Ground"
    needs = "Needs the object of a footprint to be selected: Edit Footprints makes it"

    def act(self, context, obj):
        return f"{api.lay_prints(obj, self.chosen(context, obj))} footprints lie on the ground."


class NEURARIG_OT_copy_footprints(PrintsOperator):
    """Copy the edited footprints, or the selected ones, to the other selected characters, in their size"""

    bl_label = "Copy Footprints to Selected"
    needs = "Needs a walk with edited footprints, and other armatures selected besides"

    def act(self, context, obj):
        others = [other for other in context.selected_objects if other.type == "ARMATURE" and other != obj]
        if not others:
            raise NeuraRigError(f"Select the characters to copy the footprints of '{obj.name}' to as well.")
        prints = api.prints_of(context.selected_objects, obj) or None
        count = [api.copy_prints(obj, other, prints) for other in others]
        return f"Copied {count[0]} footprints to {len(others)} characters."


class NEURARIG_OT_save_footprints(PrintsOperator, writes("JSON file to write", ".json")):
    """Save the edited footprints as a JSON file"""

    bl_label = "Save Footprints"

    def file_name(self, obj):
        return "footprints.json"

    def act(self, context, obj):
        return f"Saved {print_sets.save_prints(obj, self.file())} footprints to '{self.file()}'."


class NEURARIG_OT_load_footprints(PrintsOperator, reads("JSON file to read", ".json")):
    """Load edited footprints from a JSON file. They replace the character's own"""

    bl_label = "Load Footprints"

    def act(self, context, obj):
        return f"Loaded {print_sets.load_prints(obj, self.file())} footprints from '{self.file().name}'."
