"""The scene's rate is its frames a second over its base: 60 over 2 is 30 over 1, whatever is made."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.posing import put
from tests.blender.retargeting import actor, hero
from tests.blender.walking import played, walker
from tests.rigs import biped, build, make_active

FRAMES = range(1, 25, 3)


def keyed(action: bpy.types.Action) -> np.ndarray:
    """Return all keys of an action `(n, 2)`."""
    return np.array(
        [tuple(point.co) for curve in compat.all_channels(action) for point in curve.keyframe_points]
    )


def walked() -> np.ndarray:
    return played(walker(mode="TRAVEL", gait="RUN"), FRAMES)


def clip() -> np.ndarray:
    source, _ = actor()
    obj = hero()
    make_active(obj)
    api.link_retarget(obj, source=source)
    return played(obj, FRAMES)


def reduced() -> np.ndarray:
    obj = walker(controls="FK", mode="TRAVEL")
    action = api.bake_walk(obj, frame_start=1, frame_end=30)
    return keyed(api.reduce_keys(obj, action))


def steadied() -> np.ndarray:
    """Targets that tremble, made steady over time."""
    obj = build(biped(), "Hero")
    make_active(obj)
    api.pose_targets(obj, "MAIN")
    draw = np.random.default_rng(3)
    for frame in range(1, 13):
        put(obj, {"wrist.L": (0.4, -0.3, 1.4 + 0.02 * draw.normal())})
        next(
            item.object for item in obj.neurarig.neural_pose.targets if item.point == "wrist.L"
        ).keyframe_insert("location", frame=frame)
    obj.neurarig.neural_pose.noise, obj.neurarig.neural_pose.steady = 10.0, True
    return keyed(api.solve_range(obj, 1, 12))


@pytest.mark.parametrize("made", [walked, clip, reduced, steadied], ids=lambda made: made.__name__)
def test_only_the_quotient_counts(made: Callable[[], np.ndarray]) -> None:
    found = []
    for fps, base in ((30, 1.0), (60, 2.0), (24, 1.0)):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        render = bpy.context.scene.render
        render.fps, render.fps_base = fps, base
        found.append(made())
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)
    if made is not clip:  # a clip is shown frame by frame
        assert found[2].shape != found[0].shape or np.abs(found[2] - found[0]).max() > 1e-4, "the rate counts"
