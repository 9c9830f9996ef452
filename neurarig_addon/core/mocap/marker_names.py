"""Maps recorded points to the 27 canonical ones by name.

Names of joints (`LeftWrist`, `LKNE`, `l_hip`) are in `data/point_names.json`; names of bones (`LeftForeArm`) are in the tables of
rig conventions, where a bone's name stands for the joint at its head.  Whichever recognises more names is used.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..detection.conventions import name_votes
from ..errors import NeuraRigError
from ..neural.points import INDEX, POINTS
from ..skeleton.naming import plain_names
from ..skeleton.roles import SIDES, sided
from ..skeleton.skeleton import Skeleton

TABLE = Path(__file__).parents[2] / "data" / "point_names.json"
FEWEST = 4  # fewest points that make a body
_LIMB_POINTS = {
    "thigh": "hip", "shin": "knee", "foot": "ankle", "toe": "ball",
    "clavicle": "collar", "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist",
}  # fmt: skip
_SPINES = {1: ("spine1",), 2: ("spine1", "spine3")}  # three or more bones: first, middle and last


def find_points(names: Sequence[str], given: Mapping[str, str] | None = None) -> dict[str, int]:
    """Return canonical point -> row of the recorded point.

    Args:
        given: canonical point -> recorded name, for names that are not recognised; an empty name leaves the point out.

    Raises NeuraRigError if a name is unknown or too few points are found.
    """
    chosen = chosen_points(names, given)
    by_set = _by_set(names)
    by_joint = {point: row for point, row in _by_joint(names).items() if row not in by_set.values()} | by_set
    by_bone = _by_bone(names)
    found = by_joint if len(by_joint) >= len(by_bone) else by_bone
    found = {point: row for point, row in found.items() if point not in (given or {}) and row not in chosen.values()} | chosen
    if len(found) < FEWEST:
        raise NeuraRigError(
            f"Only {len(found)} of the recorded points are known by name ({', '.join(names[:8])} ...); name them under Names: wrist.L=NAME."
        )
    return found


def chosen_points(names: Sequence[str], given: Mapping[str, str] | None) -> dict[str, int]:
    """Return canonical point -> row for explicitly named points; raises NeuraRigError if there is no such point or name."""
    rows = {name: row for row, name in enumerate(names)}
    for point, name in (given or {}).items():
        if point not in INDEX:
            raise NeuraRigError(f"'{point}' is not a body point; they are {', '.join(POINTS)}.")
        if name and name not in rows:
            raise NeuraRigError(f"No recorded point is named '{name}'; there are {', '.join(names[:40])}.")
    return {point: rows[name] for point, name in (given or {}).items() if name}


def arranged(places: np.ndarray, found: Mapping[str, int]) -> np.ndarray:
    """Return recorded places `(f, n, 3)` as canonical points `(f, 27, 3)`, NaN if not recorded."""
    points = np.full((len(places), len(POINTS), 3), np.nan)
    points[:, [INDEX[point] for point in found]] = places[:, list(found.values())]
    return points


def find_landmarks(names: Sequence[str]) -> dict[str, int]:
    """Return landmark, with its side if it has one (`ear.L`, `nose`) -> row of the recorded point."""
    known = {name: landmark for landmark, spelled in _table()["landmarks"].items() for name in spelled}
    found: dict[str, int] = {}
    for row, plain in enumerate(plain_names(names)):
        if plain.core in known:
            landmark = known[plain.core]
            found.setdefault(f"{landmark}.{plain.side}" if plain.side else landmark, row)
    return found


@cache
def _table() -> dict[str, Any]:
    return json.loads(TABLE.read_text(encoding="utf-8"))


def _by_set(names: Sequence[str]) -> dict[str, int]:
    """Return point -> row by the set of names that the recording uses, empty if none is recognised."""
    rows = {name.lower().rpartition(":")[2]: row for row, name in enumerate(names)}
    for family in _table()["sets"]:
        if all(name in rows for name in family["when"]):
            return {point: rows[name] for point, name in family["means"].items()}
    return {}


@cache
def _joint_names() -> dict[tuple[str, str], list[tuple[int, str]]]:
    """Return (side, plain name) -> the points that it may mean, each with the rank of the name: 0 is best."""
    table = _table()["points"]
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for point, names in table.items():
        for rank, name in enumerate(names):
            for side in SIDES if sided(point, "L") in INDEX else ("",):
                found.setdefault((side, name), []).append((rank, sided(point, side) if side else point))
    return found


def _by_joint(names: Sequence[str]) -> dict[str, int]:
    """Return point -> row by names of joints: `LeftFoot` is the ankle, unless there is a `LeftAnkle`."""
    known = _joint_names()
    candidates = [
        (rank, row, point) for row, plain in enumerate(plain_names(names)) for rank, point in known.get((plain.side, plain.core), ())
    ]
    found: dict[str, int] = {}
    for _, row, point in sorted(candidates):
        if point not in found and row not in found.values():
            found[point] = row
    return found


def _by_bone(names: Sequence[str]) -> dict[str, int]:
    """Return point -> row by the rig conventions; a tracker's nose or big toe is not a joint."""
    count = len(names)
    loose = Skeleton(tuple(names), np.full(count, -1), np.tile(np.eye(4), (count, 1, 1)), np.ones(count), np.ones(count, bool), np.eye(4))
    landmarks = set(find_landmarks(names).values())
    rows = {role: row for role, row in name_votes(loose).rows.items() if row not in landmarks}
    found = {point: rows[point] for point in ("pelvis", "neck", "head") if point in rows}
    spine = [role for role in rows if role.startswith("spine.")]
    spine.sort(key=lambda role: int(role.rpartition(".")[2]))
    chosen = [spine[0], spine[len(spine) // 2], spine[-1]] if len(spine) > 2 else spine
    found |= {point: rows[role] for point, role in zip(_SPINES.get(len(spine), ("spine1", "spine2", "spine3")), chosen, strict=False)}
    for part, point in _LIMB_POINTS.items():
        found |= {sided(point, side): rows[sided(part, side)] for side in SIDES if sided(part, side) in rows}
    return found
