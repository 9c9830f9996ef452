"""A pose apart from who has it: the other way round, one side as the other, on another body, and between two poses.

Rotations are away from the reference pose that all bodies share, in the walk frame, so they mean the same on every character.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.rotation import part_way, transposed
from .point_body import PointBody
from .points import INDEX, JOINTS, PARENTS, mirrored_rows
from .reach.lock_plan import lockable
from .reach.locks import Locks

_ACROSS = np.array([1.0, -1.0, 1.0])
_TURNS_ACROSS = np.outer(_ACROSS, _ACROSS)
_SWAPPED = mirrored_rows()[: len(JOINTS)]
_FEET = tuple(INDEX[f"{part}.{side}"] for part in ("ankle", "ball", "toe_tip") for side in "LR")
_HELD = (("ankle.L", "ball.L", "toe_tip.L"), ("ankle.R", "ball.R", "toe_tip.R"), ("wrist.L",), ("wrist.R",))  # what stands together
_STANDS = 0.02  # of the body's height: what is no farther from where it was stands there in both poses


@dataclass(frozen=True, eq=False)
class FigurePose:
    """The rotations of the joints `(22, 3, 3)`, and the pelvis' place `(3,)`, walk frame, metres of the body that has the pose."""

    rotations: np.ndarray
    root: np.ndarray

    def flipped(self) -> "FigurePose":
        """Return the pose of the mirror image: left and right are swapped."""
        return FigurePose((self.rotations * _TURNS_ACROSS)[_SWAPPED], self.root * _ACROSS)

    def with_side(self, side: str) -> "FigurePose":
        """Return the pose with both arms and legs as those of `side`, 'L' or 'R', are, each as seen from what carries it."""
        rotations, local = self.rotations.copy(), self._local
        for joint, name in enumerate(JOINTS):  # what carries others comes first
            if "." in name and not name.endswith(f".{side}"):
                rotations[joint] = rotations[PARENTS[joint]] @ (local[_SWAPPED[joint]] * _TURNS_ACROSS)
        return replace(self, rotations=rotations)

    def carried_over(self, body: PointBody, other: PointBody) -> "FigurePose":
        """Return the pose of `body` on another: all joints turned alike, the lower foot as high above the ground, in lengths of the leg."""
        size = other.character.body.leg_length / body.character.body.leg_length
        there = replace(self, root=other.at_rest[0] + size * (self.root - body.at_rest[0]))
        there.root[2] += size * self._lowest(body) - there._lowest(other)
        return there

    def turned(self, body: PointBody) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotations `(1, r, 3, 3)` of a body's roles away from rest, and the pelvis' place `(1, 3)`."""
        return body.role_turns(self.rotations[None]), self.root[None]

    def points(self, body: PointBody) -> np.ndarray:
        """Return the points `(27, 3)` of a body in the pose."""
        away, root = self.turned(body)
        return body.tree.points(away, body.tree.heads(away, root))[0]

    @property
    def _local(self) -> np.ndarray:
        """The rotations `(22, 3, 3)` as seen from what carries each joint."""
        return np.concatenate([self.rotations[:1], transposed(self.rotations[PARENTS[1 : len(JOINTS)]]) @ self.rotations[1:]])

    def _lowest(self, body: PointBody) -> float:
        """Return by how much the lowest point of the feet is higher than at rest, metres."""
        return float(self.points(body)[_FEET, 2].min() - body.at_rest[_FEET, 2].min())


def in_between(body: PointBody, first: FigurePose, second: FigurePose, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotations `(1, r, 3, 3)` of a body's roles and the pelvis' place `(1, 3)` between two poses, `share` 0..1.

    Joints turn as seen from what carries them, so hands and feet go on arcs; feet and hands that stand in both poses stay where they are.
    """
    local = part_way(first._local, second._local, np.full(len(JOINTS), share))
    rotations = local.copy()
    for joint, parent in enumerate(PARENTS[1 : len(JOINTS)], 1):
        rotations[joint] = rotations[parent] @ local[joint]
    between = FigurePose(rotations, first.root + share * (second.root - first.root))
    starts, ends = first.points(body), second.points(body)
    apart = np.linalg.norm(ends - starts, axis=-1)
    held = [name for group in _HELD for name in group if all(apart[INDEX[other]] <= _STANDS * body.height for other in group)]
    held = tuple(name for name in held if lockable(body, name))
    away, root = between.turned(body)
    return Locks.of(body, held).apply(away, root, (starts + share * (ends - starts))[None]) if held else (away, root)
