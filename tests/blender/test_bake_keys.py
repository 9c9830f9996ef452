"""Editable bakes: few keys with handles, and the character is seen where it was, feet planted."""

from itertools import pairwise

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.source.source import source_of
from neurarig_addon.core.body.feet import SWING
from tests.blender.walking import deform_bones, played, state_of, walk, walker
from tests.refusals import refuses
from tests.rigs import biped, build, rigify_human

FRAMES = range(1, 41)
TOLERANCE = 0.005
SLIP_MM = 1.0


def curves_of(obj: bpy.types.Object) -> list[bpy.types.FCurve]:
    return list(compat.find_channels(*compat.assigned(obj.animation_data)))


def strayed(obj: bpy.types.Object, before: np.ndarray, frames: range = FRAMES) -> float:
    return float(np.linalg.norm(played(obj, frames, deform_bones(obj)) - before, axis=-1).max())


@pytest.mark.parametrize(
    ("make", "settings", "target"),
    [
        (lambda: build(biped()), {}, "LAYER"),
        (lambda: build(biped()), {"mode": "TRAVEL"}, "LAYER"),
        (lambda: build(biped()), {"mode": "TRAVEL", "travel_with": "BONE"}, "CONTROLS"),
        (lambda: build(biped()), {"mode": "TRAVEL"}, "BOTH"),
        (lambda: build(biped()), {"controls": "FK"}, "CONTROLS"),
        (rigify_human, {"mode": "TRAVEL"}, "CONTROLS"),
    ],
    ids=["place", "object", "bone", "bones", "fk", "rigify"],
)
def test_the_bound_is_kept_on_what_is_seen(make, settings, target):
    obj = make()
    walk(obj, **settings)
    before = played(obj, FRAMES, deform_bones(obj))
    action = api.bake_walk(
        obj, frame_start=1, frame_end=40, keys="EDITABLE", tolerance=TOLERANCE, target=target
    )
    assert strayed(obj, before) <= TOLERANCE + 2e-4  # of bones without IK
    assert 1e3 * strayed(obj, before) == pytest.approx(action["off_mm"], abs=0.25)
    assert action["off_degrees"] <= 0.5
    slip = api.contact_report(obj, (1, 40))["slip_mm"]
    assert max(side["max"] for side in slip.values()) <= SLIP_MM
    assert action["keys"] == sum(len(curve.keyframe_points) for curve in curves_of(obj))
    assert action["keys"] < (0.7 if "controls" in settings else 0.4) * action["dense_keys"]


def frames_keyed(curves: list[bpy.types.FCurve]) -> set[int]:
    return {round(point.co.x) for curve in curves for point in curve.keyframe_points}


@pytest.mark.parametrize(
    ("make", "manner", "settings", "most"),
    [
        (lambda: build(biped()), "Natural", {}, 10),
        (rigify_human, "Natural", {}, 11),
        (lambda: build(biped()), "Brisk", {}, 17),
        (rigify_human, "Natural", {"gait": "RUN"}, 10),
        (lambda: build(biped()), "Parade", {}, 16),
        (rigify_human, "Limp", {}, 12),
        (lambda: build(biped()), "Natural", {"styles": {"Zombie": 1.0}}, 20),
    ],
    ids=["plain", "rigify", "brisk", "run", "march", "limp", "zombie"],
)
def test_a_cycle_has_four_poses_a_step_and_few_more(make, manner, settings, most):
    obj = make()
    api.generate_walk(obj, mode="TRAVEL", preset=manner, **settings)
    action = api.bake_walk(obj, frame_start=1, frame_end=97, keys="EDITABLE", tolerance=TOLERANCE)
    assert (
        action["off_degrees"] <= 0.5 and action["off_mm"] <= 1e3 * TOLERANCE and action["slip_mm"] <= SLIP_MM
    )
    keyed = frames_keyed(curves_of(obj))
    contacts = sorted(marker.frame for marker in action.pose_markers if marker.name == "L Contact")
    for first, last in pairwise(contacts):
        assert len({frame for frame in keyed if first <= frame < last}) <= most
    assert {marker.frame for marker in action.pose_markers} <= keyed, "contact, down, passing and up"
    moving = [curve.keyframe_points for curve in curves_of(obj) if len(curve.keyframe_points) > 1]
    kinds = {round(key.co.x): key.type for points in moving for key in points if key.type != "MOVING_HOLD"}
    for pose, kind in (("Contact", "EXTREME"), ("Passing", "BREAKDOWN")):
        assert {kinds[marker.frame] for marker in action.pose_markers if marker.name.endswith(pose)} == {kind}


