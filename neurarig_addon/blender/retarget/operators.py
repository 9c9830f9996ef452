"""Retargeting clips to a character: as a new action, as a live link, many at once; and writing a clip to a
file."""

import bpy

from ...core.errors import NeuraRigError
from ...core.ikrig.encoding import Encoding
from ...core.sequence.limits import LONGEST_S
from ..animation.properties import ASKED, KEPT
from ..animation.steps import Steps
from ..character.record import CLIP
from ..character.selection import armature_of
from ..interface import report_text
from ..interface.file_operator import RemoveOperator, writes
from ..interface.language import said
from ..interface.operator import CharacterOperator, StepsOperator, named
from ..interface.options import properties_of
from . import api
from .settings import CONTINUING, OPTIONS

SHOWN = ("controls", "root", "follow", "contacts", "hands", "mirror", "stride", "start_here", "fit_range")
TAKEN = (*SHOWN, "frame_start", *CONTINUING)


class _Chosen(
    properties_of((option for option in OPTIONS if option.name in TAKEN), ASKED, is_brief=True),
    CharacterOperator,
):
    """Choices that a script may give; the others are taken from the panel."""

    source: ASKED.text("Source", "Name of the source armature")
    action: ASKED.text("Action", "Name of the source's action")
    slot: ASKED.text("Slot", "Name of the action's slot")
    file: ASKED.text("File", "File to retarget instead: a skeleton, generated or exported motion")

    continue_to: ASKED.text("To", "Name of a curve to go along, or of an object to go to and to follow")

    def invoke(self, context, event):
        settings = armature_of(context).neurarig.retarget
        for name in SHOWN:  # in the redo panel, as in the sidebar
            setattr(self, name, getattr(settings, name))
        return super().invoke(context, event)

    def draw(self, context):
        self.layout.use_property_split = True
        for name in SHOWN:
            self.layout.prop(self, name)

    def chosen(self) -> dict:
        """Return what was given, as arguments of the functions."""
        given = {
            name: getattr(self, name)
            for name in (*_Chosen.__annotations__, *TAKEN)
            if self.properties.is_property_set(name)
        }
        for name, found in (
            ("source", bpy.data.objects),
            ("action", bpy.data.actions),
            ("continue_to", bpy.data.objects),
        ):
            if name in given:
                given[name] = named(found, given[name], "action" if name == "action" else "object")
        return given


class _RetargetOperator(_Chosen, StepsOperator):
    """An operator that makes actions from clips."""

    takes = CLIP
    doing = "Retargeting"

    def done(self, context, obj, result: "list[api.BatchResult]"):
        refused = [clip for clip in result if clip.refusal]
        for clip in refused:
            self.report({"WARNING"}, said(f"{clip.name}: {clip.refusal}"))
        for clip in result:
            self.warn(clip.remark)
            self.warn(report_text.warning(clip.name, clip.report))
        return report_text.retargeted(
            obj.name, [clip.name for clip in result if clip.action], len(refused), result[-1].report
        )


class _NamingOperator(_RetargetOperator):
    """An operator that makes one action."""

    action_name: ASKED.text("Name", "Name of the new action; empty: after the clip")
    check: KEPT.switch(
        "Check Motion",
        "Measure slip and reach of the result on the evaluated pose",
        default=True,
    )

    def chosen(self) -> dict:
        return super().chosen() | {"action_name": self.action_name, "check": self.check}

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.prop(self, "action_name")
        super().draw(context)


class NEURARIG_OT_retarget(_NamingOperator):
    """Retarget the source's motion to this character as a new action. Your own actions are not touched"""

    bl_label = "Retarget"
    needs = "Needs a source: choose an armature, action or file in Retarget"

    def steps(self, context, obj) -> "Steps[list[api.BatchResult]]":
        return api.retarget.steps(obj, **self.chosen())


class NEURARIG_OT_continue_motion(_NamingOperator):
    """Let the motion go on by itself after its end, as a new action: the retargeted clip, or else the action
    that plays"""

    bl_label = "Continue"
    needs = "Needs a retargeted clip, or an action that the character plays"

    seconds: ASKED.number("Seconds", "For how long", default=10.0, min=0.1, max=LONGEST_S)

    def steps(self, context, obj) -> "Steps[list[api.BatchResult]]":
        own, given = obj.neurarig.retarget, self.chosen()
        if self.properties.is_property_set("seconds"):
            seconds = self.seconds
        elif given.get("continue_until_end", own.continue_until_end):
            seconds = None
        else:
            seconds = own.continue_for or self.seconds
        return api.continue_motion.steps(obj, seconds, **given)


