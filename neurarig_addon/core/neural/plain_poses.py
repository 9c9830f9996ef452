"""Poses of any biped by rotations of its own joints, so that its bones can reach them, whatever its
proportions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..geometry import rotation
from ..geometry.rotation import rotated, transposed
from ..posing.rig_table import TrunkBend
from ..skeleton.roles import SIDES, SPINE, stem_of
from .drag.drag import Drag
from .point_body import PointBody
from .points import INDEX, JOINTS, from_parents
from .reach.locks import Locks

LEAST_BEND = np.radians(4.0)  # radians, of knees and elbows: a straighter limb is at the end of its reach


class Plain(NamedTuple):
    """Degrees by which joints turn relative to their parents: `bow` forward, `tilt` and `twist` to the left,
    of the whole trunk; pairs are left and right: thighs forward, knees bent, arms lowered from the sides
    (negative: raised), arms forward, elbows bent."""

    bow: float
    tilt: float
    twist: float
    thighs: tuple[float, float]
    knees: tuple[float, float]
    lowered: tuple[float, float]
    ahead: tuple[float, float]
    elbows: tuple[float, float]

    @property
    def degrees(self) -> np.ndarray:
        """All the angles `(13,)`."""
        return np.hstack(self)


POSES = {
    "crouch": Plain(35.0, 0.0, 5.0, (95.0, 85.0), (115.0, 110.0), (50.0, 45.0), (60.0, 70.0), (60.0, 40.0)),
    "reach up": Plain(-12.0, 8.0, 0.0, (3.0, 4.0), (8.0, 9.0), (-75.0, 70.0), (10.0, 0.0), (8.0, 25.0)),
    "step": Plain(8.0, 0.0, -15.0, (40.0, -20.0), (35.0, 25.0), (65.0, 70.0), (-25.0, 40.0), (20.0, 45.0)),
    "lean": Plain(10.0, 30.0, 20.0, (5.0, 15.0), (10.0, 30.0), (20.0, 75.0), (20.0, 30.0), (30.0, 70.0)),
    "reach for the ground": Plain(
        75.0, 0.0, 25.0, (45.0, 40.0), (50.0, 45.0), (5.0, 40.0), (85.0, 20.0), (10.0, 30.0)
    ),
    "sit with a twist": Plain(
        5.0, -8.0, 45.0, (88.0, 92.0), (85.0, 95.0), (35.0, 55.0), (70.0, 60.0), (90.0, 100.0)
    ),
}


def joint_turns(degrees: np.ndarray, besides: np.ndarray | None = None) -> np.ndarray:
    """Return the pose of `Plain.degrees` `(13,)`: rotations `(22, 3, 3)` from the reference pose.

    `besides` `(22, 3, 3)`: rotations of joints to be applied before; knees and elbows ignore theirs.
    """
    angles = np.radians(degrees)
    (bow, tilt, twist), (thighs, knees, lowered, ahead, elbows) = angles[:3] / 3.0, angles[3:].reshape(5, 2)
    turns = np.tile(np.eye(3), (len(JOINTS), 1, 1)) if besides is None else besides.copy()
    third = rotation.about_z(twist) @ rotation.about_y(bow) @ rotation.about_x(-tilt)
    for joint in ("spine1", "spine2", "spine3"):
        turns[INDEX[joint]] = third @ turns[INDEX[joint]]
    for at, (side, sign) in enumerate(zip(SIDES, (1.0, -1.0), strict=True)):
        turns[INDEX[f"hip.{side}"]] = rotation.about_y(-thighs[at]) @ turns[INDEX[f"hip.{side}"]]
        turns[INDEX[f"knee.{side}"]] = rotation.about_y(np.maximum(knees[at], LEAST_BEND))
        arm = rotation.about_z(-sign * ahead[at]) @ rotation.about_x(-sign * lowered[at])
        turns[INDEX[f"shoulder.{side}"]] = arm @ turns[INDEX[f"shoulder.{side}"]]
        turns[INDEX[f"elbow.{side}"]] = rotation.about_z(-sign * np.maximum(elbows[at], LEAST_BEND))
    return from_parents(turns)


_PELVIS = 0  # row of the tree's roles
_NEAR = 2e-6  # of the body's height: converged once the chest moves less from one round to the next
_MOST_ROUNDS = 24


@dataclass(frozen=True)
class BentTrunk:
    """A body whose chest, the only posed bone of its spine, moves as `bend` says."""

    body: PointBody
    bend: TrunkBend

    @cached_property
    def _chest(self) -> int:
        return next(row for row, role in enumerate(self.body.tree.roles) if stem_of(role) == SPINE)

    @cached_property
    def _above(self) -> np.ndarray:
        """Whether the chest carries each role `(r,)`, itself included."""
        return self.body.tree.above[:, self._chest] > 0.0

    def shift(self, away: np.ndarray) -> np.ndarray:
        """Return the shift of the chest `(f, 3)`, walk frame, metres, under rotations from rest `(f, r, 3,
        3)`."""
        pelvis = away[:, _PELVIS]
        return rotated(pelvis, self.bend.shift(transposed(pelvis) @ away[:, self._chest]))

    def heads(self, away: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the roles' heads `(f, r, 3)`, as the rig bends."""
        return self.body.tree.heads(away, root) + self._above[:, None] * self.shift(away)[:, None]

    def locked(
        self, names: tuple[str, ...], away: np.ndarray, root: np.ndarray, places: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what `Locks.apply` does, with points that the chest carries at their places `(f, 27, 3)` as
        the rig bends."""
        locks = Locks.of(self.body, names)
        return self._bent(lambda moved: locks.apply(away, root, moved), (away, root), places)

    def dragged(self, drag: Drag, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the roles' rotations and heads for targets dragged to `points` `(f, 27, 3)`, as the rig
        bends."""
        before = drag.before.away[None].repeat(len(points), axis=0)
        away, root = self._bent(drag.apply, (before, drag.before.root[None]), points)
        return away, self.heads(away, root)

    def _bent(
        self,
        posed: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
        found: tuple[np.ndarray, np.ndarray],
        places: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what `posed` gives for places `(f, 27, 3)`, those that the chest carries moved back by its
        shift."""
        carried, shift = self._above[self.body.tree.holders][:, None], self.shift(found[0])
        for _ in range(_MOST_ROUNDS):
            found = posed(places - carried * shift[:, None])
            before, shift = shift, self.shift(found[0])
            if np.abs(shift - before).max(initial=0.0) < _NEAR * self.body.height:
                break
        return found
