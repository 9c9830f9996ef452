"""What is seen of targets: shapes, sizes, colours of sides, lines to the points that follow, names of
selected ones."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.neural_pose import api, live
from neurarig_addon.blender.neural_pose.draw import labels_of, lines_of
from neurarig_addon.core.neural.points import INDEX
from tests.blender.posing import hero, put, shown_points, target_of

SAME = 1e-4  # of a Blender unit
OUT_OF_REACH = (0.3, -3.0, 1.2)
EDGES = 12  # of a diamond


@pytest.fixture
def obj() -> bpy.types.Object:
    """Return a character that follows its main targets, nothing selected."""
    found = hero()
    api.pose_targets(found, "MAIN")
    bpy.ops.object.select_all(action="DESELECT")
    return found


def seen(obj: bpy.types.Object) -> SimpleNamespace:
    ((found, follower),) = live.followed_in(bpy.context.scene)
    assert found == obj
    drawn = lines_of(obj, follower, bpy.context.scene.unit_settings.scale_length)
    return SimpleNamespace(**drawn._asdict(), **labels_of(obj)._asdict())


def test_each_side_has_its_colour_and_each_target_a_diamond_of_its_size(obj: bpy.types.Object) -> None:
    drawn = seen(obj)
    assert len(drawn.lines) == len(drawn.inks) == 7 * EDGES and not drawn.names
    inks = {item.point: drawn.inks[EDGES * row] for row, item in enumerate(obj.neurarig.neural_pose.targets)}
    assert (inks["wrist.L"] == inks["ankle.L"]).all() and (inks["pelvis"] == inks["head"]).all()
    assert len({tuple(inks[point]) for point in ("wrist.L", "wrist.R", "pelvis")}) == 3
    for row, item in enumerate(obj.neurarig.neural_pose.targets):
        corners = drawn.lines[EDGES * row : EDGES * (row + 1)].reshape(-1, 3)
        assert np.abs(corners.mean(axis=0) - item.object.matrix_world.translation).max() < SAME
        assert 0.02 < np.ptp(corners, axis=0).max() < 0.2


def test_a_line_goes_from_a_target_out_of_reach_to_the_hand(obj: bpy.types.Object) -> None:
    put(obj, {"wrist.L": OUT_OF_REACH})
    shown, drawn = shown_points(obj), seen(obj)
    place = np.array(target_of(obj, "wrist.L").matrix_world.translation)
    ways = [line for line in drawn.lines if np.abs(line[0] - place).max() < SAME]
    assert len(ways) == 1 and np.abs(ways[0][1] - shown[INDEX["wrist.L"]]).max() < SAME
    others = [
        np.array(target_of(obj, point).matrix_world.translation) for point in ("ankle.L", "ankle.R", "pelvis")
    ]
    assert not any(np.abs(line[0] - other).max() < SAME for line in drawn.lines for other in others)


def test_the_selected_target_is_named_and_hidden_or_unused_ones_are_not_drawn(obj: bpy.types.Object) -> None:
    bpy.ops.neurarig.select_target(point="wrist.L")
    drawn = seen(obj)
    assert drawn.names == ["Left Hand"]
    assert np.abs(drawn.places[0] - target_of(obj, "wrist.L").matrix_world.translation).max() < SAME
    target_of(obj, "wrist.L").hide_set(True)
    next(item for item in obj.neurarig.neural_pose.targets if item.point == "head").use = False
    bpy.context.view_layer.update()
    drawn = seen(obj)
    assert not drawn.names and len(drawn.lines) >= 5 * EDGES
    near = np.linalg.norm(
        drawn.lines.mean(axis=1) - np.array(target_of(obj, "wrist.L").matrix_world.translation), axis=1
    )
    assert near.min() > 0.1


def test_targets_follow_the_choice_though_the_object_of_one_was_deleted(obj: bpy.types.Object) -> None:
    own = obj.neurarig.neural_pose
    bpy.data.objects.remove(own.targets[0].object)
    for in_front in (False, True):
        own.in_front = in_front
        left = [item.object for item in own.targets if item.object is not None]
        assert len(left) >= 6 and all(each.show_in_front == in_front for each in left)
