"""What a bake writes beside its keys: markers of key poses, and the speed for a game engine."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.walking import key_speed, walker


def curves_of(obj: bpy.types.Object) -> dict[tuple[str, int], bpy.types.FCurve]:
    """Return the curves of the active action."""
    found = compat.find_channels(*compat.assigned(obj.animation_data))
    return {(curve.data_path, curve.array_index): curve for curve in found}


def keys_of(curve: bpy.types.FCurve, name: str = "co") -> np.ndarray:
    """Return one property of a curve's keys."""
    if name == "co":
        return np.array([tuple(point.co) for point in curve.keyframe_points])
    return np.array([getattr(point, name) for point in curve.keyframe_points])


def test_markers_name_the_key_poses():
    obj = walker()
    baked = api.bake_walk(obj, frame_start=1, loop=True)
    markers = [(marker.name, marker.frame) for marker in baked.pose_markers]
    steps = [f"{side} {pose}" for side in "LR" for pose in ("Contact", "Down", "Passing", "Up")]
    assert {name for name, _ in markers} == set(steps)
    assert min(markers, key=lambda marker: marker[1]) in [("L Contact", 1), ("L Down", 1)]
    assert all(1 <= frame <= baked.frame_range[1] for _, frame in markers)


def test_every_step_of_a_long_bake_has_its_markers():
    """A contact of each foot every cycle, from the first frame to the last, and between two of one foot one
    of the other."""
    baked = api.bake_walk(walker(), frame_start=1, frame_end=150)
    contacts = sorted(
        (marker.frame, marker.name) for marker in baked.pose_markers if marker.name.endswith("Contact")
    )
    cycle = baked["cycle_frames"]
    assert [name for _, name in contacts] == [
        ("L Contact", "R Contact")[number % 2] for number in range(len(contacts))
    ]
    assert contacts[0][0] <= 1 + cycle / 2.0 and contacts[-1][0] >= 150 - cycle / 2.0 - 1.0
    assert np.diff([frame for frame, _ in contacts]) == pytest.approx(cycle / 2.0, abs=1.0)
    for step in ("Down", "Passing", "Up"):
        assert len([marker for marker in baked.pose_markers if marker.name.endswith(step)]) == pytest.approx(
            len(contacts), abs=1
        )


def test_an_action_tells_the_speed_that_it_begins_with():
    obj = walker()
    key_speed(obj)
    assert api.bake_walk(obj, frame_start=1, frame_end=40)["ground_speed"] == pytest.approx(0.6, abs=2e-3)
    assert api.bake_walk(obj, frame_start=70, frame_end=90)["ground_speed"] == pytest.approx(1.8, abs=2e-3)


def test_actions_tell_a_game_engine_the_speed():
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    baked = api.bake_walk(obj, frame_start=1, loop=True)
    assert baked["ground_speed"] * baked["cycle_frames"] / 24.0 == pytest.approx(baked["stride"], rel=1e-5)
    assert -obj.location.y >= 0.0
    advance = keys_of(curves_of(obj)["location", 1])[:, 1]
    assert advance[0] - advance[-1] == pytest.approx(baked["stride"], rel=1e-4)
