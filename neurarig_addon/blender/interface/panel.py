"""The bases of the panels of the NeuraRig tab, and what they draw alike."""

from collections.abc import Iterable
from typing import Any, ClassVar

import bpy
from bpy.types import Context, Object, PropertyGroup, UILayout, bpy_struct

from ..animation.properties import OURS, shown_as
from ..character import holding, standing_pose
from ..character.roles import is_biped
from ..character.selection import armature_of, characters, pinned_in
from . import report_text, work
from .language import said

MOST_NAMES = 6  # of characters that stand beside each other
SIDE_NAMES = {"L": "left", "R": "right"}


class Panel:
    """A panel of the NeuraRig tab; `draw_character` fills it for the active armature."""

    layout: ClassVar[Any]  # Blender's
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "NeuraRig"
    bl_translation_context = OURS

    def draw(self, context: Context) -> None:
        obj = armature_of(context)
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = True
        if obj is not None:
            if not getattr(self, "bl_parent_id", ""):
                self.draw_name(context, layout, obj)
                if going := work.on(obj):
                    layout.progress(text=going.how_far, factor=going.share)
            self.draw_character(layout, obj)

    def draw_name(self, context: Context, layout: UILayout, obj: Object) -> None:
        """Draw whose panel it is, where that is not the active object."""
        if context.view_layer.objects.active != obj:
            layout.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")

    def draw_character(self, layout: UILayout, obj: Object) -> None:
        raise NotImplementedError


class CharacterPanel(Panel):
    """A panel shown only if there is a character, and it counts for it."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = armature_of(context)
        return obj is not None and bool(cls.counts(obj))

    @classmethod
    def counts(cls, obj: Object) -> Any:
        """Return whether there is anything to show of a character."""
        return True


class BipedPanel(CharacterPanel):
    """A panel shown only if there is a character with arms, no animal."""

    @classmethod
    def counts(cls, obj: Object) -> Any:
        return is_biped(obj)


class ClosedPanel(CharacterPanel):
    """A panel that is closed until it is opened."""

    bl_options = {"DEFAULT_CLOSED"}


class GroupPanel(ClosedPanel):
    """A panel that holds related panels, and nothing of its own."""

    def draw_character(self, layout: UILayout, obj: Object) -> None:
        """Leave the room to its panels."""


class ItemList:
    """A list in a panel; `draw_row` draws a row of it."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        self.draw_row(layout, item)

    def draw_row(self, layout: Any, item: Any) -> None:
        raise NotImplementedError


def draw_characters(context: Context, layout: UILayout, shown: Object) -> None:
    """Draw the scene's characters, one click each, and the pin that keeps the one `shown`; nothing for one
    that is selected and alone."""
    objects = context.view_layer.objects
    pinned, there = pinned_in(objects), characters(context)
    if not pinned and len(there) < 2 and objects.active == shown:
        return
    row = layout.row(align=True)
    row.use_property_split = False
    if len(there) > MOST_NAMES:
        row.menu("NEURARIG_MT_characters", text=shown.name, icon="OUTLINER_OB_ARMATURE")
    else:
        names = row.grid_flow(row_major=True, columns=min(len(there), 2), even_columns=True, align=True)
        draw_names(names, there or [shown], shown)
    row.operator(
        "neurarig.pin_character", text="", icon="PINNED" if pinned else "UNPINNED", depress=bool(pinned)
    )


def draw_names(layout: UILayout, there: Iterable[Object], shown: Object | None) -> None:
    """Draw a button for each character."""
    for obj in there:
        layout.operator("neurarig.choose_character", text=obj.name, depress=obj == shown).name = obj.name


def draw_settings(layout: UILayout, of: bpy_struct, *names: str) -> None:
    """Draw settings below one another."""
    for name in names:
        draw_setting(layout, of, name)


def draw_setting(layout: UILayout, of: bpy_struct, name: str, **how: Any) -> None:
    """Draw a setting in the scene's units, with the button that keys it."""
    shown = shown_as(of, name)
    if shown == name:
        layout.prop(of, name, **how)
        return
    row = layout.row(align=True)
    row.use_property_decorate = False
    row.prop(of, shown, **how)
    row.prop_decorator(of, name)


