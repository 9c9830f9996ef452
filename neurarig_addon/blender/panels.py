"""The sidebar tab: it draws settings and buttons, and computes nothing."""

import bpy

from . import engine_link, gait_source, presets, profile_curves, profiles, report_text, trainer
from .character import armature_of

CURVES_SCALE = 11.5  # of an icon
# Red, green, blue, as the curves are drawn.
CURVE_LEGEND = (("x, pitch", "COLORSET_01_VEC"), ("y, yaw", "COLORSET_03_VEC"), ("z, roll", "COLORSET_04_VEC"))


class _Panel:
    """A panel of the NeuraRig tab; `draw_character` fills it for the armature at hand."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "NeuraRig"

    def draw(self, context: bpy.types.Context) -> None:
        obj = armature_of(context)
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = True
        if obj is not None:
            self.draw_character(layout, obj)

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        raise NotImplementedError


class _CharacterPanel(_Panel):
    """A panel that shows only where there is a character."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return armature_of(context) is not None


class NEURARIG_UL_roles(bpy.types.UIList):
    """The roles of a biped, each with the bone that plays it."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0) -> None:
        layout.use_property_split = layout.use_property_decorate = False
        row = layout.split(factor=0.35, align=True)
        row.label(text=role_label(item.role))
        row.prop_search(item, "bone", data.id_data.data, "bones", text="")


def role_label(role: str) -> str:
    """Return a role in words: `upper_arm.L` is Upper Arm L."""
    return role.replace("_", " ").replace(".", " ").title()


class NEURARIG_MT_walk_presets(bpy.types.Menu):
    """Ready walks, and your own"""

    bl_label = "Walk Presets"
    kind = presets.WALK

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        listed = presets.names(self.kind)
        for place, (name, shipped) in enumerate(listed):
            if place and not shipped and listed[place - 1][1]:
                layout.separator()
            button = layout.operator("neurarig.apply_preset", text=name)
            button.kind, button.preset = self.kind, name
        if not listed:
            layout.label(text="None saved yet")


class NEURARIG_MT_role_presets(bpy.types.Menu):
    """Role maps that you have saved"""

    bl_label = "Role Maps"
    kind = presets.ROLES
    draw = NEURARIG_MT_walk_presets.draw


def _draw_presets(layout: bpy.types.UILayout, kind: str, menu: str, text: str, current: str) -> None:
    row = layout.row(align=True)
    row.menu(menu, text=text)
    row.operator("neurarig.add_preset", text="", icon="ADD").kind = kind
    row = row.row(align=True)
    row.enabled = presets.is_own(kind, current)
    remove = row.operator("neurarig.remove_preset", text="", icon="REMOVE")
    remove.kind, remove.preset = kind, current


class NEURARIG_PT_rig(_Panel, bpy.types.Panel):
    bl_label = "Rig"

    def draw(self, context: bpy.types.Context) -> None:
        if armature_of(context) is None:
            self.layout.label(text="Select a character's armature", icon="INFO")
        super().draw(context)

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        found = sum(bool(item.bone) for item in obj.neurarig.roles)
        row = layout.row()
        row.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")
        row.label(text=f"{found} bones found" if found else "Not detected yet", icon="CHECKMARK" if found else "NONE")
        layout.operator("neurarig.detect_rig", icon="VIEWZOOM")
        if obj.neurarig.error:
            box = layout.box()
            for line in report_text.wrapped(obj.neurarig.error):
                row = box.row()
                row.alert = True
                row.label(text=line)
            box.operator("neurarig.resume_walk", icon="FILE_REFRESH")


class NEURARIG_PT_roles(_CharacterPanel, bpy.types.Panel):
    bl_label = "Bones"
    bl_parent_id = "NEURARIG_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        if not settings.roles:
            layout.label(text="Detect Rig fills this list", icon="INFO")
        layout.template_list("NEURARIG_UL_roles", "", settings, "roles", settings, "active_role", rows=9)
        _draw_presets(layout, presets.ROLES, "NEURARIG_MT_role_presets", "Role Maps", settings.role_preset)


class NEURARIG_PT_walk(_CharacterPanel, bpy.types.Panel):
    bl_label = "Walk"

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        _draw_presets(layout, presets.WALK, "NEURARIG_MT_walk_presets", settings.preset or "Walk Presets", settings.preset)
        layout.row().prop(settings, "mode", expand=True)
        big = layout.column()
        big.scale_y = 1.5
        big.operator("neurarig.generate_walk", icon="ARMATURE_DATA")
        if settings.attachment:
            row = layout.row(align=True)
            row.use_property_split = row.use_property_decorate = False
            row.prop(settings, "live", toggle=True, icon="PLAY" if settings.live else "PAUSE")
            row.operator("neurarig.remove_walk", icon="X")
        column = layout.column()
        column.prop(settings, "speed")
        column.prop(settings, "stride")
        figures = report_text.read(settings.report).pace
        if figures and not settings.report_is_old:
            row = column.split(factor=0.4)
            row.label()
            row.label(text=figures)
        column = layout.column()
        column.prop(settings, "energy")
        column.prop(settings, "weight")
        column = layout.column()
        column.prop(settings, "phase")
        column.prop(settings, "influence")
        column.prop(settings, "use_network")


class NEURARIG_MT_gait_sources(bpy.types.Menu):
    """The human gait, profiles that come with NeuraRig, and your own"""

    bl_label = "Gait Source"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("neurarig.use_human_gait", icon="ARMATURE_DATA")
        layout.separator()
        for name, _ in profiles.shipped():
            layout.operator("neurarig.use_profile", text=name, icon="TEXT").profile = name
        layout.separator()
        layout.operator("neurarig.open_profile", text="Open Profile…", icon="FILE_FOLDER")


class NEURARIG_UL_constants(bpy.types.UIList):
    """The constants of a profile, each with its value."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0) -> None:
        layout.use_property_split = layout.use_property_decorate = False
        row = layout.split(factor=0.55, align=True)
        row.label(text=role_label(item.name))
        row.prop(item, "value", text="")


