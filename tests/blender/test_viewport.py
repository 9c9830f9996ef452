"""What is drawn in the viewport: soles of footprints and lines of targets, where they are shown and where
overlays are on."""

from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import screen as viewport
from neurarig_addon.blender.neural_pose import draw as target_drawing
from neurarig_addon.blender.walk.ui import print_drawing
from tests.blender.screen import Noted, screen, shown_in
from tests.blender.walking import walker

SOLES, LABELS = print_drawing._draw_soles, print_drawing._draw_labels
LINES, NAMES = target_drawing._draw_lines, target_drawing._draw_names
NOWHERE = (
    {"space_data": shown_in(overlays=False)},
    {"space_data": None},
    {"region": None},
    {"region_data": None},
)


def drawn(module: ModuleType, *draw, **context: Any) -> list[tuple[str, list[Any]]]:
    """Return what is drawn: shapes, and texts."""
    calls: list[tuple[str, list[Any]]] = []
    with screen(calls, module, **context):
        for each in draw:
            each()
    return [(name, given) for name, given in calls if name.rpartition(".")[2].startswith("draw")]


def texts(calls: list[tuple[str, list[Any]]]) -> list[str]:
    return [given[-1] for name, given in calls if name == "blf.draw"]


def test_soles_are_drawn_of_who_shows_footprints_and_where_overlays_are_shown() -> None:
    obj = walker(mode="TRAVEL")
    bpy.context.scene.frame_end = 50
    assert not drawn(print_drawing, SOLES, LABELS)
    obj.neurarig.walk.show_footprints = True
    shown = drawn(print_drawing, SOLES, LABELS)
    labels = texts(shown)
    assert len(labels) > 3 and len({*labels}) == len(labels), "each has a number of its own"
    again = drawn(print_drawing, SOLES, LABELS)
    assert texts(again) == labels
    for context in NOWHERE:
        assert not texts(drawn(print_drawing, LABELS, **context))
    assert len(shown) > len(labels), "shapes as well"
    obj.hide_set(True)
    assert not texts(drawn(print_drawing, LABELS))


def test_lines_of_targets_are_drawn_while_they_are_followed_and_names_of_the_selected() -> None:
    obj = walker()
    api.remove_walk(obj)
    assert not drawn(target_drawing, LINES, NAMES)
    api.pose_targets(obj, "MAIN")
    bpy.ops.object.select_all(action="DESELECT")
    own = obj.neurarig.neural_pose
    assert drawn(target_drawing, LINES) and not texts(drawn(target_drawing, NAMES))
    own.targets[0].object.select_set(True)
    assert len(texts(drawn(target_drawing, NAMES))) == 1
    for context in (*NOWHERE, {"space_data": shown_in(extras=False)}):
        assert not texts(drawn(target_drawing, NAMES, **context))
    own.live = False
    assert not drawn(target_drawing, LINES)


@pytest.mark.parametrize("module", [print_drawing, target_drawing])
def test_drawing_begins_with_a_window_alone_and_ends(module: ModuleType) -> None:
    for background in (True, False):
        calls: list[tuple[str, list[Any]]] = []
        types = SimpleNamespace(SpaceView3D=Noted(calls, "space"))
        with patch.object(
            viewport, "bpy", SimpleNamespace(app=SimpleNamespace(background=background), types=types)
        ):
            module.register()
            assert bool(calls) is not background
            module.unregister()
        names = [name for name, _ in calls]
        added, removed = (
            sum(word in name for name in names) for word in ("draw_handler_add", "draw_handler_remove")
        )
        assert added == removed == (0 if background else np.count_nonzero(names) // 2)
