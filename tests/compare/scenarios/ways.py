"""Walks along paths and over grounds: curves, empties, keyed objects, marks, stairs, slopes, moving
ground."""

from functools import partial
from typing import Any

import bpy
import numpy as np

from neurarig_addon.blender import api
from tests.blender.leading import curve, linked, sheet, slab
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.walks import TRAVELS, walker
from tests.compare.seen import Seen
from tests.rigs import make_active

FRAMES = (-5, 1, 9, 24.5, 60, 130)
BENT = [(0.0, 0.0), (0.3, -2.0), (1.5, -3.0), (3.0, -3.0)]
RING = [(0.0, 0.0), (0.0, -3.0), (2.0, -4.0), (4.0, -2.0), (2.0, 1.0)]


def keyed_along(thing: bpy.types.Object, name: str, values: dict[int, Any]) -> bpy.types.Object:
    """Key a property of an object, and return it."""
    for frame, value in values.items():
        setattr(thing, name, value)
        thing.keyframe_insert(name, frame=frame)
    return thing


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


def stairs() -> bpy.types.Object:
    """Return a floor and steps in one mesh's children."""
    floor = slab("Floor", (-2.0, 2.0), (-10.0, 2.0), 0.0)
    for row in range(6):
        slab(
            f"Step {row}",
            (-1.0, 1.0),
            (-1.8 - 0.3 * row, -1.5 - 0.3 * row),
            0.15 * (row + 1),
            0.15 * (row + 1),
        ).select_set(True)
    make_active(floor)
    for obj in bpy.context.scene.objects:
        obj.select_set(obj.name.startswith(("Floor", "Step")))
    bpy.ops.object.join()
    return floor


def rocking() -> bpy.types.Object:
    """Return a ground that is keyed to rise and tilt."""
    deck = sheet("Deck", lambda x, _y: 0.0 * x, reach=5.0, cells=4)
    keyed_along(deck, "rotation_euler", {1: (0.0, 0.0, 0.0), 40: (0.1, 0.0, 0.2), 90: (-0.1, 0.0, -0.2)})
    return keyed_along(deck, "location", {1: (0.0, 0.0, 0.0), 40: (0.0, 0.0, 0.05), 90: (0.0, 0.0, -0.05)})


WAYS = {
    "a bend": lambda: curve(BENT, "BEZIER"),
    "a ring": lambda: curve(RING, "BEZIER", is_closed=True),
    "corners": lambda: curve(BENT),
    "heights": lambda: curve([(*point, 0.2 * number) for number, point in enumerate(BENT)], "NURBS"),
    "empties": empties,
    "a keyed thing": lambda: keyed_along(
        linked("Box", None), "location", {1 + 40 * row: (*xy, 0.0) for row, xy in enumerate(BENT)}
    ),
}
ALONG: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in WAYS},
    "a bend by the root": (
        "a bend",
        {"travel_with": "BONE", "start_standing": False, "slow_in_bends": False},
    ),
    "a bend, turned": ("a bend", {"start_turn": 90.0, "end_turn": -60.0, "speed": 0.8, "arrive": 160}),
    "a ring, running": ("a ring", {"gait": "RUN"}),
}
GROUNDS = {
    "a slope": lambda: sheet("Slope", lambda _x, y: -0.15 * y, reach=8.0, cells=8),
    "hills": lambda: sheet("Hills", lambda x, y: 0.15 * np.sin(x) * np.cos(0.8 * y), reach=6.0, cells=40),
    "stairs": stairs,
    "a rocking deck": rocking,
}


def along(way: str, settings: dict[str, Any], seen: Seen) -> None:
    """Lead a character along a way."""
    obj = seen.open("bones")
    path = WAYS[way]()
    make_active(obj)
    seen.ask(api.generate_walk, obj, **{**TRAVELS, "mode": "PATH", "path": path, **settings})
    seen.look(*FRAMES)


def above(ground: str, settings: dict[str, Any], seen: Seen) -> None:
    """Walk over a ground, and bake a few frames."""
    obj = seen.open("bones")
    made = GROUNDS[ground]()
    make_active(obj)
    seen.ask(api.generate_walk, obj, **{**TRAVELS, "speed": 1.1, "ground": made, **settings})
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, frame_start=10, frame_end=18, keys="DENSE", check=True)
    seen.look(10, 14.5)


def marked(seen: Seen) -> None:
    """Put marks on a path: frames, pauses, turns; add and remove them; arrive on a frame; move, close and
    spoil the path."""
    obj = seen.open("bones")
    path, spot = curve(BENT, "BEZIER"), linked("Spot", None)
    spot.location = (1.4, -2.9, 0.0)
    bpy.context.view_layer.update()
    make_active(obj)
    marks = [{"distance": 1.0, "frame": 35, "pause": 0.5}, {"place": spot, "frame": 90, "turn": 45.0}]
    seen.ask(api.generate_walk, obj, **{**TRAVELS, "mode": "PATH"}, path=path, arrive=140, markers=marks)
    seen.look(*FRAMES)
    spot.location.x += 0.3
    bpy.context.view_layer.update()
    seen.press("add_marker")
    seen.look(40, 90)
    obj.neurarig.walk.active_marker = 0
    seen.press("remove_marker")
    path.data.splines[0].use_cyclic_u = True
    path.location.x = 0.5
    bpy.context.view_layer.update()
    seen.look(40, 90)
    for point in path.data.splines[0].bezier_points:
        point.co = point.handle_left = point.handle_right = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    seen.look(40)
    bpy.data.objects.remove(path)
    bpy.context.scene.frame_set(4)
    seen.look(9)
    seen.ask(api.add_path, obj)
    seen.look(9)


def aimed(seen: Seen) -> None:
    """Walk on a train that moves and turns, and look at and face a thing that moves."""
    obj = walker(seen)
    train = slab("Train", (-5.0, 5.0), (-5.0, 5.0), 0.0)
    keyed_along(train, "location", {1: (0.0, 0.0, 0.0), 60: (6.0, 0.0, 0.0)})
    keyed_along(train, "rotation_euler", {1: (0.0, 0.0, 0.0), 60: (0.0, 0.0, 0.6)})
    thing = keyed_along(linked("Thing", None), "location", {1: (1.0, -3.0, 1.0), 40: (2.0, -2.0, 1.8)})
    own = obj.neurarig.walk
    for name, value in (("stand_on", train), ("look_at", thing), ("face", thing)):
        setattr(own, name, value)
        seen.look(1, 12, 60)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=12)
    seen.look(1, 12)
    bpy.data.objects.remove(thing)
    own.stand_on, own.live = None, True
    bpy.context.view_layer.update()
    seen.look(12)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        **{f"along {name}": partial(along, way, settings) for name, (way, settings) in ALONG.items()},
        **{f"over {name}": partial(above, name, {}) for name in GROUNDS},
        "over hills by the root": partial(above, "hills", {"travel_with": "BONE"}),
        "marked": marked,
        "aimed": aimed,
    }
