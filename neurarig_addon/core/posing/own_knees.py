"""Legs bent by a rig's own knees: poles placed so that the knee is right, thighs and shins rolled so that a hinge can bend."""

import numpy as np

from ..geometry.rotation import dot, from_axis_angle, normalized, rotated
from .rig_table import POLE, RigTable

_SLIGHT = 0.01  # sine of the bend below which the roll is poorly defined, and fades back to the given one


def swivelled(rig: RigTable, roles: tuple[str, ...], heads: np.ndarray) -> None:
    """Turn poles, in place, about the line from hip to ankle so that knees are where the pose has them; `heads` `(f, r, 3)`."""
    for pole, angle in rig.swivels.items():
        leg = [pole.replace(POLE, f"{part}.") for part in ("thigh", "foot")]
        if pole in roles and all(role in roles for role in leg):
            hip, ankle = (heads[:, roles.index(role)] for role in leg)
            turn = from_axis_angle(normalized(ankle - hip), np.full(len(heads), -angle))
            row = roles.index(pole)
            heads[:, row] = hip + rotated(turn, heads[:, row] - hip)


def hinged(rig: RigTable, roles: tuple[str, ...], turns: np.ndarray, heads: np.ndarray) -> None:
    """Roll thighs and shins, in place, about themselves so that hinge knees only bend.

    `turns` `(f, r, 3, 3)`, `heads` `(f, r, 3)`: hips, knees and ankles stay where they are.
    """
    for shin, axis in rig.hinges.items():
        leg = [shin.replace("shin", part) for part in ("thigh", "shin", "foot")]
        if not all(role in roles for role in leg):
            continue
        upper, lower, foot = (roles.index(role) for role in leg)
        thigh, calf = normalized(heads[:, lower] - heads[:, upper]), normalized(heads[:, foot] - heads[:, lower])
        # A hinge keeps the angle between calf and axis: roll the thigh until the axis has that angle to the calf.
        above, below = turns[:, upper] @ axis, turns[:, lower] @ axis
        along = dot(above, thigh)[:, None] * thigh
        across = above - along
        ahead, aside = dot(across, calf), dot(np.cross(thigh, across), calf)
        reach = np.hypot(ahead, aside)
        wanted = dot(below, calf) - dot(along, calf)
        half = np.arccos(np.clip(wanted / np.maximum(reach, 1e-12), -1.0, 1.0))
        middle = np.arctan2(aside, ahead)
        roll = _nearer(middle - half, middle + half) * (1.0 - np.exp(-((reach / _SLIGHT) ** 2)))
        turns[:, upper] = from_axis_angle(thigh, roll) @ turns[:, upper]
        turns[:, lower] = from_axis_angle(calf, _about(calf, below, turns[:, upper] @ axis)) @ turns[:, lower]


def _nearer(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the smaller in magnitude of two angles, each wrapped to -pi..pi."""
    first, second = ((angle + np.pi) % (2.0 * np.pi) - np.pi for angle in (first, second))
    return np.where(np.abs(first) <= np.abs(second), first, second)


def _about(axis: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the angle about `axis` from one vector to the other, projected along it, all `(f, 3)`."""
    return np.arctan2(dot(axis, np.cross(start, end)), dot(start, end) - dot(axis, start) * dot(axis, end))
