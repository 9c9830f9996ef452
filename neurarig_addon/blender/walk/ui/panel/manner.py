"""The menu of pictures, and the panels of styles, person and variation."""

from bpy.types import Menu, Panel, PropertyGroup, UILayout

from ....animation.properties import OURS
from ....character.roles import kind_of, on_four_legs
from ....character.selection import armature_of
from ....interface.addon import preferred
from ....interface.language import said
from ....interface.panel import BipedPanel, CharacterPanel, GroupPanel, draw_settings
from ...manner import gait_source, presets, styles
from .. import pictures
from .sliders import draw_sliders


class NEURARIG_PT_manners(Panel):
    """Whole walks to begin with, and styles to mix into them"""

    # A popover, as a menu lays a grid out as a staircase.
    bl_label = "Choose a Walk…"
    bl_space_type = "TOPBAR"
    bl_region_type = "HEADER"
    bl_options = {"INSTANCED"}
    bl_ui_units_x = 34
    across = 8

    @classmethod
    def poll(cls, context):
        return armature_of(context) is not None

    def draw(self, context):
        settings = armature_of(context).neurarig.walk
        kind = kind_of(armature_of(context))
        if on_four_legs(armature_of(context)):
            self.draw_walks(kind, settings.preset)
            return
        self.layout.label(text="Walks: each sets speed, sliders and styles")
        grid = self.draw_grid()
        for name, _ in presets.names(presets.WALK, kind):
            self.draw_manner(
                grid,
                presets.WALK,
                name,
                name == settings.preset,
                "neurarig.apply_preset",
                kind=presets.WALK,
                preset=name,
            )
        if settings.gait_source != gait_source.HUMAN_GAIT:
            return
        self.layout.label(text=said(f"Styles: mixed into the walk, up to {styles.MOST} at once"))
        grid, used = self.draw_grid(), styles.names_in_use(settings)
        for name, _ in styles.names():
            self.draw_manner(grid, presets.STYLE, name, name in used, "neurarig.use_style", style=name)

    def draw_walks(self, kind: str, chosen: str) -> None:
        """Draw the walks of an animal, by name."""
        self.layout.label(text="Walks: each sets speed and sliders")
        grid = self.draw_grid()
        for name, _ in presets.names(presets.WALK, kind):
            button = grid.operator("neurarig.apply_preset", text=name, depress=name == chosen)
            button.kind, button.preset = presets.WALK, name

    def draw_grid(self) -> UILayout:
        return self.layout.grid_flow(row_major=True, columns=self.across, even_columns=True, even_rows=True)

    def draw_manner(
        self, grid: UILayout, kind: str, name: str, is_used: bool, operator: str, /, **given: str
    ) -> None:
        """Draw the picture of a manner and its name, pressed where it is in use; both choose it."""
        cell = grid.column(align=True)
        buttons = [cell]
        if icon := pictures.icon_of(kind, name):
            high = preferred("picture_size", pictures.HIGH)
            cell.template_icon(icon, scale=high)
            back, over = cell.column(align=True), cell.column(align=True)
            back.scale_y, over.scale_y = -high, high  # a button that is not seen lies over the picture
            back.label()
            buttons = [over, cell]
        for place in buttons:
            is_shown = is_used and place is cell
            button = place.operator(
                operator, text=name if place is cell else "", emboss=is_shown, depress=is_shown
            )
            for setting, value in given.items():
                setattr(button, setting, value)


class NEURARIG_MT_walks(Menu):
    """Whole walks to begin with"""

    bl_label = "Choose a Walk"
    bl_translation_context = OURS

    def draw(self, context):
        obj = armature_of(context)
        for name, _ in presets.names(presets.WALK, kind_of(obj)) if obj else ():
            button = self.layout.operator("neurarig.apply_preset", text=name)
            button.kind, button.preset = presets.WALK, name


class NEURARIG_MT_styles(Menu):
    """Styles to mix into the walk"""

    bl_label = "Add a Style"
    bl_translation_context = OURS

    def draw(self, context):
        for name, _ in styles.names():
            self.layout.operator("neurarig.use_style", text=name).style = name


class NEURARIG_MT_styles_in_use(Menu):
    """Styles that this walk has"""

    bl_label = "Remove a Style from the Walk"
    bl_translation_context = OURS

    def draw(self, context):
        obj = armature_of(context)
        used = [(number, slot) for number, slot in enumerate(obj.neurarig.walk.styles if obj else ())]
        for number, slot in used:
            if slot.content:
                button = self.layout.operator(
                    "neurarig.take_style_out", text=said(f"Remove '{slot.name}' from Walk")
                )
                button.place = number


