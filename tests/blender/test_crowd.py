"""What is done to one character does not have Blender work out the frames of all others in the scene."""

from collections.abc import Callable, Iterator

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.scratch import alone, is_passing
from tests.rigs import biped, build, make_active

MOST = 3  # times: showing the frame that the scene stands on, before and after
STEPS: dict[str, Callable[[bpy.types.Object], object]] = {
    "generate": lambda obj: api.generate_walk(obj, use_network=False),
    "generate again": lambda obj: api.generate_walk(obj, use_network=False),
    "check": api.contact_report,
    "bake": lambda obj: api.bake_walk(obj, frame_start=1, frame_end=30),
    "bake to the skin": lambda obj: api.bake_walk(obj, frame_start=1, frame_end=30, target="DEFORM"),
    "remove": api.remove_walk,
}


@pytest.fixture
def evaluated() -> Iterator[list[float]]:
    """Return the frames on which something else in the scene was evaluated, from now on."""
    frames: list[float] = []
    bpy.app.driver_namespace["neurarig_test_seen"] = lambda frame: frames.append(frame) or 0.0
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    other.driver_add("location", 0).driver.expression = "neurarig_test_seen(frame)"
    yield frames
    del bpy.app.driver_namespace["neurarig_test_seen"]


def test_others_are_not_evaluated_on_every_frame_that_is_measured(evaluated: list[float]) -> None:
    obj = build(biped(), "Hero")
    make_active(obj)
    bpy.context.scene.frame_set(5)
    assert 5 in evaluated, "the count works"
    for step, act in STEPS.items():
        evaluated.clear()
        act(obj)
        bpy.context.view_layer.update()
        assert len(evaluated) <= MOST, f"{step}: frames {evaluated}"
        assert set(evaluated) <= {5.0}, step


def test_a_passing_scene_leaves_the_file_as_it_was() -> None:
    parent, obj = bpy.data.objects.new("Parent", None), build(biped(), "Hero")
    obj.parent = parent
    bpy.context.scene.collection.objects.link(parent)
    for act in (
        lambda: None,
        lambda: api.generate_walk(obj, use_network=False),
        lambda: api.remove_walk(obj),
    ):
        act()
        users = {
            each.name_full: each.users
            for kind in ("objects", "scenes", "armatures")
            for each in getattr(bpy.data, kind)
        }
        with pytest.raises(RuntimeError), alone(bpy.context.scene, obj) as passing:
            assert is_passing(passing) and set(passing.objects) == {obj, parent}
            raise RuntimeError
        assert {
            each.name_full: each.users
            for kind in ("objects", "scenes", "armatures")
            for each in getattr(bpy.data, kind)
        } == users
        assert list(obj.users_scene) == [bpy.context.scene] and not is_passing(bpy.context.scene)
