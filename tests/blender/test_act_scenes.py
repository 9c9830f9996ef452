"""Chairs, boxes and tables as scenes have them: instanced, nested, linked, with children, keyed, scaled and
turned."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.acting import boxes, empty, instanced, parent, program_of, where
from tests.blender.walking import played, walker

Make = Callable[[bpy.types.Object, Path], bpy.types.Object]
BOTTOM = 5e-3  # metres
STOOL = [
    ((0.0, 0.0, 0.43), (0.45, 0.45, 0.04)),
    ((-0.2, 0.0, 0.2), (0.04, 0.4, 0.4)),
    ((0.2, 0.0, 0.2), (0.04, 0.4, 0.4)),
]


def nested(part: bpy.types.Object, folder: Path) -> bpy.types.Object:
    return instanced(instanced(part, folder), folder)


def linked(part: bpy.types.Object, folder: Path) -> bpy.types.Object:
    """Return an instance of a collection in another file."""
    made = instanced(part, folder)
    name, file = made.instance_collection.name, str(folder / "props.blend")
    bpy.data.libraries.write(file, {made.instance_collection})
    bpy.data.collections.remove(made.instance_collection)
    bpy.data.objects.remove(part)
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.collections = [name]
    made.instance_collection = wanted.collections[0]
    return made


def plain(part: bpy.types.Object, _: Path) -> bpy.types.Object:
    return part


def stand(thing: bpy.types.Object, place: tuple[float, float, float], random: np.random.Generator) -> None:
    """Put a thing in its place, turned, scaled, and perhaps moved there by keys or a constraint."""
    size = float(random.choice([1.0, 1.0, 1.1]))
    thing.scale = (size, size, size)
    thing.rotation_euler.z = float(random.choice([0.0, np.pi / 2.0]))
    thing.location = place
    how = random.choice(["still", "keyed", "led"])
    if how == "keyed":
        thing.keyframe_insert("location", frame=30)
        thing.location = (place[0], place[1] + 0.7, place[2])
        thing.keyframe_insert("location", frame=1)
    if how == "led":
        thing.location = (5.0, 5.0, 5.0)
        leader = empty("Leader")
        leader.location = place
        thing.constraints.new("COPY_LOCATION").target = leader
    bpy.context.scene.frame_set(1)


def span_of(thing: bpy.types.Object, frame: float) -> tuple[float, float, np.ndarray]:
    """Return how low and how high what is seen of a thing is on a frame, and its middle."""
    bpy.context.scene.frame_set(int(frame))
    found = []
    for one in bpy.context.evaluated_depsgraph_get().object_instances:
        top = (one.parent if one.is_instance else one.object).original
        if one.object.type == "MESH" and thing in (top, top.parent):
            found += [np.array(one.matrix_world) @ [*corner, 1.0] for corner in one.object.bound_box]
    low, high = np.min(found, axis=0), np.max(found, axis=0)
    return low[2], high[2], 0.5 * (low + high)[:3]


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(60))
def test_things_are_seen_where_they_are_touched(seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    makes: tuple[Make, ...] = (instanced, nested, linked, parent, plain)
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    if seed % 3 == 0:
        chair = makes[random.integers(5)](boxes("Stool", STOOL, (0.0, 0.0, 0.0)), tmp_path)
        stand(chair, (0.0, -3.0, 0.0), random)
        number = api.add_act(obj, "SIT", thing=chair, seconds=1.0)
        seat = next(touch for touch in program_of(obj).spans[number].touches if touch.part == "seat")
        frame = float(np.ceil(0.5 * (seat.begin + seat.end)))
        _, top, middle = span_of(chair, frame)
        hips = played(obj, [frame], ["LeftUpLeg", "RightUpLeg"])[0, :, 0].mean(axis=0)
        assert (
            abs(hips[2] - top - 0.1 * obj.neurarig.walk.leg_length) < 0.01
            and np.linalg.norm((hips - middle)[:2]) < 0.2
        )
        return
    ball = makes[random.integers(5)](
        boxes("Box", [((0.0, 0.0, 0.1), (0.2, 0.2, 0.2))], (0.0, 0.0, 0.0)), tmp_path
    )
    stand(ball, (-0.1, -3.0, 0.5), random)
    table = makes[random.integers(5)](
        boxes("Table", [((0.0, 0.0, 0.35), (0.6, 0.6, 0.7))], (0.0, 0.0, 0.0)), tmp_path
    )
    stand(table, (-0.2, -6.0, 0.0), random)
    own = [where(ball, frame) for frame in (1, 20, 200)]
    api.add_act(obj, "PICK_UP", thing=ball)
    api.add_act(obj, "PUT_DOWN", thing=ball, at=table)
    takes, puts = (
        next(touch for touch in span.touches if touch.on == "object") for span in program_of(obj).spans
    )
    taken, put = int(np.ceil(takes.begin)), int(np.floor(puts.end))
    hand = "LeftHand" if takes.part == "hand_l" else "RightHand"
    away = [
        np.linalg.norm(span_of(ball, frame)[2] - played(obj, [frame], [hand])[0, 0, 0])
        for frame in (taken, (taken + put) // 2, put - 1)
    ]
    assert max(away) < 0.25 and np.ptp(away) < 5e-3
    # it does not jump
    assert np.linalg.norm(where(ball, taken)[:3, 3] - where(ball, taken - 1)[:3, 3]) < 0.05
    left = span_of(ball, put + 20)[0]
    assert abs(left - span_of(table, put + 20)[1]) < BOTTOM
    api.remove_walk(obj)
    assert np.allclose([where(ball, frame) for frame in (1, 20, 200)], own, atol=1e-5)
