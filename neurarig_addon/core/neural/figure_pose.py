"""A pose independent of its body: mirrored, one side copied to the other, on another body, and between two
poses.

Rotations are from the reference pose that all bodies share, in the walk frame, so they mean the same on every
character.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.rotation import norms, part_way
from .point_body import PointBody
from .points import INDEX, JOINTS, PARENTS, from_parents, in_parents, mirrored_rows
from .reach.lock_plan import lockable
from .reach.locks import Locks

_ACROSS = np.array([1.0, -1.0, 1.0])
_TURNS_ACROSS = np.outer(_ACROSS, _ACROSS)
_SWAPPED = mirrored_rows()[: len(JOINTS)]
_FEET = tuple(INDEX[f"{part}.{side}"] for part in ("ankle", "ball", "toe_tip") for side in "LR")
# held together
_HELD = (("ankle.L", "ball.L", "toe_tip.L"), ("ankle.R", "ball.R", "toe_tip.R"), ("wrist.L",), ("wrist.R",))
_STANDS = 0.02  # of the body's height: what moves no farther between two poses stands in both


@dataclass(frozen=True, eq=False)
class FigurePose:
    """The rotations of the joints `(22, 3, 3)`, and the pelvis' place `(3,)`, walk frame, metres of the body
    that has the pose."""

    rotations: np.ndarray
    root: np.ndarray

    def flipped(self) -> "FigurePose":
        """Return the mirrored pose: left and right are swapped."""
        return FigurePose((self.rotations * _TURNS_ACROSS)[_SWAPPED], self.root * _ACROSS)

    def with_side(self, side: str) -> "FigurePose":
        """Return the pose with the arms and legs of `side`, 'L' or 'R', mirrored to the other, each joint
        relative to its parent."""
        rotations, local = self.rotations.copy(), in_parents(self.rotations)
        for joint, name in enumerate(JOINTS):  # parents come first
            if "." in name and not name.endswith(f".{side}"):
                rotations[joint] = rotations[PARENTS[joint]] @ (local[_SWAPPED[joint]] * _TURNS_ACROSS)
        return replace(self, rotations=rotations)

    def carried_over(self, body: PointBody, other: PointBody) -> "FigurePose":
        """Return the pose of `body` on another: the same joint rotations, the lower foot equally high above
        the ground in leg lengths."""
        size = other.character.body.leg_length / body.character.body.leg_length
        there = replace(self, root=other.at_rest[0] + size * (self.root - body.at_rest[0]))
        there.root[2] += size * self._lowest(body) - there._lowest(other)
        return there

    def turned(self, body: PointBody) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotations `(1, r, 3, 3)` of a body's roles from rest, and the pelvis' place `(1, 3)`."""
        return body.role_turns(self.rotations[None]), self.root[None]

    def points(self, body: PointBody) -> np.ndarray:
        """Return the points `(27, 3)` of a body in the pose."""
        away, root = self.turned(body)
        return body.tree.points(away, body.tree.heads(away, root))[0]

    def _lowest(self, body: PointBody) -> float:
        """Return how much higher than at rest the lowest point of the feet is, metres."""
        return float(self.points(body)[_FEET, 2].min() - body.at_rest[_FEET, 2].min())


def in_between(
    body: PointBody, first: FigurePose, second: FigurePose, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotations `(1, r, 3, 3)` of a body's roles and the pelvis' place `(1, 3)` between two poses,
    `share` 0..1.

    Joints turn relative to their parents, so hands and feet move on arcs; feet and hands at the same place in
    both poses stay there.
    """
    local = part_way(in_parents(first.rotations), in_parents(second.rotations), np.full(len(JOINTS), share))
    between = FigurePose(from_parents(local), first.root + share * (second.root - first.root))
    starts, ends = first.points(body), second.points(body)
    apart = norms(ends - starts)
    held = [
        name
        for group in _HELD
        for name in group
        if all(apart[INDEX[other]] <= _STANDS * body.height for other in group)
    ]
    held = tuple(name for name in held if lockable(body, name))
    away, root = between.turned(body)
    return (
        Locks.of(body, held).apply(away, root, (starts + share * (ends - starts))[None])
        if held
        else (away, root)
    )
