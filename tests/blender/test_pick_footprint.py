"""Clicking footprints while other things happen to the character: undo, its removal, its deletion."""

from collections.abc import Callable
from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import source
from neurarig_addon.blender.walk.ui import print_drawing
from neurarig_addon.blender.walk.ui.operators import pick
from tests.blender.drawing import stand_in
from tests.blender.screen import PREFERENCES, REGION, VIEW, Noted
from tests.blender.walking import walker

Click = Callable[[], set[str]]


@pytest.fixture
def click() -> tuple[Click, list[str]]:
    """Begin to pick footprints of a walker; give what clicks one of them, and what is reported."""
    obj, scene = walker(mode="TRAVEL"), bpy.context.scene
    scene.frame_end = 40
    bpy.context.view_layer.update()
    prints = print_drawing.shown(obj, scene, source.source_of(obj, scene))
    where, rows = pick.on_screen(prints.places, REGION, VIEW)
    x, y = (int(value) for value in where[rows[0]] + (REGION.x, REGION.y))
    area = SimpleNamespace(type="VIEW_3D", tag_redraw=lambda: None, header_text_set=lambda _text: None)
    told: list[str] = []
    picks = stand_in(bpy.types.NEURARIG_OT_pick_footprint, None, report=lambda _kind, text: told.append(text))

    def context() -> SimpleNamespace:
        active = bpy.context.view_layer.objects.active
        return SimpleNamespace(
            scene=bpy.context.scene, region=REGION, region_data=VIEW, area=area,
            view_layer=bpy.context.view_layer, preferences=PREFERENCES,
            window=Noted([], "window"), window_manager=Noted([], "manager"), active_object=active,
            object=active,
        )  # fmt: skip

    def press(shift: bool = True) -> set[str]:
        return picks.modal(
            context(), SimpleNamespace(type="LEFTMOUSE", value="PRESS", shift=shift, mouse_x=x, mouse_y=y)
        )

    picks.invoke(context(), None)
    return press, told


def test_undo_between_clicks_leaves_the_character_to_click(click) -> None:
    press, told = click
    bpy.ops.ed.undo_push(message="Before")
    bpy.data.objects["Hero"].neurarig.walk.speed = 0.9
    bpy.ops.ed.undo_push(message="Slower")
    bpy.ops.ed.undo()
    assert press() == {"RUNNING_MODAL"} and not told
    assert len(bpy.data.objects["Hero"].neurarig.walk.prints) == 1


def test_a_character_renamed_between_clicks_is_clicked(click) -> None:
    press, told = click
    bpy.data.objects["Hero"].name = "Villain"
    assert press() == {"RUNNING_MODAL"} and not told


def test_a_deleted_character_ends_it_in_a_sentence(click) -> None:
    press, told = click
    bpy.data.objects.remove(bpy.data.objects["Hero"])
    assert press() == {"CANCELLED"}
    assert told == ["'Hero' was deleted, so no footprint of it can be picked."]


def test_a_removed_walk_ends_it_in_a_sentence(click) -> None:
    press, told = click
    api.remove_walk(bpy.data.objects["Hero"])
    assert press() == {"CANCELLED"} and len(told) == 1
