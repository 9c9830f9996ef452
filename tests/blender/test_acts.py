"""Acts on the way of a character: live, scrubbed, baked, moved, refused, and gone with no trace."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.controls.editing import edit_bones
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.source.walk_frame import walk_frame
from neurarig_addon.blender.walk.ui import print_drawing
from neurarig_addon.core.acts.program import Program
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.command_line import run
from tests.blender.drawing import drawn
from tests.blender.leading import curve, mesh
from tests.blender.walking import played, walk, walker
from tests.rigs import biped, build

pytestmark = pytest.mark.usefixtures("addon")

BONES = ["Hips", "Head", "LeftUpLeg", "LeftFoot", "RightFoot", "LeftHand", "RightHand"]


def box(name: str, middle: tuple[float, float, float], size: tuple[float, float, float]) -> bpy.types.Object:
    """Return a box object; the character walks along -Y."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    found = mesh(name, corners * size, np.array(faces))
    found.location = middle
    bpy.context.view_layer.update()
    return found


def armchair(name: str, place: tuple[float, float], faces: float) -> bpy.types.Object:
    """Return an armchair whose seat is 0.45 m high, on the ground at a place, that faces so many radians from +X."""
    parts = [
        ((0.0, 0.0, 0.225), (0.5, 0.5, 0.45)),
        ((-0.23, 0.0, 0.7), (0.05, 0.5, 0.5)),
        ((0.02, 0.29, 0.33), (0.45, 0.08, 0.66)),
        ((0.02, -0.29, 0.33), (0.45, 0.08, 0.66)),
    ]
    cube = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces_of = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    corners = np.concatenate([cube * size + np.array(middle) for middle, size in parts])
    found = mesh(name, corners, np.concatenate([faces_of + 8 * number for number in range(len(parts))]))
    found.location, found.rotation_euler.z = (*place, 0.0), faces
    bpy.context.view_layer.update()
    return found


def program_of(obj: bpy.types.Object) -> Program:
    found = walk_source.source_of(obj, bpy.context.scene).program
    assert found is not None
    return found


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


def test_hips_are_on_the_seat_wherever_it_is_moved() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    chair = box("Chair", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45))
    number = api.add_act(obj, "SIT", thing=chair, seconds=1.0)
    for place in ((0.0, -3.0, 0.225), (0.1, -3.6, 0.15)):
        chair.location = place
        bpy.context.view_layer.update()
        seat = next(touch for touch in program_of(obj).spans[number].touches if touch.part == "seat")
        middle = float(np.ceil(0.5 * (seat.begin + seat.end)))
        hips = played(obj, [middle], ["LeftUpLeg", "RightUpLeg"])[0, :, 0].mean(axis=0)
        leg = obj.neurarig.walk.leg_length
        assert abs(hips[2] - (place[2] + 0.225 + 0.1 * leg)) < 5e-3
        assert np.linalg.norm(hips[:2] - place[:2]) < 0.1


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
def test_what_is_impossible_is_refused_and_leaves_the_acts(settings: dict, kind: str, given: dict, said: str) -> None:
    obj = walker(**settings)
    api.add_act(obj, "NOD", frame=20)
    with pytest.raises(NeuraRigError, match=said):
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
    with pytest.raises(NeuraRigError, match="cannot be used as an act: it is damaged"):
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
    assert run(*command, "--act", "jump@2,length=1", "--act", "SIT,thing=Chair,seconds=1", "--act", "WAVE@f20,hand=left") == 0
    made = api.list_acts(bpy.data.objects["Hero"])
    assert [one["kind"] for one in made] == ["JUMP", "SIT", "WAVE"] and made[0]["length"] == 1.0 and made[2]["hand"] == "LEFT"
    assert all(
        run(*command, "--act", wrong) for wrong in ("FLY@2", "JUMP@2,length", "JUMP@2,depth=1", "SIT,thing=Nothing", "JUMP@2,length=9")
    )


