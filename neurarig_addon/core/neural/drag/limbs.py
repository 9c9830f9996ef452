"""Limbs of a body that is dragged: those with targets reach them, the others go along with the trunk; then what they end in turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...geometry.rotation import between, dot, normalized, part_way, transposed
from ...skeleton.roles import sided
from ..geometry.vectors import lengths
from ..point_body import PointBody
from ..points import INDEX
from ..reach.limb_reach import Aims, Limbs
from ..reach.lock_plan import Limb, bent_limbs, rider_of
from .holds import Holds

_STAYS = 0.25  # share of the way back to its place that a soft hand goes when the body moves away from it
_KEPT = 0.3  # of the limb's length: a locked hand that is moved so far no longer stands as it stood in the world
_CLEAR = 0.05  # of the limb's length: an elbow or knee that is farther off the limb's line tells how the limb swivels
_NEAREST = 1e-9
_END_ROLES = {"hip": ("foot", "toe"), "shoulder": ("hand",)}


class Asked(NamedTuple):
    """Where points are wanted `(f, 27, 3)`, metres, how far each counts as dragged, and how far as held, 0..1 `(f, 27)`."""

    places: np.ndarray
    moved: np.ndarray
    held: np.ndarray


@dataclass(frozen=True, eq=False)
class DragLimbs:
    """The limbs of a body with targets, in the pose before a drag.

    `away` `(r, 3, 3)`, `points` `(27, 3)`: that pose.  `bent`: limbs of two bones, `stiff` of one, whose ends or middles have targets.
    """

    body: PointBody
    holds: Holds
    away: np.ndarray
    points: np.ndarray
    bent: tuple[Limb, ...]
    stiff: tuple[Limb, ...]

    def reached(self, away: np.ndarray, root: np.ndarray, asked: Asked) -> np.ndarray:
        """Return roles' rotations `(f, r, 3, 3)` with limbs that reach; `away`: all roles carried by the trunk, the pelvis at `root`."""
        away = away.copy()
        if self.bent:
            self._bend(away, root, asked)
        for limb in self.stiff:
            start, end = self._at(away, root, [limb.start, limb.end]).swapaxes(0, 1)
            self._aim(away, limb.upper, limb.start, limb.end, self._goal(start, end, limb.end, asked) - start)
        for limb in (*self.bent, *self.stiff):
            self._turn_end(away, limb, asked)
        for role, joint, tip in self._riders:
            at, end = self._at(away, root, [joint, tip]).swapaxes(0, 1)
            goal = end + asked.held[:, tip, None] * (asked.places[:, tip] - end)
            before = away[:, role].copy()
            self._aim(away, role, joint, tip, goal - at)
            for carried in self._carried_by(role):
                away[:, carried] = away[:, role] @ transposed(before) @ away[:, carried]
        return away

    def _bend(self, away: np.ndarray, root: np.ndarray, asked: Asked) -> None:
        """Have limbs of two bones reach for their ends' places, and swivel towards those of their middles."""
        limbs = self._limbs
        starts, ends = (self._at(away, root, rows) for rows in self._rows[::2])
        goals = [self._goal(starts[:, at], ends[:, at], limb.end, asked) for at, limb in enumerate(self.bent)]
        goals = np.stack(goals, axis=1)
        away[:, limbs.bones] = limbs.reached(away.take(limbs.bones, axis=1), goals - starts)
        for at, limb in enumerate(self.bent):
            if limb.middle in self._rows_of_targets:
                self._pin(away, root, limb, goals[:, at], asked)

    def _pin(self, away: np.ndarray, root: np.ndarray, limb: Limb, goal: np.ndarray, asked: Asked) -> None:
        """Have a limb swivel until its middle is as near as may be to its own place; where its end is not held, be there."""
        share = asked.held[:, limb.middle, None]
        start, middle, end = self._at(away, root, [limb.start, limb.middle, limb.end]).swapaxes(0, 1)
        line = normalized(end - start)
        ways = [way - dot(way, line)[..., None] * line for way in (middle - start, asked.places[:, limb.middle] - start)]
        clear = np.minimum(dot(ways[0], ways[0]), dot(ways[1], ways[1])) / (_CLEAR * self._length(limb)) ** 2
        swivel = part_way(np.eye(3), between(*ways), share[:, 0] * np.minimum(clear, 1.0))
        for role in (limb.upper, limb.lower):
            away[:, role] = swivel @ away[:, role]
        start, middle = self._at(away, root, [limb.start, limb.middle]).swapaxes(0, 1)
        loose = share * (1.0 - asked.held[:, limb.end, None])
        self._aim(away, limb.upper, limb.start, limb.middle, middle + loose * (asked.places[:, limb.middle] - middle) - start)
        middle = self._at(away, root, [limb.middle])[:, 0]
        self._aim(away, limb.lower, limb.middle, limb.end, goal - middle)

    def _turn_end(self, away: np.ndarray, limb: Limb, asked: Asked) -> None:
        """Have feet stand as they stood, hands go with their forearms, and locked hands stand as they stood near where they were."""
        below = away[:, limb.lower] @ self.away[limb.lower].T
        for role in self._ends_of(limb):
            stood, along = self.away[role], below @ self.away[role]
            if limb.start in (INDEX["hip.L"], INDEX["hip.R"]):
                away[:, role] = stood
            elif self.holds.is_locked[limb.end]:
                gone = lengths(asked.places[:, limb.end] - self.points[limb.end])[..., 0] / (_KEPT * self._length(limb))
                away[:, role] = part_way(along, stood, np.exp(-gone * gone))
            else:
                away[:, role] = along

    def _goal(self, start: np.ndarray, end: np.ndarray, point: int, asked: Asked) -> np.ndarray:
        """Return where the `end` `(f, 3)` of a limb goes: a soft one swings back towards its place, and neither bends nor stretches."""
        held = asked.held[:, point, None]
        back = end + _STAYS * self.holds.weights[point] * (asked.places[:, point] - end) - start
        swung = start + back * (lengths(end - start) / np.maximum(lengths(back), _NEAREST))
        return swung + held * (asked.places[:, point] - swung)

    def _at(self, away: np.ndarray, root: np.ndarray, points: Sequence[int]) -> np.ndarray:
        """Return where some points are `(f, n, 3)`."""
        return self.body.tree.carried(away, self.body.tree.levers[:, points]) + root[:, None]

    def _aim(self, away: np.ndarray, role: int, joint: int, point: int, way: np.ndarray) -> None:
        """Turn a bone the shortest way until a point on it lies along `way` `(f, 3)` from its joint."""
        arm = self.body.at_rest[point] - self.body.at_rest[joint]
        if arm.any():
            away[:, role] = Aims(np.array([role]), arm[None]).turned(away[:, [role]], way[:, None])[:, 0]

    def _length(self, limb: Limb) -> float:
        rest = self.body.at_rest
        return float(np.linalg.norm(rest[limb.middle] - rest[limb.start]) + np.linalg.norm(rest[limb.end] - rest[limb.middle]))

    def _ends_of(self, limb: Limb) -> list[int]:
        """Return the roles beyond a limb's last bone."""
        side = "L" if limb.start in (INDEX["hip.L"], INDEX["shoulder.L"]) else "R"
        start = "hip" if limb.start in (INDEX["hip.L"], INDEX["hip.R"]) else "shoulder"
        roles = self.body.tree.roles
        found = [sided(part, side) for part in _END_ROLES[start]]
        return [roles.index(role) for role in found if role in roles and roles.index(role) not in (limb.upper, limb.lower)]

    def _carried_by(self, role: int) -> np.ndarray:
        return np.flatnonzero(self.body.tree.parents == role)

    @cached_property
    def _rows_of_targets(self) -> set[int]:
        return {INDEX[name] for name in self.holds.names}

    @cached_property
    def _rows(self) -> tuple[list[int], list[int], list[int]]:
        return tuple([limb[at] for limb in self.bent] for at in range(3))  # type: ignore[return-value]

    @cached_property
    def _limbs(self) -> Limbs:
        return bent_limbs(self.body, self.bent)

    @cached_property
    def _riders(self) -> list[tuple[int, int, int]]:
        """The bones that are aimed at the places of their tips: role, joint, tip; what carries others first."""
        found = [rider_of(self.body, name) for name in self.holds.names]
        return sorted((rider for rider in found if rider is not None), key=lambda rider: rider[2])
