"""Where knees are when poles stand in front of where they should be: a rig's own legs need not bend in the plane of hip, ankle and pole."""

from collections.abc import Mapping

import numpy as np

from ..motion import Motion
from ..rig_table import POLE
from ..roles import SIDES
from ..rotation import normalized

_BENT = 0.05  # of the leg: knees nearer to the way from hip to ankle do not tell
_LEAST = 1e-4  # radians: what is less is rounding


def seen_swivels(motions: Mapping[str, Motion], knees: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Return how far knees are turned about the way from hip to ankle, role of the pole -> radians, where they are at all.

    `motions`: the pose that was asked for; `knees`: side -> where the knee was seen `(f, 3)`, both in the walk frame, metres.
    """
    found = {}
    for side in SIDES:
        if side not in knees or any(f"{part}.{side}" not in motions for part in ("thigh", "shin", "foot")):
            continue
        hip, knee, ankle = (motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot"))
        along = normalized(ankle - hip)
        wanted, seen = (_beside(points - hip, along) for points in (knee, knees[side]))
        leg = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
        bent = (np.linalg.norm(wanted, axis=1) > _BENT * leg) & np.isfinite(seen).all(axis=1)
        if not bent.any():
            continue
        turns = np.arctan2(np.sum(along * np.cross(wanted, seen), axis=1), np.sum(wanted * seen, axis=1))
        angle = float(np.median(turns[bent]))
        if abs(angle) > _LEAST:
            found[f"{POLE}{side}"] = angle
    return found


def _beside(points: np.ndarray, along: np.ndarray) -> np.ndarray:
    return points - np.sum(points * along, axis=1, keepdims=True) * along
