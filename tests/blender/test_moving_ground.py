"""Ground that is keyed, carried or bent while somebody walks on it: feet go with it while they stand, and the
body with the feet."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.ui.ground_words import ground_words
from tests.blender.leading import curve, sheet, slab
from tests.blender.planted import GAP, INSIDE, heights, require_planted
from tests.blender.walking import seen, walker

BEND = [(0.0, 0.0), (0.0, -3.0), (2.0, -5.0)]
LAST = 120


def keyed(thing: bpy.types.Object, what: str, values: dict[int, tuple[float, ...]]) -> bpy.types.Object:
    """Return an object with keys of a property on some frames."""
    for frame, value in values.items():
        setattr(thing, what, value)
        thing.keyframe_insert(what, frame=frame)
    return thing


def lift() -> bpy.types.Object:
    """Return a lift that waits, goes up quickly and slows down."""
    return keyed(
        slab("Lift", (-8.0, 8.0), (-8.0, 8.0), 0.0),
        "location",
        {1: (0, 0, 0), 20: (0, 0, 0), 60: (0, 0, 0.8), LAST: (0, 0, 1.0)},
    )


def platform() -> bpy.types.Object:
    """Return a platform that turns."""
    return keyed(
        slab("Platform", (-8.0, 8.0), (-8.0, 8.0), 0.0), "rotation_euler", {1: (0, 0, 0), LAST: (0, 0, 0.7)}
    )


def deck() -> bpy.types.Object:
    """Return a deck that goes, rolls and pitches."""
    floor = keyed(
        slab("Deck", (-8.0, 8.0), (-8.0, 8.0), 0.0),
        "location",
        {1: (0, 0, 0), 50: (0.4, 0.1, 0.3), 100: (0.9, -0.1, 0.1)},
    )
    return keyed(floor, "rotation_euler", {1: (0, 0, 0), 50: (0.06, -0.05, 0.2), 100: (-0.05, 0.05, -0.1)})


def sea() -> bpy.types.Object:
    """Return a sheet through which a wave runs."""
    floor = sheet("Sea", lambda x, y: 0.0 * x, 8.0, 64)
    wave = floor.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.narrowness, wave.speed, wave.time_offset = 0.15, 2.5, 0.6, 0.05, -100.0
    return floor


def cloth() -> bpy.types.Object:
    """Return a sheet whose shape is keyed."""
    floor = sheet("Cloth", lambda x, y: 0.0 * x, 8.0, 40)
    floor.shape_key_add(name="Basis")
    hills = floor.shape_key_add(name="Hills")
    for point in hills.data:
        point.co.z = 0.15 * np.sin(1.2 * point.co.y)
        point.co.x += 0.1 * np.sin(point.co.y)
    for frame, value in ((1, 0.0), (40, 1.0), (80, 0.0), (LAST, 1.0)):
        hills.value = value
        hills.keyframe_insert("value", frame=frame)
    return floor


def on(ground: bpy.types.Object, mode: str = "PATH", **settings: object) -> bpy.types.Object:
    bpy.context.scene.frame_end = LAST
    bpy.context.scene.frame_set(1)
    return walker(mode=mode, ground=ground, path=curve(BEND) if mode == "PATH" else None, **settings)


@pytest.mark.parametrize("make", [lift, platform, deck])
@pytest.mark.parametrize("mode", ["PATH", "TRAVEL"])
def test_feet_stand_on_what_moves(make: Callable[[], bpy.types.Object], mode: str):
    ground = make()
    require_planted(on(ground, mode), range(1, 111), ground, deck=ground)


@pytest.mark.parametrize("make", [sea, cloth])
def test_feet_lie_on_what_bends(make: Callable[[], bpy.types.Object]):
    ground = make()
    obj = on(ground)
    report = api.contact_report(obj, (1, 110))
    assert (
        max(side["max"] for side in report["slip_mm"].values()) < 0.5
        and report["penetration_mm"] < 1e3 * INSIDE
    )
    for frame in range(2, 110, 12):
        low = heights(
            ground, seen(obj, frame, ["LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"])[:, 1]
        ).min()
        assert low < 0.1 + GAP, "one foot at least is near the ground"


def test_the_body_goes_up_with_the_lift_and_nobody_climbs():
    still, obj = (
        walker("Still", mode="TRAVEL", ground=slab("Floor", (-8.0, 8.0), (-8.0, 8.0), 0.0)),
        on(lift(), "TRAVEL"),
    )
    for frame in (1, 30, 45, 60, 90, 110):
        hips = [seen(each, frame, ["Hips"])[0, 0] for each in (still, obj)]
        height = (
            bpy.data.objects["Lift"]
            .evaluated_get(bpy.context.evaluated_depsgraph_get())
            .matrix_world.translation.z
        )
        assert_allclose(hips[1] - hips[0], (0.0, 0.0, height), atol=0.06)


def test_who_stands_is_taken_along():
    obj = on(platform(), "TRAVEL", speed=0.0, idle=1.0)
    obj.location = (3.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    first, last = (seen(obj, frame, ["LeftFoot", "RightFoot", "Hips"])[:, 0] for frame in (1, LAST))
    turn = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    assert_allclose(last[:2, :2], first[:2, :2] @ turn.T, atol=2e-3)
    assert np.linalg.norm(last[2, :2] - first[2, :2] @ turn.T) < 0.12


def test_what_moves_and_is_edited_is_read_again_and_the_panel_tells():
    ground = lift()
    obj = on(ground)
    high = seen(obj, 60, ["Hips"])[0, 0, 2]
    assert ground_words(obj) == (
        "'Lift' moves; feet go with it while they stand. To be carried along by it, choose it as Stand On.",
    )
    for frame in (60, LAST):
        ground.location.z = 0.3
        ground.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.update()
    assert high - seen(obj, 60, ["Hips"])[0, 0, 2] == pytest.approx(0.5, abs=0.05)
    bpy.data.objects.remove(ground)
    assert obj.neurarig.walk.live and np.isfinite(seen(obj, 61)).all()
