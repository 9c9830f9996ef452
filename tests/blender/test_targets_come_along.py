"""Targets that nobody drags go along with the body, and do not count as dragged."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.neural_pose import api
from neurarig_addon.core.neural.points import INDEX
from tests.blender.posing import TURNED, put, shown_points, target_of
from tests.blender.walking import seen_now
from tests.rigs import biped, build, make_active

NEAR = 1e-3  # metres
# metres at most
WAYS = {"wrist.L": 0.7, "wrist.R": 0.7, "head": 0.4, "pelvis": 0.4, "spine3": 0.4, "ankle.L": 0.4}


@pytest.fixture(params=["MAIN", "LIMBS"])
def hero(request: pytest.FixtureRequest) -> bpy.types.Object:
    obj = build(biped(), "Hero", TURNED)
    make_active(obj)
    api.pose_targets(obj, request.param)
    return obj


def at(target: bpy.types.Object) -> np.ndarray:
    return np.array(target.matrix_world.translation)


def apart(obj: bpy.types.Object, besides: set[str]) -> float:
    """Return how far the farthest target that is neither locked nor one of these is from its joint,
    metres."""
    points = shown_points(obj)
    free = [item for item in obj.neurarig.neural_pose.targets if not item.lock and item.point not in besides]
    assert free
    return max(float(np.linalg.norm(at(item.object) - points[INDEX[item.point]])) for item in free)


def test_after_big_drags_all_that_are_not_held_are_at_their_joints(hero: bpy.types.Object) -> None:
    rng, dragged = np.random.default_rng(4), set()
    for _ in range(6):
        point = str(rng.choice(list(WAYS)))
        way = rng.uniform(-1.0, 1.0, 3) * WAYS[point]
        put(hero, {point: at(target_of(hero, point)) + way})
        dragged.add(point)
        assert apart(hero, dragged) < NEAR


def test_coming_along_does_not_change_the_pose(hero: bpy.types.Object) -> None:
    """One long drag is the same as many short ones, and going back gives everything back."""
    start, goal = at(target_of(hero, "wrist.L")), np.array([0.5, 0.2, -1.2])
    rest = seen_now(hero)
    put(hero, {"wrist.L": start + goal})
    at_once = seen_now(hero)
    for share in np.linspace(0.1, 1.0, 5):
        put(hero, {"wrist.L": start + share * goal})
    assert np.abs(seen_now(hero) - at_once).max() < 1e-4 and np.abs(at_once - rest).max() > 0.3
    put(hero, {"wrist.L": start})
    assert np.abs(seen_now(hero) - rest).max() < 1e-4 and apart(hero, set()) < NEAR


def test_a_target_that_came_along_holds_where_it_is_once_it_is_dragged_or_locked(
    hero: bpy.types.Object,
) -> None:
    down = np.array(TURNED.to_3x3()) @ [-0.5, -0.3, -0.9]  # ahead of the feet
    put(hero, {"wrist.L": at(target_of(hero, "wrist.L")) + down})
    before = shown_points(hero)
    next(item for item in hero.neurarig.neural_pose.targets if item.point == "head").lock = True
    bpy.context.view_layer.update()
    assert np.linalg.norm(shown_points(hero) - before, axis=-1)[INDEX["head"]] < NEAR
    put(hero, {"wrist.R": at(target_of(hero, "wrist.R")) + [0.0, 0.0, 0.02]})
    after = shown_points(hero)
    moved = np.linalg.norm(after - before, axis=-1)
    assert moved[INDEX["head"]] < NEAR and abs(moved[INDEX["wrist.R"]] - 0.02) < NEAR and moved.max() < 0.1