class NEURARIG_PT_gait_source(_CharacterPanel, bpy.types.Panel):
    bl_label = "Gait Source"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        by_profile = settings.gait_source == "PROFILE"
        layout.menu("NEURARIG_MT_gait_sources", text=settings.profile_name if by_profile else "Human Gait")
        if not by_profile:
            return
        layout.prop(settings, "keep_planted")
        row = layout.row(align=True)
        row.operator("neurarig.check_profile", text="Check", icon="CHECKMARK")
        row.operator("neurarig.save_profile", text="Save As…", icon="EXPORT")
        for sentence in settings.profile_report.splitlines():
            for line in report_text.wrapped(sentence):
                layout.label(text=line)


class _ProfilePanel(_CharacterPanel):
    """A part of Gait Source that shows only where a profile is the source."""

    bl_parent_id = "NEURARIG_PT_gait_source"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        return obj is not None and obj.neurarig.gait_source == "PROFILE" and bool(obj.neurarig.profile)


class NEURARIG_PT_constants(_ProfilePanel, bpy.types.Panel):
    bl_label = "Constants"

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        layout.template_list("NEURARIG_UL_constants", "", settings, "profile_constants", settings, "active_constant", rows=6)
        if 0 <= settings.active_constant < len(settings.profile_constants):
            active = settings.profile_constants[settings.active_constant]
            column = layout.column(align=True)
            column.scale_y = 0.8
            for line in report_text.wrapped(f"{active.text or role_label(active.name)} ({active.low:.3g} to {active.high:.3g})"):
                column.label(text=line)
        layout.operator("neurarig.reset_constants", icon="LOOP_BACK")


class NEURARIG_PT_curves(_ProfilePanel, bpy.types.Panel):
    bl_label = "Curves"

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        layout.use_property_split = False
        layout.prop(obj.neurarig, "profile_binding", text="")
        shown = profile_curves.shown(obj)
        column = layout.column(align=True)
        for line in report_text.wrapped(shown.error):
            column.label(text=line)
        if shown.icon:
            column.label(text=shown.places)
            column.template_icon(shown.icon, scale=CURVES_SCALE)
            column.label(text=shown.turns)
            row = column.row(align=True)
            for text, icon in CURVE_LEGEND:
                row.label(text=text, icon=icon)
            column.label(text="One cycle; stance is shaded")


