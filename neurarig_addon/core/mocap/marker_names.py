"""Which recorded point is which: the 27 canonical ones by name, and joints from markers on the skin.

Names of joints (`LeftWrist`, `LKNE`, `l_hip`) are in `data/point_names.json`; names of bones (`LeftForeArm`)
are in the tables of
rig conventions, where a bone's name stands for the joint at its head. Whichever recognises more names is
used.

Markers on the skin are known by Plug-in Gait's codes for their places (`LASI`, `RKNE` ...), the same places
under other names by
`data/skin_markers.json`; joints follow by published regressions. Hips are 14 % of the distance between the
anterior iliac spines inwards,
22 % behind and 30 % below them (Bell, Pedersen and Brand 1990). Knees, ankles and shoulders are half a
joint's width inside their markers;
widths are adults', as shares of that distance.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..detection.conventions import name_votes
from ..errors import NeuraRigError
from ..geometry.rotation import normalized, norms, rejected
from ..neural.points import INDEX, POINTS
from ..shipped import shipped
from ..skeleton.naming import plain_names
from ..skeleton.roles import SIDES, sided
from ..skeleton.skeleton import Skeleton

FEWEST = 4  # fewest points that make a body
_LIMB_POINTS = {
    "thigh": "hip", "shin": "knee", "foot": "ankle", "toe": "ball",
    "clavicle": "collar", "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist",
}  # fmt: skip
_SPINES = {1: ("spine1",), 2: ("spine1", "spine3")}  # three or more bones: first, middle and last


def find_points(names: Sequence[str], given: Mapping[str, str] | None = None) -> dict[str, int]:
    """Return canonical point -> row of the recorded point.

    Args:
        given: canonical point -> recorded name, for names that are not recognised; an empty name leaves the
        point out.

    Raises NeuraRigError if a name is unknown or too few points are found.
    """
    chosen = chosen_points(names, given)
    by_set = _by_set(names)
    by_joint = {point: row for point, row in _by_joint(names).items() if row not in by_set.values()} | by_set
    by_bone = _by_bone(names)
    found = by_joint if len(by_joint) >= len(by_bone) else by_bone
    found = {
        point: row
        for point, row in found.items()
        if point not in (given or {}) and row not in chosen.values()
    } | chosen
    if len(found) < FEWEST:
        raise NeuraRigError(
            f"Only {len(found)} of the recorded points are known by name ({', '.join(names[:8])} ...); name"
            " them under Names: wrist.L=NAME."
        )
    return found


def chosen_points(names: Sequence[str], given: Mapping[str, str] | None) -> dict[str, int]:
    """Return canonical point -> row for explicitly named points; raises NeuraRigError if there is no such
    point or name."""
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
    known = {
        name: landmark
        for landmark, spelled in shipped("point_names")["landmarks"].items()
        for name in spelled
    }
    found: dict[str, int] = {}
    for row, plain in enumerate(plain_names(names)):
        if plain.core in known:
            landmark = known[plain.core]
            found.setdefault(f"{landmark}.{plain.side}" if plain.side else landmark, row)
    return found


def layouts() -> list[dict[str, Any]]:
    """Return the orders in which trackers write points without names: their `counts`, and `points` between
    blanks."""
    return shipped("point_names")["layouts"]


def _by_set(names: Sequence[str]) -> dict[str, int]:
    """Return point -> row by the set of names that the recording uses, empty if none is recognised."""
    rows = {name.lower().rpartition(":")[2]: row for row, name in enumerate(names)}
    for family in shipped("point_names")["sets"]:
        if all(name in rows for name in family["when"]):
            return {point: rows[name] for point, name in family["means"].items()}
    return {}


@cache
def _joint_names() -> dict[tuple[str, str], list[tuple[int, str]]]:
    """Return (side, plain name) -> the points that it may mean, each with the rank of the name: 0 is best."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for point, names in shipped("point_names")["points"].items():
        for rank, name in enumerate(names):
            for side in SIDES if sided(point, "L") in INDEX else ("",):
                found.setdefault((side, name), []).append((rank, sided(point, side) if side else point))
    return found


def _by_joint(names: Sequence[str]) -> dict[str, int]:
    """Return point -> row by names of joints: `LeftFoot` is the ankle, unless there is a `LeftAnkle`."""
    known = _joint_names()
    candidates = [
        (rank, row, point)
        for row, plain in enumerate(plain_names(names))
        for rank, point in known.get((plain.side, plain.core), ())
    ]
    found: dict[str, int] = {}
    for _, row, point in sorted(candidates):
        if point not in found and row not in found.values():
            found[point] = row
    return found


