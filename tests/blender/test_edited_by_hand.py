"""An editable bake edited as an animator would: what is touched moves, between its neighbouring keys, and
nothing else."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import record
from tests.blender.walking import deform_bones, played, walker

FRAMES = range(1, 73)
STILL = 2e-6  # metres: the rounding of keys and of Blender's solver
Edit = Callable[[bpy.types.Object], list[tuple[float, float]]]


def control(obj: bpy.types.Object, key: str) -> str:
    """Return the name of a control of the layer."""
    return record.checked(obj)["controls"][key]


def curves_of(obj: bpy.types.Object, bone: str) -> list[bpy.types.FCurve]:
    """Return the curves of a bone that move."""
    found = compat.find_channels(obj.animation_data.action, compat.assigned(obj.animation_data)[1])
    return [curve for curve in found if f'"{bone}"' in curve.data_path and len(curve.keyframe_points) > 2]


def shifted(curve: bpy.types.FCurve, at: float, by: tuple[float, float]) -> tuple[float, float]:
    """Move the key nearest to a frame, in time and value, and return the frames of the keys on either
    side."""
    points = curve.keyframe_points
    number = min(range(1, len(points) - 1), key=lambda each: abs(points[each].co.x - at))
    point = points[number]
    point.co_ui = point.co + type(point.co)(by)
    curve.update()
    return points[number - 1].co.x, points[number + 1].co.x


def knee(obj: bpy.types.Object) -> list[tuple[float, float]]:
    """Swing a knee out in one key."""
    return [shifted(curves_of(obj, control(obj, "knee.L"))[0], 30.0, (0.0, 0.2))]


def print_(obj: bpy.types.Object) -> list[tuple[float, float]]:
    """Move a foot in one key of each of its places."""
    return [
        shifted(curve, 30.0, (0.0, 0.05))
        for curve in curves_of(obj, control(obj, "foot.L"))
        if "location" in curve.data_path
    ]


def arm(obj: bpy.types.Object) -> list[tuple[float, float]]:
    """Turn an upper arm in one key of all its curves."""
    return [shifted(curve, 30.0, (0.0, 0.1)) for curve in curves_of(obj, "LeftArm")]


def retimed(obj: bpy.types.Object) -> list[tuple[float, float]]:
    """Have the foot and its toes do one key half a frame later."""
    return [shifted(curve, 30.0, (0.5, 0.0)) for curve in curves_of(obj, control(obj, "foot.L"))]


LEG, ARM = ("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"), ("LeftArm", "LeftForeArm", "LeftHand")


@pytest.mark.parametrize(("edit", "may_move"), [(knee, LEG), (print_, LEG), (arm, ARM), (retimed, LEG)])
def test_nothing_outside_the_neighbouring_keys_moves(edit: Edit, may_move: tuple[str, ...]):
    obj = walker(mode="TRAVEL")
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[-1], keys="EDITABLE", target="LAYER")
    bones = deform_bones(obj)
    before = played(obj, FRAMES, bones)
    spans = edit(obj)
    moved = np.linalg.norm(played(obj, FRAMES, bones) - before, axis=-1).max(axis=-1)
    own = np.array([name in may_move for name in bones])
    at = np.array(FRAMES)
    within = (at > min(first for first, _ in spans)) & (at < max(last for _, last in spans))
    assert moved[within][:, own].max() > 1e-3
    assert moved[~within].max() < STILL
    assert moved[:, ~own].max() < STILL
    assert within.sum() < 40  # of 72 frames


def test_played_twice_and_backward_it_stays_and_undo_takes_it_back():
    obj = walker(mode="TRAVEL")
    name = obj.name
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[-1], keys="EDITABLE", target="LAYER")
    bones = deform_bones(obj)
    before = played(obj, FRAMES, bones)
    bpy.ops.ed.undo_push(message="Bake")
    print_(obj)
    bpy.ops.ed.undo_push(message="Edit")
    edited = played(obj, FRAMES, bones)
    assert played(obj, reversed(FRAMES), bones)[::-1] == pytest.approx(edited, abs=STILL)
    bpy.ops.ed.undo()
    obj = bpy.data.objects[name]
    assert played(obj, FRAMES, bones) == pytest.approx(before, abs=STILL)
    bpy.ops.ed.redo()
    assert played(bpy.data.objects[name], FRAMES, bones) == pytest.approx(edited, abs=STILL)
