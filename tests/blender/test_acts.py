"""Acts on the way of a character: live, scrubbed, baked, moved, refused, and gone with no trace."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.show import live
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.ui import print_drawing
from tests.blender.acting import box
from tests.blender.command_line import run
from tests.blender.drawing import drawn
from tests.blender.leading import curve
from tests.blender.walking import played, walk, walker
from tests.refusals import refuses

BONES = ["Hips", "Head", "LeftUpLeg", "LeftFoot", "RightFoot", "LeftHand", "RightHand"]


ACTS: dict[str, Callable[[], dict[str, Any]]] = {
    "JUMP": lambda: {"at": 2.5, "length": 1.1},
    "LEAP": lambda: {"at": 3.0, "length": 1.2},
    "SIT": lambda: {"thing": box("Chair", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45)), "seconds": 0.5},
    "PICK_UP": lambda: {"thing": box("Ball", (-0.1, -2.5, 0.1), (0.2, 0.2, 0.2))},
    "WAVE": lambda: {"frame": 30},
}


@pytest.mark.parametrize("kind", ACTS)
def test_an_act_plays_live_as_it_is_baked(kind: str) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    number = api.add_act(obj, kind, **ACTS[kind]())
    first, last = api.list_acts(obj)[number]["frames"]
    frames = np.linspace(first - 5.0, last + 5.0, 9).round()
    live = played(obj, frames, BONES)
    assert np.allclose(played(obj, frames[::-1], BONES)[::-1], live, atol=1e-6)
    api.bake_walk(obj, frame_start=1, frame_end=int(last) + 10)
    assert np.abs(played(obj, frames, BONES) - live).max() < 2e-4


def test_acts_moved_and_removed_leave_the_walk_before_them() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    frames = np.arange(1.0, 40.0, 3.0)
    number = api.add_act(obj, "SIT", thing=box("Chair", (0.0, -6.0, 0.225), (0.45, 0.45, 0.45)))
    sits = played(obj, frames, BONES)
    api.edit_act(obj, number, seconds=5.0)
    assert np.array_equal(played(obj, frames, BONES), sits)
    first, last = api.list_acts(obj)[number]["frames"]
    api.add_act(obj, "NOD", frame=10)
    api.remove_act(obj, 1)
    assert np.array_equal(played(obj, frames, BONES), sits)
    assert api.list_acts(obj)[number]["frames"] == (first, last)


def test_acts_along_a_path_over_ground() -> None:
    obj = walker(mode="PATH", path=curve([(0.0, 0.0), (0.0, -4.0), (-3.0, -7.0)]), speed=1.3)
    number = api.add_act(obj, "JUMP", at=2.0, length=1.0)
    first, last = api.list_acts(obj)[number]["frames"]
    frames = np.arange(first, last)
    feet = played(obj, frames, ["LeftFoot", "RightFoot"])[:, :, 0]
    assert feet[:, :, 2].min(axis=1).max() > feet[0, :, 2].max() + 0.05  # in the air
    assert np.linalg.norm(feet[-1, 0] - feet[0, 0]) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(
    ("settings", "kind", "given", "said"),
    [
        ({"mode": "IN_PLACE"}, "JUMP", {"at": 2.0, "length": 1.0}, "a walk in place goes nowhere"),
        ({"mode": "TRAVEL"}, "JUMP", {"at": 2.0, "length": 5.0}, "too far from standing"),
        ({"mode": "TRAVEL"}, "SIT", {"at": 2.0}, "choose what for in Thing"),
        ({"mode": "TRAVEL"}, "FLY", {}, "'FLY' is not an act"),
        ({"mode": "TRAVEL"}, "JUMP", {"at": -1.0}, "a number of 0 or more"),
        ({"mode": "TRAVEL"}, "WAVE", {"frame": 10, "hand": "THIRD"}, "is no hand"),
    ],
)
def test_what_is_impossible_is_refused_and_leaves_the_acts(
    settings: dict, kind: str, given: dict, said: str
) -> None:
    obj = walker(**settings)
    api.add_act(obj, "NOD", frame=20)
    with refuses(said):
        api.add_act(obj, kind, **given)
    assert [one["kind"] for one in api.list_acts(obj)] == ["NOD"]


def test_an_act_in_place_is_of_the_upper_body() -> None:
    obj = walker(mode="IN_PLACE")
    before = played(obj, [40.0], BONES)[0]
    api.add_act(obj, "WAVE", frame=20)
    with_it = played(obj, [40.0], BONES)[0]
    assert np.array_equal(with_it[[0, 2, 3, 4]], before[[0, 2, 3, 4]])
    assert np.abs(with_it[6] - before[6]).max() > 0.2


def test_an_act_of_ones_own_is_a_file(tmp_path) -> None:
    obj = walker(mode="TRAVEL")
    number = api.add_act(obj, "CROUCH", at=2.0)
    api.save_act(obj, number, tmp_path / "crouch.json")
    other = walker("Other", mode="TRAVEL")
    own = api.add_act(other, "OWN", at=2.0, file=tmp_path / "crouch.json")
    assert api.list_acts(other)[own]["frames"] == api.list_acts(obj)[number]["frames"]
    other.neurarig.walk.acts[own].text = '{"format": "neurarig-act"'
    with refuses("cannot be used as an act: it is damaged"):
        api.list_acts(other)


def test_a_new_act_from_a_clip_is_no_line_of_code(tmp_path) -> None:
    mime = walker("Mime", mode="TRAVEL", travel_with="OBJECT")
    api.add_act(mime, "CROUCH", at=2.0, seconds=1.0)
    first, last = api.list_acts(mime)[0]["frames"]
    action = api.bake_walk(mime, frame_start=int(first) - 10, frame_end=int(last) + 10, target="DEFORM")
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    number = api.learn_act(obj, action, "Duck", armature=mime, distance=3.0)
    assert api.list_acts(obj)[number]["kind"] == "OWN" and obj.neurarig.walk.acts[number].name == "Duck"
    begin, end = api.list_acts(obj)[number]["frames"]
    hips = played(obj, np.arange(begin, end), ["Hips"])[:, 0, 0, 2]
    learned_from = played(mime, np.arange(first, last), ["Hips"])[:, 0, 0, 2]
    assert hips.min() == pytest.approx(learned_from.min(), abs=0.02) and hips[0] - hips.min() > 0.2


def test_the_command_line_has_acts() -> None:
    walker(mode="TRAVEL")
    box("Chair", (0.0, -5.0, 0.225), (0.45, 0.45, 0.45))
    command = ("walk", "--armature", "Hero", "--mode", "travel", "--frames", "1", "200")
    assert (
        run(
            *command,
            "--act",
            "jump@2,length=1",
            "--act",
            "SIT,thing=Chair,seconds=1",
            "--act",
            "WAVE@f20,hand=left",
        )
        == 0
    )
    made = api.list_acts(bpy.data.objects["Hero"])
    assert (
        [one["kind"] for one in made] == ["JUMP", "SIT", "WAVE"]
        and made[0]["length"] == 1.0
        and made[2]["hand"] == "LEFT"
    )
    assert all(
        run(*command, "--act", wrong)
        for wrong in ("FLY@2", "JUMP@2,length", "JUMP@2,depth=1", "SIT,thing=Nothing", "JUMP@2,length=9")
    )


def test_the_panel_shows_what_counts_and_when() -> None:
    obj = walker(mode="TRAVEL")
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.neurarig.add_act(kind="JUMP") == {"FINISHED"}
    played(obj, [1.0])
    shown = drawn("NEURARIG_PT_walk")
    assert {"length", "rise"} <= {widget.name for widget in shown} and "thing" not in {
        widget.name for widget in shown
    }
    assert any(widget.text.startswith("Jump: frames") for widget in shown)
    assert bpy.ops.neurarig.remove_act() == {"FINISHED"} and not len(obj.neurarig.walk.acts)


def test_an_act_is_dragged_by_an_empty_which_leaves_it_where_it_was() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    number = api.add_act(obj, "JUMP", frame=60, length=1.0)
    first, _ = api.list_acts(obj)[number]["frames"]
    there = played(obj, [first], ["LeftFoot", "RightFoot"])[0, :, 0].mean(axis=0)
    assert bpy.ops.neurarig.place_act() == {"FINISHED"}
    handle = obj.neurarig.walk.acts[number].place
    assert handle == bpy.context.object and np.linalg.norm((np.array(handle.location) - there)[:2]) < 0.15
    assert abs(api.list_acts(obj)[number]["frames"][0] - first) <= 1.0
    handle.location.y -= 2.0
    bpy.context.view_layer.update()
    moved, over = api.list_acts(obj)[number]["frames"]
    assert moved > first + 20.0
    away = played(obj, [moved], ["LeftFoot", "RightFoot"])[0, :, 0].mean(axis=0) - there
    assert np.allclose(away[:2], [0.0, -2.0], atol=0.02)
    name = handle.name
    labels = print_drawing.shown(
        obj, bpy.context.scene, walk_source.source_of(obj, bpy.context.scene)
    ).act_labels
    assert labels == (f"Jump  {moved:.0f}-{over:.0f}",)
    api.remove_walk(obj)
    assert name not in bpy.data.objects
    walk(obj)
    assert api.list_acts(obj)[number]["frames"][0] == moved


def test_an_update_is_read_before_what_is_nobodys_any_more_goes() -> None:
    other, obj = walker(), walker(mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "JUMP", frame=60, length=1.0)
    bpy.ops.neurarig.place_act()
    name, read = obj.neurarig.walk.acts[0].place.name, []

    class Told:
        """A depsgraph whose updates tell of objects that are all still there."""

        id_type_updated = staticmethod(lambda _: False)

        @property
        def updates(self) -> list:
            read.append(name in bpy.data.objects)
            return []

    bpy.data.objects.remove(obj)
    live._on_edit(bpy.context.scene, Told())
    assert read and all(read) and name not in bpy.data.objects and live.is_walking(other)


def test_an_act_at_a_frame_is_done_where_the_walk_is_then_with_the_acts_before_it() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "SIT", thing=box("Chair", (0.0, -2.5, 0.225), (0.45, 0.45, 0.45)), seconds=3.0)
    _, over = api.list_acts(obj)[0]["frames"]
    asked = over + 60.0
    stands = played(obj, [asked], ["Hips"])[0, 0, 0]
    for kind in ("LEAP", "CROUCH", "JUMP"):
        number = api.add_act(obj, kind, frame=asked, length=0.0 if kind == "CROUCH" else 0.8)
        begin, _ = api.list_acts(obj)[number]["frames"]
        assert abs(begin - asked) < 20.0
        assert np.linalg.norm((played(obj, [begin], ["Hips"])[0, 0, 0] - stands)[:2]) < 0.4
        assert api.list_acts(obj)[0]["frames"][1] == over
        api.remove_act(obj, number)
    early = api.add_act(obj, "CROUCH", frame=15)
    assert api.list_acts(obj)[early]["frames"][0] < api.list_acts(obj)[0]["frames"][0]


def test_an_act_that_is_where_its_seat_is_has_no_empty() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "SIT", thing=box("Chair", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45)))
    objects = len(bpy.data.objects)
    with refuses("Chair"):
        api.place_act(obj, 0)
    assert len(bpy.data.objects) == objects


def test_acts_are_edited_with_the_footprints() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "JUMP", at=2.5, length=1.0)
    api.add_act(obj, "SIT", thing=box("Chair", (0.0, -6.0, 0.225), (0.45, 0.45, 0.45)), seconds=0.5)
    api.add_act(obj, "NOD", frame=20)
    bpy.context.scene.frame_end = 400
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.neurarig.edit_footprints(which="RANGE") == {"FINISHED"}
    jump, sit, nod = obj.neurarig.walk.acts
    assert (
        jump.place in bpy.context.selected_objects
        and sit.place is None
        and nod.place is None
        and nod.is_timed
    )
    begins = api.list_acts(obj)[0]["frames"][0]
    jump.place.location.y -= 0.5
    bpy.context.view_layer.update()
    assert api.list_acts(obj)[0]["frames"][0] > begins + 5
    begins = api.list_acts(obj)[0]["frames"][0]
    api.put_away_prints(obj)
    assert jump.place is None and abs(api.list_acts(obj)[0]["frames"][0] - begins) <= 1
    assert not any(other.name.startswith("Hero Jump") for other in bpy.data.objects)


def test_prints_at_the_playhead_are_those_on_which_it_stands_after_an_act() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    number = api.add_act(obj, "JUMP", at=2.5, length=1.0)
    frame = int(api.list_acts(obj)[number]["frames"][1]) + 40
    bpy.context.scene.frame_set(frame)
    ankles = played(obj, [frame], ["LeftFoot", "RightFoot"])[0, :, 0]
    handles = api.take_prints(obj)
    away = [
        min(np.linalg.norm((np.array(handle.location) - ankle)[:2]) for ankle in ankles) for handle in handles
    ]
    assert len(handles) == 2 and min(away) < 0.1 and max(away) < 1.5


def test_removing_the_walk_gives_the_character_back() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    place = obj.location.copy()
    api.add_act(obj, "JUMP", at=2.0, length=1.0)
    played(obj, [100.0])
    api.remove_walk(obj)
    assert obj.location == place and not obj.neurarig.is_carried
