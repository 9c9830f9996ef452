"""The objects that a character follows: deleted, selected, removed, standing still."""

from dataclasses import replace
from math import inf, nan

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.neural_pose import api, selection, targets
from neurarig_addon.blender.neural_pose.places import PointPlaces, are_near
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.neural.points import INDEX
from tests.blender.posing import missed_mm, put, shown_points, target_of
from tests.blender.walking import seen_now
from tests.rigs import biped, build, make_active

pytestmark = pytest.mark.usefixtures("addon")

SAME = 1e-5  # metres


@pytest.fixture
def hero(addon: None) -> bpy.types.Object:
    """Return a character that follows its main targets, its left hand raised."""
    obj = build(biped(), "Hero")
    make_active(obj)
    api.pose_targets(obj, "MAIN")
    put(obj, {"wrist.L": (0.4, -0.3, 1.6)})
    return obj


def delete(target: bpy.types.Object) -> None:
    """Delete an object as the X key does: whatever refers to it keeps it in the file."""
    bpy.ops.object.select_all(action="DESELECT")
    target.select_set(True)
    bpy.context.view_layer.objects.active = target
    bpy.ops.object.delete()
    bpy.context.view_layer.update()


def test_a_target_that_a_script_removes_is_not_followed_any_more(hero: bpy.types.Object) -> None:
    raised = seen_now(hero)
    bpy.data.objects.remove(target_of(hero, "wrist.L"))
    bpy.context.scene.frame_set(2)
    assert np.abs(seen_now(hero) - raised).max() > 0.1
    put(hero, {"wrist.R": (-0.4, -0.3, 1.4)})
    assert missed_mm(hero, ["wrist.R"]) < 1.0
    assert hero.neurarig.neural_pose.live and not hero.neurarig.neural_pose.error


def test_a_target_deleted_in_the_scene_is_not_followed_and_is_made_again(hero: bpy.types.Object) -> None:
    raised = seen_now(hero)
    item = next(item for item in hero.neurarig.neural_pose.targets if item.point == "wrist.L")
    item.use = False
    bpy.context.view_layer.update()
    without = seen_now(hero)
    assert np.abs(without - raised).max() > 0.1
    item.use = True
    delete(target_of(hero, "wrist.L"))
    assert np.abs(seen_now(hero) - without).max() < SAME
    made = api.pose_targets(hero, "MAIN")
    assert len(made) == 7 and target_of(hero, "wrist.L").users_scene and missed_mm(hero) < 0.1
    assert len([obj for obj in bpy.data.objects if "neurarig_target" in obj]) == 7


@pytest.mark.parametrize("is_nowhere", [False, True], ids=["deleted", "nowhere"])
def test_without_the_first_target_the_others_are_followed(hero: bpy.types.Object, is_nowhere: bool) -> None:
    first = next(item for item in hero.neurarig.neural_pose.targets if item.point != "wrist.R")
    if is_nowhere:
        first.object.location.x = nan
        bpy.context.view_layer.update()
    else:
        delete(first.object)
    before = seen_now(hero)
    target_of(hero, "wrist.R").location.z += 0.3
    bpy.context.view_layer.update()
    assert np.abs(seen_now(hero) - before).max() > 0.1


def test_targets_snap_to_the_joints_as_they_are_shown(hero: bpy.types.Object) -> None:
    """Those that were made; an object of the user's stays where it is."""
    prop = bpy.data.objects.new("Prop", None)
    bpy.context.scene.collection.objects.link(prop)
    prop.location = (3.0, 2.0, 1.0)
    api.choose_target(hero, "head", prop)
    hero.neurarig.neural_pose.live = False
    shown = shown_points(hero)
    put(hero, {"wrist.L": (3.0, 0.0, 0.0), "pelvis": (0.0, 0.0, 5.0)})
    api.snap_targets(hero)
    bpy.context.view_layer.update()
    points = [item.point for item in hero.neurarig.neural_pose.targets if item.is_made]
    assert {"wrist.L", "pelvis", "ankle.R"} <= set(points) and "head" not in points
    places = np.array([target_of(hero, point).matrix_world.translation for point in points])
    assert np.abs(places - shown[[INDEX[point] for point in points]]).max() < SAME
    assert np.abs(shown_points(hero) - shown).max() < SAME and tuple(prop.location) == (3.0, 2.0, 1.0)


