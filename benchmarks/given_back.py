"""Whether every shared biped is given back as it was: python -m benchmarks given_back.

Walk, clip and targets, by IK and by FK, are taken on and off again, undone, and made to fail at a drawn
point; so is the bake of a walk.
Each time the whole file is compared with what it was: bones, constraints, drivers, properties, collections,
pose, actions. In the
environment, `RIGS=word`: only files with that word; `SEED=word`: other points at which it fails.
"""

import os
from collections.abc import Callable, Iterator
from random import Random

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.one_piece import subjects
from benchmarks.table import Row
from tests.blender import giving_back as given
from tests.blender.retargeting import actor
from tests.blender.situations.record import Difference, report

CONTROLS = ("IK", "FK")


def rows() -> list[Row]:
    """Compare every biped before and after, print what differs, and return the figures."""
    files, tried, changed = set(), 0, []
    for file, make in subjects():
        files.add(file)
        for how, found in judged(file, make):
            tried += 1
            if found:
                changed.append(f"{file} {how}")
                print(f"{file} {how}\n{report(found, 6)}", flush=True)
        print(f"{file} done", flush=True)
    return [
        Row(
            f"{len(files)} bipeds, {tried} ways: not given back as they were",
            len(changed),
            0,
            "",
            note="; ".join(changed),
        )
    ]


def judged(file: str, make: Callable[[], bpy.types.Object]) -> Iterator[tuple[str, list[Difference]]]:
    """Yield what was done to a character, and what that left; after a difference it is loaded anew."""
    rng, is_fresh = Random(file + os.environ.get("SEED", "")), False
    for how, try_it in tries(rng):
        if not is_fresh:
            new_scene()
            actor("Actor")
            given.settle(make())
        where, found = try_it()
        is_fresh = not found
        yield f"{how} {where}", found


def tries(rng: Random) -> Iterator[tuple[str, Callable[[], tuple[str, list[Difference]]]]]:
    """Yield the ways in which a character is taken on and given back."""
    for name in given.FEATURES:
        for controls in CONTROLS:
            yield (
                f"{name} {controls} taken off",
                lambda name=name, controls=controls: ("", given.taken_off(name, controls)),
            )
            yield (
                f"{name} {controls} failed",
                lambda name=name, controls=controls: given.failed(name, controls, rng),
            )
        yield f"{name} undone", lambda name=name: ("", given.undone(name, CONTROLS[0]))
    yield "bake failed", lambda: given.failed_bake(rng)
