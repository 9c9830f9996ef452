"""Targets with noise that stream in: what trembles is taken out between frames, never from what a frame
shows."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.neural_pose import api, follower
from neurarig_addon.blender.neural_pose.empties import SETS
from neurarig_addon.core.neural.points import INDEX
from tests.blender.posing import put, shown_points, target_of
from tests.blender.walking import played, seen_now
from tests.rigs import biped, build, make_active

NOISE = 0.015
UPDATES, SETTLED = 90, 30
SAME = 1e-5  # metres


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the clock, in seconds, by which targets stream in."""
    now = [100.0]
    monkeypatch.setattr(follower, "monotonic", lambda: now[0])
    return now


def streamed_to(name: str = "Hero", *, steady: bool = True) -> bpy.types.Object:
    """Return a character that follows measured targets, none of them locked."""
    obj = build(biped(), name)
    make_active(obj)
    api.pose_targets(obj, "LIMBS")
    own = obj.neurarig.neural_pose
    for item in own.targets:
        item.lock = False
    own.noise, own.keep_base, own.steady = 1e3 * NOISE, False, steady
    bpy.context.view_layer.update()
    return obj


def stream(
    obj: bpy.types.Object, clock: list[float], moved: np.ndarray | None = None, updates: int = UPDATES
) -> np.ndarray:
    """Let a character's targets stream in with noise, 60 times a second, and return its points `(updates, 27,
    3)` after each."""
    rng, names = np.random.default_rng(7), SETS["LIMBS"]
    start = {name: np.array(target_of(obj, name).matrix_world.translation) for name in names}
    found = []
    for update in range(updates):
        clock[0] += 1.0 / 60.0
        way = np.zeros(3) if moved is None else moved[update]
        put(obj, {name: place + way + NOISE * rng.normal(size=3) for name, place in start.items()})
        found.append(shown_points(obj))
    return np.array(found)


def jerk(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points[SETTLED:], 3, axis=0), axis=-1).mean())


def test_a_stream_trembles_less_than_half_and_rests_when_it_rests(clock: list[float]) -> None:
    shaking = jerk(stream(streamed_to("Shaking", steady=False), clock))
    obj = streamed_to()
    assert jerk(stream(obj, clock)) < 0.4 * shaking
    still = seen_now(obj)
    clock[0] += 1.0
    bpy.context.view_layer.update()
    bpy.data.objects["Shaking"].location.x += 1.0  # an edit of something else
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj) - still).max() == 0.0


def test_what_jumps_is_there_at_once(clock: list[float]) -> None:
    obj, plain = streamed_to(), streamed_to("Plain", steady=False)
    stream(obj, clock, updates=20)
    clock[0] += 1.0 / 60.0
    for other in (obj, plain):
        put(
            other,
            {
                name: np.array(target_of(obj, name).matrix_world.translation) + [0.0, 0.0, 0.6]
                for name in SETS["LIMBS"]
            },
        )
    put(plain, {name: np.array(target_of(obj, name).matrix_world.translation) for name in SETS["LIMBS"]})
    hips = [shown_points(other)[INDEX["pelvis"]] for other in (obj, plain)]
    assert np.linalg.norm(hips[0] - hips[1]) < NOISE


def test_a_frame_shows_its_own_targets_whatever_was_before(clock: list[float]) -> None:
    obj = streamed_to()
    hand = target_of(obj, "wrist.L")
    for frame in (1, 4, 8):
        hand.location = hand.location + hand.location.cross((0.1, -0.2, 0.05))
        hand.keyframe_insert("location", frame=frame)
    wanted = played(obj, (1, 3, 8))
    bpy.context.scene.frame_set(3)
    stream(obj, clock, updates=15)  # leaves all targets but the keyed one elsewhere
    clock[0] += 1.0 / 60.0
    for item in obj.neurarig.neural_pose.targets:
        item.object.location = item.object.location  # as they are
    assert np.abs(seen_now(obj) - wanted[1]).max() > 1e-3
    after = played(obj, (8, 1, 3))
    again = played(obj, (3, 8, 1))
    assert np.abs(after[[1, 2, 0]] - again[[2, 0, 1]]).max() < SAME
    obj.neurarig.neural_pose.steady = False
    assert np.abs(played(obj, (8, 1, 3)) - after).max() < SAME


def test_a_saved_stream_plays_as_its_targets_say(clock: list[float], tmp_path) -> None:
    obj = streamed_to()
    stream(obj, clock, updates=15)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "stream.blend"))
    bpy.context.scene.frame_set(5)
    here = seen_now(obj)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "stream.blend"))
    bpy.context.scene.frame_set(5)
    assert np.abs(seen_now(bpy.data.objects["Hero"]) - here).max() < SAME