def test_the_panel_shows_what_counts_and_when() -> None:
    obj = walker(mode="TRAVEL")
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.neurarig.add_act(kind="JUMP") == {"FINISHED"}
    played(obj, [1.0])
    shown = drawn("NEURARIG_PT_acts")
    assert {"length", "rise"} <= {widget.name for widget in shown} and "thing" not in {widget.name for widget in shown}
    assert any(widget.text.startswith("Jump: frames") for widget in shown)
    assert bpy.ops.neurarig.remove_act() == {"FINISHED"} and not len(obj.neurarig.walk.acts)


def where(thing: bpy.types.Object, frame: float) -> np.ndarray:
    bpy.context.scene.frame_set(int(frame))
    return np.array(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)


def test_a_thing_is_in_the_hand_from_the_touch_on_until_it_is_put_down() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    ball = box("Ball", (-0.1, -2.5, 0.1), (0.2, 0.2, 0.2))
    own = np.array(ball.matrix_world)
    there = box("There", (-0.1, -5.0, 0.4), (0.5, 0.5, 0.8))
    api.add_act(obj, "PICK_UP", thing=ball)
    api.add_act(obj, "PUT_DOWN", thing=ball, at=there)
    takes, puts = (next(t for t in span.touches if t.on == "object") for span in program_of(obj).spans)
    taken, put = int(np.ceil(takes.begin)), int(np.floor(puts.end))
    assert np.allclose(where(ball, taken - 1), own, atol=1e-6) and np.allclose(where(ball, taken), own, atol=2e-3)
    hand = "LeftHand" if takes.part == "hand_l" else "RightHand"
    away = [np.linalg.norm(where(ball, frame)[:3, 3] - played(obj, [frame], [hand])[0, 0, 0]) for frame in range(taken, put, 7)]
    assert np.ptp(away) < 1e-4
    left = where(ball, put)
    assert np.linalg.norm(left[:3, 3] - where(ball, put - 1)[:3, 3]) < 0.01 and np.allclose(where(ball, put + 60), left, atol=1e-6)
    assert abs(left[2, 3] - 0.9) < 1e-3 and np.allclose(left[:2, 3], [0.0, -5.0], atol=0.11)  # on it, at the side of the way
    assert np.allclose(left[:3, :3], np.eye(3), atol=0.02)  # upright
    api.remove_act(obj, 1)
    assert np.linalg.norm(where(ball, put + 30)[:3, 3] - left[:3, 3]) > 0.3  # still in the hand
    api.remove_walk(obj)
    assert not len(ball.constraints) and ball.animation_data is None and not any("Put Down" in one.name for one in bpy.data.objects)
    assert np.allclose(where(ball, 1), own, atol=1e-6)


@pytest.mark.parametrize("connected", [False, True])
def test_a_hand_is_exact_where_shoulders_hang_on_the_neck(connected: bool) -> None:
    on_neck = [replace(bone, parent="Neck") if bone.name.endswith("Shoulder") else bone for bone in biped()]
    obj = build(on_neck, "Hero")
    if connected:
        with edit_bones(obj) as bones:
            bones["LeftShoulder"].use_connect = bones["RightShoulder"].use_connect = True
    before = [(bone.name, bone.use_connect) for bone in obj.data.bones]
    walk(obj, use_network=False, mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "PICK_UP", thing=box("Ball", (-0.1, -2.5, 0.1), (0.2, 0.2, 0.2)))
    program = program_of(obj)
    takes = next(touch for touch in program.spans[0].touches if touch.on == "object")
    there = played(obj, [np.ceil(takes.begin)], [{"hand_l": "LeftHand", "hand_r": "RightHand"}[takes.part]])[0, 0, 0]
    place = program.played[0].staged.grips[0].place
    to_world = walk_frame(obj, bpy.context.scene)[0]
    assert np.linalg.norm(there - (to_world @ np.append(place, 1.0))[:3]) < 1e-3
    api.remove_walk(obj)
    assert [(bone.name, bone.use_connect) for bone in obj.data.bones] == before


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
    labels = print_drawing.shown(obj, bpy.context.scene, walk_source.source_of(obj, bpy.context.scene)).act_labels
    assert labels == (f"Jump  {moved:.0f}-{over:.0f}",)
    api.remove_walk(obj)
    assert name not in bpy.data.objects
    walk(obj)
    assert api.list_acts(obj)[number]["frames"][0] == moved


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


