"""Joint positions and rotations as a BVH file."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class JointMotion:
    """Joints over time, parents before children.

    `parents`: index of each joint's parent, -1 for the root. `positions` `(frames, joints, 3)`: world, any
    length unit.
    `rotations` `(frames, joints, 3, 3)`: away from the rest pose, world. `tips`: a leaf's end point away from
    its joint `(3,)` at rest.
    """

    names: list[str]
    parents: list[int]
    positions: np.ndarray
    rotations: np.ndarray
    tips: dict[str, np.ndarray]


def write_bvh(path: Path, motion: JointMotion, fps: float) -> None:
    """Write the motion; every joint has position channels, so that no bone length is lost to stretching."""
    lines = [
        "HIERARCHY",
        *_hierarchy(motion, 0, ""),
        "MOTION",
        f"Frames: {len(motion.positions)}",
        f"Frame Time: {1.0 / fps:.8f}",
    ]
    lines += [" ".join(f"{value:.6f}" for value in row) for row in _channels(motion)]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _hierarchy(motion: JointMotion, joint: int, indent: str) -> list[str]:
    """Return the lines of one joint and all below it."""
    name, parent = motion.names[joint], motion.parents[joint]
    offset = motion.positions[0, joint] - motion.positions[0, parent] if parent >= 0 else np.zeros(3)
    inner = indent + "  "
    lines = [f"{indent}{'ROOT' if parent < 0 else 'JOINT'} {name}", indent + "{", inner + _offset(offset)]
    lines.append(inner + "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation")
    for child in (row for row, above in enumerate(motion.parents) if above == joint):
        lines += _hierarchy(motion, child, inner)
    if name in motion.tips:
        lines += [inner + "End Site", inner + "{", f"{inner}  {_offset(motion.tips[name])}", inner + "}"]
    return [*lines, indent + "}"]


def _offset(vector: np.ndarray) -> str:
    return "OFFSET " + " ".join(f"{value:.6f}" for value in vector)


def _channels(motion: JointMotion) -> np.ndarray:
    """Return the channel values `(frames, 6 joints)` in the order of the hierarchy: depth first, as the lines
    are written."""
    columns = []
    for joint in _depth_first(motion.parents, 0):
        parent = motion.parents[joint]
        position, rotation = motion.positions[:, joint], motion.rotations[:, joint]
        if parent >= 0:
            to_parent = np.swapaxes(motion.rotations[:, parent], -1, -2)
            position = np.einsum("fij,fj->fi", to_parent, position - motion.positions[:, parent])
            rotation = to_parent @ rotation
        columns += [position, np.degrees(_euler_zyx(rotation))]
    return np.concatenate(columns, axis=1)


def _depth_first(parents: list[int], joint: int) -> list[int]:
    found = [joint]
    for child in (row for row, above in enumerate(parents) if above == joint):
        found += _depth_first(parents, child)
    return found


def _euler_zyx(rotation: np.ndarray) -> np.ndarray:
    """Return the angles `(frames, 3)` about z, y, x in radians of R = Rz Ry Rx."""
    z = np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])
    y = np.arcsin(np.clip(-rotation[:, 2, 0], -1.0, 1.0))
    x = np.arctan2(rotation[:, 2, 1], rotation[:, 2, 2])
    return np.stack([z, y, x], axis=1)
