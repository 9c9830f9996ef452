"""What acts cost while a slider moves, and as one more is added, beside a walk without any in the same
run."""

import math
from collections.abc import Callable
from time import process_time

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.walk.changes import changes
from neurarig_addon.blender.walk.way import given_acts
from tests import rigs
from tests.blender.acting import armchair, box

DRAGS = 5
MANY = 64  # jumps to which one is added
APART, LENGTH = 2.5, 0.5  # metres from jump to jump, and that each goes


def rows() -> list[Row]:
    """Measure the processor's time of a drag with three acts and with eight jumps, and of one more jump among
    many."""
    hero = walking()
    plain = dragged(hero)
    api.add_act(hero, "JUMP", at=APART, length=LENGTH)
    api.add_act(hero, "SIT", thing=armchair("Chair", (0.0, -6.0), math.pi / 2), seconds=1.0)
    api.add_act(hero, "PICK_UP", thing=box("Box", (0.2, -9.0, 0.4), (0.2, 0.2, 0.2)))
    three = dragged(hero)
    hero = jumping(8)
    eight = dragged(hero)
    hero = jumping(MANY)
    among = spent(lambda: api.add_act(hero, "JUMP", at=APART * (MANY + 1), length=LENGTH))
    note = f"{1e3 * plain:.0f} ms without acts"
    return [
        Row("a drag with a jump, a seat and a thing, of one without", three / plain, 10.0, "x", note=note),
        Row("a drag with eight jumps, of one without", eight / plain, 15.0, "x", note=note),
        Row(f"one more jump among {MANY}, of a drag without", among / plain, 45.0, "x", note=note),
    ]


def walking() -> bpy.types.Object:
    """Return a character that walks in an empty scene."""
    new_scene()
    hero = rigs.build(rigs.biped(), "Hero")
    api.generate_walk(hero, mode="TRAVEL", travel_with="OBJECT", use_network=False)
    return hero


def jumping(number: int) -> bpy.types.Object:
    """Return a character that jumps a number of times on its way."""
    hero = walking()
    with changes.as_one(hero):
        for row in range(number):
            given_acts.put(
                hero.neurarig.walk.acts.add(),
                {"kind": "JUMP", "distance": APART * (row + 1), "length": LENGTH},
            )
    return hero


def dragged(hero: bpy.types.Object) -> float:
    """Return the least seconds of the processor that a change of a slider takes, with the next frame."""

    def drag(number: int) -> None:
        hero.neurarig.walk.energy = 0.05 * number
        bpy.context.view_layer.update()
        bpy.context.scene.frame_set(30 + number)

    return min(spent(lambda number=number: drag(number)) for number in range(1, DRAGS + 1))


def spent(does: Callable[[], object]) -> float:
    """Return the seconds of the processor that something takes."""
    start = process_time()
    does()
    return process_time() - start
