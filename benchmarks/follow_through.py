"""Follow-through: against an integration at a kilohertz, what a frame costs, what is found on shared rigs.

`EVERY=n` in the environment: only each nth rig.
"""

import csv
import os
import re
from contextlib import suppress

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row, best_of
from neurarig_addon.blender import api
from neurarig_addon.blender.character import hanging
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs
from tests.hanging_chains import off
from tests.shared_data import shared_path
from tests.shared_rigs import STANDING, load

DRAWN, FRAMES, CROWD = 60, range(400, 464), 100
NAMED = re.compile(
    r"(?i)(^|[^a-z])(tail|ear|pony ?tail|hair|skirt|belly|stomach|bust|breast|wing|feather)(?![a-z])"
)
REFUSED = re.compile(
    r"(?i)eye|brow|lid|jaw|mouth|lip|tongue|teeth|nose|cheek|chin|thumb|index|middle|ring|pink|finger"
)


def rows() -> list[Row]:
    """Measure all of it."""
    worst = max(100.0 * off(seed) for seed in range(DRAWN))
    return [Row(f"{DRAWN} drawn chains, off a kilohertz", worst, 3.0, "%"), *costs(), *finds()]


def costs() -> list[Row]:
    """Measure what a frame costs more with follow-through, played again and again."""
    found = []
    for many, chains, limit in (
        (1, {"Hair": 5, "Tail": 5, "Skirt": 5, "Strap": 5}, 0.4),
        (CROWD, {"Tail": 8}, 6.0),
    ):
        new_scene()
        heroes = [rigs.build(rigs.biped(), f"Hero {number:03}") for number in range(many)]
        per = 2 if many == 1 else 1
        for obj in heroes:
            for place, (name, count) in enumerate(chains.items()):
                for side in range(per):
                    hang(obj, f"{name}{'LR'[side]}", count, 0.1 * side + 0.022 * place)
            api.generate_walk(obj)
        plain = best_of(play, 3)
        bones = sum(len(api.follow_through(obj)) for obj in heroes)
        more = 1e3 * (best_of(play, 3) - plain) / len(FRAMES)
        found.append(Row(f"{many} characters, {bones} bones that follow: a frame", more, limit, "ms"))
    return found


def hang(obj: bpy.types.Object, name: str, count: int, aside: float) -> None:
    """Hang a chain behind the hips."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    above = bones["Hips"]
    place = above.head.copy()
    place.x, place.y = place.x + aside, place.y + 0.15
    for number in range(count):
        bone = bones.new(f"{name}_{number + 1}")
        bone.head, bone.parent = place, above
        place = place.copy()
        place.y, place.z = place.y + 0.03, place.z - 0.06
        bone.tail, above = place, bone
    bpy.ops.object.mode_set(mode="OBJECT")


def play() -> None:
    """Show some frames."""
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)


def finds() -> list[Row]:
    """Look for what hangs on the shared rigs and animals."""
    there, taken, wrong, every = 0, 0, [], int(os.environ.get("EVERY", "1"))
    with (shared_path("animals") / "manifest.csv").open(encoding="utf-8") as file:
        animals = [row for row in csv.DictReader(file) if row["kind"] != "negative"]
    for kept, row in [*(("animals", row) for row in animals), *(("rigs", row) for row in STANDING)][::every]:
        new_scene()
        obj = load(row, kept)
        chains = row.get("tail_chain", ""), row.get("ear_L", ""), row.get("ear_R", "")
        told = {bone.split("|")[0].strip() for chain in chains for bone in chain.split(">")} - {""}
        names = {bone.name for bone in obj.data.bones}
        told |= {
            name for name in names if kept == "animals" and NAMED.search(name) and not REFUSED.search(name)
        }
        with suppress(NeuraRigError):
            api.follow_through(obj)
        found = {bone for chain in obj.neurarig.follow.chains for bone in hanging.bones_of(chain)}
        there, taken = there + len(told & names), taken + len(told & found)
        wrong += [f"{row['file']}: {bone}" for bone in found if REFUSED.search(bone)]
        if told - found:
            print(row["file"], "not found:", *sorted(told - found)[:12], flush=True)
    print(*wrong, sep="\n")
    share = 100.0 * taken / max(there, 1)
    return [
        Row(f"{there} bones that hang on shared rigs: found", share, 90.0, "%", at_least=True),
        Row("bones of a face or finger taken", float(len(wrong)), 0.0, ""),
    ]