def _by_bone(names: Sequence[str]) -> dict[str, int]:
    """Return point -> row by the rig conventions; a tracker's nose or big toe is not a joint."""
    count = len(names)
    loose = Skeleton(
        tuple(names),
        np.full(count, -1),
        np.tile(np.eye(4), (count, 1, 1)),
        np.ones(count),
        np.ones(count, bool),
        np.eye(4),
    )
    landmarks = set(find_landmarks(names).values())
    rows = {role: row for role, row in name_votes(loose).rows.items() if row not in landmarks}
    found = {point: rows[point] for point in ("pelvis", "neck", "head") if point in rows}
    spine = [role for role in rows if role.startswith("spine.")]
    spine.sort(key=lambda role: int(role.rpartition(".")[2]))
    chosen = [spine[0], spine[len(spine) // 2], spine[-1]] if len(spine) > 2 else spine
    found |= {
        point: rows[role]
        for point, role in zip(_SPINES.get(len(spine), ("spine1", "spine2", "spine3")), chosen, strict=False)
    }
    for part, point in _LIMB_POINTS.items():
        found |= {sided(point, side): rows[sided(part, side)] for side in SIDES if sided(part, side) in rows}
    return found


_AS_THEY_ARE = {"ball": "TOE", "elbow": "ELB", "hand_tip": "FIN"}
_NEEDED = ("LASI", "RASI", "LKNE", "RKNE", "LANK", "RANK")
_HIP = np.array([-0.22, 0.36, -0.30])  # ahead, to its side, up from the middle of the anterior iliac spines
_KNEE_WITHIN, _ANKLE_WITHIN, _SHOULDER_BELOW = 0.20, 0.14, 0.20
_HEAD_BELOW, _HEAD_ABOVE = 0.5, 0.6  # shares of the distance between the head's front and back markers


def find_skin_markers(names: Sequence[str]) -> dict[str, list[int]]:
    """Return code (`LASI`) -> rows of the recorded points it is the middle of; empty unless pelvis, knees and
    ankles are all there."""
    rows: dict[str, int] = {}
    for row, name in enumerate(names):
        rows.setdefault(_plain(name), row)
    found: dict[str, list[int]] = {}
    for code, spellings in _spellings().items():
        spelled = next((parts for parts in spellings if all(part in rows for part in parts)), None)
        if spelled is not None:
            found[code] = [rows[part] for part in spelled]
    has_back = "SACR" in found or {"LPSI", "RPSI"} <= found.keys()
    return found if has_back and all(code in found for code in _NEEDED) else {}


@cache
def _spellings() -> dict[str, list[list[str]]]:
    """Return code -> the ways to name it, best first, each the plain names of one marker or of those on both
    sides of it."""
    known = shipped("skin_markers")
    found = {
        side + code: [name.replace("#", side) for name in names]
        for code, names in known["sided"].items()
        for side in SIDES
    }
    return {
        code: [[_plain(part) for part in name.split("+")] for name in names]
        for code, names in (found | known["plain"]).items()
    }


def _plain(name: str) -> str:
    """Return a name without its subject, blanks and underscores: `Ann:L_IAS` is `LIAS`."""
    return name.rpartition(":")[2].replace("_", "").replace(" ", "").upper()


def joints_of(skin: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return canonical points `(f, 3)` from places `(f, 3)` of markers by code; any unit and any right-handed
    axes."""
    front = 0.5 * (skin["LASI"] + skin["RASI"])
    back = skin["SACR"] if "SACR" in skin else 0.5 * (skin["LPSI"] + skin["RPSI"])
    across = skin["LASI"] - skin["RASI"]
    wide = float(np.nanmedian(norms(across)))
    left = normalized(across)
    up = normalized(np.cross(front - back, left))
    axes = np.stack([np.cross(left, up), left, up], axis=-1)
    found = _trunk(skin, wide, up)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        hip = front + wide * axes @ (_HIP * [1.0, sign, 1.0])
        knee = _inside(skin[f"{side}KNE"], hip, sign * left, _KNEE_WITHIN * wide)
        ankle = _inside(skin[f"{side}ANK"], knee, sign * left, _ANKLE_WITHIN * wide)
        found |= {sided("hip", side): hip, sided("knee", side): knee, sided("ankle", side): ankle}
        found |= {
            sided(point, side): skin[f"{side}{code}"]
            for point, code in _AS_THEY_ARE.items()
            if f"{side}{code}" in skin
        }
        wrist = [skin[code] for code in (f"{side}WRA", f"{side}WRB") if code in skin]
        if wrist:
            found[sided("wrist", side)] = np.mean(wrist, axis=0)
    return found


def _inside(marker: np.ndarray, above: np.ndarray, outward: np.ndarray, way: float) -> np.ndarray:
    """Return the centre of a joint `(f, 3)` whose marker is `way` outside it, perpendicular to the bone from
    the joint above."""
    bone = normalized(marker - above)
    return marker - way * normalized(rejected(outward, bone))


def _trunk(skin: Mapping[str, np.ndarray], wide: float, up: np.ndarray) -> dict[str, np.ndarray]:
    """Return neck, shoulders and head, as far as their markers exist."""
    found = {}
    if {"C7", "CLAV"} <= skin.keys():
        found["neck"] = 0.5 * (skin["C7"] + skin["CLAV"])
    for side in SIDES:
        if f"{side}SHO" in skin:
            found[sided("shoulder", side)] = skin[f"{side}SHO"] - _SHOULDER_BELOW * wide * up
    if "TOP" in skin:
        found["head_top"] = skin["TOP"]
    if {"LFHD", "RFHD", "LBHD", "RBHD"} <= skin.keys():
        front, back = 0.5 * (skin["LFHD"] + skin["RFHD"]), 0.5 * (skin["LBHD"] + skin["RBHD"])
        left = skin["LFHD"] + skin["LBHD"] - skin["RFHD"] - skin["RBHD"]
        top = norms(front - back)[..., None] * normalized(np.cross(front - back, left))
        found["head"], found["head_top"] = (
            0.5 * (front + back) + share * top for share in (-_HEAD_BELOW, _HEAD_ABOVE)
        )
    return found
