"""Walks along paths and over grounds: curves, empties, keyed objects, marks, stairs, slopes, moving ground."""

from functools import partial
from typing import Any

import bpy
import numpy as np

from neurarig_addon.blender import api
from tests.blender.leading import curve, linked, sheet, slab
from tests.blender.record.characters import hero, walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (-5, 1, 9, 24.5, 60, 130)
BENT = [(0.0, 0.0), (0.3, -2.0), (1.5, -3.0), (3.0, -3.0)]
RING = [(0.0, 0.0), (0.0, -3.0), (2.0, -4.0), (4.0, -2.0), (2.0, 1.0)]


def way(kind: str, seen: Seen, **settings: Any) -> None:
    """Lead a character along a way and look at it."""
    obj = hero()
    path = WAYS[kind]()
    make_active(obj)
    seen.ask(api.generate_walk, obj, **{"use_network": False, "mode": "PATH", "path": path, **settings})
    seen.look(*FRAMES)


def empties() -> bpy.types.Object:
    """Return the first of a chain of empties."""
    above = None
    for number, (x, y) in enumerate(BENT):
        empty = linked(f"Way {number}", None)
        empty.location = (x, y, 0.0)
        if above is not None:
            empty.parent, empty.matrix_parent_inverse = above, above.matrix_basis.inverted()
        bpy.context.view_layer.update()
        above = empty
    return bpy.data.objects["Way 0"]


def keyed() -> bpy.types.Object:
    """Return an object that keys move."""
    box = slab("Box", (-0.1, 0.1), (-0.1, 0.1), 0.1)
    for frame, (x, y) in zip((1, 40, 70, 130), BENT, strict=True):
        box.location = (x, y, 0.0)
        box.keyframe_insert("location", frame=frame)
    return box


WAYS = {
    "line": lambda: curve([(0.0, 0.0), (0.0, -4.0)]),
    "bent": lambda: curve(BENT, "BEZIER"),
    "ring": lambda: curve(RING, "BEZIER", is_closed=True),
    "nurbs": lambda: curve([(*point, 0.2 * number) for number, point in enumerate(BENT)], "NURBS"),
    "hilly": lambda: curve([(0.0, 0.0, 0.0), (0.0, -2.0, 0.3), (0.2, -4.0, 0.3)]),
    "empties": empties,
    "keyed": keyed,
}


def ground(kind: str, seen: Seen, **settings: Any) -> None:
    """Walk over a ground and look at it; bake a few frames."""
    obj = hero()
    made = GROUNDS[kind]()
    make_active(obj)
    seen.ask(api.generate_walk, obj, **{"use_network": False, "mode": "TRAVEL", "speed": 1.1, "ground": made, **settings})
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, frame_start=10, frame_end=18, keys="DENSE", check=True)
    seen.look(10, 14.5)


def stairs() -> bpy.types.Object:
    """Return a collection of steps."""
    collection = bpy.data.collections.new("Stairs")
    bpy.context.scene.collection.children.link(collection)
    floor = slab("Floor", (-2.0, 2.0), (-10.0, 2.0), 0.0)
    steps = [slab(f"Step {row}", (-1.0, 1.0), (-1.8 - 0.3 * row, -1.5 - 0.3 * row), 0.15 * (row + 1), 0.15 * (row + 1)) for row in range(6)]
    for obj in (floor, *steps):
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    return collection


def hills() -> bpy.types.Object:
    return sheet("Hills", lambda x, y: 0.15 * np.sin(x) * np.cos(0.8 * y), reach=6.0, cells=40)


def rocking() -> bpy.types.Object:
    """Return a ground that is keyed to rise and tilt."""
    obj = sheet("Deck", lambda x, _y: 0.0 * x, reach=5.0, cells=4)
    for frame, angle in ((1, 0.0), (40, 0.1), (90, -0.1)):
        obj.rotation_euler.x, obj.location.z = angle, 0.5 * angle
        obj.keyframe_insert("rotation_euler", frame=frame)
        obj.keyframe_insert("location", frame=frame)
    return obj


GROUNDS = {
    "slope": lambda: sheet("Slope", lambda _x, y: -0.15 * y, reach=8.0, cells=8),
    "hills": hills,
    "stairs": stairs,
    "rocking": rocking,
}