def test_all_channels_of_a_control_share_its_frames():
    obj = walker(mode="TRAVEL")
    api.bake_walk(obj, frame_start=1, frame_end=40, keys="EDITABLE")
    of_bones: dict[str, set[frozenset[int]]] = {}
    for curve in (curve for curve in curves_of(obj) if not curve.data_path.endswith(".mute")):
        of_bones.setdefault(curve.data_path.split('"')[1], set()).add(frozenset(frames_keyed([curve])))
    assert all(len(frames) == 1 for frames in of_bones.values())
    common = frozenset.intersection(
        *(next(iter(frames)) for frames in of_bones.values() if len(next(iter(frames))) > 1)
    )
    assert len(common) >= 10, "four poses a step are poses of the whole body"


@pytest.mark.parametrize("style", ["Parade", "Tired"])
def test_feet_stand_however_rough_the_keys_are(style):
    obj = walker(mode="TRAVEL")
    api.apply_preset(obj, style)
    action = api.bake_walk(obj, frame_start=1, frame_end=40, keys="EDITABLE", tolerance=0.04, target="LAYER")
    slip = api.contact_report(obj, (1, 40))["slip_mm"]
    assert max(side["max"] for side in slip.values()) < 0.1
    assert action["off_mm"] > 2.0


@pytest.mark.parametrize("carrier", ["CONTROLS", "OBJECT"])
def test_a_foot_control_stands_while_its_foot_does(carrier):
    obj = walker(mode="TRAVEL", travel_with=carrier)
    action = api.bake_walk(obj, frame_start=1, frame_end=40, keys="EDITABLE", target="LAYER")
    pose = source_of(obj, bpy.context.scene).pose(np.array(FRAMES, dtype=float))
    for row, side in enumerate("LR"):
        curves = [
            curve for curve in curves_of(obj) if curve.data_path.startswith(f'pose.bones["NR-foot.{side}"]')
        ]
        values = np.array([[curve.evaluate(frame) for curve in curves] for frame in FRAMES])
        stands = pose.pivot[:, row] != SWING
        both = stands[1:] & stands[:-1]
        assert both.sum() > 12 and len(curves) == 6
        steps = np.diff(values, axis=0)[both]
        if carrier == "CONTROLS":
            assert np.abs(steps).max() == 0.0
        else:  # the object moves evenly beneath it
            assert np.ptp(steps, axis=0).max() < 1e-5
    assert action["slip_mm"] < 0.2


def test_keys_say_what_they_are():
    obj = walker()
    action = api.bake_walk(obj, frame_start=1, frame_end=40, keys="EDITABLE")
    contacts = {marker.frame for marker in action.pose_markers if marker.name.endswith("Contact")}
    passings = {marker.frame for marker in action.pose_markers if marker.name.endswith("Passing")}
    for curve in curves_of(obj):
        points = curve.keyframe_points
        assert all(point.interpolation == "BEZIER" for point in points)
        assert all(point.co.x == round(point.co.x) for point in points)
        assert curve.group is not None
        types = {round(point.co.x): point.type for point in points}
        if len(points) > 1:
            assert contacts <= set(types)
            assert all(kind == "EXTREME" for frame, kind in types.items() if frame in contacts)
            assert all(kind == "BREAKDOWN" for frame, kind in types.items() if frame in passings - contacts)
    assert {"EXTREME", "BREAKDOWN", "GENERATED"} <= {
        point.type for curve in curves_of(obj) for point in curve.keyframe_points
    }


@pytest.mark.parametrize("target", ["CONTROLS", "LAYER"])
def test_handles_are_in_one_line_and_never_overlap(target):
    obj = walker()
    api.bake_walk(obj, frame_start=1, frame_end=30, keys="EDITABLE", target=target)
    landing = {
        marker.frame for marker in obj.animation_data.action.pose_markers if marker.name.endswith("Contact")
    }
    for curve in curves_of(obj):
        is_leg = any(
            part in curve.data_path
            for part in ("UpLeg", "Leg", "Foot", "Toe", "foot", "ball", "heel", "tip", "roll", "knee")
        )
        for point, after in pairwise(curve.keyframe_points):
            gap = after.co.x - point.co.x
            assert 0.0 < point.handle_right.x - point.co.x < gap
            assert point.handle_right.x <= after.handle_left.x + 1e-3
        for point in list(curve.keyframe_points)[1:-1]:
            slopes = [(point.co.y - point.handle_left.y) / (point.co.x - point.handle_left.x)]
            slopes.append((point.handle_right.y - point.co.y) / (point.handle_right.x - point.co.x))
            if slopes[0] != pytest.approx(slopes[1], abs=1e-3):
                assert is_leg and point.handle_left_type == "FREE", "only feet change their speed at once"
    assert landing


