"""What acts have to do with: chairs that one sits down in, things that hands take, carry and put down."""

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.controls.editing import edit_bones
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.source.walk_frame import walk_frame
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.geometry.rotation import normalized
from tests.blender.acting import CORNERS, armchair, box, program_of, where
from tests.blender.leading import curve, mesh
from tests.blender.walking import played, walk, walker
from tests.refusals import refuses
from tests.rigs import biped, build
from tests.skins import seen_points


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
        assert np.linalg.norm(hips[:2] - place[:2]) < 0.15


def test_a_thing_is_in_the_hand_from_the_touch_on_until_it_is_put_down() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    ball = box("Ball", (-0.1, -2.5, 0.1), (0.2, 0.2, 0.2))
    own = np.array(ball.matrix_world)
    there = box("There", (-0.1, -5.0, 0.4), (0.5, 0.5, 0.8))
    api.add_act(obj, "PICK_UP", thing=ball)
    api.add_act(obj, "PUT_DOWN", thing=ball, at=there)
    takes, puts = (next(t for t in span.touches if t.on == "object") for span in program_of(obj).spans)
    taken, put = int(np.ceil(takes.begin)), int(np.floor(puts.end))
    assert np.allclose(where(ball, taken - 1), own, atol=1e-6) and np.allclose(
        where(ball, taken), own, atol=2e-3
    )
    hand = "LeftHand" if takes.part == "hand_l" else "RightHand"
    away = [
        np.linalg.norm(where(ball, frame)[:3, 3] - played(obj, [frame], [hand])[0, 0, 0])
        for frame in range(taken, put, 7)
    ]
    assert np.ptp(away) < 1e-4
    left = where(ball, put)
    assert np.linalg.norm(left[:3, 3] - where(ball, put - 1)[:3, 3]) < 0.01 and np.allclose(
        where(ball, put + 60), left, atol=1e-6
    )
    # on it, at the side of the way
    assert abs(left[2, 3] - 0.9) < 1e-3 and np.allclose(left[:2, 3], [0.0, -5.0], atol=0.11)
    assert np.allclose(left[:3, :3], np.eye(3), atol=0.02)  # upright
    api.remove_act(obj, 1)
    assert np.linalg.norm(where(ball, put + 30)[:3, 3] - left[:3, 3]) > 0.3  # still in the hand
    api.remove_walk(obj)
    assert (
        not len(ball.constraints)
        and ball.animation_data is None
        and not any("Put Down" in one.name for one in bpy.data.objects)
    )
    assert np.allclose(where(ball, 1), own, atol=1e-6)


def test_one_stands_off_the_table_on_which_a_thing_is() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    cup = box("Cup", (0.45, -3.0, 0.74), (0.08, 0.08, 0.08))  # beside the way
    table = box("Table", (0.0, -3.2, 0.35), (1.6, 0.7, 0.7))
    box("Floor", (0.0, 0.0, -0.1), (20.0, 20.0, 0.2))
    number = api.add_act(obj, "PICK_UP", thing=cup)
    for edge in (-2.85, -2.95):
        table.location.y = edge - 0.35
        bpy.context.view_layer.update()
        span = program_of(obj).spans[number]
        frames = np.arange(np.ceil(span.begin), span.end, 6.0)
        bones = ["LeftLeg", "RightLeg", "LeftToeBase", "RightToeBase"]
        knees = played(obj, frames, bones)[:, :, 0, 1]
        assert edge < knees.min() < edge + 0.5, edge


# bones of a broad body with a big head and hands: how far above their heads a ball is, and its size, metres
BALLS = (("Head", 0.15, 0.25), ("Spine", 0.05, 0.27), ("LeftHand", 0.0, 0.1), ("RightHand", 0.0, 0.1))