class NEURARIG_OT_fill_motion(_NamingOperator):
    """Make the frames between two anew, from the motion before and after them, as a new action.
    Experimental"""

    bl_label = "Fill"
    needs = "Needs a retargeted clip, or an action that the character plays"

    frame_start: ASKED.whole("From", "Last frame before those that are made anew")
    frame_end: ASKED.whole("To", "First frame after those that are made anew")

    def steps(self, context, obj) -> "Steps[list[api.BatchResult]]":
        own, given = obj.neurarig.retarget, self.chosen()
        asked = [
            getattr(self, ours) if self.properties.is_property_set(ours) else getattr(own, theirs)
            for ours, theirs in (("frame_start", "fill_start"), ("frame_end", "fill_end"))
        ]
        given.pop("frame_start", None)  # here the first frame of the gap, not the clip's
        return api.fill_motion.steps(obj, *asked, **given)


class NEURARIG_PG_clip_choice(bpy.types.PropertyGroup):
    """One action in the list to choose from."""

    use: KEPT.switch("Use", "Retarget this action", default=True)


class NEURARIG_OT_retarget_actions(_RetargetOperator):
    """Retarget several actions of the source armature, each to a new action"""

    bl_label = "Retarget Actions"
    needs = "Needs a source armature that has actions: choose it in Retarget"
    confirm = "Retarget"

    clips: ASKED.items("Clips", "The actions to take", type=NEURARIG_PG_clip_choice)

    def invoke(self, context, event):
        try:
            found = api.actions_of_source(armature_of(context))
        except NeuraRigError as error:
            return self.refuse(error)
        self.clips.clear()
        for action in found:
            self.clips.add().name = action.name
        return super().invoke(context, event)

    def draw(self, context):
        column = self.layout.column(align=True)
        for clip in self.clips:
            column.prop(clip, "use", text=clip.name)

    def steps(self, context, obj) -> "Steps[list[api.BatchResult]]":
        given = self.chosen()
        if self.properties.is_property_set("clips"):
            actions = [named(bpy.data.actions, clip.name, "action") for clip in self.clips if clip.use]
        else:
            actions = api.actions_of_source(obj, given.get("source"))
        return api.retarget_actions.steps(obj, actions, **given)


class NEURARIG_OT_retarget_folder(_RetargetOperator):
    """Retarget every clip of a folder (.bvh, .fbx, .glb, .gltf, .npz, .npy, .csv), each to an action named
    after its file"""

    bl_label = "Retarget Folder"

    directory: ASKED.text("Folder", "Folder with the clips", subtype="DIR_PATH")
    filter_folder: KEPT.switch(default=True, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context, event):
        return self.browse(context)

    def steps(self, context, obj) -> "Steps[list[api.BatchResult]]":
        return api.retarget_folder.steps(obj, self.directory, **self.chosen())


class NEURARIG_OT_link_retarget(_Chosen, StepsOperator):
    """Follow the source live, to see the result before baking. Click again to reload the source"""

    bl_label = "Live Link"
    needs = "Needs a source: choose an armature, action or file in Retarget"
    takes = CLIP
    doing = "Live Link"

    def steps(self, context, obj) -> Steps[None]:
        return api.link_retarget.steps(obj, **self.chosen())

    def done(self, context, obj, result: None):
        return f"'{obj.name}' follows its source. Press Space to play, or Retarget to bake keys."


class NEURARIG_OT_remove_retarget(RemoveOperator):
    """Remove the retargeted motion and restore the rig, pose and animation from before"""

    bl_label = "Remove Retarget"
    holder = CLIP
    keep, keeping = (
        "keep_clip",
        "Keep the retargeted action as the character's own animation and remove the rest",
    )

    keep_clip: ASKED.switch("Keep Clip", "Keep the retargeted action on the character, to edit or export")

    def act(self, context, obj):
        self.tell(api.remove_retarget(obj, keep_clip=self.keep_clip, bakes=self.bakes))
        return (
            f"'{obj.name}' keeps its clip."
            if self.keep_clip
            else f"'{obj.name}' is back as it was before the clip."
        )


class NEURARIG_OT_encode_action(
    writes("The .npz or .csv file to write", ".npz", ".csv", marked=ASKED), StepsOperator
):
    """Export this character's motion for use on any other character: .npz, or .csv with a pose per row"""

    bl_label = "Export Motion"
    doing = "Export Motion"

    def file_name(self, obj):
        return f"{bpy.path.clean_name(obj.name)}.npz"

    def steps(self, context, obj) -> Steps[Encoding]:
        return api.encode_action.steps(obj, self.file())

    def done(self, context, obj, result: Encoding):
        return f"Wrote {len(result)} frames to '{self.file()}'."