class NEURARIG_MT_own_manners(Menu):
    """Walks and styles of your own"""

    bl_label = "Delete a Walk or Style of Your Own"
    bl_translation_context = OURS

    def draw(self, context):
        own = [name for name, shipped in presets.names(presets.WALK) if not shipped]
        for name in own:
            button = self.layout.operator("neurarig.remove_preset", text=said(f"Delete the walk '{name}'"))
            button.kind, button.preset = presets.WALK, name
        learned = [name for name, shipped in styles.names() if not shipped]
        for name in learned:
            button = self.layout.operator("neurarig.delete_style", text=said(f"Delete the style '{name}'"))
            button.style = name
        if not own and not learned:
            self.layout.label(text="None saved yet")


def draw_own_presets(row: UILayout, kind: str, current: str) -> None:
    """Draw the buttons that save one's own preset, and delete the one chosen."""
    row.operator("neurarig.add_preset", text="", icon="ADD").kind = kind
    if presets.is_own(kind, current):
        remove = row.operator("neurarig.remove_preset", text="", icon="REMOVE")
        remove.kind, remove.preset = kind, current


def draw_manner(layout: UILayout, settings: PropertyGroup) -> None:
    """Draw the menu of pictures, and the styles in use with their weights."""
    pictures.draw_ahead()
    row = layout.row(align=True)
    chosen = settings.preset or " + ".join(styles.names_in_use(settings)) or NEURARIG_PT_manners.bl_label
    row.popover("NEURARIG_PT_manners", text=chosen, icon="ARMATURE_DATA")
    draw_own_presets(row, presets.WALK, settings.preset)
    if settings.gait_source == gait_source.HUMAN_GAIT:
        _draw_styles_in_use(layout.column(), settings)


def _draw_styles_in_use(column: UILayout, settings: PropertyGroup) -> None:
    for number, slot in list(enumerate(settings.styles))[: styles.MOST]:
        if not slot.content:
            continue
        row = column.row(align=True)
        row.prop(settings, styles.WEIGHTS[number], text=slot.name)
        row.operator("neurarig.take_style_out", text="", icon="X").place = number
        if presets.is_own(presets.STYLE, slot.name):
            row.operator("neurarig.delete_style", text="", icon="TRASH").style = slot.name
    speed = styles.own_speed(settings)
    if speed is not None and abs(speed - settings.speed) > 0.005:
        column.operator("neurarig.style_speed", text=said(f"Learned at {speed:.2f} m/s"), icon="TIME")


class NEURARIG_PT_manner(GroupPanel):
    bl_label = "Style & Person"
    bl_parent_id = "NEURARIG_PT_walk"


class NEURARIG_PT_styles(BipedPanel):
    bl_label = "Styles"
    bl_parent_id = "NEURARIG_PT_manner"

    @classmethod
    def counts(cls, obj):
        return super().counts(obj) and obj.neurarig.walk.gait_source == gait_source.HUMAN_GAIT

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        used = styles.names_in_use(settings)
        if used:
            layout.label(text="Strength of All Styles" if len(used) > 1 else "Strength")
            draw_settings(layout.column(), settings, *styles.STRENGTHS)
        if gait_source.has_take(settings):
            row = layout.row(align=True)
            row.prop(settings, "as_recorded")
            row.operator("neurarig.remove_take", text="", icon="X")
        row = layout.row(align=True)
        row.operator("neurarig.learn_style", text="Learn Style…", icon="ARMATURE_DATA")
        row.operator("neurarig.learn_style_file", text="", icon="FILE_FOLDER")
        row = layout.row(align=True)
        row.operator("neurarig.make_parametric", text="Turn Clip into Walk…", icon="MOD_PARTICLES")
        row.operator("neurarig.make_parametric_file", text="", icon="FILE_FOLDER")


class NEURARIG_PT_variation(CharacterPanel):
    bl_label = "Person & Variation"
    bl_parent_id = "NEURARIG_PT_manner"

    def draw_character(self, layout, obj):
        draw_sliders(layout, obj, "individual", "person_seed")
        draw_sliders(layout, obj, "variation", "variation_seed", "variation_strides")
