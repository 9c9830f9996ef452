"""Limbs of a dragged body: those with targets reach them, the others follow the trunk; then hands and feet
turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...body.limbs import Aims, ReachingLimbs
from ...geometry.rotation import between, dot, normalized, norms, part_way, rejected, transposed
from ...geometry.vectors import lengths
from ...skeleton.roles import sided
from ..point_body import PointBody
from ..points import INDEX, POINTS
from ..reach.lock_plan import Limb, bent_limbs, rider_of
from .arms import FreeArms
from .holds import Holds, PoseBefore
from .palms import Palms

_STAYS = 0.25  # share of the way back to its place that a soft hand goes when the body moves away
# of the limb's length: a locked hand that is moved this far mostly loses its rotation in the world
_KEPT = 0.3
# of the limb's length: an elbow or knee at least this far off the limb's line fully sets its swivel
_CLEAR = 0.05
_NEAREST = 1e-9
_END_ROLES = {"hip": ("foot", "toe"), "shoulder": ("hand",)}


class Targets(NamedTuple):
    """The places wanted of points `(f, 27, 3)`, metres, how far each counts as dragged and how far as held,
    0..1 `(f, 27)`.

    `shift` `(f, 3)`: that of the feet, metres. `depth` `(f,)`: how much deeper the body stoops, metres on a
    body of human size.
    `floor` `(f,)`: the height of the ground, metres.
    """

    places: np.ndarray
    moved: np.ndarray
    held: np.ndarray
    shift: np.ndarray
    depth: np.ndarray
    floor: np.ndarray


class _End(NamedTuple):
    """A bone beyond a limb's last one, a `role` in the tree; `on_lower` `(3, 3)`: its rotation relative to
    the `lower` bone; the limb's `length`, metres, and last `point`."""

    role: int
    is_foot: bool
    lower: int
    on_lower: np.ndarray
    point: int
    length: float


