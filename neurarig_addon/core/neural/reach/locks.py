"""Locked targets: the pose is changed as little as needed so that some points are exactly where the animator put them.

The pelvis moves to its target.  The trunk bends so that locked points on it arrive, and so that hips and shoulders are within reach of
what hands and feet are locked to.  Then limbs reach: their plane of bending, the twist of their bones and how hands, feet and head
stand in the world stay as they were.  What cannot be reached is approached as near as the bones allow; `missed` tells by how much.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...motion import Motion
from ..point_body import PointBody
from ..points import INDEX, POINTS
from .limb_reach import LimbLengths, drawn_in, point_at, reach_end
from .lock_plan import LockPlan, span


def reach(body: PointBody, motions: Mapping[str, Motion], locked: Mapping[str, np.ndarray]) -> dict[str, Motion]:
    """Return the motions of all roles with the `locked` points at their places.

    `locked`: point (see `points.POINTS`) -> place `(f, 3)` or `(3,)`, metres, walk frame; `f` frames as in `motions`.  A place that is
    not finite locks nothing in that frame.  Raises NeuraRigError for a point that the rig has no bone to move by.
    """
    away = np.stack([motions[role].rotation for role in body.tree.roles], axis=1)
    away, root = Locks.of(body, tuple(locked)).apply(away, motions["pelvis"].position, locked)
    return body.moved(away, body.tree.heads(away, root))


def missed(body: PointBody, motions: Mapping[str, Motion], locked: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return how far each locked point is from its place `(f,)`, metres."""
    points = body.points(motions)
    return {point: np.linalg.norm(points[:, INDEX[point]] - place, axis=-1) for point, place in locked.items()}


class _Tables(NamedTuple):
    """Limbs side by side: between which rows of points and then targets their lines are, rows of the roles of their upper and of all
    bones, poles at rest `(l, 3, 1)`, lengths."""

    begin: np.ndarray
    to: np.ndarray
    upper: np.ndarray
    bones: np.ndarray
    pole: np.ndarray
    lengths: LimbLengths


@dataclass(frozen=True)
class Locks:
    """Some points of a body, to be locked in any pose of it."""

    body: PointBody
    plan: LockPlan

    @classmethod
    def of(cls, body: PointBody, names: tuple[str, ...]) -> "Locks":
        """Return the locks of some points of a body; found once for each set of points."""
        found = body.locks.get(names)
        if not isinstance(found, cls):
            found = body.locks[names] = cls(body, LockPlan.of(body, names))
        return found

    def apply(self, away: np.ndarray, root: np.ndarray, locked: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations away from rest `(f, r, 3, 3)`, in the tree's order, and the pelvis' place `(f, 3)` that meet the locks."""
        tree, plan, away = self.body.tree, self.plan, away.copy()
        targets = self._targets(away, root, locked)
        root = targets[:, plan.wanted.index(0)] if 0 in plan.wanted else root
        if len(plan.asked):
            rows = plan.trunk_rows
            away[:, rows], root = plan.trunk.solve(away.take(rows, axis=1), root, targets.take(plan.asked, axis=1))
        points = tree.points(away, tree.heads(away, root))
        for joint, tip in plan.brought:
            self._draw_in(points, targets, joint, tip)
        if plan.bent:
            self._bend(away, points, targets)
        for role, joint, point in plan.aimed:
            points = tree.points(away, tree.heads(away, root))
            line, wanted = points[:, point] - points[:, joint], targets[:, plan.wanted.index(point)] - points[:, joint]
            away[:, role] = point_at(line, wanted, away[:, role, :, 1]) @ away[:, role]
        return away, root

    def _targets(self, away: np.ndarray, root: np.ndarray, locked: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the places of the wanted points `(f, w, 3)`; what is brought along keeps its place beside what brings it."""
        targets = np.empty((len(away), len(self.plan.wanted), 3))
        for at in range(len(locked)):
            targets[:, at] = locked[POINTS[self.plan.wanted[at]]]
        finite = np.isfinite(targets[:, : len(locked)]).all()
        if self.plan.brought or not finite:
            tree = self.body.tree
            points = tree.points(away, tree.heads(away, root))
            targets[:, : len(locked)] = np.where(np.isfinite(targets), targets, points[:, self.plan.wanted])[:, : len(locked)]
            for at, (joint, tip) in enumerate(self.plan.brought, len(locked)):
                targets[:, at] = targets[:, self.plan.wanted.index(tip)] + points[:, joint] - points[:, tip]
        return targets

    def _draw_in(self, points: np.ndarray, targets: np.ndarray, joint: int, tip: int) -> None:
        """Move the target of an ankle or wrist that only came along so that the limb reaches it, in place."""
        limb = next((limb for limb in self.plan.bent if limb.end == joint), None)
        if limb is not None:
            at = self.plan.wanted.index(joint)
            longest = np.array([span(self.body, limb, 0) + span(self.body, limb, 1)])
            targets[:, at] = drawn_in(targets[:, at], targets[:, self.plan.wanted.index(tip)], points[:, limb.start], longest)

    def _bend(self, away: np.ndarray, points: np.ndarray, targets: np.ndarray) -> None:
        """Bend the limbs of which only the end is wanted, in place."""
        tables = self._tables
        places = np.concatenate([points, targets], axis=1)
        lines = places.take(tables.to, axis=1) - places.take(tables.begin, axis=1)
        pole = (away.take(tables.upper, axis=1) @ tables.pole)[..., 0]
        away[:, tables.bones] = reach_end(lines, pole, tables.lengths) @ away.take(tables.bones, axis=1)

    @cached_property
    def _tables(self) -> "_Tables":
        """The bent limbs side by side."""
        start, middle, end, upper, lower, pole = (np.array(column) for column in zip(*self.plan.bent, strict=True))
        at_rest = np.swapaxes(self.body.turns[self.body.tree.joints[upper]], -1, -2) @ pole[..., None]
        spans = [np.array([[span(self.body, limb, part)] for limb in self.plan.bent]) for part in (0, 1)]
        wanted = np.array([len(POINTS) + self.plan.wanted.index(point) for point in end])
        return _Tables(
            begin=np.concatenate([start, middle, start, start]),
            to=np.concatenate([middle, end, end, wanted]),
            upper=upper,
            bones=np.concatenate([upper, lower]),
            pole=at_rest,
            lengths=LimbLengths(*spans),
        )