def test_the_character_is_active_when_its_active_target_is_removed(hero: bpy.types.Object) -> None:
    bpy.ops.neurarig.select_target(point="head")
    bpy.ops.neurarig.remove_target(point="head")
    assert bpy.context.view_layer.objects.active == hero
    bpy.ops.neurarig.select_target(point="pelvis")
    bpy.ops.neurarig.remove_targets()
    assert bpy.context.view_layer.objects.active == hero and hero.select_get()


def test_some_row_of_the_list_is_active_whatever_is_removed(hero: bpy.types.Object) -> None:
    own = hero.neurarig.neural_pose
    points = [item.point for item in own.targets]
    for active, removed, left in (
        (2, points[-1:], 2),
        (len(points) - 2, points[-3:-1], len(points) - 4),
        (3, None, 0),
    ):
        own.active_target = active
        targets.remove(hero, removed)
        assert own.active_target == left


def test_a_target_is_selected_from_pose_mode_and_a_hidden_one_named(hero: bpy.types.Object) -> None:
    make_active(hero)
    bpy.ops.object.mode_set(mode="POSE")
    hand = target_of(hero, "wrist.R")
    bpy.ops.neurarig.select_target(point="wrist.R")
    assert (
        bpy.context.view_layer.objects.active == hand
        and bpy.context.selected_objects == [hand]
        and hero.mode == "OBJECT"
    )
    own = hero.neurarig.neural_pose
    assert own.targets[own.active_target].point == "wrist.R"
    hand.hide_set(True)
    with pytest.raises(RuntimeError, match="'Hero Right Hand' is hidden"):
        bpy.ops.neurarig.select_target(point="wrist.R")
    delete(target_of(hero, "ankle.L"))
    make_active(hero)
    with pytest.raises(RuntimeError, match="Left Foot has no object"):
        bpy.ops.neurarig.select_target(point="ankle.L")


def test_the_list_shows_the_row_of_the_target_that_is_selected_in_the_view(hero: bpy.types.Object) -> None:
    own = hero.neurarig.neural_pose
    for point in ("ankle.R", "head"):
        bpy.context.view_layer.objects.active = target_of(hero, point)
        selection.follow_selection()
        assert own.targets[own.active_target].point == point
    bpy.context.view_layer.objects.active = hero
    selection.follow_selection()
    assert own.targets[own.active_target].point == "head"


def test_a_range_in_which_no_target_moves_is_refused(hero: bpy.types.Object) -> None:
    keyed = api.solve_pose(hero, key=True)
    with pytest.raises(NeuraRigError, match="No target of 'Hero' moves between frames 1 and 5"):
        api.solve_range(hero, 1, 5)
    assert hero.animation_data.action == keyed and hero.neurarig.neural_pose.live
    assert len(bpy.data.actions) == 1
    target_of(hero, "head").keyframe_insert("location", frame=1)
    put(hero, {"head": (0.1, -0.1, 1.4)})
    target_of(hero, "head").keyframe_insert("location", frame=5)
    assert api.solve_range(hero, 1, 5) == hero.animation_data.action != keyed


def test_removing_the_targets_of_a_copy_leaves_those_of_the_first(hero: bpy.types.Object) -> None:
    make_active(hero)
    bpy.ops.object.duplicate()
    copy, shown = bpy.context.view_layer.objects.active, seen_now(hero)
    assert copy != hero and copy.neurarig.neural_pose.live
    api.remove_targets(copy)
    put(hero, {"wrist.L": (0.4, -0.3, 1.5)})
    assert missed_mm(hero) < 0.1 and np.abs(seen_now(hero) - shown).max() > 0.05
    api.remove_targets(hero)
    assert not any("neurarig_target" in obj for obj in bpy.data.objects)


def test_a_copy_gets_targets_of_its_own(hero: bpy.types.Object) -> None:
    api.pose_targets(hero, ["hand_tip.L"])  # its empty goes with the hand's
    make_active(hero)
    before = seen_now(hero)
    bpy.ops.object.duplicate()
    copy = bpy.context.view_layer.objects.active
    copy.location.x += 2.0
    assert np.abs(seen_now(copy) - before - [2.0, 0.0, 0.0]).max() < SAME
    put(copy, {"wrist.L": (2.4, -0.3, 1.3)})
    assert missed_mm(copy) < 0.1 and np.abs(seen_now(hero) - before).max() < SAME
    assert target_of(copy, "hand_tip.L").parent == target_of(copy, "wrist.L") != target_of(hero, "wrist.L")
    assert not {item.object for item in copy.neurarig.neural_pose.targets} & {
        item.object for item in hero.neurarig.neural_pose.targets
    }


