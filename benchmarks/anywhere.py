"""How feet stand on paths and grounds of every kind, on the evaluated Rigify human and by Blender's own tree
of the ground.

`WAYS=word` in the environment: only ways with that word in their names; the 500 steps take minutes.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from benchmarks.world import RISER, Points, all_over, wander
from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import source as walk_source
from tests import rigs
from tests.blender import leading
from tests.blender.planted import GAP, INSIDE, SLIP, planted

STEPS = 500


@dataclass(frozen=True)
class Way:
    """A path and what it leads over: `ground` makes it.  `moves`: it is a deck, looked at on every frame.

    `over_edges`: treads are shorter than feet, which hang over. `is_broken`: some of the ground is no plane
    under a sole, or steeper than
    feet tilt: gaps count elsewhere, and the share of such prints is told.
    """

    name: str
    points: Points
    ground: Callable[[], bpy.types.Object]
    settings: dict[str, object] = field(default_factory=dict)
    is_closed: bool = False
    frames: int = 240
    moves: bool = False
    over_edges: bool = False
    is_broken: bool = False


def ring(radius: float) -> Points:
    """Return a circle that begins ahead of a character at the origin."""
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    return [(radius * (1.0 - np.cos(angle)), -radius * np.sin(angle)) for angle in turn]


def corner(degrees: float) -> Points:
    """Return a way ahead that turns so far to the side."""
    angle = np.radians(degrees)
    return [(0.0, 0.0), (0.0, -3.0), (3.0 * float(np.sin(angle)), -3.0 - 3.0 * float(np.cos(angle)))]


def floor() -> bpy.types.Object:
    return leading.sheet("Floor", lambda x, y: 0.0 * x, 20.0, 8)


def plane(degrees: float) -> Callable[[], bpy.types.Object]:
    return lambda: leading.sheet("Plane", lambda x, y: -np.tan(np.radians(degrees)) * y, 20.0, 8)


def noise() -> bpy.types.Object:
    return leading.sheet(
        "Terrain",
        lambda x, y: 0.05 * np.sin(1.9 * x + 0.7) * np.cos(1.5 * y) + 0.05 * np.sin(0.7 * x - 1.1 * y),
        20.0,
        300,
    )


def stairs(degrees: float, rises: float) -> Callable[[], bpy.types.Object]:
    """Return what makes a flight of ten steps, 2 m ahead, in one mesh."""

    def made() -> bpy.types.Object:
        tread = RISER / np.tan(np.radians(degrees))
        edges = np.array([20.0, *(-2.0 - tread * np.arange(11)), -20.0])
        top = rises * RISER * np.concatenate([[0.0], np.arange(1.0, 12.0)])
        top[-1] = top[-2]
        y = np.repeat(edges, 2)[1:-1]
        profile = [
            (5.0 * side, along, height)
            for side in (-1.0, 1.0)
            for along, height in zip(y, np.repeat(top, 2), strict=True)
        ]
        count = len(y)
        row = np.arange(count - 1)
        return leading.mesh(
            "Stairs", np.array(profile), np.stack([row, row + count, row + count + 1, row + 1], 1)
        )

    return made


def deck() -> bpy.types.Object:
    found = leading.slab("Deck", (-12.0, 12.0), (-12.0, 12.0), 0.0)
    for frame, place, turn in (
        (1, (0, 0, 0), (0, 0, 0)),
        (80, (0.4, 0.1, 0.3), (0.06, -0.05, 0.2)),
        (200, (0.9, -0.1, 0.1), (-0.05, 0.05, -0.1)),
    ):
        found.location, found.rotation_euler = place, turn
        found.keyframe_insert("location", frame=frame)
        found.keyframe_insert("rotation_euler", frame=frame)
    return found


STRAIGHT = [(0.0, 0.0), (0.0, -9.0)]
WAYS = [
    *(Way(f"circle of {radius:g} m", ring(radius), floor, is_closed=True) for radius in (0.7, 2.0)),
    Way("S", [(0, 0), (1.5, -1.5), (0, -3), (-1.5, -4.5), (0, -6)], floor),
    *(Way(f"corner of {degrees}", corner(degrees), floor) for degrees in (90, 135)),
    Way("half a turn on the spot", STRAIGHT, floor, {"start_turn": 180.0}),
    Way("circle backward", ring(2.0), floor, {"facing": 180.0, "speed": 0.9}, True),
    Way("circle sideways", ring(2.0), floor, {"facing": 90.0, "speed": 0.6}, True),
    *(Way(f"plane of {degrees:+d}", STRAIGHT, plane(degrees)) for degrees in (20, -20)),
    *(
        Way(
            f"stairs of {d} {'up' if s > 0 else 'down'}",
            STRAIGHT,
            stairs(d, s),
            frames=360,
            over_edges=d > 40,
        )
        for d in (24, 33, 42)
        for s in (1.0, -1.0)
    ),
    Way("noise terrain", [(0, 0), (1, -4), (-1, -8)], noise),
    Way("moving deck", [(0, 0), (0, -3), (2, -6)], deck, moves=True),
    Way("moving deck, Stand On", [(0, 0), (0, -3), (2, -6)], deck, {"stand_on": "Deck"}, moves=True),
    Way(f"{STEPS} steps over all", wander()[0], all_over, frames=0, is_broken=True),
]


def rows() -> list[Row]:
    """Lead the Rigify human along each way and return three figures for each."""
    wanted, found = os.environ.get("WAYS", ""), []
    for way in WAYS:
        if wanted in way.name:
            found += walked(way)
            print(*(f"{row.what}: {row.value:.3f} mm" for row in found[-3:]), sep="; ", flush=True)
    return found


def walked(way: Way) -> list[Row]:
    """Return the figures of one way."""
    new_scene()
    ground, path = way.ground(), leading.curve(way.points, "BEZIER", way.is_closed)
    bpy.context.scene.frame_set(1)
    obj = rigs.rigify_human()
    settings = {name: ground if name == "stand_on" else value for name, value in way.settings.items()}
    api.generate_walk(obj, mode="PATH", path=path, ground=ground, **settings)
    frames = range(1, 1 + (way.frames or steps_last(obj)))
    figures = planted(
        obj, frames, ground, ground if way.moves else None, over_edges=way.over_edges, on_planes=way.is_broken
    )
    limits = zip(
        ("slip", "in the ground", "gap under a flat sole"), figures[:3], (SLIP, INSIDE, GAP), strict=True
    )
    uneven = f"{100.0 * figures.uneven:.0f} % of the soles lie on ground that is broken or too steep for them"
    found = [Row(f"{way.name}: {what}", 1e3 * value, 1e3 * limit, "mm") for what, value, limit in limits]
    return [*found[:2], replace(found[2], note=uneven)] if way.is_broken else found


def steps_last(obj: bpy.types.Object) -> int:
    """Return how many frames so many steps take."""
    source = walk_source.source_of(obj, bpy.context.scene)
    pace = source.planned.rhythm
    if pace.phase[-1] < STEPS / 2.0:
        raise ValueError(f"The way has {2 * pace.phase[-1]:.0f} steps, not {STEPS}.")
    return int(source.clock.fps * float(pace.seconds_when(np.full((1, 2), STEPS / 2.0)).max()))
