"""Continue and Fill, drawn: gaps and ends of clips and own actions at many rates, sizes and forms of keys; what is outside stays."""

import random

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.retargeting import actor, other_build, report_of
from tests.cases import SEED, some
from tests.rigs import biped, build, make_active

pytestmark = pytest.mark.usefixtures("addon")
RATES = ((24, 1.0), (24, 1.001), (25, 1.0), (30, 1.0), (60, 1.0))
ROUNDED = 1e-6  # of a body's height: between two keys of the user's, where a curve is split
SEAM = 2.5  # times the acceleration that the motion has elsewhere


def heads(obj: bpy.types.Object, frames: np.ndarray) -> np.ndarray:
    """Return where the bones are `(f, bones, 3)` in the world."""
    found = []
    for frame in frames.tolist():
        bpy.context.scene.frame_set(int(frame))
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([tuple(shown.matrix_world @ bone.head) for bone in shown.pose.bones])
    return np.array(found)


def thinned(action: bpy.types.Action, obj: bpy.types.Object, every: int, interpolation: str) -> None:
    """Keep of an action every so many keys, as an animator sets them."""
    for curve in compat.find_channels(action, compat.suitable_slot(action, obj)):
        frames = [key.co.x for key in curve.keyframe_points]
        kept = [(frame, curve.evaluate(frame)) for row, frame in enumerate(frames) if row % every == 0 or frame == frames[-1]]
        curve.keyframe_points.clear()
        for frame, value in kept:
            curve.keyframe_points.insert(frame, value).interpolation = interpolation
        curve.update()


def scene_drawn(draw: random.Random) -> tuple[bpy.types.Object, bpy.types.Action, bool]:
    """Return a character with a clip, live no more, or an action of its own, that action, and whether it has a key on every frame."""
    render = bpy.context.scene.render
    render.fps, render.fps_base = draw.choice(RATES)
    source, action = actor(speed=draw.choice((0.9, 1.3)))
    table, size = draw.choice((biped(), biped(arm_drop_deg=40.0), other_build())), draw.choice((0.2, 1.0, 3.0))
    obj = build(
        table, "Drawn", Matrix.Translation((1.0, 2.0, 0.0)) @ Matrix.Rotation(draw.uniform(-3.0, 3.0), 4, "Z") @ Matrix.Scale(size, 4)
    )
    make_active(obj)
    if draw.random() < 0.3:
        for bone in obj.pose.bones:
            bone.rotation_mode = draw.choice(("XYZ", "ZXY", "AXIS_ANGLE"))
    made = api.retarget(
        obj, source=source, action=action, root=draw.choice(("PELVIS", "OBJECT")), frame_start=draw.choice((5, -90, 300)), check=False
    )
    if draw.random() < 0.4:
        return obj, made, True
    api.remove_retarget(obj, keep_clip=True)
    every = draw.choice((1, 1, 5, 8))
    if every > 1:
        thinned(made, obj, every, draw.choice(("BEZIER", "BEZIER", "LINEAR", "SINE")))
    return obj, made, every == 1


@pytest.mark.parametrize("number", range(some(40)))
def test_what_is_outside_stays_and_what_is_made_joins_it(number: int) -> None:
    draw = random.Random(f"{SEED} {number}")
    obj, action, is_dense = scene_drawn(draw)
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    first, last = (int(frame) for frame in action.frame_range)
    before = heads(obj, np.arange(first, last + 1))
    keys = {
        (c.data_path, c.array_index): [(k.co.x, k.co.y) for k in c.keyframe_points]
        for c in compat.find_channels(action, compat.suitable_slot(action, obj))
    }
    fills = draw.random() < 0.5
    if fills:
        start = draw.randint(first + int(0.2 * fps) + 2, last - 8)
        end = min(draw.randint(start + 3, start + int(fps)), last - 2)
        made = api.fill_motion(obj, start, end)
    else:
        start = end = last
        made = api.continue_motion(obj, draw.uniform(0.5, 3.0), speed=draw.choice((0.7, 1.0)), turn=draw.choice((0.0, 30.0)))
    after = heads(obj, np.arange(first, int(made.frame_range[1]) + 1))
    frames, height = np.arange(first, last + 1), float(np.ptp(before[0, :, 2]))
    stays = (frames <= start) | (frames >= end)
    off = np.abs(after[: len(before)] - before)[stays].max(axis=(1, 2))
    assert off.max() <= (0.0 if is_dense and action.name in bpy.data.actions else ROUNDED) * height or off.max() <= ROUNDED * height
    assert {
        (c.data_path, c.array_index): [(k.co.x, k.co.y) for k in c.keyframe_points]
        for c in compat.find_channels(action, compat.suitable_slot(action, obj))
    } == keys
    jolts = np.linalg.norm(np.diff(after, 2, axis=0), axis=2).max(axis=1)
    usual = max(np.percentile(jolts, 90), 0.02 * height * (30.0 / fps) ** 2)
    seams = [row for row in (start - first, end - first) if 2 <= row < len(jolts)]
    assert max(jolts[row - 2 : row + 1].max() for row in seams) < SEAM * usual
    report = report_of(obj)
    slips = [side["max"] or 0.0 for side in report["slip_mm"].values()]
    assert max(slips) <= 2.0 * report["limits"]["slip_mm"], slips