def test_targets_of_one_collection_are_read_at_once_as_each_one_is(hero: bpy.types.Object) -> None:
    """Parents, sizes and constraints included; what comes to the collection or leaves it makes them be looked
    for anew."""
    api.pose_targets(hero, "FULL")
    carrier = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(carrier)
    carrier.location, carrier.rotation_euler, carrier.scale = (
        (0.3, 0.1, 1.2),
        (0.2, -0.4, 1.0),
        (1.0, 2.0, 0.5),
    )
    target_of(hero, "wrist.R").parent = carrier
    follows = target_of(hero, "head").constraints.new("COPY_LOCATION")
    follows.target = carrier
    bpy.context.view_layer.update()
    places = PointPlaces.of(hero)
    assert places.together is not None
    found, alone = places.read(hero, None), replace(places, together=None).read(hero, None)
    assert found is not None and alone is not None and np.array_equal(found, alone)
    where = {item.point: item.object.matrix_world.translation for item in hero.neurarig.neural_pose.targets}
    np.testing.assert_allclose(
        places.points(found, 1.0)[places.rows], [where[point] for point in where], atol=1e-6
    )

    other = bpy.data.objects.new("Another", None)
    target_of(hero, "head").users_collection[0].objects.link(other)
    anew = PointPlaces.of(hero).read(hero, None)
    assert places.read(hero, None) is None and anew is not None and np.array_equal(anew, found)
    at = 0.15, -0.2, 0.25
    put(hero, {"ankle.L": at})
    assert "ankle.L" not in api.missed_targets(hero) and shown_points(hero)[
        INDEX["ankle.L"]
    ] == pytest.approx(at, abs=1e-4)
    bpy.data.objects.remove(other)
    bpy.context.scene.collection.objects.link(target_of(hero, "ankle.L"))
    target_of(hero, "ankle.L").users_collection[0].objects.unlink(target_of(hero, "ankle.L"))
    assert PointPlaces.of(hero).together is None
    at = 0.1, -0.3, 0.35
    put(hero, {"ankle.L": at})
    assert "ankle.L" not in api.missed_targets(hero) and shown_points(hero)[
        INDEX["ankle.L"]
    ] == pytest.approx(at, abs=1e-4)


def test_accuracy_that_is_no_number_counts_as_exact(hero: bpy.types.Object) -> None:
    api.pose_targets(hero)
    hero.neurarig.neural_pose.noise = nan
    put(hero, {"wrist.L": (0.3, -0.3, 1.3)})
    assert missed_mm(hero) < 0.1 and np.isfinite(seen_now(hero)).all()


def test_places_are_near_but_for_rounding() -> None:
    def near(now: list[float], before: list[float]) -> bool:
        return are_near(np.array(now), np.array(before))

    assert near([1.0, nan, inf], [1.0, nan, inf])
    assert near([1.0 + 1e-6, 100.0], [1.0, 100.0]) and not near([1.001, 100.0], [1.0, 100.0])
    assert near([1.0 + 2e-6, 0.1, 0.2], [1.0, 0.1, 0.2]) and not near([1.0 + 5e-6, 0.1, 0.2], [1.0, 0.1, 0.2])
    assert not near([nan, 1.0], [1.0, 1.0]) and not near([1.0, 1.0], [nan, 1.0])
    assert (
        not near([1.0], [1.0, 2.0]) and not near([inf, 1.0], [2.0, 1.0]) and not near([2.0, 1.0], [inf, 1.0])
    )


def test_an_object_chosen_in_the_list_takes_the_place_of_our_empty(hero: bpy.types.Object) -> None:
    cup = bpy.data.objects.new("Cup", None)
    bpy.context.scene.collection.objects.link(cup)
    cup.location = (0.5, -0.3, 1.2)
    bpy.context.view_layer.update()
    item = next(item for item in hero.neurarig.neural_pose.targets if item.point == "wrist.L")
    item.object = cup
    bpy.context.view_layer.update()
    assert missed_mm(hero) < 0.1 and not item.is_made and "Hero Left Hand" not in bpy.data.objects
    delete(cup)
    make_active(hero)
    api.pose_targets(hero)
    assert item.is_made and target_of(hero, "wrist.L").users_scene and missed_mm(hero) < 0.1
    item.object = None
    assert "Hero Left Hand" not in bpy.data.objects
    api.remove_targets(hero)
    assert (
        not any("neurarig_target" in obj for obj in bpy.data.objects)
        and "NeuraRig Targets" not in bpy.data.collections
    )