def broad(balls: Sequence[tuple[str, float, float]] = BALLS) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a body of balls that walks, and its skin."""
    obj = build(biped(), "Broad")
    around = normalized(np.random.default_rng(0).normal(size=(200, 3)))
    middles = [np.array(obj.data.bones[bone].head_local) + [0.0, 0.0, up] for bone, up, _ in balls]
    skin = mesh(
        "Skin",
        np.concatenate([middle + size * around for middle, (*_, size) in zip(middles, balls, strict=True)]),
        np.array([[0, 1, 2, 3]]),
    )
    skin.parent = obj
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    for number, (bone, *_) in enumerate(balls):
        skin.vertex_groups.new(name=bone).add(range(200 * number, 200 * number + 200), 1.0, "REPLACE")
    api.generate_walk(obj, mode="TRAVEL", travel_with="OBJECT", use_network=False)
    return obj, skin


@pytest.mark.parametrize("size", [0.1, 0.15, 0.35, 0.5])
def test_who_sits_down_into_a_chair_is_told(size: float) -> None:
    obj, _ = broad([("LeftUpLeg", 0.0, size)])
    api.add_act(obj, "SIT", thing=box("Chair", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45)))
    told = report_text.warning("Hero", api.contact_report(obj, (1, 4)))
    assert ("cm into 'Chair' or what it is on" in told) == (size > 0.2), told


@pytest.mark.parametrize("seed", range(4))
def test_a_broad_body_goes_through_nothing(seed: int) -> None:
    rng, (obj, skin) = np.random.default_rng(seed), broad()
    hand, size, height = ("AUTO", "BOTH")[seed % 2], rng.uniform(0.08, 0.3), rng.uniform(0.0, 0.7)
    crate = box("Crate", (0.0, -3.0, height + 0.5 * size), (size, size, size))
    try:
        number = api.add_act(obj, "PICK_UP", thing=crate, hand=hand)
    except NeuraRigError as error:
        assert "the hand comes no nearer than" in str(error)
        return
    span = program_of(obj).spans[number]
    for frame in range(int(span.begin), int(span.end) + 20, 4):
        bpy.context.scene.frame_set(frame)
        places = seen_points(skin)
        assert places[:, 2].min() > -0.02, frame
        belly, held = places[200:400].mean(axis=0), where(crate, frame)
        corners = CORNERS * size @ held[:3, :3].T + held[:3, 3]
        off = np.linalg.norm(corners - belly, axis=1).min()
        assert off > BALLS[1][2] - 0.02 or hand != "BOTH", frame


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
    there = played(obj, [np.ceil(takes.begin)], [{"hand_l": "LeftHand", "hand_r": "RightHand"}[takes.part]])[
        0, 0, 0
    ]
    place = program.played[0].staged.grips[0].place
    to_world = walk_frame(obj, bpy.context.scene)[0]
    assert np.linalg.norm(there - (to_world @ np.append(place, 1.0))[:3]) < 1e-3
    api.remove_walk(obj)
    assert [(bone.name, bone.use_connect) for bone in obj.data.bones] == before


@pytest.mark.parametrize(
    ("place", "faces"),
    [((0.0, -3.0), np.pi / 2.0), ((-0.45, -3.0), 0.0), ((0.45, -3.0), np.radians(160.0))],
    ids=["ahead", "beside", "beside, turned"],
)
def test_one_sits_in_an_armchair_as_it_faces_with_hands_on_its_arms(
    place: tuple[float, float], faces: float
) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    chair = armchair("Chair", place, faces)
    number = api.add_act(obj, "SIT", thing=chair, seconds=1.0)
    seat = next(touch for touch in program_of(obj).spans[number].touches if touch.part == "seat")
    hips_and_hands = played(
        obj,
        [float(np.ceil(0.5 * (seat.begin + seat.end)))],
        ["LeftUpLeg", "RightUpLeg", "LeftHand", "RightHand"],
    )
    left, right, *hands = hips_and_hands[0, :, 0]
    leg = obj.neurarig.walk.leg_length
    assert abs(0.5 * (left + right)[2] - (0.45 + 0.1 * leg)) < 5e-3
    ahead = np.cross(left - right, [0.0, 0.0, 1.0])
    assert ahead @ [np.cos(faces), np.sin(faces), 0.0] > np.cos(np.radians(12.0)) * np.linalg.norm(ahead)
    seen = [np.linalg.inv(np.array(chair.matrix_world)) @ [*hand, 1.0] for hand in hands]
    for hand, side in zip(seen, (1.0, -1.0), strict=True):
        assert (
            abs(hand[1] - 0.29 * side) < 0.03
            and abs(hand[2] - 0.66 - 0.06 * leg) < 0.01
            and 0.05 < hand[0] < 0.25
        )


def test_nobody_sits_down_through_the_back_of_a_chair() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    for place in ((0.0, -3.0), (-0.6, -3.0)):
        with refuses("the way does not come before 'Chair', which faces elsewhere"):
            api.add_act(obj, "SIT", thing=armchair("Chair", place, np.pi if place[0] else -np.pi / 2.0))
        bpy.data.objects.remove(bpy.data.objects["Chair"])
    assert not len(obj.neurarig.walk.acts)


@pytest.mark.parametrize("kind", ["EMPTY", "CURVE", "HIDDEN"])
def test_one_sits_on_things_of_any_type(kind: str) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    chair = (
        curve([(-0.1, 0.0, 0.0), (0.1, 0.0, 0.0)])
        if kind == "CURVE"
        else armchair("Chair", (0.0, 0.0), np.pi / 2.0)
    )
    if kind == "EMPTY":
        chair = bpy.data.objects.new("Seat", None)
        bpy.context.scene.collection.objects.link(chair)
    chair.location = (0.0, -3.0, 0.0 if kind == "HIDDEN" else 0.4)
    bpy.context.view_layer.update()
    chair.hide_viewport = kind == "HIDDEN"
    number = api.add_act(obj, "SIT", thing=chair, seconds=0.5)
    asked = program_of(obj).played[0].staged.asked
    assert asked.goal is not None and api.list_acts(obj)[number]["frames"] is not None
    assert abs(asked.goal[2] - (0.45 if kind == "HIDDEN" else 0.4)) < 0.03 and (asked.rests[0] is None) == (
        kind != "HIDDEN"
    )


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
    takes, puts = (
        next(touch for touch in span.touches if touch.on == "object") for span in program_of(obj).spans
    )
    taken, put = int(np.ceil(takes.begin)), int(np.floor(puts.end))
    frames = list(range(taken, put, 9))
    hands = np.moveaxis(
        np.array([played(obj, [frame], ["LeftHand", "RightHand"])[0, :, 0] for frame in frames]), 1, 0
    )
    crates = np.array([where(crate, frame) for frame in frames])
    seen = np.einsum("fji,hfj->hfi", crates[:, :3, :3], hands - crates[:, :3, 3])
    assert np.ptp(seen, axis=1).max() < 0.01  # hands stay where they are on it
    assert crates[:, 2, 2].min() > np.cos(np.radians(1.0)) and np.ptp(crates[:, 2, 3]) > 0.3
    assert np.linalg.norm(where(crate, put + 30)[:3, 3] - np.array(there.location)) < 2e-3


def test_a_thing_is_put_on_the_seat_of_a_chair_and_not_on_its_back() -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    ball, chair = box("Ball", (-0.1, -2.0, 0.4), (0.1, 0.1, 0.1)), armchair("Chair", (0.0, -5.0), np.pi / 2.0)
    api.add_act(obj, "PICK_UP", thing=ball)
    api.add_act(obj, "PUT_DOWN", thing=ball, at=chair)
    left = where(ball, int(program_of(obj).spans[-1].end) + 5)[:3, 3]
    assert abs(left[2] - 0.5) < 2e-3 and np.linalg.norm(left[:2] - [0.0, -5.0]) < 0.2
