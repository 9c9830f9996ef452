"""What our side of drawing the sidebar costs: every panel once, opened, on a layout that draws nothing."""

from collections.abc import Iterator
from time import process_time

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from tests import rigs
from tests.blender.drawing import stand_in

REDRAWS, TRIALS = 10, 5
PANELS = 2.5  # milliseconds, of all together


class Blank:
    """A layout, and whatever it gives, that takes everything."""

    def __getattr__(self, _name: str) -> "Blank":
        return self

    def __call__(self, *_given: object, **_how: object) -> "Blank":
        return self

    def __iter__(self) -> Iterator["Blank"]:
        return iter((self, self))  # the head and body of a part that is opened


def rows() -> list[Row]:
    """Measure the processor's time of a redraw for a character that is free, walks, and is baked."""
    new_scene()
    hero = rigs.build(rigs.biped(), "Hero")
    found = [_row("free")]
    api.generate_walk(hero, mode="TRAVEL")
    found.append(_row("that walks"))
    api.bake_walk(hero, frame_start=1, frame_end=30)
    return [*found, _row("that is baked")]


def _row(who: str) -> Row:
    kinds = [getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("NEURARIG_PT")]
    kinds = [kind for kind in kinds if kind.bl_space_type == "VIEW_3D"]
    spent = []
    for _ in range(TRIALS):
        begins = process_time()
        for kind in kinds * REDRAWS:
            if getattr(kind, "poll", bool)(bpy.context):
                stand_in(kind, Blank()).draw(bpy.context)
        spent.append((process_time() - begins) / REDRAWS)
    return Row(f"panels of a character {who}", 1e3 * min(spent), PANELS, "ms")
