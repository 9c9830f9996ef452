"""What users and files set of acts: things chosen later, numbers at their edges, acts of other versions."""

from itertools import pairwise, product

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.acting import box
from tests.blender.drawing import drawn
from tests.blender.leading import curve
from tests.blender.walking import played, walker
from tests.cases import chosen, some
from tests.refusals import refuses

BONES = ["Hips", "Head", "LeftFoot", "RightFoot", "LeftHand", "RightHand"]
FRAMES = [1.0, 40.0, 90.0]


def travelling() -> bpy.types.Object:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    bpy.context.view_layer.objects.active = obj
    return obj


@pytest.mark.parametrize("kind", ["SIT", "PICK_UP", "PUT_DOWN"])
def test_an_act_without_its_thing_waits_in_red_and_the_walk_goes_on(kind: str) -> None:
    obj = travelling()
    alone = played(obj, FRAMES, BONES)
    assert bpy.ops.neurarig.add_act(kind=kind) == {"FINISHED"}
    # hands that take something are posed exactly
    assert np.abs(played(obj, FRAMES, BONES) - alone).max() < 1e-3
    (item,) = obj.neurarig.walk.acts
    shown = drawn("NEURARIG_PT_walk")
    assert "thing" in {widget.name for widget in shown} and any(
        "choose what for in" in widget.text for widget in shown
    )
    assert api.list_acts(obj)[0]["frames"] is None and not obj.neurarig.walk.error
    api.bake_walk(obj, frame_start=1, frame_end=20)
    api.remove_walk(obj)
    api.generate_walk(obj)
    item.thing = box("Thing", (-0.1, -3.0, 0.225), (0.45, 0.45, 0.45))
    assert api.list_acts(obj)[0]["frames"] is not None
    assert not any("choose what for in" in widget.text for widget in drawn("NEURARIG_PT_walk"))
    bpy.data.objects.remove(item.thing)
    assert api.list_acts(obj)[0]["frames"] is None and not obj.neurarig.walk.error


def test_an_act_takes_what_is_selected_besides_the_character() -> None:
    obj = travelling()
    stool = bpy.data.objects.new("Stool", None)
    bpy.context.collection.objects.link(stool)
    stool.location = (0.0, -3.0, 0.45)
    bpy.context.view_layer.update()
    skin = next((thing for thing in bpy.data.objects if thing.parent == obj), None)
    for thing in filter(None, (skin, stool)):
        thing.select_set(True)
    assert bpy.ops.neurarig.add_act(kind="SIT") == {"FINISHED"}
    assert obj.neurarig.walk.acts[0].thing == stool and api.list_acts(obj)[0]["frames"]


def test_acts_added_at_one_frame_follow_one_another() -> None:
    obj = travelling()
    for _ in range(3):
        assert bpy.ops.neurarig.add_act(kind="LEAP") == {"FINISHED"}
    spans = [one["frames"] for one in api.list_acts(obj)]
    assert spans == sorted(spans) and all(one[1] <= other[0] for one, other in pairwise(spans))


def test_a_leap_without_a_length_goes_as_far_as_a_leg() -> None:
    obj = travelling()
    api.add_act(obj, "LEAP", at=3.0)
    frames = api.list_acts(obj)[0]["frames"]
    api.edit_act(obj, 0, length=obj.neurarig.walk.leg_length)
    assert api.list_acts(obj)[0]["frames"] == frames
    with refuses("too near for the other foot"):
        api.edit_act(obj, 0, length=0.02)


def test_an_act_of_a_newer_version_is_named_and_stays() -> None:
    obj = travelling()
    api.add_act(obj, "JUMP", at=2.0, length=0.5)
    stored = obj.bl_system_properties_get() if hasattr(obj, "bl_system_properties_get") else obj
    stored["neurarig"]["walk"]["acts"][0]["kind"] = 999
    for does in (
        lambda: api.list_acts(obj),
        lambda: api.add_act(obj, "JUMP", at=6.0),
        lambda: api.edit_act(obj, 0, length=1.0),
    ):
        with refuses("'Jump' is of a newer version"):
            does()
    assert stored["neurarig"]["walk"]["acts"][0]["kind"] == 999 and len(obj.neurarig.walk.acts) == 1
    assert "newer version" in " ".join(widget.text for widget in drawn("NEURARIG_PT_walk"))


def numbers(group: bpy.types.PropertyGroup) -> list[str]:
    return [
        prop.identifier
        for prop in group.bl_rna.properties
        if prop.type in ("FLOAT", "INT") and not prop.is_hidden
    ]


AT_LEAST = 15  # numbers of one kind of settings that are drawn


def edges(group: bpy.types.PropertyGroup, name: str) -> list[float]:
    prop = group.bl_rna.properties[name]
    if prop.type == "INT":
        return [0, prop.hard_min, prop.hard_max]
    return [0.0, prop.hard_min, prop.hard_max, prop.soft_max, 1e-4, 1.0, -1.0, np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("kind", api.act_kinds())
def test_every_number_of_an_act_is_right_or_said_at_its_edges(kind: str) -> None:
    obj, given = travelling(), {}
    if kind in ("SIT", "PICK_UP", "PUT_DOWN", "POINT"):
        given = {"thing": box("Thing", (-0.1, -2.5, 0.225), (0.3, 0.3, 0.45))}
    api.add_act(obj, kind, **({"at": 2.5} if kind not in ("SIT", "PICK_UP", "PUT_DOWN") else {}), **given)
    at_edges(obj, obj.neurarig.walk.acts[0], [{"is_timed": False}, {"is_timed": True}])


@pytest.mark.parametrize("which", ["walk", "first", "second"])
def test_every_number_of_a_path_and_its_waypoints_is_right_or_said_at_its_edges(which: str) -> None:
    path = curve([(0.0, 0.0), (0.0, -6.0), (-3.0, -9.0)])
    markers = [{"distance": 2.0, "pause": 1.0, "frame": 90}, {"distance": 4.0, "frame": 140}]
    obj = walker(mode="PATH", path=path, markers=markers, arrive=250)
    settings = obj.neurarig.walk
    group = settings if which == "walk" else settings.markers[which == "second"]
    at_edges(obj, group, [{}])


def at_edges(obj: bpy.types.Object, group: bpy.types.PropertyGroup, ways: list[dict[str, bool]]) -> None:
    names = numbers(group)
    for way, name in product(ways, sorted(chosen(names, max(AT_LEAST, some(len(names)))))):
        for switch, is_on in way.items():
            setattr(group, switch, is_on)
        before = getattr(group, name)
        for value in edges(group, name):
            setattr(group, name, value)
            bpy.context.scene.frame_set(9)
            assert "internal" not in obj.neurarig.walk.error, (name, value)
            ignored = name.startswith(("blend_", "layer_")) or (name == "frame" and not group.is_timed)
            assert ignored or not np.isnan(getattr(group, name)) or f"'{name}'" in obj.neurarig.walk.error
        setattr(group, name, before)
        assert not obj.neurarig.walk.error, name


@pytest.mark.parametrize("where", ["location", "scale", "rotation_euler"])
def test_a_thing_that_is_nowhere_is_named(where: str) -> None:
    obj = travelling()
    chair = box("Chair", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45))
    api.add_act(obj, "SIT", thing=chair)
    getattr(chair, where)[1] = np.nan
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(9)
    assert "'Chair' is not a number" in obj.neurarig.walk.error
