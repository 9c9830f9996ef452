"""Whether every shared biped runs with planted feet, and leaves the ground in every step: python -m
benchmarks runs_on_rigs.

The contact report and the soles' height are measured on the evaluated bones over four strides. `RIGS=word` in
the environment: only files
with that word; `EVERY=n`: only each nth of them.
"""

import math
import os
from dataclasses import dataclass

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.paths_on_rigs import Went, figures_of
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.animation.scratch import alone, seen
from neurarig_addon.blender.character.legs import FEET, CarriedPoints
from neurarig_addon.blender.walk.source.source import source_of
from neurarig_addon.core.character.body import LEFT
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.kinds.natural import speed_of
from tests.shared_rigs import STANDING, load

VHAT = 1.2  # 3.6 m/s for an adult
FPS, STRIDES = 60, 4
OFF_THE_GROUND = 0.002  # leg lengths that both soles must be above the ground for a flight


@dataclass(frozen=True)
class Ran(Went):
    """How one character ran: also how many of its steps had no flight, and how many it made."""

    grounded: int = 0
    steps: int = 0

    @property
    def text(self) -> str:
        return (
            super().text
            if self.refusal
            else f"{super().text}, {self.grounded} of {self.steps} steps without flight"
        )


def rows() -> list[Row]:
    """Have every standing biped run, print each, and return the figures."""
    wanted, every = os.environ.get("RIGS", ""), int(os.environ.get("EVERY", "1"))
    ran: dict[str, Ran] = {}
    for row in [row for row in STANDING if wanted in row["file"]][::every]:
        new_scene()
        bpy.context.scene.render.fps = FPS
        ran[row["file"]] = run(load(row))
        print(f"{row['file']:42s} {ran[row['file']].text}", flush=True)
    stuck = {name: one for name, one in ran.items() if one.grounded}
    lacking = Row(
        "steps without a flight", sum(one.grounded for one in stuck.values()), 0, "", note="; ".join(stuck)
    )
    return [*figures_of(f"{len(ran)} bipeds that run", ran), lacking]


def run(obj: bpy.types.Object) -> Ran:
    """Return how a character runs."""
    scene = bpy.context.scene
    try:
        api.generate_walk(obj, mode="TRAVEL", gait="RUN")
        leg = source_of(obj, scene).body.leg_length
        obj.neurarig.walk.speed = speed_of(VHAT, leg)
        last = math.ceil(STRIDES * source_of(obj, scene).cycle_frames)
        report = api.contact_report(obj, (1, last))
        flights = flights_of(obj, np.arange(1.0, last))
    except NeuraRigError as refusal:
        return Ran(refusal=str(refusal))
    percent = 0.1 / report["leg_length_m"]
    slip = max(side["max"] or 0.0 for side in report["slip_mm"].values())
    return Ran(
        percent * slip, percent * report["penetration_mm"], grounded=int((~flights).sum()), steps=len(flights)
    )


def flights_of(obj: bpy.types.Object, frames: np.ndarray) -> np.ndarray:
    """Return for every whole step in some frames whether both evaluated soles are off the ground at once in
    it."""
    scene = bpy.context.scene
    source = source_of(obj, scene)
    carried = CarriedPoints(obj, source.body, source.roles)
    with alone(scene, obj) as passing:
        points = np.array([carried.evaluated(seen(passing, obj, frame))[:, FEET] for frame in frames])
    to_walk = np.linalg.inv(source.rig.placement @ source.body.walk_to_armature)
    heights = (points @ to_walk[2, :3] + to_walk[2, 3]).reshape(len(frames), -1).min(axis=1)
    number = np.floor(2.0 * source.pose(frames).phase[:, LEFT])
    whole = np.unique(number)[1:-1]
    return np.array(
        [heights[number == step].max() > OFF_THE_GROUND * source.body.leg_length for step in whole],
        dtype=bool,
    )
