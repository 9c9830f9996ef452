"""The character's bones and controls."""

from bpy.types import Menu, PropertyGroup, UILayout

from ..interface.language import said
from ..interface.panel import ClosedPanel, ItemList, draw_reference, draw_sentence, role_label
from ..walk.manner import presets
from ..walk.ui.panel.manner import draw_own_presets
from .control_text import posed_by, switch_lines


class NEURARIG_UL_roles(ItemList):
    """The roles of a character, each with the bone that plays it."""

    def draw_row(self, layout, item):
        layout.use_property_split = layout.use_property_decorate = False
        row = layout.split(factor=0.35, align=True)
        row.label(text=role_label(item.role))
        row.prop_search(item, "bone", item.id_data.data, "bones", text="")


class NEURARIG_MT_role_presets(Menu):
    """Lists of bones that you have saved"""

    bl_label = "Saved Bone Lists"
    kind = presets.ROLES

    def draw(self, context):
        saved = presets.names(self.kind)
        for name, _ in saved:
            button = self.layout.operator("neurarig.apply_preset", text=name)
            button.kind, button.preset = self.kind, name
        if not saved:
            self.layout.label(text="None saved yet")


class NEURARIG_UL_controls(NEURARIG_UL_roles):
    """What a rig's controls do, each with the bone that does it."""


class NEURARIG_MT_control_presets(Menu):
    """Lists of controls that you have saved"""

    bl_label = "Saved Control Lists"
    kind = presets.CONTROLS
    draw = NEURARIG_MT_role_presets.draw


def draw_saved(
    layout: UILayout,
    menu: type[NEURARIG_MT_role_presets | NEURARIG_MT_control_presets],
    current: str,
) -> None:
    """Draw the menu of saved lists, with the buttons that save and delete one."""
    row = layout.row(align=True)
    row.menu(menu.__name__, text=menu.bl_label)
    draw_own_presets(row, menu.kind, current)


def _draw_list(
    layout: UILayout,
    settings: PropertyGroup,
    kind: str,
    name: str,
    active: str,
    none: str,
) -> None:
    """Draw a list, and what is chosen of it in full: the list is too narrow for long names."""
    layout.template_list(kind, "", settings, name, settings, active, rows=9)
    for item in getattr(settings, name)[getattr(settings, active) :][:1]:
        layout.label(text=f"{role_label(item.role)}: {item.bone or said(none)}")


class NEURARIG_PT_rig(ClosedPanel):
    bl_label = "Rig"

    def draw_character(self, layout, obj):
        found = sum(bool(item.bone) for item in obj.neurarig.roles)
        row = layout.row()
        row.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")
        row.label(
            text=said(f"{found} bones found") if found else "Not detected",
            icon="CHECKMARK" if found else "NONE",
        )
        layout.operator("neurarig.detect_rig", icon="VIEWZOOM")


class NEURARIG_PT_roles(ClosedPanel):
    bl_label = "Bones"
    bl_parent_id = "NEURARIG_PT_rig"

    def draw_character(self, layout, obj):
        settings = obj.neurarig
        layout.prop(settings, "kind")
        if not settings.roles:
            layout.label(text="Click Detect Rig to fill this list", icon="INFO")
            layout.operator("neurarig.list_roles", icon="PRESET")
        _draw_list(layout, settings, "NEURARIG_UL_roles", "roles", "active_role", "no bone")
        draw_saved(layout, NEURARIG_MT_role_presets, settings.role_preset)
        draw_reference(layout, obj)


class NEURARIG_PT_controls(ClosedPanel):
    bl_label = "Controls"
    bl_parent_id = "NEURARIG_PT_rig"

    def draw_character(self, layout, obj):
        settings = obj.neurarig
        draw_sentence(layout, posed_by(obj))
        layout.operator("neurarig.find_controls", icon="VIEWZOOM")
        if not settings.control_bones:
            return
        _draw_list(layout, settings, "NEURARIG_UL_controls", "control_bones", "active_control", "no control")
        for limb, switches in switch_lines(obj):
            row = layout.split(factor=0.35)
            row.label(text=said(limb))
            row.label(text=said(switches))
        draw_saved(layout, NEURARIG_MT_control_presets, settings.control_preset)