@pytest.mark.parametrize("settings", [{}, {"mode": "TRAVEL"}], ids=["place", "travel"])
def test_a_loop_keeps_its_seam(settings):
    obj = walker(**settings)
    action = api.bake_walk(obj, frame_start=1, frame_end=2, loop=True, keys="EDITABLE")
    first, last = action.frame_range
    bones = deform_bones(obj)
    seam = played(obj, [first - 0.5, first, first + 0.5], bones) - played(
        obj, [last - 0.5, last, last + 0.5], bones
    )
    assert np.ptp(seam.reshape(-1, 3), axis=0).max() < 2e-5  # all have gone on by the same
    assert action["slip_mm"] <= SLIP_MM


@pytest.mark.parametrize(
    ("bone", "prop"),
    [
        ("NR-foot.L", "location"),
        ("NR-heel.L", "rotation_euler"),
        ("LeftArm", "rotation_quaternion"),
        ("LeftLeg", "rotation_quaternion"),
    ],
)
def test_one_changed_pose_changes_nothing_beyond_its_neighbours(bone, prop):
    """On any axis, keyed as with the I key: also those on which the walk does not move it."""
    obj = walker()
    api.bake_walk(
        obj,
        frame_start=1,
        frame_end=40,
        keys="EDITABLE",
        target="LAYER" if bone.startswith("NR-") else "CONTROLS",
    )
    before = played(obj, FRAMES, deform_bones(obj))
    path = f'pose.bones["{bone}"].{prop}'
    keyed = sorted(frames_keyed([curve for curve in curves_of(obj) if curve.data_path == path]))
    first, middle, last = keyed[len(keyed) // 2 - 1 : len(keyed) // 2 + 2]
    bpy.context.scene.frame_set(middle)
    values = getattr(obj.pose.bones[bone], prop)
    setattr(obj.pose.bones[bone], prop, [value + 0.1 for value in values])
    obj.pose.bones[bone].keyframe_insert(prop, frame=middle)
    moved = (
        np.linalg.norm(played(obj, FRAMES, deform_bones(obj)) - before, axis=-1)
        .reshape(len(FRAMES), -1)
        .max(axis=1)
    )
    assert moved[list(FRAMES).index(middle)] > 0.001
    assert moved[[row for row, frame in enumerate(FRAMES) if not first < frame < last]].max() < 1e-6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"keys": "SOME"}, "EDITABLE or DENSE"),
        ({"keys": "EDITABLE", "tolerance": 0.0}, "tolerance"),
        ({"keys": "EDITABLE", "tolerance": float("nan")}, "tolerance"),
        ({"keys": "EDITABLE", "tolerance": "5 mm"}, "tolerance"),
        ({"keys": "EDITABLE", "target": "DEFORM"}, "Dense"),
        ({"keys": "EDITABLE", "step": 2}, "Key Every"),
    ],
)
def test_refusals_are_sentences_and_leave_all_as_it_was(options, words):
    obj = walker()
    before = state_of(obj)
    with refuses(words):
        api.bake_walk(obj, frame_start=1, frame_end=30, **options)
    assert state_of(obj) == before


def test_closed_early_it_leaves_nothing():
    obj = walker()
    before, scenes = state_of(obj), len(bpy.data.scenes)
    steps = api.bake_steps(obj, frame_start=1, frame_end=30, keys="EDITABLE")
    for _ in range(20):
        next(steps)
    steps.close()
    assert state_of(obj) == before
    assert len(bpy.data.scenes) == scenes


def test_the_operator_reports_the_figures():
    obj = walker()
    assert bpy.ops.neurarig.bake_walk(frame_start=1, frame_end=30, keys="EDITABLE") == {"FINISHED"}
    assert obj.animation_data.action["keys"] < obj.animation_data.action["dense_keys"]


def test_the_operator_makes_few_keys_on_controls_unless_told_otherwise():
    obj = walker()
    ask = bpy.ops.neurarig.bake_walk
    for options, few in (
        ({}, True),
        ({"keys": "DENSE"}, False),
        ({"step": 2}, False),
        ({"target": "DEFORM"}, False),
    ):
        assert ask(frame_start=1, frame_end=30, **options) == {"FINISHED"}
        assert ("keys" in obj.animation_data.action) == few, options
        obj.neurarig.walk.live = True


def test_a_checked_bake_with_few_keys_is_judged_by_what_was_asked_of_it(capfd):
    obj = walker()
    assert bpy.ops.neurarig.bake_walk(frame_start=1, frame_end=40, tolerance=0.01, check=True) == {"FINISHED"}
    action = obj.animation_data.action
    assert "Warning" not in capfd.readouterr().out
    few = api.contact_report(obj, (1, 40))
    assert few["past_limits"] == []
    assert few["slip_mm"]["L"]["max"] <= few["limits"]["slip_mm"]
    usual = few["limits"]["slip_mm"]
    action["slip_mm"] = 2.0 * usual  # as a bake on controls that cannot roll may need
    assert api.contact_report(obj, (1, 40))["limits"]["slip_mm"] > usual
    del action["slip_mm"]
    assert api.contact_report(obj, (1, 40))["limits"]["slip_mm"] <= usual
