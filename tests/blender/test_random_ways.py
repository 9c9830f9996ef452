"""Ways drawn at random: on the evaluated character no standing point slips, nothing is in the mesh, no
standing sole hangs over it."""

import random

import bpy
import numpy as np
import pytest

from tests.blender.leading import curve, sheet, slab
from tests.blender.planted import require_planted
from tests.blender.walking import walker

FRAMES = range(30, 110)


def circle(radius: float) -> bpy.types.Object:
    angle = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)
    return curve(zip(radius - radius * np.cos(angle), -radius * np.sin(angle), strict=True), is_closed=True)


def corner(degrees: float) -> bpy.types.Object:
    turn = np.radians(degrees)
    return curve([(0.0, 0.0), (0.0, -3.0), (4.0 * np.sin(turn), -3.0 - 4.0 * np.cos(turn))])


def snake(draw: random.Random) -> bpy.types.Object:
    return curve([(draw.uniform(-1.2, 1.2), -1.8 * n) for n in range(6)], draw.choice(["BEZIER", "NURBS"]))


def plane(draw: random.Random) -> bpy.types.Object:
    """Return a plane of up to 20 degrees, tilted by its object, not by its mesh."""
    ground = sheet("Plane", lambda x, y: 0.0 * x, 15.0, 20)
    ground.rotation_euler = [np.radians(draw.uniform(-14.0, 14.0)) for _ in range(2)] + [
        draw.uniform(0.0, 6.0)
    ]
    ground.scale = [draw.uniform(0.8, 2.0)] * 3
    return ground


def noise(draw: random.Random) -> bpy.types.Object:
    """Return smooth bumps of 10 cm, fine enough for soles to lie on planes."""
    waves = [(draw.uniform(-1.2, 1.2), draw.uniform(-1.2, 1.2), draw.uniform(0.0, 6.0)) for _ in range(6)]
    return sheet(
        "Noise", lambda x, y: 0.1 / 3.0 * sum(np.sin(a * x + b * y + c) for a, b, c in waves), 12.0, 400
    )


WAYS = {
    "circle of 0.7 m": lambda draw: (circle(0.7), None, None),
    "circle of 2 m": lambda draw: (circle(2.0), None, None),
    "corner of 90 degrees": lambda draw: (corner(90.0), None, None),
    "corner of 135 degrees": lambda draw: (corner(-135.0), None, None),
    "snake": lambda draw: (snake(draw), None, None),
    "snake over a plane": lambda draw: (snake(draw), plane(draw), None),
    "corner over a plane": lambda draw: (corner(draw.uniform(-100.0, 100.0)), plane(draw), None),
    "snake over noise": lambda draw: (snake(draw), noise(draw), None),
    "snake on a moving deck": lambda draw: (snake(draw), deck := moving_deck(draw), deck),
}


def moving_deck(draw: random.Random) -> bpy.types.Object:
    deck = slab("Deck", (-15.0, 15.0), (-15.0, 15.0), 0.0)
    for frame in (1, 60, 120):
        deck.location = [draw.uniform(-3.0, 3.0) for _ in range(3)]
        deck.rotation_euler = [draw.uniform(-0.2, 0.2) for _ in range(3)]
        deck.keyframe_insert("location", frame=frame)
        deck.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    return deck


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_feet_stand_on_the_mesh_and_stay(way, seed):
    draw = random.Random(f"{way} {seed}")
    path, ground, deck = WAYS[way](draw)
    path.location.z = draw.uniform(-0.5, 0.5) if ground is None else 0.0
    bpy.context.view_layer.update()
    obj = walker(
        use_network=True, mode="PATH", path=path, ground=ground, stand_on=deck, speed=draw.uniform(0.8, 1.3)
    )
    if deck is not None:
        path.parent = deck
    require_planted(obj, FRAMES, ground, path.location.z, deck)
