"""Where the targets of a character are, and how far each is followed."""

from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import bpy
import numpy as np
from bpy.types import Depsgraph, Object

from ...core.neural.points import INDEX, POINTS
from . import settings
from .empties import in_order
from .solve import PointTrust

STILL = 2e-6  # relative: a smaller move is none; the float32 of a parent's matrix is no more precise
FEWEST = 12  # targets: fewer are read as quickly one by one
# objects per target in a collection: with more, reading all takes longer than reading each target
MOST_OTHERS = 8


@dataclass(frozen=True)
class Together:
    """Objects of one collection, read in one call: its name, and the identities of all its objects.

    `columns` `(n, 3)`: indices of the objects' positions in the matrices of all.
    """

    collection: str
    uids: bytes
    columns: np.ndarray

    @classmethod
    def of(cls, objects: list[Object]) -> "Together | None":
        """Return how to read objects together; None if they are few, share no collection, or it holds many
        others."""
        for collection in objects[0].users_collection if len(objects) >= FEWEST else ():
            rows = {other: row for row, other in enumerate(collection.objects)}
            is_found = bpy.data.collections.get(collection.name) == collection
            if is_found and len(rows) <= MOST_OTHERS * len(objects) and all(each in rows for each in objects):
                columns = [[16 * rows[each] + 12 + axis for axis in range(3)] for each in objects]
                return cls(collection.name, _uids(collection.objects), np.array(columns))
        return None

    def read(self) -> np.ndarray | None:
        """Return the positions `(n, 3)`; None if the collection's objects have changed."""
        collection = bpy.data.collections.get(self.collection)
        if collection is None:
            return None
        objects = collection.objects
        if _uids(objects) != self.uids:
            return None
        matrices = np.empty(4 * len(self.uids), np.float32)
        objects.foreach_get("matrix_world", matrices)
        return matrices.take(self.columns).astype(float)


def _uids(objects: Any) -> bytes:
    uids = np.empty(len(objects), np.int32)
    objects.foreach_get("session_uid", uids)
    return uids.tobytes()


@dataclass(frozen=True)
class PointPlaces:
    """Where to read a character's points: for each target that counts its row in the list and its bone, and
    the point's row.

    `together`: how to read them all at once, as of the view's last update; None if that is not possible.
    Valid while no setting of the targets changes.
    """

    count: int
    items: tuple[tuple[int, str], ...]
    rows: np.ndarray
    together: Together | None

    @classmethod
    def of(cls, obj: Object) -> "PointPlaces":
        """Return where to read the points of a character."""
        targets = obj.neurarig.neural_pose.targets
        counting = [(at, item) for at, item in enumerate(targets) if _counts(item)]
        rows = np.array([INDEX[item.point] for _, item in counting], dtype=int)
        together = (
            None
            if any(item.bone for _, item in counting)
            else Together.of([item.object.original for _, item in counting])
        )
        return cls(len(targets), tuple((at, item.bone) for at, item in counting), rows, together)

    def read(self, obj: Object, depsgraph: Depsgraph | None) -> np.ndarray | None:
        """Return the targets' positions `(n, 3)` in the world, in Blender units; None if a target is gone."""
        targets = obj.neurarig.neural_pose.targets
        if len(targets) != self.count:
            return None
        if depsgraph is None and self.together is not None:
            return self.together.read()
        found: list[float] = []
        for at, name in self.items:
            target = targets[at].object
            if target is None:
                return None
            if depsgraph is not None:
                target = target.evaluated_get(depsgraph)
            bone = target.pose.bones.get(name) if name and target.pose else None
            found.extend(target.matrix_world @ bone.head if bone else target.matrix_world.translation)
        return np.array(found).reshape(-1, 3)

    def points(self, found: np.ndarray, metres: float) -> np.ndarray:
        """Return the points `(27, 3)` in world metres, NaN for those without a target."""
        order, unknown = self._order
        return metres * found.take(order) + unknown if len(found) else unknown

    @cached_property
    def _order(self) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the points among the positions `(27, 3)`, and what to add: NaN for points without a
        target, else 0."""
        order, unknown = np.zeros((len(POINTS), 3), dtype=int), np.full((len(POINTS), 3), np.nan)
        order[self.rows], unknown[self.rows] = np.arange(3 * len(self.rows)).reshape(-1, 3), 0.0
        return order, unknown


def trust_of(obj: Object) -> PointTrust:
    """Return how far each point of a character is followed."""
    own = obj.neurarig.neural_pose
    weights = np.zeros(len(POINTS))
    counting = [item for item in own.targets if _counts(item)]
    for item in counting:
        weights[INDEX[item.point]] = 1.0 if item.lock else 0.0 if item.is_free else item.weight
    locked = [item.point for item in counting if item.lock]
    free = frozenset(item.point for item in counting if item.is_free and not item.lock)
    noise = own.noise if isfinite(own.noise) else 0.0  # a file may hold anything
    return PointTrust(
        weights, tuple(in_order(locked)), 1e-3 * noise, free=free, steady=own.steady and noise > 0.0
    )


def played_settings(obj: Object) -> tuple[Any, ...]:
    """Return the settings that animation may change, for comparison."""
    own = obj.neurarig.neural_pose
    return (
        own.noise,
        own.steady,
        own.keep_base,
        *((item.use, item.lock, item.is_free, item.weight) for item in own.targets),
    )


def is_there(target: Object | None) -> bool:
    """Return whether a target is in a scene: a deleted one stays in the file, unseen, while the list refers
    to it."""
    return target is not None and bool(target.original.users_scene)


def _counts(item: settings.NeuraRigTarget) -> bool:
    return item.use and is_there(item.object) and (item.lock or item.is_free or item.weight > 0.0)


def are_near(now: np.ndarray, before: np.ndarray) -> bool:
    """Return whether numbers are equal up to rounding, and the same ones not finite."""
    if now.shape != before.shape:
        return False
    far = np.vdot(before, before)
    if isfinite(far):
        apart = now - before
        if np.vdot(apart, apart) > 2.0 * apart.size * STILL**2 * (1.0 + far):
            return False  # at least one is farther off than allowed below: the usual case, quickly found
    known = np.isfinite(before)
    if not np.array_equal(known, np.isfinite(now)):
        return False
    apart, most = np.abs(now[known] - before[known]), STILL * (1.0 + np.abs(before[known]).max(initial=0.0))
    return bool((apart <= most).all())


def is_anywhere(places: np.ndarray) -> bool:
    """Return whether the first position is known: nearly always so, and quick to check."""
    return len(places) > 0 and isfinite(places.item(0) + places.item(1) + places.item(2))
