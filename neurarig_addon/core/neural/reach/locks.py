"""Locked targets: the pose is changed as little as needed to put some points exactly where the animator wants
them.

The pelvis moves to its target. The trunk bends so that locked points on it arrive, and so that hips and
shoulders are within reach of
what hands and feet are locked to. Then limbs reach: their plane of bending, the twist of their bones and the
rotation of hands, feet
and head in the world stay as they were.  What cannot be reached is approached as near as the bones allow.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...body.limbs import Aims, ReachingLimbs, drawn_in
from ...character.motion import Motion
from ..point_body import PointBody
from ..points import INDEX, POINTS
from .lock_plan import Aim, LockPlan, bent_limbs, span


def reach(
    body: PointBody, motions: Mapping[str, Motion], locked: Mapping[str, np.ndarray]
) -> dict[str, Motion]:
    """Return the motions of all roles with the `locked` points at their places.

    `locked`: point (see `points.POINTS`) -> place `(f, 3)` or `(3,)`, metres, walk frame; `f` frames as in
    `motions`. A place that is
    not finite locks nothing in that frame. Raises NeuraRigError for a point that no bone of the rig can move.
    """
    away = np.stack([motions[role].rotation for role in body.tree.roles], axis=1)
    locks, places = Locks.of(body, tuple(locked)), np.full((len(away), len(POINTS), 3), np.nan)
    for point, place in locked.items():
        places[:, INDEX[point]] = place
    away, root = locks.apply(away, motions["pelvis"].position, places)
    return body.moved(away, body.tree.heads(away, root))


class _Round(NamedTuple):
    """Bones that can be aimed at once: the levers of their `joints` `(3 r, n)` (`RoleTree.levers`), and the
    `wanted` points they aim at."""

    aims: Aims
    joints: np.ndarray
    wanted: np.ndarray


@dataclass(frozen=True)
class Locks:
    """Locks of some points of a body, for any pose of it."""

    body: PointBody
    plan: LockPlan

    @classmethod
    def of(cls, body: PointBody, names: tuple[str, ...]) -> "Locks":
        """Return the locks of some points of a body; found once for each set of points."""
        found = body.locks.get(names)
        if not isinstance(found, cls):
            found = body.locks[names] = cls(body, LockPlan.of(body, names))
        return found

    def apply(self, away: np.ndarray, root: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations from rest `(f, r, 3, 3)`, in the tree's order, and the pelvis' place `(f, 3)` that
        meet the locks.

        `places` `(f, 27, 3)`: where locked points are to be; the others are not read.
        """
        plan, away = self.plan, away.copy()
        targets = self._targets(away, root, places)
        root = targets[:, plan.wanted.index(0)] if 0 in plan.wanted else root
        if len(plan.trunk_goals):
            rows = plan.trunk_rows
            trunk = plan.trunk.solve(away.take(rows, axis=1), root, targets.take(plan.trunk_goals, axis=1))
            away[:, rows], root = trunk.axes.swapaxes(2, 3), root + trunk.shift
            if plan.bent:
                limbs, way = self._limbs, trunk.lines.take(plan.reaching, axis=1)
                if plan.brought:
                    way = self._drawn_in(way, targets)
                away[:, limbs.bones] = limbs.reached(away.take(limbs.bones, axis=1), way)
        for aims, joints, wanted in self._rounds:
            way = targets.take(wanted, axis=1) - self.body.tree.carried(away, joints) - root[:, None]
            away[:, aims.bones] = aims.turned(away.take(aims.bones, axis=1), way)
        return away, root

    def _targets(self, away: np.ndarray, root: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return the places of the wanted points `(f, w, 3)`; what is brought along keeps its offset from
        what brings it."""
        plan = self.plan
        targets = places.take(plan.wanted, axis=1)
        if not plan.brought and math.isfinite(np.vdot(targets, targets)):
            return targets
        tree, locked = self.body.tree, len(plan.wanted) - len(plan.brought)
        points = tree.points(away, tree.heads(away, root))
        found = np.where(np.isfinite(targets), targets, points.take(plan.wanted, axis=1))
        for at, (joint, tip) in enumerate(plan.brought, locked):
            found[:, at] = found[:, plan.wanted.index(tip)] + points[:, joint] - points[:, tip]
        return found

    def _drawn_in(self, way: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Return the offsets `(f, l, 3)` of limbs' targets; an ankle or wrist that only came along is drawn
        in to the limb's reach."""
        drawn, bringing = way.copy(), dict(self.plan.brought)
        for at, limb in enumerate(self.plan.bent):
            if limb.end in bringing:
                joint, tip = (
                    targets[:, self.plan.wanted.index(point)] for point in (limb.end, bringing[limb.end])
                )
                start, longest = joint - way[:, at], span(self.body, limb, 0) + span(self.body, limb, 1)
                drawn[:, at] = drawn_in(joint, tip, start, longest) - start
        return drawn

    @cached_property
    def _limbs(self) -> ReachingLimbs:
        """The limbs that bend, side by side."""
        return bent_limbs(self.body, self.plan.bent)

    @cached_property
    def _rounds(self) -> tuple[_Round, ...]:
        """The aimed bones in rounds, each as early as possible after the aimed bones that carry it."""
        rounds: list[list[Aim]] = []
        for aim in self.plan.aimed:
            if np.linalg.norm(self._arm(aim)) > 0.0:
                above = {aim.role, *(np.flatnonzero(self.body.tree.levers[:, aim.joint]) // 3).tolist()}
                first = 1 + max(
                    (at for at, others in enumerate(rounds) if any(other.role in above for other in others)),
                    default=-1,
                )
                rounds[first : first + 1] = [[*(rounds[first] if first < len(rounds) else []), aim]]
        return tuple(self._round(aims) for aims in rounds)

    def _round(self, aimed: list[Aim]) -> _Round:
        aims = Aims(np.array([aim.role for aim in aimed]), np.array([self._arm(aim) for aim in aimed]))
        wanted = np.array([self.plan.wanted.index(aim.point) for aim in aimed])
        return _Round(aims, self.body.tree.levers[:, [aim.joint for aim in aimed]], wanted)

    def _arm(self, aim: Aim) -> np.ndarray:
        return self.body.at_rest[aim.point] - self.body.at_rest[aim.joint]
