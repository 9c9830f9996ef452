"""Poses of a character with targets: flipped, mirrored, on other characters, in between, as assets."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.neural_pose import api, pose_api
from neurarig_addon.core.neural.points import INDEX, mirrored_rows
from tests.blender.posing import BUILDS, TURNED, missed_mm, put, shown_points, untouched
from tests.refusals import refuses
from tests.rigs import biped, build, make_active

MM = 1e-3
STILL = Matrix()


def posed(kind: str = "t-pose", moved: Matrix = STILL) -> bpy.types.Object:
    """Return a character, `moved` from where it was made, that stands with a hand forward and down, and a
    foot back."""
    obj = BUILDS[kind]()
    obj.matrix_world = moved @ obj.matrix_world
    bpy.context.view_layer.update()
    make_active(obj)
    api.pose_targets(obj, "MAIN")
    reach(obj)
    return obj


def reach(obj: bpy.types.Object) -> None:
    """Have the left hand reach forward and down, and the right foot step back."""
    now = shown_points(obj)
    ahead = now[INDEX["toe_tip.L"]] - now[INDEX["ankle.L"]]
    ahead[2] = 0.0
    ahead *= 0.3 / np.linalg.norm(ahead)
    put(
        obj,
        {
            "wrist.L": now[INDEX["wrist.L"]] + 1.2 * ahead - [0, 0, 0.4],
            "ankle.R": now[INDEX["ankle.R"]] - ahead,
        },
    )


def mirror_image(points: np.ndarray, moved: Matrix = STILL) -> np.ndarray:
    """Return points of the world as in a mirror through the middle of a character that was `moved` from where
    it was made."""
    across = np.array(moved @ Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0)) @ moved.inverted())
    return (points @ across[:3, :3].T + across[:3, 3])[mirrored_rows()]


@pytest.mark.parametrize(
    ("kind", "moved"),
    [
        ("t-pose", STILL),
        ("t-pose", TURNED),
        ("other size and rolls", STILL),
        ("halves", STILL),
        ("no toes", TURNED),
    ],
)
def test_a_flipped_pose_is_its_mirror_image_and_flipped_twice_the_same(kind: str, moved: Matrix) -> None:
    obj = posed(kind, moved)
    before = shown_points(obj)
    assert pose_api.flip_pose(obj) == []
    flipped = shown_points(obj)
    assert np.abs(flipped - mirror_image(before, moved)).max() < 2 * MM
    assert np.abs(flipped - before).max() > 0.1 and missed_mm(obj) < 0.1
    pose_api.flip_pose(obj)
    assert np.abs(shown_points(obj) - before).max() < 2 * MM


def test_a_flipped_pose_is_dragged_on() -> None:
    obj = posed()
    pose_api.flip_pose(obj)
    flipped = shown_points(obj)
    put(obj, {"wrist.L": flipped[INDEX["wrist.L"]] + [0.0, -0.05, 0.1]})
    assert missed_mm(obj, ["wrist.L", "ankle.L", "ankle.R"]) < 0.1
    assert np.abs(shown_points(obj)[INDEX["wrist.R"]] - flipped[INDEX["wrist.R"]]).max() < 0.05


def test_the_other_arm_and_leg_go_like_those_of_the_side_that_is_mirrored() -> None:
    obj = posed()
    before = shown_points(obj)
    pose_api.mirror_pose(obj, "L")
    now = shown_points(obj)
    left = [INDEX[f"{part}.L"] for part in ("shoulder", "elbow", "wrist", "knee", "ankle", "hand_tip")]
    assert np.abs(now[left] - before[left]).max() < MM
    from_pelvis, mirrored = now - now[0], mirror_image(now) - mirror_image(now)[0]
    legs = [INDEX[f"{part}.R"] for part in ("knee", "ankle", "ball")]
    # The pelvis is turned a little, and legs are mirrored as seen from it.
    assert (
        np.abs(np.linalg.norm(from_pelvis[legs], axis=1) - np.linalg.norm(mirrored[legs], axis=1)).max() < MM
    )
    assert np.linalg.norm(now[INDEX["wrist.R"]] - before[INDEX["wrist.R"]]) > 0.3
    with refuses("not a side"):
        pose_api.mirror_pose(obj, "LEFT")


def test_a_pose_goes_to_another_character_whatever_its_size_rest_pose_and_place() -> None:
    hero = posed()
    other = BUILDS["a-pose, as from fbx"]()
    other.name = "Villain"
    make_active(other)
    with refuses("Villain"):
        pose_api.copy_pose(hero, [other])
    api.pose_targets(other, "MAIN")
    pose_api.copy_pose(hero, [hero, other])
    bones = [("shoulder", "elbow"), ("elbow", "wrist"), ("hip", "knee"), ("knee", "ankle")]

    def directions(obj: bpy.types.Object) -> np.ndarray:
        points = shown_points(obj)
        ways = [
            points[INDEX[f"{end}.{side}"]] - points[INDEX[f"{start}.{side}"]]
            for start, end in bones
            for side in "LR"
        ]
        back = np.linalg.inv(
            np.array(obj.matrix_world)[:3, :3] / np.cbrt(np.linalg.det(np.array(obj.matrix_world)[:3, :3]))
        )
        return (np.array(ways) / np.linalg.norm(ways, axis=1, keepdims=True)) @ back.T

    first, second = directions(hero), directions(other)
    # In the armatures' own axes; one is made along other axes than the other.
    assert np.abs(first @ first.T - second @ second.T).max() < 0.02
    with refuses("last"):
        pose_api.copy_pose(hero, [hero])


def test_a_pose_asset_holds_the_pose_and_stays() -> None:
    obj = posed()
    seen = shown_points(obj)
    action = pose_api.pose_asset(obj, "Reach")
    assert (
        action.asset_data is not None
        and tuple(action.frame_range) == (1.0, 1.0)
        and compat.playing(obj)[0] is None
    )
    api.remove_targets(obj)
    assert np.abs(shown_points(obj) - seen).max() > 0.1
    compat.assign(obj.animation_data_create(), action, action.slots[0] if compat.HAS_SLOTS else None)
    bpy.context.scene.frame_set(1)
    assert np.abs(shown_points(obj) - seen).max() < MM


@pytest.fixture
def two_poses() -> tuple[bpy.types.Object, np.ndarray, np.ndarray]:
    """Return a character with poses keyed on frames 1 and 21, and these; its left foot stands in both."""
    obj = build(biped(), "Hero")
    make_active(obj)
    scene = bpy.context.scene
    api.pose_targets(obj, "MAIN")
    scene.frame_set(1)
    api.solve_pose(obj, key=True)
    first = shown_points(obj)
    scene.frame_set(21)
    reach(obj)
    api.solve_pose(obj, key=True)
    return obj, first, shown_points(obj)


def test_an_in_between_is_between_and_holds_what_stands(
    two_poses: tuple[bpy.types.Object, np.ndarray, np.ndarray],
) -> None:
    obj, first, second = two_poses
    bpy.context.scene.frame_set(11)
    linear = shown_points(obj)
    pose_api.in_between(obj, 0.5)
    now = shown_points(obj)
    left = [INDEX["ankle.L"], INDEX["ball.L"]]
    assert np.abs(now[left] - first[left]).max() < 0.2 * MM
    for point in ("wrist.L", "ankle.R", "pelvis"):
        ways = [np.linalg.norm(now[INDEX[point]] - end[INDEX[point]]) for end in (first, second)]
        whole = np.linalg.norm(second[INDEX[point]] - first[INDEX[point]])
        assert max(ways) < 0.75 * whole + MM, point
    bpy.context.scene.frame_set(5)
    bpy.context.scene.frame_set(11)
    assert np.abs(shown_points(obj) - now).max() < 0.2 * MM
    assert np.abs(linear[left] - first[left]).max() > np.abs(now[left] - first[left]).max()
    curves = compat.find_channels(*compat.playing(obj))
    kinds = {
        point.type
        for curve in curves
        for point in curve.keyframe_points
        if abs(point.co.x - 11) < 0.1 and "pose.bones" in curve.data_path
    }
    assert kinds == {"BREAKDOWN"}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_an_in_between_at_an_end_is_the_pose_there(
    two_poses: tuple[bpy.types.Object, np.ndarray, np.ndarray], share: float
) -> None:
    obj, first, second = two_poses
    bpy.context.scene.frame_set(11)
    pose_api.in_between(obj, share)
    assert np.abs(shown_points(obj) - (second if share else first)).max() < MM


def test_without_keyed_poses_on_both_sides_nothing_is_keyed_or_moved(
    two_poses: tuple[bpy.types.Object, np.ndarray, np.ndarray],
) -> None:
    obj, _, _ = two_poses
    bpy.context.scene.frame_set(30)
    before, keys = (
        untouched(obj),
        sum(len(curve.keyframe_points) for curve in compat.find_channels(*compat.playing(obj))),
    )
    with refuses("after frame 30"):
        pose_api.in_between(obj)
    assert untouched(obj) == before
    assert sum(len(curve.keyframe_points) for curve in compat.find_channels(*compat.playing(obj))) == keys


def test_each_button_works_without_a_window() -> None:
    obj = posed()
    before = shown_points(obj)
    assert bpy.ops.neurarig.flip_pose() == {"FINISHED"} and bpy.ops.neurarig.flip_pose() == {"FINISHED"}
    assert np.abs(shown_points(obj) - before).max() < 2 * MM
    assert bpy.ops.neurarig.mirror_pose(side="R") == {"FINISHED"}
    assert bpy.ops.neurarig.pose_asset(name="Mirrored") == {"FINISHED"} and "Mirrored" in bpy.data.actions
    with pytest.raises(RuntimeError, match="no keyed pose before"):
        bpy.ops.neurarig.in_between()
    with pytest.raises(RuntimeError, match="Select the characters"):
        bpy.ops.neurarig.copy_pose()