@pytest.mark.parametrize(
    ("place", "faces"),
    [((0.0, -3.0), np.pi / 2.0), ((-0.45, -3.0), 0.0), ((0.45, -3.0), np.radians(160.0))],
    ids=["ahead", "beside", "beside, turned"],
)
def test_one_sits_in_an_armchair_as_it_faces_with_hands_on_its_arms(place: tuple[float, float], faces: float) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    chair = armchair("Chair", place, faces)
    number = api.add_act(obj, "SIT", thing=chair, seconds=1.0)
    seat = next(touch for touch in program_of(obj).spans[number].touches if touch.part == "seat")
    hips_and_hands = played(obj, [float(np.ceil(0.5 * (seat.begin + seat.end)))], ["LeftUpLeg", "RightUpLeg", "LeftHand", "RightHand"])
    left, right, *hands = hips_and_hands[0, :, 0]
    leg = obj.neurarig.walk.leg_length
    assert abs(0.5 * (left + right)[2] - (0.45 + 0.1 * leg)) < 5e-3
    ahead = np.cross(left - right, [0.0, 0.0, 1.0])
    assert ahead @ [np.cos(faces), np.sin(faces), 0.0] > np.cos(np.radians(12.0)) * np.linalg.norm(ahead)
    seen = [np.linalg.inv(np.array(chair.matrix_world)) @ [*hand, 1.0] for hand in hands]
    for hand, side in zip(seen, (1.0, -1.0), strict=True):
        assert abs(hand[1] - 0.29 * side) < 0.03 and abs(hand[2] - 0.66 - 0.06 * leg) < 0.01 and 0.05 < hand[0] < 0.25


def test_nobody_sits_down_through_the_back_of_a_chair() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    for place in ((0.0, -3.0), (-0.6, -3.0)):
        with pytest.raises(NeuraRigError, match="the way does not come before 'Chair', which faces elsewhere"):
            api.add_act(obj, "SIT", thing=armchair("Chair", place, np.pi if place[0] else -np.pi / 2.0))
        bpy.data.objects.remove(bpy.data.objects["Chair"])
    assert not len(obj.neurarig.walk.acts)


@pytest.mark.parametrize("kind", ["EMPTY", "CURVE", "HIDDEN"])
def test_one_sits_on_things_of_any_type(kind: str) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    chair = curve([(-0.1, 0.0, 0.0), (0.1, 0.0, 0.0)]) if kind == "CURVE" else armchair("Chair", (0.0, 0.0), np.pi / 2.0)
    if kind == "EMPTY":
        chair = bpy.data.objects.new("Seat", None)
        bpy.context.scene.collection.objects.link(chair)
    chair.location = (0.0, -3.0, 0.0 if kind == "HIDDEN" else 0.4)
    bpy.context.view_layer.update()
    chair.hide_viewport = kind == "HIDDEN"
    number = api.add_act(obj, "SIT", thing=chair, seconds=0.5)
    asked = program_of(obj).played[0].staged.asked
    assert asked.goal is not None and api.list_acts(obj)[number]["frames"] is not None
    assert abs(asked.goal[2] - (0.45 if kind == "HIDDEN" else 0.4)) < 0.03 and (asked.rests[0] is None) == (kind != "HIDDEN")


def test_an_act_that_is_where_its_seat_is_has_no_empty() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "SIT", thing=box("Chair", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45)))
    objects = len(bpy.data.objects)
    with pytest.raises(NeuraRigError, match="Chair"):
        api.place_act(obj, 0)
    assert len(bpy.data.objects) == objects


