"""Joints from markers on the skin, by Plug-in Gait's codes for their places (`LASI`, `RKNE` ...) and published regressions.

Other marker sets use the same places under other names, listed in `data/skin_markers.json`.

Hips are 14 % of the distance between the anterior iliac spines inwards, 22 % behind and 30 % below them (Bell, Pedersen and Brand
1990).  Knees, ankles and shoulders are half a joint's width inside their markers; widths are adults', as shares of that distance.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from ..geometry.rotation import normalized
from ..skeleton.roles import SIDES, sided

TABLE = Path(__file__).parents[2] / "data" / "skin_markers.json"
_AS_THEY_ARE = {"ball": "TOE", "elbow": "ELB", "hand_tip": "FIN"}
_NEEDED = ("LASI", "RASI", "LKNE", "RKNE", "LANK", "RANK")
_HIP = np.array([-0.22, 0.36, -0.30])  # ahead, to its side, up from the middle of the anterior iliac spines
_KNEE_WITHIN, _ANKLE_WITHIN, _SHOULDER_BELOW = 0.20, 0.14, 0.20
_HEAD_BELOW, _HEAD_ABOVE = 0.5, 0.6  # shares of the distance between the head's front and back markers


def find_skin_markers(names: Sequence[str]) -> dict[str, list[int]]:
    """Return code (`LASI`) -> rows of the recorded points it is the middle of; empty unless pelvis, knees and ankles are all there."""
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
    """Return code -> the ways to name it, best first, each the plain names of one marker or of those on both sides of it."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    found = {side + code: [name.replace("#", side) for name in names] for code, names in table["sided"].items() for side in SIDES}
    return {code: [[_plain(part) for part in name.split("+")] for name in names] for code, names in (found | table["plain"]).items()}


def _plain(name: str) -> str:
    """Return a name without its subject, blanks and underscores: `Ann:L_IAS` is `LIAS`."""
    return name.rpartition(":")[2].replace("_", "").replace(" ", "").upper()


def joints_of(skin: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return canonical points `(f, 3)` from places `(f, 3)` of markers by code; any unit and any right-handed axes."""
    front = 0.5 * (skin["LASI"] + skin["RASI"])
    back = skin["SACR"] if "SACR" in skin else 0.5 * (skin["LPSI"] + skin["RPSI"])
    across = skin["LASI"] - skin["RASI"]
    wide = float(np.nanmedian(np.linalg.norm(across, axis=-1)))
    left = normalized(across)
    up = normalized(np.cross(front - back, left))
    axes = np.stack([np.cross(left, up), left, up], axis=-1)
    found = _trunk(skin, wide, up)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        hip = front + wide * axes @ (_HIP * [1.0, sign, 1.0])
        knee = _inside(skin[f"{side}KNE"], hip, sign * left, _KNEE_WITHIN * wide)
        ankle = _inside(skin[f"{side}ANK"], knee, sign * left, _ANKLE_WITHIN * wide)
        found |= {sided("hip", side): hip, sided("knee", side): knee, sided("ankle", side): ankle}
        found |= {sided(point, side): skin[f"{side}{code}"] for point, code in _AS_THEY_ARE.items() if f"{side}{code}" in skin}
        wrist = [skin[code] for code in (f"{side}WRA", f"{side}WRB") if code in skin]
        if wrist:
            found[sided("wrist", side)] = np.mean(wrist, axis=0)
    return found


def _inside(marker: np.ndarray, above: np.ndarray, outward: np.ndarray, way: float) -> np.ndarray:
    """Return the centre of a joint `(f, 3)` whose marker is `way` outside it, perpendicular to the bone from the joint above."""
    bone = normalized(marker - above)
    return marker - way * normalized(outward - np.sum(outward * bone, axis=-1, keepdims=True) * bone)


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
        top = np.linalg.norm(front - back, axis=-1, keepdims=True) * normalized(np.cross(front - back, left))
        found["head"], found["head_top"] = (0.5 * (front + back) + share * top for share in (-_HEAD_BELOW, _HEAD_ABOVE))
    return found
