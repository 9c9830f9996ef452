"""Rigify's heel control rolls the foot in an editable bake, so that the IK foot stays on its print, and is at
rest elsewhere."""

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.source.source import source_of
from neurarig_addon.core.body.feet import BALL, FLAT
from tests.blender.walking import deform_bones, played
from tests.rigs import rigify_human

FRAMES = range(1, 28)  # somewhat more than a cycle
FINELY = 0.0005  # metres


def rigify_walk() -> bpy.types.Object:
    """Return a Rigify human that walks."""
    obj = rigify_human()
    api.generate_walk(obj, mode="TRAVEL")
    return obj


def curves_of(action: bpy.types.Action, bone: str) -> list[bpy.types.FCurve]:
    """Return the curves of a bone."""
    return [
        curve for curve in compat.all_channels(action) if curve.data_path.startswith(f'pose.bones["{bone}"]')
    ]


def test_the_foot_control_stays_on_its_print_and_the_character_is_seen_where_it_was():
    obj = rigify_walk()
    before = played(obj, FRAMES, deform_bones(obj))
    pivots = source_of(obj, bpy.context.scene).pose(np.array(FRAMES, dtype=float)).pivot
    action = api.bake_walk(
        obj, frame_start=FRAMES[0], frame_end=FRAMES[-1], keys="EDITABLE", tolerance=FINELY
    )
    assert np.linalg.norm(played(obj, FRAMES, deform_bones(obj)) - before, axis=-1).max() <= FINELY + 1e-5
    for row, side in enumerate("LR"):
        curves = curves_of(action, f"foot_ik.{side}")
        assert len(curves) == 7
        turning = [curve for curve in curves_of(action, f"foot_heel_ik.{side}") if curve.array_index == 0]
        assert np.ptp([turning[0].evaluate(frame) for frame in FRAMES]) > 0.3  # radians
        stands = np.isin(pivots[:, row], (FLAT, BALL))
        both = np.flatnonzero(stands[1:] & stands[:-1])
        assert len(both) >= 5
        for curve in curves:
            values = np.array([curve.evaluate(frame) for frame in FRAMES])
            assert np.ptp(np.diff(values)[both]) < 1e-4  # relative to the root, which moves evenly


def test_live_again_and_in_a_dense_bake_the_heel_control_is_at_rest():
    obj = rigify_walk()
    before = played(obj, FRAMES, deform_bones(obj))
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[-1], keys="EDITABLE")
    bpy.context.scene.frame_set(max(FRAMES, key=lambda frame: _heel(obj, frame)))
    assert (
        max(abs(angle) for side in "LR" for angle in obj.pose.bones[f"foot_heel_ik.{side}"].rotation_euler)
        > 0.1
    )
    api.generate_walk(obj, mode="TRAVEL")
    assert np.linalg.norm(played(obj, FRAMES, deform_bones(obj)) - before, axis=-1).max() < 1e-4
    dense = api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[-1], keys="DENSE")
    for side in "LR":
        curves = curves_of(dense, f"foot_heel_ik.{side}")
        assert curves and all(point.co.y == 0.0 for curve in curves for point in curve.keyframe_points)


def _heel(obj: bpy.types.Object, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    return max(abs(obj.pose.bones[f"foot_heel_ik.{side}"].rotation_euler[0]) for side in "LR")
