"""The add-on's preferences: what holds in every file."""

from bpy.types import AddonPreferences, Context, UILayout

from .animation.properties import KEPT, OURS, in_scene_units, shown_as
from .interface import keymap
from .interface.addon import ADDON_ID
from .interface.options import properties_of
from .walk.bake.bake_options import NAME_PATTERN, OPTIONS, PREFERRED
from .walk.manner import presets
from .walk.ui import pictures


def _walks(_self: AddonPreferences, _context: Context, typed: str) -> list[str]:
    return [name for name, _ in presets.names(presets.WALK) if typed.lower() in name.lower()]


@in_scene_units()
class NEURARIG_AP_preferences(
    properties_of(option for option in OPTIONS if option.name in PREFERRED), AddonPreferences
):
    """What holds in every file."""

    bl_idname = ADDON_ID
    bl_translation_context = OURS

    new_walk: KEPT.text(
        "New Walk", "Walk with which Generate Walk begins; empty: the natural walk", search=_walks
    )
    bake_name: KEPT.text(
        "Bake Name",
        "How bakes are called, from {character}, {style} and {gait}",
        default=NAME_PATTERN,
    )
    picture_size: KEPT.number(
        "Picture Size",
        "Height of the pictures of walks and styles, in rows",
        default=pictures.HIGH,
        min=2.0,
        max=10.0,
    )
    draw_footprints: KEPT.switch("Footprints", "Draw footprints and acts in the viewport", default=True)
    draw_targets: KEPT.switch("Targets", "Draw lines and names of targets in the viewport", default=True)
    show_shortcuts: KEPT.switch("Shortcuts", "Keys for the most frequent buttons; none has one at first")

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "new_walk")
        layout.label(text="Bake")
        column = layout.column()
        for name in PREFERRED:
            column.prop(self, shown_as(self, name))
        column.prop(self, "bake_name")
        layout.label(text="Viewport and Menus")
        column = layout.column(heading="Draw")
        column.prop(self, "draw_footprints")
        column.prop(self, "draw_targets")
        column.prop(self, "picture_size")
        for kind, label in ((presets.WALK, "Saved Walks"), (presets.STYLE, "Saved Styles")):
            _draw_folder(layout, kind, label)
        layout.use_property_split = False
        opened = self.show_shortcuts
        layout.prop(self, "show_shortcuts", icon="DOWNARROW_HLT" if opened else "RIGHTARROW", emboss=False)
        if opened:
            keymap.draw(layout.column(), context)


def _draw_folder(layout: UILayout, kind: str, label: str) -> None:
    """Draw what the user has saved of a kind, and the button that opens its folder."""
    own = [name for name, shipped in presets.names(kind) if not shipped]
    row = layout.split(factor=0.4)
    name = row.row()
    name.alignment = "RIGHT"
    name.label(text=label)
    if not own:
        row.label(text="None saved yet")
        return
    column = row.column(align=True)
    for each in own:
        column.label(text=each)
    folder = presets.own_file(kind, own[0]).parent
    column.operator("wm.path_open", text="Open Folder", icon="FILE_FOLDER").filepath = str(folder)
