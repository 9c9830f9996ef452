"""How a rig's own knees bend, observed in a pose: off the plane of hip, ankle and pole, or about a single axis."""

from collections.abc import Mapping

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import normalized, rotation_vector, transposed
from ..posing.rig_table import POLE
from ..skeleton.roles import SIDES

_BENT = 0.05  # leg lengths: knees nearer to the line from hip to ankle are not used
_LEAST = 1e-4  # radians: less is rounding
_HINGE = 2e-3  # share of a knee's bend: the most rotation about axes other than its hinge's


def seen_swivels(motions: Mapping[str, Motion], knees: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Return the rotation of knees about the line from hip to ankle, role of the pole -> radians, without those that have none.

    `motions`: the requested pose; `knees`: side -> the observed positions `(f, 3)` of the knee; both in the walk frame, metres.
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


def seen_hinges(motions: Mapping[str, Motion], turns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the axes `(3,)` at rest about which knees bend, role of the shin -> axis, if it is a single one and not the pose's.

    `motions`: the requested pose; `turns`: role -> the observed rotations `(f, 3, 3)` of its bone from rest; in the walk frame.
    """
    found = {}
    for side in SIDES:
        thigh, shin = (f"{part}.{side}" for part in ("thigh", "shin"))
        if any(role not in turns or role not in motions for role in (thigh, shin)):
            continue
        bends = rotation_vector(transposed(turns[thigh]) @ turns[shin])
        asked = rotation_vector(transposed(motions[thigh].rotation) @ motions[shin].rotation)
        if not np.isfinite(bends).all() or np.abs(bends - asked).max() < _LEAST:
            continue
        _, sizes, axes = np.linalg.svd(bends, full_matrices=False)
        if len(sizes) > 1 and sizes[1] < _HINGE * sizes[0]:
            found[shin] = axes[0]
    return found


def _beside(points: np.ndarray, along: np.ndarray) -> np.ndarray:
    return points - np.sum(points * along, axis=1, keepdims=True) * along