@dataclass(frozen=True, eq=False)
class DragLimbs:
    """The limbs of a body with targets, in the pose before a drag.

    `away` `(r, 3, 3)`, `points` `(27, 3)`: that pose. `bent`: limbs of two bones, `stiff`: of one, whose ends
    or middles have targets.
    """

    body: PointBody
    holds: Holds
    away: np.ndarray
    points: np.ndarray
    bent: tuple[Limb, ...]
    stiff: tuple[Limb, ...]
    free: FreeArms
    palms: Palms

    @classmethod
    def of(
        cls, body: PointBody, holds: Holds, before: PoseBefore, limbs: Sequence[Limb], palms: Palms
    ) -> "DragLimbs":
        """Return the limbs that have targets, in the pose before a drag."""
        bent, stiff = (
            tuple(limb for limb in limbs if (limb.upper == limb.lower) == is_stiff)
            for is_stiff in (False, True)
        )
        return cls(
            body, holds, before.away, before.points, bent, stiff, FreeArms.of(body, before, bent), palms
        )

    def reached(self, away: np.ndarray, root: np.ndarray, targets: Targets) -> np.ndarray:
        """Return roles' rotations `(f, r, 3, 3)` with limbs that reach; `away`: all roles as carried by the
        trunk; `root`: the pelvis."""
        away = away.copy()
        if self.bent:
            self._bend(away, root, targets)
            self.free.come_down(away, root, targets.depth, targets.held)
        for limb in self.stiff:
            start, end = self._at(away, root, (limb.start, limb.end)).swapaxes(0, 1)
            goal = self._goals(start[:, None], end[:, None], [limb.end], targets)[:, 0]
            self._aim(away, limb.upper, limb.start, limb.end, goal - start)
        for end in self._ends:
            self._turn_end(away, end, targets)
        self.palms.lay(away, root, targets.floor)
        for role, joint, tip in self._riders:
            at, end = self._at(away, root, (joint, tip)).swapaxes(0, 1)
            goal = end + targets.held[:, tip, None] * (targets.places[:, tip] - end)
            before = away[:, role].copy()
            self._aim(away, role, joint, tip, goal - at)
            for carried in self._carried_by(role):
                away[:, carried] = away[:, role] @ transposed(before) @ away[:, carried]
        return away

    def _bend(self, away: np.ndarray, root: np.ndarray, targets: Targets) -> None:
        """Bend limbs of two bones to their ends' places, and swivel them towards their middles'."""
        limbs = self._limbs
        found = self._at(away, root, self._starts_and_ends)
        starts, ends = found[:, : len(self.bent)], found[:, len(self.bent) :]
        goals = self._goals(starts, ends, self._starts_and_ends[len(self.bent) :], targets)
        away[:, limbs.bones] = limbs.reached(away.take(limbs.bones, axis=1), goals - starts)
        for at, limb in enumerate(self.bent):
            if limb.middle in self._rows_of_targets:
                self._pin(away, root, limb, goals[:, at], targets)

    def _pin(
        self, away: np.ndarray, root: np.ndarray, limb: Limb, goal: np.ndarray, targets: Targets
    ) -> None:
        """Swivel a limb until its middle is as near as possible to its place; where the end is not held, put
        the middle there."""
        share = targets.held[:, limb.middle, None]
        start, middle, end = self._at(away, root, (limb.start, limb.middle, limb.end)).swapaxes(0, 1)
        line = normalized(end - start)
        ways = [rejected(way, line) for way in (middle - start, targets.places[:, limb.middle] - start)]
        clear = np.minimum(dot(ways[0], ways[0]), dot(ways[1], ways[1])) / (_CLEAR * self._length(limb)) ** 2
        swivel = part_way(np.eye(3), between(*ways), share[:, 0] * np.minimum(clear, 1.0))
        for role in (limb.upper, limb.lower):
            away[:, role] = swivel @ away[:, role]
        start, middle = self._at(away, root, (limb.start, limb.middle)).swapaxes(0, 1)
        loose = share * (1.0 - targets.held[:, limb.end, None])
        self._aim(
            away,
            limb.upper,
            limb.start,
            limb.middle,
            middle + loose * (targets.places[:, limb.middle] - middle) - start,
        )
        middle = self._at(away, root, (limb.middle,))[:, 0]
        self._aim(away, limb.lower, limb.middle, limb.end, goal - middle)

    def _turn_end(self, away: np.ndarray, end: _End, targets: Targets) -> None:
        """Keep feet's rotations; turn hands with their forearms; let locked hands keep their rotations near
        their places before."""
        stood = self.away[end.role]
        if end.is_foot:
            away[:, end.role] = stood
            return
        along = away[:, end.lower] @ end.on_lower
        if self.holds.is_locked[end.point]:
            moved = lengths(targets.places[:, end.point] - self.points[end.point])[..., 0] / (
                _KEPT * end.length
            )
            along = part_way(along, stood, np.exp(-moved * moved))
        away[:, end.role] = along

    def _goals(
        self, starts: np.ndarray, ends: np.ndarray, points: Sequence[int], targets: Targets
    ) -> np.ndarray:
        """Return the goals of limbs' `ends` `(f, l, 3)`: soft ones swing back towards their places without
        bending or stretching."""
        held, places = targets.held.take(points, axis=1)[..., None], targets.places.take(points, axis=1)
        lines = ends - starts
        back = lines + _STAYS * self.holds.weights.take(points)[:, None] * (places - ends)
        swung = starts + back * (lengths(lines) / np.maximum(lengths(back), _NEAREST))
        return swung + held * (places - swung)

    def _at(self, away: np.ndarray, root: np.ndarray, points: tuple[int, ...]) -> np.ndarray:
        """Return the places of some points `(f, n, 3)`."""
        levers = self._levers.get(points)
        if levers is None:
            levers = self._levers[points] = self.body.tree.levers[:, points]
        return self.body.tree.carried(away, levers) + root[:, None]

    @cached_property
    def _levers(self) -> dict[tuple[int, ...], np.ndarray]:
        """A cache of levers by points."""
        return {}

    def _aim(self, away: np.ndarray, role: int, joint: int, point: int, way: np.ndarray) -> None:
        """Turn a bone by the shortest rotation that points it from its joint through a point along `way` `(f,
        3)`."""
        arm = self.body.at_rest[point] - self.body.at_rest[joint]
        if arm.any():
            away[:, role] = Aims(np.array([role]), arm[None]).turned(away[:, [role]], way[:, None])[:, 0]

    def _length(self, limb: Limb) -> float:
        rest = self.body.at_rest
        return float(norms(rest[limb.middle] - rest[limb.start]) + norms(rest[limb.end] - rest[limb.middle]))

    @cached_property
    def _ends(self) -> list[_End]:
        """The bones beyond the limbs' last ones."""
        roles, found = self.body.tree.roles, []
        for limb in (*self.bent, *self.stiff):
            stem, _, side = POINTS[limb.start].partition(".")
            rows = [roles.index(role) for part in _END_ROLES[stem] if (role := sided(part, side)) in roles]
            for row in rows:
                if row not in (limb.upper, limb.lower):
                    on_lower = self.away[limb.lower].T @ self.away[row]
                    found.append(_End(row, stem == "hip", limb.lower, on_lower, limb.end, self._length(limb)))
        return found

    def _carried_by(self, role: int) -> np.ndarray:
        return np.flatnonzero(self.body.tree.parents == role)

    @cached_property
    def _rows_of_targets(self) -> set[int]:
        return {INDEX[name] for name in self.holds.names}

    @cached_property
    def _starts_and_ends(self) -> tuple[int, ...]:
        return (*(limb.start for limb in self.bent), *(limb.end for limb in self.bent))

    @cached_property
    def _limbs(self) -> ReachingLimbs:
        return bent_limbs(self.body, self.bent)

    @cached_property
    def _riders(self) -> list[tuple[int, int, int]]:
        """The bones that are aimed at the places of their tips, parents first: role, joint, tip."""
        found = [rider_of(self.body, name) for name in self.holds.names]
        return sorted((rider for rider in found if rider is not None), key=lambda rider: rider[2])
