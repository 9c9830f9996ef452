"""A rig whose spine follows a curve that its controls bend walks by these controls: the curve comes along to
where they are tried."""

from dataclasses import replace

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.controls.attachment import CONTROLS
from neurarig_addon.blender.character.controls.probing import bench
from tests.rigs import Bone, biped, build

SPINE = ("Spine", "Spine1", "Spine2")
MASTER, PELVIS, CHEST = "Master", "Pelvis Control", "Chest Control"


def _controls() -> list[Bone]:
    feet = {bone.name: bone for bone in biped()}
    found = [
        Bone(MASTER, None, (0.0, 0.0, 0.0), (0.0, -0.4, 0.0)),
        Bone(PELVIS, MASTER, (0.0, 0.0, 0.96), (0.0, -0.2, 0.96)),
        Bone(CHEST, PELVIS, (0.0, 0.015, 1.29), (0.0, -0.2, 1.29)),
    ]
    for side, x in (("Left", 0.09), ("Right", -0.09)):
        found.append(replace(feet[f"{side}Foot"], name=f"{side} Foot Control", parent=MASTER))
        found.append(Bone(f"{side} Knee Control", MASTER, (x, -0.6, 0.5), (x, -0.7, 0.5)))
    return found


def _spline_rig() -> bpy.types.Object:
    """Return a human on IK legs, with a spine on a curve that is hooked to pelvis and chest controls."""
    body = [replace(bone, parent=PELVIS) if bone.name == "Hips" else bone for bone in biped()]
    obj = build([*_controls(), *body], "Puck")
    for bone in obj.data.bones:
        bone.use_deform = "Control" not in bone.name and bone.name != MASTER
    for side in ("Left", "Right"):
        solver = obj.pose.bones[f"{side}Leg"].constraints.new("IK")
        solver.target, solver.subtarget, solver.chain_count = obj, f"{side} Foot Control", 2
        solver.pole_target, solver.pole_subtarget, solver.pole_angle = (
            obj,
            f"{side} Knee Control",
            -0.5 * np.pi,
        )
        turned = obj.pose.bones[f"{side}Foot"].constraints.new("COPY_ROTATION")
        turned.target, turned.subtarget = obj, f"{side} Foot Control"
    spline = obj.pose.bones[SPINE[-1]].constraints.new("SPLINE_IK")
    spline.target, spline.chain_count, spline.y_scale_mode = _curve(obj), len(SPINE), "FIT_CURVE"
    bpy.context.view_layer.update()
    return obj


def _curve(obj: bpy.types.Object) -> bpy.types.Object:
    """Return a curve along the spine, its ends hooked to the two controls."""
    data = bpy.data.curves.new("Spine", "CURVE")
    data.dimensions = "3D"
    points = data.splines.new("BEZIER").bezier_points
    points.add(1)
    for point, bone in zip(points, (SPINE[0], SPINE[-1]), strict=True):
        rest = obj.data.bones[bone]
        point.co = rest.head_local if bone == SPINE[0] else rest.tail_local
        point.handle_left, point.handle_right = (
            (point.co[0], point.co[1], point.co[2] - 0.1),
            (point.co[0], point.co[1], point.co[2] + 0.1),
        )
    curve = bpy.data.objects.new("Spine", data)
    bpy.context.scene.collection.objects.link(curve)
    for number, control in enumerate((PELVIS, CHEST)):
        hook = curve.modifiers.new(control, "HOOK")
        hook.object, hook.subtarget = obj, control
        hook.vertex_indices_set([3 * number, 3 * number + 1, 3 * number + 2])
        hook.matrix_inverse = (obj.matrix_world @ obj.data.bones[control].matrix_local).inverted()
    return curve


def test_the_controls_that_bend_the_curve_are_found_and_nothing_is_left():
    obj = _spline_rig()
    before = [
        len(things) for things in (bpy.data.objects, bpy.data.curves, bpy.data.scenes, bpy.data.armatures)
    ]
    found = api.find_controls(obj)
    assert (found.get("torso"), found.get("foot_ik.L"), found.get("knee_pole.R")) == (
        PELVIS,
        "Left Foot Control",
        "Right Knee Control",
    )
    assert [
        len(things) for things in (bpy.data.objects, bpy.data.curves, bpy.data.scenes, bpy.data.armatures)
    ] == before
    (curve,) = bench.hooked_curves(obj)
    assert set(bench.curve_movers(curve, obj)) == {PELVIS, CHEST}
    assert all(modifier.object == obj for modifier in curve.modifiers)


def test_it_walks_by_its_own_controls_with_the_spine_on_its_curve():
    obj = _spline_rig()
    api.generate_walk(obj)
    assert record.attachment(obj)["kind"] == CONTROLS
    for frame in (1, 9, 17):
        bpy.context.scene.frame_set(frame)
        bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        # of the leg, where they touch at rest
        assert (bones["Hips"].tail - bones["Spine"].head).length < 0.01 * 0.85
        assert (bones["Spine2"].tail - bones["Neck"].head).length < 0.01 * 0.85
