"""Nothing is out of reach: every button and every setting stands in some panel or menu, whatever is
chosen."""

from collections.abc import Iterator
from functools import cache

import bpy
import pytest

from neurarig_addon.blender.interface import menus
from neurarig_addon.core.skeleton.roles import KINDS
from tests.blender.drawing import Drawn, drawn
from tests.blender.situated import STATES

FILE_BROWSER = "NEURARIG_PT_export_fbx"
# The menu of all buttons, tried in test_menus, and what only it opens.
OF_ALL = {
    "NEURARIG_MT_character",
    *(menu.__name__ for menu in menus.SUBMENUS),
    *(f"NEURARIG_MT_{name}" for name in ("walks", "styles", "styles_in_use", "own_manners")),
}
# Offered by a menu of their own, or only while something runs, is missing, is in the user's own folder or one
# of several: tests of their panels draw them.
PASSING = {
    *("apply_scale", "choose_target", "delete_style", "free_thing", "lay_footprints", "mirror_footprints"),
    *(
        "neighbour_footprints",
        "pin_character",
        "place_act",
        "pose_hands",
        "remove_act",
        "remove_marker",
        "remove_preset",
        "remove_take",
        "save_act",
        "stop_link",
    ),
    *("use_as_layer", "walk_along", "walk_on", "retime"),
}
PASSING_SETTINGS = {
    "walk.as_recorded",
    "walk.gait_source",
    "walk.use_trained",
    "walk.style_2",
    "walk.style_3",
    "walk.style_4",
}

# The states in which each setting of a feature is changed once, which takes a while.
CHOSEN_IN = {
    "in styles": "walk",
    "linked": "retarget",
    "posed": "neural_pose",
}


def kinds() -> Iterator[str]:
    return (
        name
        for name in dir(bpy.types)
        if name.startswith(("NEURARIG_PT_", "NEURARIG_MT_")) and name != FILE_BROWSER
    )


@cache
def everything() -> dict[str, list[Drawn]]:
    """Return what all panels and menus draw in each state, and with each choice of the settings in some."""
    found = {}
    for state, begin in STATES.items():
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        begin()
        found[state] = [
            widget
            for kind in _beside_the_menu()
            for header in (False, True)
            for widget in _drawn(kind, header)
        ]
        for settings, prop, choice in list(_choices(CHOSEN_IN[state])) if state in CHOSEN_IN else ():
            before = getattr(settings, prop)
            setattr(settings, prop, choice)
            found[state] += [widget for kind in _beside_the_menu() for widget in _drawn(kind)]
            setattr(settings, prop, before)
    for kind in KINDS:
        STATES["free"]()
        bpy.context.view_layer.objects.active.neurarig.kind = kind
        found[kind] = [widget for panel in _beside_the_menu() for widget in _drawn(panel)]
    return found


def _beside_the_menu() -> Iterator[str]:
    """Return all but the menu of all buttons, which has them once more."""
    return (name for name in kinds() if name not in OF_ALL)


def _drawn(kind: str, header: bool = False) -> list[Drawn]:
    return drawn(kind, header) if not header or hasattr(getattr(bpy.types, kind), "draw_header") else []


def _choices(feature: str) -> Iterator[tuple[bpy.types.PropertyGroup, str, object]]:
    """Yield every other choice that can be made in a feature's settings of the active character."""
    settings = getattr(bpy.context.view_layer.objects.active.neurarig, feature)
    for prop in settings.bl_rna.properties:
        now = getattr(settings, prop.identifier)
        if prop.type == "ENUM" and not prop.is_enum_flag:
            yield from (
                (settings, prop.identifier, item.identifier)
                for item in prop.enum_items
                if item.identifier != now
            )
        elif (
            prop.type == "BOOLEAN" and not prop.is_array and prop.identifier not in ("live", "report_is_old")
        ):
            yield settings, prop.identifier, not now


def test_every_button_is_somewhere() -> None:
    shown = {
        widget.name
        for widgets in everything().values()
        for widget in widgets
        if widget.kind in ("operator", "enum")
    }
    missing = {f"neurarig.{name}" for name in dir(bpy.ops.neurarig)} - shown
    assert missing == {f"neurarig.{name}" for name in PASSING}


def test_every_setting_is_somewhere() -> None:
    shown = {
        widget.name
        for widgets in everything().values()
        for widget in widgets
        if widget.kind in ("prop", "enum")
    }
    missing = set()
    for settings in ("walk", "retarget", "neural_pose"):
        group = bpy.types.Object.bl_rna.properties["neurarig"].fixed_type.properties[settings].fixed_type
        named = {
            prop.identifier
            for prop in group.properties
            if not prop.is_hidden and prop.type in ("FLOAT", "INT", "BOOLEAN", "ENUM", "POINTER")
        }
        missing |= {f"{settings}.{name}" for name in named - shown - {"rna_type"}}
    assert missing == PASSING_SETTINGS


def test_every_menu_and_popover_opens_somewhere() -> None:
    opened = {
        widget.name
        for widgets in everything().values()
        for widget in widgets
        if widget.kind in ("menu", "popover")
    }
    floating = {
        name for name in kinds() if "INSTANCED" in getattr(getattr(bpy.types, name), "bl_options", ())
    }
    own = {name for name in kinds() if name.startswith("NEURARIG_MT_")}
    # A list of controls has one, and more characters than have buttons.
    named = {"NEURARIG_MT_control_presets", "NEURARIG_MT_characters"}
    assert (own | floating) - opened - OF_ALL == named


def test_every_picture_of_an_error_is_red() -> None:
    signs = [
        widget
        for widgets in everything().values()
        for widget in widgets
        if widget.icon == "ERROR" and not widget.text
    ]
    assert all(widget.alert for widget in signs)


@pytest.mark.parametrize(
    ("state", "panel"), [("linked", "NEURARIG_PT_retarget"), ("walks", "NEURARIG_PT_contacts")]
)
def test_a_header_is_marked_only_where_something_is_wrong(state: str, panel: str) -> None:
    STATES[state]()
    obj = bpy.context.view_layer.objects.active
    settings = obj.neurarig.retarget if state == "linked" else obj.neurarig.walk
    assert drawn(panel, header=True) == []
    settings.report = '{"past_limits": [], "stride_m": 1.2}'
    assert drawn(panel, header=True) == []
    settings.report = '{"past_limits": ["stride_m"], "stride_m": 1.2}'
    assert [(widget.icon, widget.alert) for widget in drawn(panel, header=True)] == [("ERROR", True)]
    if state == "linked":
        settings.report, settings.error = "", "The file has gone."
        assert [(widget.icon, widget.alert) for widget in drawn(panel, header=True)] == [("ERROR", True)]
