"""Seldom needed: which controls are driven, the network, and where the gait comes from."""

from bpy.types import Menu, PropertyGroup, UILayout

from ....interface import report_text
from ....interface.language import said
from ....interface.panel import CharacterPanel, ClosedPanel, ItemList, draw_choice, draw_sentence, role_label
from ...manner import gait_source, profiles
from .. import pictures
from .sliders import draw_sliders

CURVES_SCALE = 11.5  # size of an icon
# Red, green, blue, as the curves are drawn.
CURVE_LEGEND = (
    ("x, pitch", "COLORSET_01_VEC"),
    ("y, yaw", "COLORSET_03_VEC"),
    ("z, roll", "COLORSET_04_VEC"),
)


class NEURARIG_MT_gait_sources(Menu):
    """The human gait, profiles that come with NeuraRig, and your own"""

    bl_label = "Gait Source"

    def draw(self, context):
        layout = self.layout
        layout.operator("neurarig.use_human_gait", icon="ARMATURE_DATA")
        layout.separator()
        for name, _ in profiles.shipped():
            layout.operator("neurarig.use_profile", text=name, icon="TEXT").profile = name
        layout.separator()
        layout.operator("neurarig.open_profile", text="Open Profile…", icon="FILE_FOLDER")


class NEURARIG_UL_constants(ItemList):
    """The constants of a profile, each with its value."""

    def draw_row(self, layout, item):
        layout.use_property_split = layout.use_property_decorate = False
        row = layout.split(factor=0.55, align=True)
        row.label(text=role_label(item.name))
        row.prop(item, "value", text="")


class NEURARIG_PT_advanced(ClosedPanel):
    bl_label = "Advanced"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        draw_choice(layout, settings, "controls")
        draw_sliders(layout, obj, "use_network")
        layout.label(text="Gait Source")
        self.draw_source(layout, settings)

    def draw_source(self, layout: UILayout, settings: PropertyGroup) -> None:
        """Draw where the gait comes from, and what can be done with a profile."""
        by_profile = settings.gait_source == "PROFILE"
        layout.menu("NEURARIG_MT_gait_sources", text=settings.profile_name if by_profile else "Human Gait")
        if not by_profile:
            return
        layout.prop(settings, "keep_planted")
        row = layout.row(align=True)
        row.operator("neurarig.check_profile", text="Check", icon="CHECKMARK")
        row.operator("neurarig.save_profile", text="Save As…", icon="EXPORT")
        for sentence in settings.profile_report.splitlines():
            draw_sentence(layout, sentence)


class _ProfilePanel(CharacterPanel):
    """A part of Advanced that is shown only for profiles."""

    bl_parent_id = "NEURARIG_PT_advanced"

    @classmethod
    def counts(cls, obj):
        return obj.neurarig.walk.gait_source == "PROFILE" and obj.neurarig.walk.profile


class NEURARIG_PT_constants(_ProfilePanel):
    bl_label = "Constants"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        layout.template_list(
            "NEURARIG_UL_constants", "", settings, "profile_constants", settings, "active_constant", rows=6
        )
        if 0 <= settings.active_constant < len(settings.profile_constants):
            active = settings.profile_constants[settings.active_constant]
            draw_sentence(
                layout, f"{active.text or role_label(active.name)} ({active.low:.3g} to {active.high:.3g})"
            )
        layout.operator("neurarig.reset_constants", icon="LOOP_BACK")


class NEURARIG_PT_curves(_ProfilePanel):
    bl_label = "Curves"

    def draw_character(self, layout, obj):
        layout.use_property_split = False
        layout.prop(obj.neurarig.walk, "profile_binding", text="")
        shown = pictures.curves_of(obj)
        column = layout.column(align=True)
        for line in report_text.wrapped(said(shown.error)):
            column.label(text=line)
        if shown.icon:
            column.label(text=said(shown.places))
            column.template_icon(shown.icon, scale=CURVES_SCALE)
            column.label(text=said(shown.turns))
            row = column.row(align=True)
            for text, icon in CURVE_LEGEND:
                row.label(text=text, icon=icon)
            column.label(text="One cycle; stance is shaded")


class NEURARIG_PT_training(_ProfilePanel):
    bl_label = "Training"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        layout.operator("neurarig.train_profile", icon="NETWORK_DRIVE")
        if settings.profile_weights_for:
            row = layout.row()
            row.active = gait_source.is_trained(settings)
            row.prop(settings, "use_trained")
            if not row.active:
                layout.label(text="Trained with other constants", icon="INFO")
