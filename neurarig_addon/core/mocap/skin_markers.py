"""Joints from markers on the skin, as Plug-in Gait places and names them (`LASI`, `RKNE` ...), after published regressions.

Hips lie 14 % of the distance between the front spines of the pelvis inwards, 22 % behind and 30 % below them (Bell, Pedersen and Brand
1990).  Knees, ankles and shoulders are half a joint's width inside their markers; widths are of adults, as shares of that distance.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ..roles import SIDES, sided
from ..rotation import normalized

_CODES = ("ASI", "PSI", "KNE", "ANK", "TOE", "SHO", "ELB", "WRA", "WRB", "FIN", "FHD", "BHD")
_PLAIN = ("SACR", "C7", "CLAV")
_AS_THEY_ARE = {"ball": "TOE", "elbow": "ELB", "hand_tip": "FIN"}
_NEEDED = ("LASI", "RASI", "LKNE", "RKNE", "LANK", "RANK")
_HIP = np.array([-0.22, 0.36, -0.30])  # ahead, to its side, up from the middle of the front spines
_KNEE_WITHIN, _ANKLE_WITHIN, _SHOULDER_BELOW = 0.20, 0.14, 0.20
_HEAD_BELOW, _HEAD_ABOVE = 0.5, 0.6  # of a head's length between its front and back markers


def find_skin_markers(names: Sequence[str]) -> dict[str, int]:
    """Return code (`LASI`) -> row of the recorded point; nothing where pelvis, knees and ankles are not all there."""
    codes = {f"{side}{code}" for code in _CODES for side in SIDES} | set(_PLAIN)
    rows: dict[str, int] = {}
    for row, name in enumerate(names):
        code = name.rpartition(":")[2].strip().upper()
        if code in codes:
            rows.setdefault(code, row)
    has_back = "SACR" in rows or {"LPSI", "RPSI"} <= rows.keys()
    return rows if has_back and all(code in rows for code in _NEEDED) else {}


def joints_of(skin: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return canonical points `(f, 3)` from places `(f, 3)` of markers by code; whatever unit and axes, but right-handed."""
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
    """Return the middle of a joint `(f, 3)` whose marker is `way` outside of it, square to the bone from the joint above."""
    bone = normalized(marker - above)
    return marker - way * normalized(outward - np.sum(outward * bone, axis=-1, keepdims=True) * bone)


def _trunk(skin: Mapping[str, np.ndarray], wide: float, up: np.ndarray) -> dict[str, np.ndarray]:
    """Return neck, shoulders and head, as far as their markers are there."""
    found = {}
    if {"C7", "CLAV"} <= skin.keys():
        found["neck"] = 0.5 * (skin["C7"] + skin["CLAV"])
    for side in SIDES:
        if f"{side}SHO" in skin:
            found[sided("shoulder", side)] = skin[f"{side}SHO"] - _SHOULDER_BELOW * wide * up
    if {"LFHD", "RFHD", "LBHD", "RBHD"} <= skin.keys():
        front, back = 0.5 * (skin["LFHD"] + skin["RFHD"]), 0.5 * (skin["LBHD"] + skin["RBHD"])
        left = skin["LFHD"] + skin["LBHD"] - skin["RFHD"] - skin["RBHD"]
        top = np.linalg.norm(front - back, axis=-1, keepdims=True) * normalized(np.cross(front - back, left))
        found["head"], found["head_top"] = (0.5 * (front + back) + share * top for share in (-_HEAD_BELOW, _HEAD_ABOVE))
    return found
