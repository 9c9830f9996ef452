"""Whether every shared biped gets over terrain, round a corner and up stairs of its size: python -m
benchmarks paths_on_rigs.

The contact report is measured on the evaluated bones, over the whole way. `RIGS=word` in the environment:
only files with that word.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.kinds.natural import speed_of
from tests.blender import leading
from tests.shared_rigs import STANDING, load

LIMIT = 0.1  # percent of the leg that a standing point may slip, and be in the ground
VHAT = 0.4  # a walk's usual speed
# The way, in leg lengths: so far over terrain to a corner, so far to the stairs; risers and treads, how many,
# and how far on top of them.
AHEAD, ASIDE, RISER, TREAD, RISERS, BEYOND = 5.0, 3.0, 0.18, 0.36, 4, 2.0
BUMPS, FADES = 0.03, 1.5  # leg lengths: how high bumps are, and the way on which they end before the corner
CELLS, WIDE = 60, 12.0


@dataclass(frozen=True)
class Went:
    """How one character got along: percent of its leg that it slipped and went in, at most; or why it was
    refused."""

    slip: float = 0.0
    inside: float = 0.0
    refusal: str = ""

    @property
    def text(self) -> str:
        return (
            f"refused: {self.refusal}"
            if self.refusal
            else f"slip {self.slip:.4f} %, penetration {self.inside:.4f} %"
        )


def rows() -> list[Row]:
    """Lead every standing biped along its way, print each, and return the figures."""
    wanted, went = os.environ.get("RIGS", ""), {}
    for row in STANDING:
        if wanted in row["file"]:
            new_scene()
            went[row["file"]] = led(load(row))
            print(f"{row['file']:42s} {went[row['file']].text}", flush=True)
    return figures_of(f"{len(went)} bipeds on their ways", went)


def figures_of(who: str, went: Mapping[str, Went]) -> list[Row]:
    """Return how many of them were refused, and the greatest slip and depth, with the names of those past the
    limit."""
    refused = [name for name, one in went.items() if one.refusal]
    past = {
        figure: [name for name, one in went.items() if getattr(one, figure) > LIMIT]
        for figure in ("slip", "inside")
    }
    return [
        Row(f"{who}: refused", len(refused), 0, "", note="; ".join(refused)),
        Row(
            "greatest slip",
            max((one.slip for one in went.values()), default=0.0),
            LIMIT,
            "% leg",
            note="; ".join(past["slip"]),
        ),
        Row(
            "deepest in the ground",
            max((one.inside for one in went.values()), default=0.0),
            LIMIT,
            "% leg",
            note="; ".join(past["inside"]),
        ),
    ]


def led(obj: bpy.types.Object) -> Went:
    """Return how a character gets along a path over terrain, round a corner and up stairs."""
    metres = bpy.context.scene.unit_settings.scale_length
    try:
        leg = read_character(obj, bpy.context.scene).body.leg_length
        path, ground = way(leg / metres)
        speed = speed_of(VHAT, leg)
        api.generate_walk(obj, mode="PATH", path=path, ground=ground, speed=speed)
        seconds = 1.3 * leg * (AHEAD + ASIDE + RISERS * TREAD + BEYOND) / speed
        report = api.contact_report(obj, (1, round(seconds * bpy.context.scene.render.fps)))
    except NeuraRigError as refusal:
        return Went(refusal=str(refusal))
    percent = 0.1 / report["leg_length_m"]
    slip = max(side["max"] or 0.0 for side in report["slip_mm"].values())
    return Went(percent * slip, percent * report["penetration_mm"])


def way(leg: float) -> tuple[bpy.types.Object, bpy.types.Collection]:
    """Return a path, and a collection of terrain and stairs under it, for legs so long."""
    end = ASIDE + RISERS * TREAD + BEYOND
    path = leading.curve([(leg * x, leg * y) for x, y in ((0.0, 0.0), (0.0, -AHEAD), (end, -AHEAD))])

    def bumps(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        fade = np.clip((AHEAD - FADES + y / leg) / FADES, 0.0, 1.0)
        return BUMPS * leg * np.sin(2.1 * x / leg) * np.cos(1.7 * y / leg) * fade * fade * (3.0 - 2.0 * fade)

    stairs = [
        leading.slab(
            f"Stair {number}",
            (leg * (ASIDE + number * TREAD), leg * (end + 4.0)),
            (leg * -(AHEAD + 3.0), leg * (3.0 - AHEAD)),
            top,
        )
        for number, top in enumerate(RISER * leg * np.arange(1, RISERS + 1))
    ]
    ground = bpy.data.collections.new("Ground")
    bpy.context.scene.collection.children.link(ground)
    for thing in (leading.sheet("Terrain", bumps, WIDE * leg, CELLS), *stairs):
        ground.objects.link(thing)
    bpy.context.view_layer.update()
    return path, ground
