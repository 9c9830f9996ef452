"""The objects that a character follows: deleted, selected, removed, standing still."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.neural_pose import api, selection
from neurarig_addon.blender.neural_pose.places import PointPlaces
from neurarig_addon.core.neural.points import INDEX
from tests.blender.posing import missed_mm, put, shown_points, target_of
from tests.blender.walking import seen_now
from tests.refusals import refuses
from tests.rigs import biped, build, make_active

SAME = 1e-5  # metres


@pytest.fixture
def hero() -> bpy.types.Object:
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
    with refuses("No target of 'Hero' moves between frames 1 and 5"):
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
