"""What a click opens: dialogs with the frames of the scene and the choices of the panel, file browsers with a
name; what buttons say."""

from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface.operator import StepsOperator
from neurarig_addon.blender.sets import options as set_options
from tests.blender.drawing import Layout, of_kind, stand_in
from tests.blender.walking import walker
from tests.rigs import make_active


class Window:
    """A window manager that notes what was opened."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, str]] = []

    def invoke_props_dialog(self, _operator: object, confirm_text: str = "", title: str = "") -> set[str]:
        self.opened.append(("dialog", confirm_text))
        return {"RUNNING_MODAL"}

    def fileselect_add(self, _operator: object) -> None:
        self.opened.append(("files", ""))


@pytest.fixture
def window() -> Window:
    make_active(walker())
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 3, 77
    return Window()


def clicked(window: Window, name: str, **given: object) -> object:
    """Return the operator that a click leaves, its answer as `answer`, its reports as `told`."""
    told: list[tuple[set[str], str]] = []
    operator = stand_in(
        getattr(bpy.types, name),
        None,
        execute=lambda context: {"FINISHED"},
        report=lambda *said: told.append(said),
        **given,
    )
    context = SimpleNamespace(
        scene=bpy.context.scene,
        view_layer=bpy.context.view_layer,
        selected_objects=bpy.context.selected_objects,
        window_manager=window,
    )
    operator.told, operator.answer = told, operator.invoke(context, None)
    return operator


@pytest.mark.parametrize("name", ["bake_walk", "solve_range"])
def test_a_range_begins_as_the_scenes(window, name):
    found = clicked(window, f"NEURARIG_OT_{name}")
    assert (found.frame_start, found.frame_end, found.in_window) == (3, 77, True)
    assert found.answer == {"RUNNING_MODAL"} and window.opened[0][0] == "dialog"


@pytest.mark.parametrize(
    ("name", "opened"), [("learn_style", ("dialog", "Learn")), ("learn_style_file", ("files", ""))]
)
def test_a_style_is_learned_with_progress_and_esc(window, name, opened):
    found = clicked(window, f"NEURARIG_OT_{name}")
    assert found.in_window and found.answer == {"RUNNING_MODAL"} and window.opened == [opened]


def test_frames_that_a_script_gave_a_bake_stay(window):
    found = clicked(window, "NEURARIG_OT_bake_walk", frame_start=5, frame_end=9)
    assert (found.frame_start, found.frame_end) == (5, 9) and window.opened == [("dialog", "Bake")]


@pytest.mark.parametrize("keys", ["DENSE", "EDITABLE"])
@pytest.mark.parametrize("loop", [False, True])
def test_a_loop_has_no_end_to_choose_and_editable_keys_no_step(window, loop, keys):
    widgets = []
    values = {
        "loop": loop,
        "keys": keys,
        "target": "CONTROLS",
        "bl_rna": bpy.ops.neurarig.bake_walk.get_rna_type(),
    }
    stand_in(bpy.types.NEURARIG_OT_bake_walk, Layout(widgets), **values).draw(bpy.context)
    props = of_kind(widgets, "prop")
    assert props["frame_end"].active != loop and props["frame_start"].active
    assert props["step"].active == (keys == "DENSE")
    tolerance = {"tolerance"} if keys == "EDITABLE" else set()
    assert (
        set(props)
        == {"action_name", "loop", "frame_start", "frame_end", "step", "target", "keys", "push_nla", "check"}
        | tolerance
    )


def test_actions_of_nobody_are_refused_in_a_sentence(window):
    found = clicked(window, "NEURARIG_OT_retarget_actions", clips=None)
    assert found.answer == {"CANCELLED"} and found.told[0][0] == {"ERROR"} and not window.opened


def test_whatever_takes_long_goes_on_in_the_window(window):
    long = {
        name
        for name in dir(bpy.types)
        if name.startswith("NEURARIG_OT_") and issubclass(getattr(bpy.types, name), StepsOperator)
    }
    for name in sorted(long - {"NEURARIG_OT_retarget_actions"}):  # which needs an actor, see above
        found = clicked(window, name, filepath="", directory="/tmp")
        assert found.in_window and found.answer in ({"FINISHED"}, {"RUNNING_MODAL"}), name


@pytest.mark.parametrize(
    ("name", "given", "path", "goes_on"),
    [
        ("encode_action", {"filepath": ""}, "Hero.npz", False),
        ("encode_action", {"filepath": "mine.csv"}, "mine.csv", False),
        ("export_pose", {"filepath": ""}, "Hero.npz", True),
        ("export_pose", {"filepath": "mine.npz"}, "mine.npz", True),
        ("retarget_folder", {"filepath": None}, None, True),
    ],
)
def test_a_file_browser_opens_with_a_name(window, name, given, path, goes_on):
    found = clicked(window, f"NEURARIG_OT_{name}", **given)
    assert found.answer == {"RUNNING_MODAL"} and window.opened == [("files", "")]
    assert found.filepath == path and (not goes_on or found.in_window)


def test_a_set_is_asked_where_and_whether_to_overwrite(window, tmp_path):
    unsaved = clicked(window, "NEURARIG_OT_export_set", directory="")
    assert unsaved.answer == {"CANCELLED"} and "not saved" in unsaved.told[0][1] and not window.opened
    hero = bpy.context.view_layer.objects.active
    api.generate_walk(hero)
    (tmp_path / "manifest.json").write_text("{}")
    kind, options = (
        bpy.types.NEURARIG_OT_export_set,
        {option.name: option.default for option in set_options.OPTIONS},
    )
    operator = stand_in(
        kind,
        Layout(widgets := []),
        directory=str(tmp_path),
        in_window=True,
        name_pattern="",
        overwrite=False,
        **options,
    )
    context = SimpleNamespace(
        window_manager=window, object=hero, active_object=hero, view_layer=bpy.context.view_layer
    )
    assert operator.execute(context) == {"RUNNING_MODAL"} and window.opened == [("dialog", "Overwrite")]
    operator.draw(context)
    assert "manifest.json" in of_kind(widgets, "label")


def test_remove_asks_only_about_actions_on_our_controls(window):
    hero = bpy.context.view_layer.objects.active
    api.generate_walk(hero)
    action = api.bake_walk(hero, frame_start=1, frame_end=9, target="CONTROLS")
    assert clicked(window, "NEURARIG_OT_remove_walk").answer == {"FINISHED"} and not window.opened
    action = api.bake_walk(hero, frame_start=1, frame_end=9, target="LAYER")
    assert clicked(window, "NEURARIG_OT_remove_walk").answer == {"RUNNING_MODAL"} and window.opened == [
        ("dialog", "Remove")
    ]
    widgets = []
    kind = bpy.types.NEURARIG_OT_remove_walk
    stand_in(kind, Layout(widgets), bl_rna=bpy.ops.neurarig.remove_walk.get_rna_type()).draw(bpy.context)
    assert action.name in of_kind(widgets, "label") and "bakes" in of_kind(widgets, "prop")


def test_a_link_asks_for_its_ports(window):
    clicked(window, "NEURARIG_OT_start_link")
    assert window.opened == [("dialog", "Start")]


@pytest.mark.parametrize(
    ("name", "flag", "kept", "removed"),
    [
        ("remove_targets", "keep_pose", "keep the current pose", "restore the rig"),
        ("remove_retarget", "keep_clip", "Keep the retargeted action", "restore the rig"),
        ("remove_walk", "keep_bake", "Keep the bake", "restore the rig"),
    ],
)
def test_apply_and_remove_say_what_they_do(window, name, flag, kept, removed):
    kind = getattr(bpy.types, f"NEURARIG_OT_{name}")
    assert kept in kind.description(bpy.context, SimpleNamespace(**{flag: True}))
    assert removed in kind.description(bpy.context, SimpleNamespace(**{flag: False}))
