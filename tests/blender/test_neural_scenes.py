"""A live Neural Pose where it is used: in renders, on library overrides, through undo, beside another."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender.neural_pose import api
from neurarig_addon.core.neural.points import INDEX
from tests.blender.filming import NEAR, film, rendered_at, seen_at
from tests.blender.posing import missed_mm, put, shown_points, target_of
from tests.blender.walking import played, seen_now
from tests.rigs import biped, build, make_active

REACHED_MM = 0.1
SAME = 1e-5  # metres


def reaching(name: str = "Hero") -> bpy.types.Object:
    """Return a character whose left hand follows a keyed target up and down."""
    obj = build(biped(), name)
    make_active(obj)
    api.pose_targets(obj)
    hand = target_of(obj, "wrist.L")
    for frame, move in ((1, (-0.2, -0.2, -0.1)), (5, (0.0, -0.1, 0.5)), (9, (0.0, 0.1, -0.6))):
        hand.location = hand.location + Vector(move)
        hand.keyframe_insert("location", frame=frame)
    return obj


@pytest.mark.parametrize("settings", [{}, {"noise": 15.0, "steady": True}], ids=["exact", "steady"])
def test_what_is_rendered_is_what_is_scrubbed(tmp_path: Path, settings: dict) -> None:
    obj = reaching()
    for name, value in settings.items():
        setattr(obj.neurarig.neural_pose, name, value)
    files = str(tmp_path / "frame")
    ball, scene = film(obj, "LeftHand", files), bpy.context.scene
    scene.frame_set(4)
    before = seen_now(obj)
    bpy.ops.render.render(animation=True)
    assert np.abs(seen_now(obj) - before).max() < SAME and scene.frame_current == 4
    places = seen_at(ball)
    assert np.ptp(places, axis=0).max() > 0.15 and np.abs(rendered_at(files) - places).max() < NEAR


def test_a_library_override_is_posed_keyed_saved_and_given_back(tmp_path: Path) -> None:
    bpy.data.libraries.write(str(tmp_path / "hero.blend"), {build(biped(), "Hero")})
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "hero.blend"), link=True) as (_, linked):
        linked.objects = ["Hero"]
    obj = linked.objects[0].override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(obj)
    make_active(obj)
    bpy.context.view_layer.update()
    at_first = seen_now(obj)
    api.pose_targets(obj)
    put(obj, {"wrist.L": (0.5, -0.4, 1.2), "ankle.R": (-0.15, -0.3, 0.3)})
    assert missed_mm(obj) < REACHED_MM
    posed = seen_now(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj = next(obj for obj in bpy.data.objects if obj.override_library)
    assert obj.neurarig.neural_pose.live and len(obj.neurarig.neural_pose.targets) == 7
    assert np.abs(seen_now(obj) - posed).max() < SAME
    put(obj, {"wrist.L": (0.4, -0.3, 1.5)})
    assert missed_mm(obj) < REACHED_MM and np.abs(seen_now(obj) - posed).max() > 0.1
    api.solve_pose(obj, key=True)
    reached = seen_now(obj)
    bpy.context.scene.frame_set(5)
    assert np.abs(seen_now(obj) - reached).max() < SAME
    assert not api.remove_targets(obj)
    bpy.context.view_layer.update()
    assert not obj.neurarig.neural_pose.targets and np.abs(seen_now(obj) - at_first).max() < SAME


def test_undo_and_redo_bring_back_each_pose_and_it_goes_on() -> None:
    make_active(build(biped(), "Hero"))
    bpy.ops.ed.undo_push(message="Ready")
    bpy.ops.neurarig.pose_targets(point_set="MAIN")
    bpy.ops.ed.undo_push(message="Targets")
    shown = []
    for height in (1.2, 1.4, 1.0):
        put(bpy.data.objects["Hero"], {"wrist.L": (0.4, -0.3, height)})
        bpy.ops.ed.undo_push(message="Drag")
        shown.append(seen_now(bpy.data.objects["Hero"]))
    for step, wanted in (
        (bpy.ops.ed.undo, 1),
        (bpy.ops.ed.undo, 0),
        (bpy.ops.ed.redo, 1),
        (bpy.ops.ed.redo, 2),
        (bpy.ops.ed.undo, 1),
    ):
        step()
        bpy.context.view_layer.update()
        assert np.abs(seen_now(bpy.data.objects["Hero"]) - shown[wanted]).max() < SAME
    obj = bpy.data.objects["Hero"]
    bpy.context.scene.frame_set(7)
    assert np.abs(seen_now(obj) - shown[1]).max() < SAME and obj.neurarig.neural_pose.live
    put(obj, {"wrist.L": (0.4, -0.3, 1.0)})
    assert missed_mm(obj) < REACHED_MM and np.abs(seen_now(obj) - shown[2]).max() < 1e-4


def test_two_characters_follow_each_its_own_targets_and_may_hold_hands() -> None:
    first, second = reaching("First"), build(biped(), "Second")
    second.location = (0.85, 0.0, 0.0)
    make_active(second)
    api.pose_targets(second)
    api.choose_target(second, "wrist.R", target_of(first, "wrist.L"))
    own = played(first, (1, 5, 9))
    bpy.context.scene.frame_set(5)
    assert missed_mm(first) < REACHED_MM and missed_mm(second) < REACHED_MM
    hands = [shown_points(obj)[INDEX[point]] for obj, point in ((first, "wrist.L"), (second, "wrist.R"))]
    assert np.linalg.norm(hands[0] - hands[1]) < 1e-3 * REACHED_MM * 2.0
    before = seen_now(second)
    put(first, {"ankle.R": (-0.1, -0.3, 0.2)})
    assert np.abs(seen_now(second) - before).max() < SAME and missed_mm(first) < REACHED_MM
    api.remove_targets(first)
    bpy.context.view_layer.update()
    assert second.neurarig.neural_pose.live and not second.neurarig.neural_pose.error
    put(second, {"wrist.L": (1.25, -0.3, 1.3)})
    assert missed_mm(second, ["wrist.L"]) < REACHED_MM and np.ptp(own, axis=0).max() > 0.2
