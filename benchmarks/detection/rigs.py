"""The shared rigs as samples: what their manifests say of each, and the tables of names taken away one by
one."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from unittest.mock import patch

from neurarig_addon.core.detection import conventions as tables
from neurarig_addon.core.detection import words
from neurarig_addon.core.skeleton.roles import ARM_PARTS, LEG_PARTS, NECK, SIDES, SPINE, sided
from tests.drawn_skeletons.samples import Sample
from tests.shared_data import find_shared
from tests.shared_rigs import LYING, ROWS, load

_MIDDLE = {SPINE: "spine_chain", NECK: "neck"}


@dataclass(frozen=True)
class Rig:
    """A shared rig: its family, what it is, and whether its rest pose shows anything; names may lie about the
    sides."""

    family: str
    sample: Sample
    stands: bool
    either_side: bool


@lru_cache(maxsize=1)
def shared_rigs() -> tuple[Rig, ...]:
    """Load all shared rigs and control rigs (needs bpy and the shared data)."""
    import bpy  # pyright: ignore[reportMissingImports]

    from neurarig_addon.blender.character.read_armature import read_skeleton

    found, controls = [], find_shared("control-rigs")
    with_controls = csv.DictReader((controls / "manifest.csv").open(encoding="utf-8")) if controls else ()
    for row in (*ROWS, *with_controls):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        obj = load(row)
        roles = manifest_roles(row) if row["is_biped"] == "true" else None
        sample = Sample(read_skeleton(obj, bpy.context.scene), roles, row["file"])
        family = row.get("family") or row["convention"].split(" (")[0]
        found.append(Rig(family, sample, row["rest_pose"] not in LYING, row["sides_ambiguous"] == "true"))
    return tuple(found)


def manifest_roles(row: dict[str, str]) -> dict[str, frozenset[str]]:
    """Return role -> bones that may play it."""
    found = {}
    for role in (
        "pelvis",
        "head",
        *(sided(part, side) for side in SIDES for part in (*LEG_PARTS, *ARM_PARTS)),
    ):
        if row[role.replace(".", "_")]:
            found[role] = frozenset(bone.strip() for bone in row[role.replace(".", "_")].split("|"))
    for stem, column in _MIDDLE.items():
        links = [bone for bone in row[column].split("|")[0].split(" > ") if bone]
        found.update(
            {
                (stem if stem == NECK and k == 0 else f"{stem}.{k + 1}"): frozenset([bone])
                for k, bone in enumerate(links)
            }
        )
    return found


@contextmanager
def without_tables_for(sample: Sample) -> Iterator[None]:
    """Take away every table of names that fits a rig, so that nothing of its family is known, neither its
    names nor their words."""
    left = tables.conventions()
    while True:
        with patch.object(tables, "conventions", lambda left=left: left):
            fitting = tables.name_votes(sample.skeleton).convention
        if not fitting:
            break
        left = tuple(table for table in left if table.name != fitting)
    with patch.object(tables, "conventions", lambda: left), patch.object(words, "conventions", lambda: left):
        yield
