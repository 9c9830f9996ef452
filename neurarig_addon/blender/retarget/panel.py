"""The Retarget panels: source, choices, buttons, and report."""

from bpy.types import Object, PropertyGroup, UILayout

from ..animation import compat
from ..character import record
from ..character.selection import armature_of
from ..interface import report_text
from ..interface.language import said
from ..interface.panel import (
    CharacterPanel,
    ClosedPanel,
    draw_big,
    draw_choice,
    draw_error,
    draw_live,
    draw_played_over,
    draw_reference,
    draw_report,
    draw_settings,
    draw_switched,
    draw_where,
)
from . import source as clip_source


class NEURARIG_PT_retarget(ClosedPanel):
    bl_label = "Retarget"

    def draw_header(self, context):
        obj = armature_of(context)
        if obj is not None and (
            obj.neurarig.retarget.error or report_text.read(obj.neurarig.retarget.report).past_limits
        ):
            self.layout.alert = True
            self.layout.label(text="", icon="ERROR")

    def draw_character(self, layout, obj):
        settings = obj.neurarig.retarget
        layout.use_property_decorate = False
        draw_choice(layout, settings, "source_kind")
        column = layout.column()
        if settings.source_kind == "FILE":
            column.prop(settings, "file", text="")
        else:
            source = obj if settings.source_kind == "OWN" else settings.source
            if source is not obj:
                column.prop(settings, "source", text="From", icon="OUTLINER_OB_ARMATURE")
            column.prop(settings, "action")
            _draw_slot(column, settings, source)
            if source not in (None, obj):
                _draw_roles(column, "Source Bones", source)
        _draw_roles(column, "Target Bones", obj)
        self._draw_buttons(layout, obj, settings)
        draw_error(layout, settings.error)

    def _draw_buttons(self, layout: UILayout, obj: Object, settings: PropertyGroup) -> None:
        draw_big(layout, "neurarig.retarget", "ARMATURE_DATA")
        row = layout.row(align=True)
        row.use_property_split = False
        if record.holds(obj, record.CLIP):
            draw_live(row, settings)
            row.operator("neurarig.link_retarget", text="", icon="FILE_REFRESH")
            row.operator("neurarig.remove_retarget", text="Apply", icon="CHECKMARK").keep_clip = True
            row.operator("neurarig.remove_retarget", text="Remove", icon="X")
            draw_played_over(layout, obj)
        else:
            row.operator("neurarig.link_retarget", icon="LINKED")
        row = layout.row(align=True)
        if settings.source_kind == "ARMATURE":
            row.operator("neurarig.retarget_actions", text="Actions…", icon="ACTION")
        row.operator("neurarig.retarget_folder", text="Folder…", icon="FILE_FOLDER")
        layout.operator("neurarig.encode_action", text="Export Motion…", icon="EXPORT")


class NEURARIG_PT_retarget_options(ClosedPanel):
    bl_label = "Options"
    bl_parent_id = "NEURARIG_PT_retarget"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.retarget
        layout.use_property_decorate = False
        column = layout.column()
        row = column.row()
        row.enabled = not settings.live  # the rig is set up for one kind
        row.prop(settings, "controls")
        column.prop(settings, "root")
        if settings.root in ("OBJECT", "BONE"):
            column.prop(settings, "root_smoothing")
        column = layout.column()
        draw_settings(column, settings, "follow", "contacts")
        draw_where(settings.contacts, column, settings, "hands")
        column = layout.column()
        draw_settings(column, settings, "mirror", "stride", "arm_spacing", "start_here")
        draw_switched(column, settings, "Start Frame", "use_frame_start", "frame_start")
        draw_settings(column, settings, "fit_range", "step")


class NEURARIG_PT_continue(ClosedPanel):
    bl_label = "Continue"
    bl_parent_id = "NEURARIG_PT_retarget"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.retarget
        column = layout.column()
        column.use_property_decorate = False
        draw_where(not settings.continue_until_end, column, settings, "continue_for", text="Seconds")
        draw_settings(column, settings, "continue_until_end", "continue_to")
        keyed = layout.column()
        keyed.use_property_decorate = True
        keyed.prop(settings, "continue_speed")
        draw_where(settings.continue_to is None, keyed, settings, "continue_turn")
        column = layout.column()
        column.use_property_decorate = False
        column.prop(settings, "continue_stand")
        layout.operator("neurarig.continue_motion", icon="FORWARD")
        column = layout.column(align=True)
        column.use_property_decorate = False
        column.prop(settings, "fill", text="Fill a Gap")
        draw_where(settings.fill, column, settings, "fill_start")
        draw_where(settings.fill, column, settings, "fill_end")
        layout.operator("neurarig.fill_motion", icon="ARROW_LEFTRIGHT")


class NEURARIG_PT_source_bones(ClosedPanel):
    bl_label = "Source Bones"
    bl_parent_id = "NEURARIG_PT_retarget"

    @classmethod
    def counts(cls, obj):
        settings = obj.neurarig.retarget
        return settings.source_kind == "ARMATURE" and settings.source

    def draw_character(self, layout, obj):
        source = obj.neurarig.retarget.source
        layout.operator("neurarig.detect_rig", icon="VIEWZOOM").armature = source.name
        layout.template_list(
            "NEURARIG_UL_roles", "source", source.neurarig, "roles", source.neurarig, "active_role", rows=9
        )
        draw_reference(layout, source, source.name)


class NEURARIG_PT_retarget_report(CharacterPanel):
    bl_label = "Report"
    bl_parent_id = "NEURARIG_PT_retarget"

    @classmethod
    def counts(cls, obj):
        return obj.neurarig.retarget.report

    def draw_character(self, layout, obj):
        draw_report(layout, obj.neurarig.retarget.report, obj.neurarig.retarget.report_is_old)


def _draw_slot(layout: UILayout, settings: PropertyGroup, source: Object | None) -> None:
    """Draw the choice among the clips that are slots of one action."""
    action = settings.action or compat.playing(source)[0]
    if source is not None and (settings.slot or len(clip_source.slots(source, action)) > 1):
        layout.prop_search(settings, "slot", action, "slots", icon="ACTION_SLOT")


def _draw_roles(layout: UILayout, name: str, obj: Object) -> None:
    """Draw how many bones of an armature are known; if none, they are detected automatically."""
    found = sum(bool(item.bone) for item in obj.neurarig.roles)
    row = layout.split(factor=0.4)
    label = row.row()
    label.alignment = "RIGHT"
    label.label(text=name)
    row.label(
        text=said(f"{found} found") if found else "Found automatically", icon="CHECKMARK" if found else "NONE"
    )
