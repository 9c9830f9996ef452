"""One character's walk on others, each its own person on its own path; who waits for whom; curves from crowd
tools; and away again."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.crowd.api import clear_crossings, copy_walk
from tests.blender.leading import curve, sheet
from tests.blender.walking import seen, state_of, walker
from tests.refusals import refuses
from tests.rigs import arms_only, biped, build, make_active
from tests.skins import dressed

KINDS = ("objects", "curves", "armatures", "meshes", "actions", "collections")
SETTINGS = (
    "speed",
    "phase",
    "person_seed",
    "variation_seed",
    "idle_seed",
    "individual",
    "energy",
    "mode",
    "ground",
)


def names() -> dict[str, list[str]]:
    return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in KINDS}


def settings(obj: bpy.types.Object) -> dict[str, object]:
    return {name: getattr(obj.neurarig.walk, name) for name in SETTINGS}


def standing(name: str, x: float, y: float) -> bpy.types.Object:
    obj = build(biped(), name)
    obj.location = (x, y, 0.0)
    bpy.context.view_layer.update()
    return obj


def hips(obj: bpy.types.Object, frame: float) -> np.ndarray:
    """Return where the evaluated character is on the ground."""
    return seen(obj, frame, ["Hips"])[0, 0, :2]


def select(*objs: bpy.types.Object) -> None:
    """Select objects, the first of them active."""
    make_active(objs[0])
    for obj in objs:
        obj.select_set(True)


def test_each_is_a_person_of_its_own_that_walks_from_where_it_stands():
    hero = walker(
        "Hero",
        mode="PATH",
        path=curve([(0, 0), (0, -6)]),
        ground=sheet("Hill", lambda x, y: 0.1 * np.sin(y)),
        energy=0.4,
    )
    others = [standing("One", 2.0, 1.0), standing("Two", -2.0, 0.5)]
    before = settings(hero), hips(hero, 40)
    found = api.copy_walk(hero, others, seed=5)
    assert set(found["reports"]) == {"One", "Two"} and not found["refused"]
    json.dumps(found)
    assert settings(hero) == before[0]
    assert_allclose(hips(hero, 40), before[1], atol=1e-6)
    three = [settings(obj) for obj in (hero, *others)]
    assert all(one["energy"] == three[0]["energy"] and one["ground"] == three[0]["ground"] for one in three)
    for name in ("speed", "phase", "person_seed"):
        assert len({one[name] for one in three}) == 3, name
    assert all(
        one["individual"] == 1.0 and abs(one["speed"] / three[0]["speed"] - 1.0) <= 0.13 for one in three[1:]
    )
    assert all(
        side["max"] < 0.5 for report in found["reports"].values() for side in report["slip_mm"].values()
    )
    for obj, x, y in zip(others, (2.0, -2.0), (1.0, 0.5), strict=True):
        assert_allclose(hips(obj, 1), (x, y), atol=0.1)
        assert hips(obj, 80)[1] < y - 1.0
    api.copy_walk(hero, others, seed=5)
    assert [settings(obj) for obj in others] == three[1:], "the same seed draws the same"
    api.copy_walk(hero, others, seed=6)
    assert [settings(obj) for obj in others] != three[1:]
    assert len(bpy.data.curves) == 3, "curves that nobody follows any more are gone"


def test_removed_without_a_trace():
    hero = walker("Hero", mode="PATH", path=curve([(0, 0), (0, -6)]))
    other = standing("Other", 2.0, 1.0)
    before = names(), state_of(other)
    select(hero, other)
    bpy.ops.neurarig.copy_walk(paths="BESIDE")
    assert names() != before[0] and other.neurarig.walk.live
    bpy.ops.neurarig.remove_copies()
    after = state_of(other)
    assert names() == before[0]
    for name in before[1].keys() - {"settings", "roles", "mode"}:  # sliders and roles stay, as with Remove
        assert after[name] == before[1][name], name
    assert not after["settings"]["live"] and other.neurarig.walk.path is None


def test_one_that_cannot_walk_is_named_and_the_others_go_on():
    hero = walker("Hero")
    arms, other = build(arms_only(), "Arms"), standing("Other", 1.0, 0.0)
    before = state_of(arms)
    found = api.copy_walk(hero, [arms, other, bpy.data.objects.new("Empty", None)])
    assert set(found["reports"]) == {"Other"} and set(found["refused"]) == {"Arms", "Empty"}
    after = state_of(arms)
    assert {name: after[name] for name in after if name != "data"} == {
        name: before[name] for name in before if name != "data"
    }
    with refuses():
        api.copy_walk(hero, [arms])
    with refuses("curve for each"):
        api.copy_walk(hero, [other, standing("Third", 2.0, 0.0)], paths=[curve([(0, 0), (3, 0)])])


def test_ended_early_nothing_has_changed():
    hero = walker("Hero", mode="PATH", path=curve([(0, 0), (0, -6)]))
    others = [standing("One", 2.0, 1.0), walker("Two", mode="TRAVEL", speed=1.0)]
    before = names(), [state_of(obj) for obj in others]
    steps = copy_walk.steps(hero, others)
    while next(steps) < 0.8:
        pass
    steps.close()
    assert names() == before[0]
    for obj, old in zip(others, before[1], strict=True):
        now = state_of(obj)
        for name in now.keys() - {"roles", "attachment", "pose"}:
            assert now[name] == old[name], (obj.name, name)
        assert_allclose(now["pose"], old["pose"], atol=1e-7)  # type: ignore[arg-type]


@pytest.fixture
def two() -> list[bpy.types.Object]:
    """Return two characters whose paths cross where both are at the same time."""
    return [
        walker("One", mode="PATH", path=curve([(-4, 0), (4, 0)])),
        walker("Two", mode="PATH", path=curve([(0, -4.2), (0, 4)])),
    ]


def test_the_later_one_makes_way_at_a_crossing(two: list[bpy.types.Object]):
    one, two = two
    frames = range(40, 140, 4)
    before = [hips(one, frame) for frame in frames]
    assert (
        min(np.linalg.norm(hips(two, frame) - place) for frame, place in zip(frames, before, strict=True))
        < 0.3
    )
    found = api.clear_crossings([one, two])
    json.dumps(found)
    assert set(found["waits"]) == {"Two"} and not found["left"] and found["nearest"] >= 0.0
    radii = 0.3 * (one.neurarig.walk.leg_length + two.neurarig.walk.leg_length)
    assert min(np.linalg.norm(hips(two, frame) - hips(one, frame)) for frame in frames) > radii - 0.06, (
        "hips sway a little"
    )
    assert [hips(one, frame).tolist() for frame in frames] == [place.tolist() for place in before], (
        "to the bit"
    )
    waits = found["waits"]["Two"]
    assert api.clear_crossings([one, two])["waits"]["Two"] == waits, "made anew, not added"
    two.neurarig.walk.path.location.y = 30.0
    bpy.context.view_layer.update()
    assert api.clear_crossings([one, two])["waits"] == {} and not len(two.neurarig.walk.markers)


def test_waits_are_closed_early_and_own_waypoints_stay(two: list[bpy.types.Object]):
    marker = two[1].neurarig.walk.markers.add()
    marker.distance, marker.pause = 1.0, 0.5
    steps = clear_crossings.steps(two)
    next(steps)
    steps.close()
    assert len(two[1].neurarig.walk.markers) == 1
    select(*two)
    bpy.ops.neurarig.clear_crossings()
    (own,) = [marker for marker in two[1].neurarig.walk.markers if not marker.yields]
    assert (own.distance, own.pause) == (1.0, 0.5)


def test_two_on_the_same_line_are_named():
    walkers = [
        walker("One", mode="PATH", path=curve([(-4, 0), (4, 0)])),
        walker("Two", mode="PATH", path=curve([(4, 0), (-4, 0)])),
    ]
    found = api.clear_crossings(walkers)
    (sentence,) = found["left"]
    assert (
        "'One' and 'Two'" in sentence
        and "towards each other" in sentence
        and found["nearest"] < 0.0
        and not found["waits"]
    )
    with refuses("Only one"):
        api.clear_crossings(walkers[:1])


def test_characters_walk_when_and_where_the_agents_of_a_table_did(tmp_path: Path):
    seconds = np.arange(0.0, 8.01, 0.25)
    speed = {
        "a": np.where(seconds < 3.0, 1.3, np.where(seconds < 6.0, 0.1, 1.0)),
        "b": np.full(len(seconds), 1.1),
    }
    places = {}
    for agent, own in speed.items():
        way = np.concatenate([[0.0], np.cumsum(0.25 * own[:-1])])
        places[agent] = np.column_stack(
            [way, np.full(len(way), 3.0) if agent == "a" else 2.0 * np.sin(0.3 * way)]
        )
    rows = [
        f"{agent},{t},{x},{y}" for agent in places for t, (x, y) in zip(seconds, places[agent], strict=True)
    ]
    (tmp_path / "crowd.csv").write_text("agent,t,x,y\n" + "\n".join(rows))
    curves = api.load_trajectories(tmp_path / "crowd.csv")
    hero, other = walker("Hero"), standing("Other", 5.0, 5.0)
    found = api.copy_walk(hero, [hero, other], paths=curves)
    assert found["paths"] == {"Hero": "crowd a", "Other": "crowd b"}
    assert hero.neurarig.walk.individual == 0.0, "the first one stays as it is"
    for obj, agent in ((hero, "a"), (other, "b")):
        for second in (1.0, 3.0, 5.0, 7.0):
            wanted = [np.interp(second, seconds, axis) for axis in places[agent].T]
            assert np.linalg.norm(hips(obj, 1 + 24 * second) - wanted) < 0.15, (agent, second)
    assert not found["notes"]
    api.remove_copies([hero, other])
    assert not bpy.data.curves and not bpy.data.actions


def test_times_that_nobody_can_keep_are_told(tmp_path: Path):
    rows = [f"a,{0.5 * row},{2.8 * max(min(0.5 * row, 3.0), 0.5 * row - 3.0)},0" for row in range(24)]
    (tmp_path / "crowd.csv").write_text("agent,t,x,y\n" + "\n".join(rows))
    found = api.copy_walk(hero := walker("Hero"), [hero], paths=api.load_trajectories(tmp_path / "crowd.csv"))
    assert found["notes"] and "from its table" in found["notes"][0]


def test_a_curve_is_walked_as_its_evaluation_time_is_keyed():
    path = curve([(0, 0), (0, -10)])
    path.data.path_duration = 50
    for frame, at in ((1, 0.0), (121, 25.0)):
        path.data.eval_time = at
        path.data.keyframe_insert("eval_time", frame=frame)
    hero = walker("Hero", mode="PATH", path=path, speed=0.3)
    assert_allclose(hips(hero, 61), (0.0, -2.5), atol=0.1)
    with refuses("timing"):
        api.generate_walk(hero, markers=[{"distance": 3.0, "pause": 1.0}])


def test_far_ones_are_instances_of_a_shared_loop_and_come_near_again():
    others = []
    for number in range(3):
        obj = walker(
            f"Far {number}",
            mode="PATH",
            path=curve([(2 * number, 0), (2 * number, -6)]),
            speed=1.2 if number < 2 else 0.7,
        )
        dressed(obj)
        others.append(obj)
    hero = walker("Hero")
    before = names(), [state_of(obj)["settings"] for obj in others]
    select(hero, *others)
    found = api.far_as_loops(others)
    assert sorted(map(len, found["loops"].values())) == [1, 2] and not found["refused"]
    json.dumps(found)
    assert all(obj.hide_viewport and not obj.neurarig.walk.live for obj in others)
    feet = []
    for frame in range(30, 70):
        bpy.context.scene.frame_set(frame)
        shown = {
            one.parent.name: [
                one.matrix_world @ one.object.pose.bones[f"{side}ToeBase"].head for side in ("Left", "Right")
            ]
            for one in bpy.context.evaluated_depsgraph_get().object_instances
            if one.is_instance and one.object.type == "ARMATURE"
        }
        assert len(shown) == 3
        feet.append(shown["Far 1 Far"])
        assert_allclose(np.mean(feet[-1], axis=0)[:2], (2.0, -1.2 * (frame - 1) / 24.0), atol=0.45)
    moved = np.linalg.norm(np.diff(np.array(feet)[..., :2], axis=0), axis=-1)
    assert np.median(moved.min(axis=-1)) < 3e-3 and moved.max() > 0.08, "one foot stands, the other swings"
    bpy.context.scene.frame_set(240)
    assert not [one for one in bpy.context.evaluated_depsgraph_get().object_instances if one.is_instance], (
        "paths have ended"
    )
    bpy.context.scene.frame_set(1)
    assert api.near_again() == 3
    assert names() == before[0]
    for obj, old in zip(others, before[1], strict=True):
        assert {name: value for name, value in state_of(obj)["settings"].items() if value != old[name]} == {}
    assert not any(obj.hide_viewport or obj.hide_render for obj in others)
    with refuses("goes nowhere"):
        api.far_as_loops([hero])


def test_one_step_of_undo_takes_all_back():
    hero = walker("Hero", mode="PATH", path=curve([(0, 0), (0, -6)]))
    other = standing("Other", 2.0, 1.0)
    select(hero, other)
    before = names(), hips(other, 30).tolist()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.neurarig.copy_walk(paths="BESIDE", seed=3)
    bpy.ops.ed.undo_push(message="Copy")
    assert names() != before[0] and hips(bpy.data.objects["Other"], 30).tolist() != before[1]
    bpy.ops.ed.undo()
    assert names() == before[0] and hips(bpy.data.objects["Other"], 30).tolist() == before[1]