class NEURARIG_PT_training(_ProfilePanel, bpy.types.Panel):
    bl_label = "Training"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        share, said = trainer.progress()
        if trainer.is_running():
            layout.progress(factor=share, text=said)
            layout.operator("neurarig.cancel_training", icon="CANCEL")
        else:
            layout.operator("neurarig.train_profile", icon="NETWORK_DRIVE")
            column = layout.column(align=True)
            for line in report_text.wrapped(said):
                column.label(text=line)
            if "pip install" in said:
                layout.operator("neurarig.copy_pip_line", icon="COPYDOWN")
        if settings.profile_weights_for:
            row = layout.row()
            row.active = gait_source.is_trained(settings)
            row.prop(settings, "use_trained")
            if not row.active:
                layout.label(text="Trained with other constants", icon="INFO")


class NEURARIG_PT_feet(_CharacterPanel, bpy.types.Panel):
    bl_label = "Feet"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("step_height", "stance_width", "foot_splay", "asymmetry")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        column = layout.column()
        for slider in self.sliders:
            column.prop(obj.neurarig, slider)


class NEURARIG_PT_body(_CharacterPanel, bpy.types.Panel):
    bl_label = "Body"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("bounce", "sway", "twist", "list", "lean", "crouch")
    draw_character = NEURARIG_PT_feet.draw_character


class NEURARIG_PT_arms(_CharacterPanel, bpy.types.Panel):
    bl_label = "Arms & Head"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("arm_swing", "elbow_bend", "head_bob")
    draw_character = NEURARIG_PT_feet.draw_character


class NEURARIG_PT_path(_CharacterPanel, bpy.types.Panel):
    bl_label = "Path & Ground"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        column = layout.column()
        row = column.row()
        row.active = settings.mode == "TRAVEL"
        row.prop(settings, "travel_with")
        column.prop(settings, "start_frame")
        column.prop(settings, "whole_frames")


class NEURARIG_PT_bake(_CharacterPanel, bpy.types.Panel):
    bl_label = "Bake & Export"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        column = layout.column()
        for text, icon, loop in (("Bake Frames…", "ACTION", False), ("Bake Loop…", "FILE_REFRESH", True)):
            bake = column.operator("neurarig.bake_walk", text=text, icon=icon)
            bake.loop, bake.check = loop, True


class NEURARIG_PT_link(_CharacterPanel, bpy.types.Panel):
    bl_label = "Engine Link"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        if not engine_link.is_running():
            row = layout.row(align=True)
            for text, icon, mode in (("Engine Drives…", "IMPORT", "DRIVE"), ("Stream Out…", "EXPORT", "STREAM")):
                row.operator("neurarig.start_link", text=text, icon=icon).mode = mode
        else:
            layout.operator("neurarig.stop_link", icon="CANCEL")
        column = layout.column(align=True)
        for part in engine_link.status().split(" | "):
            for line in report_text.wrapped(part):
                column.label(text=line)


class NEURARIG_PT_contacts(_CharacterPanel, bpy.types.Panel):
    bl_label = "Contacts"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        obj = armature_of(context)
        if obj is not None and report_text.read(obj.neurarig.report).past_limits:
            self.layout.alert = True
            self.layout.label(text="", icon="ERROR")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        shown = report_text.read(obj.neurarig.report)
        column = layout.column(align=True)
        column.active = not obj.neurarig.report_is_old
        for line in shown.lines:
            row = column.split(factor=0.45)
            row.alert = line.past_limit
            name = row.row()
            name.alignment = "RIGHT"
            name.label(text=line.name)
            row.label(text=line.value)
        row = layout.row(align=True)
        row.operator("neurarig.check_contacts", icon="CHECKMARK")
        row.operator("neurarig.save_report", text="", icon="EXPORT")


register, unregister = bpy.utils.register_classes_factory(
    (
        NEURARIG_UL_roles,
        NEURARIG_MT_walk_presets,
        NEURARIG_MT_role_presets,
        NEURARIG_PT_rig,
        NEURARIG_PT_roles,
        NEURARIG_PT_walk,
        NEURARIG_MT_gait_sources,
        NEURARIG_UL_constants,
        NEURARIG_PT_gait_source,
        NEURARIG_PT_constants,
        NEURARIG_PT_curves,
        NEURARIG_PT_training,
        NEURARIG_PT_feet,
        NEURARIG_PT_body,
        NEURARIG_PT_arms,
        NEURARIG_PT_path,
        NEURARIG_PT_bake,
        NEURARIG_PT_link,
        NEURARIG_PT_contacts,
    )
)
