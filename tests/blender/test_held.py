"""What holds a thing for a character: it outlives files and edits, and is taken off whole, with nothing of
the user's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.acting import box, where
from tests.blender.drawing import drawn
from tests.blender.walking import walker
from tests.refusals import refuses
from tests.rigs import make_active

LATE = 400  # a frame at which it has been put down


def carried(by_empty: bool = False) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a character that takes a ball and puts it down on a box, and the ball, which has a constraint
    and a setting of the user's.

    `by_empty`: an act of it is at an empty of ours.
    """
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    ball, there = (
        box("Ball", (-0.1, -2.5, 0.1), (0.2, 0.2, 0.2)),
        box("There", (-0.1, -5.0, 0.4), (0.5, 0.5, 0.8)),
    )
    own = ball.constraints.new("CHILD_OF")
    own.name, own.influence = "NeuraRig Held", 0.0
    own.target, own.subtarget = obj, "LeftHand"
    ball.animation_data_create().action_blend_type = "ADD"
    api.add_act(obj, "CROUCH", at=7.0)
    api.add_act(obj, "PICK_UP", thing=ball)
    api.add_act(obj, "PUT_DOWN", thing=ball, at=there)
    if by_empty:
        api.place_act(obj, 0)
    bpy.context.scene.frame_set(LATE)
    return obj, ball


def empties() -> list[bpy.types.Object]:
    return [one for one in bpy.data.objects if one.type == "EMPTY"]


def ours(thing: bpy.types.Object) -> list[bpy.types.Constraint]:
    return list(thing.constraints)[1:]


def put_down() -> bpy.types.Object:
    return next(one for one in empties() if "Put Down" in one.name)


def rename_all(obj: bpy.types.Object, ball: bpy.types.Object) -> None:
    for number, one in enumerate([obj, ball, *empties(), *ours(ball)]):
        one.name = f"mine {number}"
    ball.constraints[0].name = "NeuraRig Held.001"


def delete_by_button(thing: bpy.types.Object) -> None:
    make_active(thing)
    bpy.ops.object.delete()


def duplicate_both(obj: bpy.types.Object, ball: bpy.types.Object) -> None:
    make_active(obj)
    ball.select_set(True)
    bpy.ops.object.duplicate()
    bpy.context.view_layer.update()
    copy, copied = (
        next(one for one in bpy.context.selected_objects if one.type == kind) for kind in ("ARMATURE", "MESH")
    )
    # each carries its own
    assert {one.target for one in ours(copied)}.isdisjoint(one.target for one in ours(ball))
    api.remove_walk(copy)
    bpy.data.objects.remove(copy)
    assert len(ours(ball)) == 2 and not ours(copied)


def copy_thing(obj: bpy.types.Object, ball: bpy.types.Object) -> None:
    copied = ball.copy()
    bpy.context.scene.collection.objects.link(copied)
    there = where(ball, LATE)
    bpy.context.view_layer.update()
    obj.neurarig.walk.energy = 0.2
    assert not ours(copied) and len(ours(ball)) == 2 and np.allclose(where(ball, LATE), there, atol=0.3)


def copy_empty(obj: bpy.types.Object, ball: bpy.types.Object) -> None:
    """A copy of our empty is the user's."""
    mine = put_down().copy()
    mine.name = "mine"
    bpy.context.scene.collection.objects.link(mine)
    bpy.context.view_layer.update()