def marked(seen: Seen) -> None:
    """Put marks on a path: frames, pauses, turns; add and remove them by buttons; arrive on a frame; move the path's points."""
    obj = hero()
    path = curve(BENT, "BEZIER")
    spot = linked("Spot", None)
    spot.location = (1.4, -2.9, 0.0)
    bpy.context.view_layer.update()
    make_active(obj)
    given = {"use_network": False, "mode": "PATH", "path": path, "arrive": 140}
    marks = [{"distance": 1.0, "frame": 35, "pause": 0.5}, {"place": spot, "frame": 90, "turn": 45.0}]
    seen.ask(api.generate_walk, obj, **given, markers=marks)
    seen.look(*FRAMES)
    spot.location.x += 0.3
    bpy.context.view_layer.update()
    seen.look(40, 90)
    seen.press("add_marker")
    seen.press("add_marker")
    seen.look(40, 90)
    obj.neurarig.walk.active_marker = 0
    seen.press("remove_marker")
    for item in list(obj.neurarig.walk.markers):
        for prop, value in (("pause", 1.0), ("frame", 5000), ("distance", 90.0)):
            seen.ask(partial(setattr, item, prop, value))
        seen.bones(f"marker {item.distance}", (50,))
    for _ in range(4):
        seen.press("remove_marker")
    seen.look(40, 90)
    path.data.splines[0].bezier_points[1].co.x = 1.0
    bpy.context.view_layer.update()
    seen.look(40, 90)
    obj.neurarig.walk.is_due = False
    seen.look(40, 90)
    path.data.splines[0].use_cyclic_u = True
    bpy.context.view_layer.update()
    seen.look(40, 90)
    path.location.x = 0.5
    bpy.context.view_layer.update()
    seen.look(40, 90)
    for wrong in (
        [{"distance": 1.0, "frame": 2}],
        [{"distance": -1.0}],
        [{"distance": 1.0, "speed": 2}],
        [{"distance": 1.0, "pause": -1.0}],
    ):
        seen.ask(api.generate_walk, obj, **given, markers=wrong)
    seen.look(40)


def added(seen: Seen) -> None:
    """Add a path by the button, to one who walks and to one who does not."""
    obj = hero()
    seen.press("add_path")
    seen.look()
    make_active(obj)
    seen.ask(api.generate_walk, obj, use_network=False)
    seen.look(*FRAMES)
    seen.ask(api.add_path, obj)
    seen.look(*FRAMES)
    bpy.data.objects.remove(obj.neurarig.walk.path)
    bpy.context.scene.frame_set(4)
    seen.look()
    seen.ask(api.resume_walk, obj)


def impossible(seen: Seen) -> None:
    """Spoil the path and the ground of who walks: it goes on, says why, and follows again."""
    obj = hero()
    path = curve(BENT)
    make_active(obj)
    seen.ask(api.generate_walk, obj, use_network=False, mode="PATH", path=path)
    points = path.data.splines[0].points
    before = [tuple(point.co) for point in points]
    for point in points:
        point.co = (0.0, 0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    seen.look(1, 30)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5)
    for point, place in zip(points, before, strict=True):
        point.co = place
    bpy.context.view_layer.update()
    seen.look(1, 30)
    obj.neurarig.walk.ground = slab("High", (-1.0, 1.0), (-1.0, 1.0), 5.0)
    bpy.context.view_layer.update()
    seen.look(1, 30)
    obj.neurarig.walk.ground = obj.neurarig.walk.path
    seen.look(1, 30)


def stands_on(seen: Seen) -> None:
    """Walk on a train that moves and turns, look at something on it, and bake."""
    obj = walker(mode="TRAVEL")
    train = slab("Train", (-5.0, 5.0), (-5.0, 5.0), 0.0)
    for frame, x in ((1, 0.0), (60, 6.0)):
        train.location.x, train.rotation_euler.z = x, 0.1 * x
        train.keyframe_insert("location", frame=frame)
        train.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(20)
    obj.neurarig.walk.stand_on = train
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=12, keys="DENSE")
    seen.look(1, 12)
    obj.neurarig.walk.stand_on = None
    obj.neurarig.walk.live = True
    seen.look(1, 12)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"along {kind}": partial(way, kind) for kind in WAYS},
        "along bent by the root": partial(way, "bent", travel_with="BONE", start_standing=False, slow_in_bends=False),
        "along bent, turned": partial(way, "bent", start_turn=90.0, end_turn=-60.0, speed=0.8, arrive=160),
        "along ring, running": partial(way, "ring", gait="RUN"),
        "along bent on hills": lambda seen: way("bent", seen, ground=hills()),
        **{f"over {kind}": partial(ground, kind) for kind in GROUNDS},
        "over hills by the root": partial(ground, "hills", travel_with="BONE"),
        "marked": marked,
        "added": added,
        "impossible": impossible,
        "stands on": stands_on,
    }