@pytest.mark.parametrize("turn", [0.0, np.pi / 2.0])
def test_both_hands_are_as_far_apart_as_the_thing_is_wide(turn: float) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    crate = box("Crate", (0.05, -2.5, 0.4), (0.5, 0.3, 0.3))
    crate.rotation_euler.z = turn
    bpy.context.view_layer.update()
    api.add_act(obj, "PICK_UP", thing=crate, hand="BOTH")
    staged = program_of(obj).played[0].staged
    assert abs((staged.asked.apart or 0.0) - (0.3 if turn else 0.5)) < 0.03
    begin = program_of(obj).spans[0].begin + 24.0 * staged.grips[0].begin
    hands = played(obj, [np.ceil(begin)], ["LeftHand", "RightHand"])[0, :, 0]
    assert np.linalg.norm(hands.mean(axis=0) - np.array(crate.location)) < 0.15
    later = where(crate, int(begin) + 60)
    assert np.linalg.norm(later[:3, 3] - np.array([0.05, -2.5, 0.4])) > 0.3


def test_a_crate_is_carried_level_in_both_hands_to_where_it_is_put_down() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    crate, there = box("Crate", (0.05, -2.5, 0.4), (0.4, 0.3, 0.3)), bpy.data.objects.new("There", None)
    bpy.context.scene.collection.objects.link(there)
    there.location = (0.0, -5.5, 0.75)
    bpy.context.view_layer.update()
    api.add_act(obj, "PICK_UP", thing=crate, hand="BOTH")
    api.add_act(obj, "PUT_DOWN", thing=crate, at=there)
    takes, puts = (next(touch for touch in span.touches if touch.on == "object") for span in program_of(obj).spans)
    taken, put = int(np.ceil(takes.begin)), int(np.floor(puts.end))
    frames = list(range(taken, put, 9))
    hands = np.moveaxis(np.array([played(obj, [frame], ["LeftHand", "RightHand"])[0, :, 0] for frame in frames]), 1, 0)
    crates = np.array([where(crate, frame) for frame in frames])
    seen = np.einsum("fji,hfj->hfi", crates[:, :3, :3], hands - crates[:, :3, 3])
    assert np.ptp(seen, axis=1).max() < 0.01  # hands stay where they are on it
    assert crates[:, 2, 2].min() > np.cos(np.radians(1.0)) and np.ptp(crates[:, 2, 3]) > 0.3
    assert np.linalg.norm(where(crate, put + 30)[:3, 3] - np.array(there.location)) < 2e-3


def test_acts_are_edited_with_the_footprints() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    api.add_act(obj, "JUMP", at=2.5, length=1.0)
    api.add_act(obj, "SIT", thing=box("Chair", (0.0, -6.0, 0.225), (0.45, 0.45, 0.45)), seconds=0.5)
    api.add_act(obj, "NOD", frame=20)
    bpy.context.scene.frame_end = 400
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.neurarig.edit_footprints(which="RANGE") == {"FINISHED"}
    jump, sit, nod = obj.neurarig.walk.acts
    assert jump.place in bpy.context.selected_objects and sit.place is None and nod.place is None and nod.is_timed
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
    away = [min(np.linalg.norm((np.array(handle.location) - ankle)[:2]) for ankle in ankles) for handle in handles]
    assert len(handles) == 2 and min(away) < 0.1 and max(away) < 1.5


def test_a_thing_is_put_on_the_seat_of_a_chair_and_not_on_its_back() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    ball, chair = box("Ball", (-0.1, -2.0, 0.4), (0.1, 0.1, 0.1)), armchair("Chair", (0.0, -5.0), np.pi / 2.0)
    api.add_act(obj, "PICK_UP", thing=ball)
    api.add_act(obj, "PUT_DOWN", thing=ball, at=chair)
    left = where(ball, int(program_of(obj).spans[-1].end) + 5)[:3, 3]
    assert abs(left[2] - 0.5) < 2e-3 and np.linalg.norm(left[:2] - [0.0, -5.0]) < 0.2


def test_removing_the_walk_gives_the_character_back() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    place = obj.location.copy()
    api.add_act(obj, "JUMP", at=2.0, length=1.0)
    played(obj, [100.0])
    api.remove_walk(obj)
    assert obj.location == place and not obj.neurarig.is_carried
