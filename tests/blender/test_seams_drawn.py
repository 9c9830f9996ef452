"""Continue and Fill, drawn: gaps and ends of clips and own actions at many rates, sizes and forms of keys;
what is outside stays."""

import random

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.retargeting import actor, keys_of, other_build, report_of
from tests.cases import SEED
from tests.refusals import refuses
from tests.rigs import biped, build, make_active

RATES = ((24, 1.0), (24, 1.001), (25, 1.0), (30, 1.0), (60, 1.0))
ROUNDED = 1e-6  # of a body's height: between two keys of the user's, where a curve is split
SLIPS = 4.0  # times the limit: between poses of the user's that are not quite where their feet stand
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
        kept = [
            (frame, curve.evaluate(frame))
            for row, frame in enumerate(frames)
            if row % every == 0 or frame == frames[-1]
        ]
        curve.keyframe_points.clear()
        for frame, value in kept:
            curve.keyframe_points.insert(frame, value).interpolation = interpolation
        curve.update()


def scene_drawn(draw: random.Random) -> tuple[bpy.types.Object, bpy.types.Action, bool]:
    """Return a character with a clip, live no more, or an action of its own, that action, and whether it has
    a key on every frame."""
    render = bpy.context.scene.render
    render.fps, render.fps_base = draw.choice(RATES)
    source, action = actor(speed=draw.choice((0.9, 1.3)))
    table, size = (
        draw.choice((biped(), biped(arm_drop_deg=40.0), other_build())),
        draw.choice((0.2, 1.0, 3.0)),
    )
    obj = build(
        table,
        "Drawn",
        Matrix.Translation((1.0, 2.0, 0.0))
        @ Matrix.Rotation(draw.uniform(-3.0, 3.0), 4, "Z")
        @ Matrix.Scale(size, 4),
    )
    make_active(obj)
    if draw.random() < 0.3:
        for bone in obj.pose.bones:
            bone.rotation_mode = draw.choice(("XYZ", "ZXY", "AXIS_ANGLE"))
    made = api.retarget(
        obj,
        source=source,
        action=action,
        root=draw.choice(("PELVIS", "OBJECT")),
        frame_start=draw.choice((5, -90, 300)),
        check=False,
    )
    if draw.random() < 0.4:
        return obj, made, True
    api.remove_retarget(obj, keep_clip=True)
    every = draw.choice((1, 1, 5, 8))
    if every > 1:
        thinned(made, obj, every, draw.choice(("BEZIER", "BEZIER", "LINEAR", "SINE")))
    return obj, made, every == 1


@pytest.mark.few(3)
@pytest.mark.parametrize("number", range(40))
def test_what_is_outside_stays_and_what_is_made_joins_it(number: int) -> None:
    draw = random.Random(f"{SEED} {number}")
    obj, action, is_dense = scene_drawn(draw)
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    first, last = (int(frame) for frame in action.frame_range)
    frames = np.arange(first, last + 1)
    before, keys, fills = heads(obj, frames), keys_of(action, obj), draw.random() < 0.5
    if fills:
        start = draw.randint(first + int(0.2 * fps) + 2, last - 8)
        end = min(draw.randint(start + 3, start + int(fps)), last - 2)
        made = api.fill_motion(obj, start, end)
    else:
        start = end = last
        made = api.continue_motion(
            obj, draw.uniform(0.5, 3.0), speed=draw.choice((0.7, 1.0)), turn=draw.choice((0.0, 30.0))
        )
    after = heads(obj, np.arange(first, int(made.frame_range[1]) + 1))
    height = float(np.ptp(before[0, :, 2]))
    off = np.abs(after[: len(before)] - before)[(frames <= start) | (frames >= end)].max()
    assert off <= (0.0 if is_dense else ROUNDED * height), "to the bit where every frame has a key"
    assert keys_of(action, obj) == keys
    jolts = np.linalg.norm(np.diff(after, 2, axis=0), axis=2).max(axis=1)
    usual = max(np.percentile(jolts, 90), 0.02 * height * (30.0 / fps) ** 2)
    # with a new frame among three
    seams = [start - first - 1, start - first, *((end - first - 2, end - first - 1) if fills else ())]
    assert max(jolts[row] for row in seams if row < len(jolts)) < SEAM * usual
    report = report_of(obj)
    slips = [side["max"] or 0.0 for side in report["slip_mm"].values()]
    assert max(slips) <= SLIPS * report["limits"]["slip_mm"], slips


def test_what_an_animator_has_changed_in_a_bake_stays() -> None:
    source, action = actor()
    obj = build(other_build(), "Drawn")
    make_active(obj)
    made = api.retarget(obj, source=source, action=action, check=False)
    curves = compat.find_channels(made, compat.suitable_slot(made, obj))
    curve = next(each for each in curves if '"LeftArm"' in each.data_path and "rotation" in each.data_path)
    for key in curve.keyframe_points[8:16]:
        key.co.y += 0.2
    curve.update()
    before = heads(obj, np.arange(5, 65))
    api.fill_motion(obj, 30, 44)
    after = heads(obj, np.arange(5, 65))
    assert np.array_equal(after[:26], before[:26]) and np.array_equal(after[39:], before[39:])
    assert np.abs(after[26:39] - before[26:39]).max() > 1e-4


def test_limbs_without_keys_hang_and_swing_after_the_last_pose() -> None:
    source, action = actor()
    obj = build(biped(), "Drawn")
    make_active(obj)
    made = api.retarget(obj, source=source, action=action, check=False)
    api.remove_retarget(obj, keep_clip=True)
    curves = compat.find_channels(made, compat.suitable_slot(made, obj))
    for curve in [
        each for each in curves if any(part in each.data_path for part in ("Arm", "Hand", "Shoulder"))
    ]:
        curves.remove(curve)
    for bone in obj.pose.bones:
        bone.matrix_basis = Matrix()
    names = [bone.name for bone in obj.pose.bones]
    before = heads(obj, np.arange(5, 65))
    last = int(api.continue_motion(obj, 5.0).frame_range[1])
    after = heads(obj, np.arange(5, last + 1))
    assert np.array_equal(after[:60], before)
    hands, hips = (
        after[100:, [names.index(name) for name in chosen]]
        for chosen in (("LeftHand", "RightHand"), ("Hips",))
    )
    assert (hands[..., 2] < hips[..., 2] + 0.15).all(), "at the sides"
    assert np.ptp(hands[..., 1] - hips[..., 1], axis=0).min() > 0.1, "and they swing"


@pytest.mark.parametrize(
    "given",
    [{"seconds": seconds} for seconds in (1e9, float("nan"), 0, -1)]
    + [
        {"speed": 9.0},
        {"turn": -1e300},
        {"step": 10**9},
        {"step": 1.5},
        {"to": 5},
        {"stride": 0.0},
        {"frame_start": 2**40},
    ],
)
def test_numbers_at_their_edges_are_refused_in_a_sentence(given: dict) -> None:
    source, action = actor()
    obj = build(biped(), "Drawn")
    make_active(obj)
    api.retarget(obj, source=source, action=action, check=False)
    with refuses():
        api.continue_motion(obj, check=False, **{"seconds": 1.0} | given)
    for start, end in ((44, 30), (30.5, 44), (float("inf"), 44), (-(10**9), 10**9), (30, 10**12)):
        with refuses():
            api.fill_motion(obj, start, end, check=False)