def length_text(metres: float) -> str:
    """Return a length in words of the scene's units."""
    units = bpy.context.scene.unit_settings
    if units.system == "NONE":
        return f"{metres / units.scale_length:.2f}"
    return bpy.utils.units.to_string(units.system, "LENGTH", metres, precision=3)


def draw_where(counts: Any, layout: UILayout, of: bpy_struct, name: str, **how: Any) -> None:
    """Draw a setting, greyed where it does not count."""
    row = layout.row()
    row.active = bool(counts)
    draw_setting(row, of, name, **how)


def draw_switched(layout: UILayout, of: bpy_struct, heading: str, switch: str, name: str) -> None:
    """Draw a setting with the switch that makes it count."""
    row = layout.row(heading=heading)
    row.prop(of, switch, text="")
    draw_where(getattr(of, switch), row, of, name, text="")


def draw_big(layout: UILayout, operator: str, icon: str) -> None:
    """Draw the button with which a panel begins."""
    column = layout.column()
    column.scale_y = 1.5
    column.operator(operator, icon=icon)


def draw_live(row: UILayout, of: bpy_struct) -> None:
    """Draw the switch between live and paused."""
    row.prop(of, "live", toggle=True, icon="PLAY" if of.live else "PAUSE")


def draw_choice(layout: UILayout, settings: PropertyGroup, name: str) -> None:
    """Draw a choice in one row of its own, which needs the whole width."""
    row = layout.row()
    row.use_property_split = False
    row.prop(settings, name, expand=True)


def draw_sentence(layout: UILayout, sentence: str) -> None:
    """Draw a sentence wrapped into closely spaced lines."""
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in report_text.wrapped(said(sentence)):
        column.label(text=line)


def draw_error(layout: UILayout, error: str) -> UILayout | None:
    """Draw in red why something was turned off, if it was, and return the box for its remedy."""
    if not error:
        return None
    box = layout.box()
    words = box.column()
    words.alert = True
    draw_sentence(words, error)
    return box


def draw_played_over(layout: UILayout, obj: Object, remedy: str = "") -> None:
    """Draw that keys set since a character went live play over it, with a `remedy`, an operator, or where
    they are and how to end it."""
    names = holding.playing_over(obj)
    if not names:
        return
    layout.label(text="Your keys hold some bones", icon="ERROR")
    if remedy:
        layout.operator(remedy)
        return
    draw_sentence(
        layout,
        f"They are in {', '.join(repr(name) for name in names)}. Turn Live off and on to set them aside.",
    )


def draw_reference(layout: UILayout, obj: Object, armature: str = "") -> None:
    """Draw how to choose the pose from which an armature's motion is measured; `armature`: its name if it is
    not the character."""
    row = layout.row(align=True)
    row.operator(
        "neurarig.use_current_pose", icon="OUTLINER_OB_ARMATURE", depress=standing_pose.is_chosen(obj)
    ).armature = armature
    if standing_pose.is_chosen(obj):
        row.operator("neurarig.use_rest_pose", text="", icon="X").armature = armature


def draw_report(layout: UILayout, report: str, is_old: bool) -> None:
    """Draw a report, with figures past their limits in red, greyed if settings have changed since."""
    found = report_text.read(report)
    lines = found.lines
    if lines and is_old:
        layout.label(text="Out of date: settings changed", icon="INFO")
    column = layout.column(align=True)
    column.active = not is_old
    for line in lines:
        row = column.split(factor=0.45)
        row.alert = line.past_limit
        name = row.row()
        name.alignment = "RIGHT"
        name.label(text=line.name)
        row.label(text=said(line.value))
    if found.advice:
        draw_sentence(column, found.advice)


def role_label(role: str) -> str:
    """Return a role in the user's words: `upper_arm.L` is Left Upper Arm, `spine.1` is Spine 1, `foot_ik.R`
    is Right Foot IK."""
    name, _, last = role.replace("_", " ").rpartition(".")
    words = f"{SIDE_NAMES[last]} {name}" if last in SIDE_NAMES else f"{name} {last}"
    return said(" ".join(word.upper() if word in ("ik", "fk") else word.title() for word in words.split()))
