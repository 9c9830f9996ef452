"""What a character costs among 200 others, against the same alone: Generate, Check, Bake, Remove and one more frame of playing."""

from collections.abc import Callable
from time import process_time

import bpy

from benchmarks.handler_speed import FRAMES, new_scene, play
from benchmarks.table import Row
from neurarig_addon.blender import api
from tests import rigs

CROWD = 200
REPEATS = 7
BAKED = {"frame_start": 1, "frame_end": 120}
LIMIT = 1.5  # times what it takes alone
LINEAR = 1.5  # times what a frame of a quarter of the crowd takes, per character

STEPS: dict[str, Callable[[bpy.types.Object], object]] = {
    "Generate": lambda obj: api.generate_walk(obj),
    "Check": lambda obj: api.contact_report(obj),
    "Bake": lambda obj: api.bake_walk(obj, **BAKED),
    "Remove": lambda obj: api.remove_walk(obj),
}


def rows() -> list[Row]:
    """Measure a character alone, and the same in a crowd."""
    new_scene()
    alone = times()
    few = fill(CROWD // 4)
    fill(CROWD - CROWD // 4)
    many = play(FRAMES[:20])[0] / CROWD
    among = times()
    found = [
        Row(f"{step} among {CROWD} walkers, against alone", among[step] / alone[step], LIMIT, "x", note=f"{1e3 * alone[step]:.1f} ms alone")
        for step in STEPS
    ]
    return [*found, Row(f"handler per character: {CROWD} against {CROWD // 4}", many / few, LINEAR, "x", note=f"{1e6 * many:.0f} us")]


def times() -> dict[str, float]:
    """Return the shortest processor seconds of every step: what else the machine does has no part in them."""
    obj = rigs.build(rigs.biped(), name="Probe")
    found: dict[str, list[float]] = {step: [] for step in STEPS}
    for _ in range(REPEATS):
        for step, act in STEPS.items():
            rigs.make_active(obj)
            bpy.context.view_layer.update()  # what Blender does anyway before the next click
            start = process_time()
            act(obj)
            found[step].append(process_time() - start)
    bpy.data.objects.remove(obj)
    bpy.context.view_layer.update()
    return {step: min(seconds) for step, seconds in found.items()}


def fill(count: int) -> float:
    """Add walkers, copies of one, and return the seconds that a frame takes our handlers for each."""
    first = next((obj for obj in bpy.context.scene.objects if obj.name == "Walker"), None)
    if first is None:
        first = rigs.build(rigs.biped(), name="Walker")
        api.generate_walk(first)
    there = sum(obj.type == "ARMATURE" for obj in bpy.context.scene.objects)
    for _ in range(count - 1 if there == 1 else count):
        copy = first.copy()
        copy.data = first.data.copy()
        bpy.context.scene.collection.objects.link(copy)
    return play(FRAMES[:20])[0] / sum(obj.type == "ARMATURE" for obj in bpy.context.scene.objects)