def save_and_open(obj: bpy.types.Object, ball: bpy.types.Object, folder: Path) -> None:
    there, path = where(ball, LATE), str(folder / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert np.allclose(where(bpy.data.objects["Ball"], LATE), there, atol=1e-5)


EDITS: dict[str, Callable[..., Any]] = {
    "nothing": lambda obj, ball: None,
    "rename all": rename_all,
    "take the copies": duplicate_both,
    "copy the thing": copy_thing,
    "copy the empty": copy_empty,
    "delete the empty": lambda obj, ball: bpy.data.objects.remove(put_down()),
    "delete the empty by button": lambda obj, ball: delete_by_button(put_down()),
    "delete our constraint": lambda obj, ball: ball.constraints.remove(ours(ball)[0]),
    "pause": lambda obj, ball: setattr(obj.neurarig.walk, "live", False),
    "save": save_and_open,
}


@pytest.mark.few(2)
@pytest.mark.parametrize("edit", EDITS)
def test_all_of_ours_is_taken_off_and_nothing_of_the_users(edit: str, tmp_path: Path) -> None:
    obj, ball = carried(by_empty=True)
    before = np.array(ball.matrix_basis)
    assert len(ours(ball)) == 2 and len(empties()) == 2 and where(ball, LATE)[1, 3] < -4.0
    EDITS[edit](obj, ball, *([tmp_path] if edit == "save" else []))
    if edit == "save":
        obj, ball = bpy.data.objects["Hero"], bpy.data.objects["Ball"]
    if edit.startswith("delete the empty"):
        assert where(ball, LATE)[1, 3] < -4.0  # it stands where it was put
    api.remove_walk(obj)
    assert [(one.type, one.target, one.subtarget) for one in ball.constraints] == [
        ("CHILD_OF", obj, "LeftHand")
    ]
    assert not len(ball.animation_data.drivers) and ball.animation_data.action_blend_type == "ADD"
    assert (
        [one.name for one in empties()] == ["mine"] * (edit == "copy the empty")
        and not obj.neurarig.made
        and not ball.neurarig.held
    )
    assert np.allclose(where(ball, LATE), before, atol=1e-6)


def test_where_a_thing_is_put_is_in_its_scene() -> None:
    carried()
    assert put_down().users_collection and put_down().users_scene


@pytest.mark.parametrize("by_button", [False, True])
def test_of_a_deleted_thing_nothing_of_ours_is_left(by_button: bool) -> None:
    obj, ball = carried()
    delete_by_button(ball) if by_button else bpy.data.objects.remove(ball)
    bpy.context.scene.frame_set(9)
    api.remove_walk(obj)
    assert not empties()


@pytest.mark.parametrize("by_button", [False, True])
def test_what_a_deleted_character_held_is_free(by_button: bool) -> None:
    obj, ball = carried(by_empty=True)
    ball.constraints.remove(ball.constraints[0])
    delete_by_button(obj) if by_button else bpy.data.objects.remove(obj)
    assert np.allclose(where(ball, LATE)[:3, 3], [-0.1, -2.5, 0.1], atol=1e-6)
    assert not ball.constraints and not empties()


def test_a_thing_that_came_without_its_character_is_freed_by_a_button(tmp_path: Path) -> None:
    _, ball = carried()
    with refuses("'Hero' holds 'Ball'"):
        api.free_thing(ball)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "scene.blend")) as (_, wanted):
        wanted.objects = ["Ball"]
    ball = wanted.objects[0]
    bpy.context.scene.collection.objects.link(ball)
    make_active(ball)
    assert where(ball, LATE)[1, 3] < -4.0  # as it was
    assert any(widget.name == "neurarig.free_thing" for widget in drawn("NEURARIG_PT_walk"))
    assert bpy.ops.neurarig.free_thing() == {"FINISHED"}
    assert not ours(ball) and not any(
        widget.name == "neurarig.free_thing" for widget in drawn("NEURARIG_PT_walk")
    )
    with refuses("Nothing holds 'Ball'"):
        api.free_thing(ball)


def test_both_copies_of_a_scene_are_given_back() -> None:
    obj, ball = carried(by_empty=True)
    bpy.ops.scene.new(type="FULL_COPY")
    scene = bpy.context.scene
    copies = {one.type: one for one in scene.objects if one.type == "ARMATURE" or one.name.startswith("Ball")}
    scene.frame_set(LATE)
    assert abs(where(copies["MESH"], LATE)[1, 3] - where(ball, LATE)[1, 3]) < 0.1
    api.remove_walk(copies["ARMATURE"])
    assert not ours(copies["MESH"]) and len(ours(ball)) == 2
    first = bpy.data.scenes[0]
    with bpy.context.temp_override(scene=first, view_layer=first.view_layers[0]):
        api.remove_walk(obj)
    assert not ours(ball) and not empties()
