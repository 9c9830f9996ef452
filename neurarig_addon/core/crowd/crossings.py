"""Walkers that do not walk through one another: solved once, one walker after the other, as marks on their
paths.

Who comes first to a crossing goes first. Each walker in turn is led past all before it: it walks more slowly
up to a crossing, or stands
before it. One that finds no way past is put before those it meets, once; then it walks into whom it cannot
avoid. Nobody leaves its path,
so two that meet head-on on the same line do, and are named.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import NeuraRigError
from ..path.marks import Mark
from .meetings import CrowdWay, Meeting, Others, Wait, arrivals, first_row, meetings, waits

MOST_WAITS = 12  # marks for each walker
TRIES = 8  # waits that are planned before a walker counts as stuck
CLEARANCE = 0.02  # metres more than the radii: between two times walkers do not go quite straight on

Marks = tuple[Mark, ...]


@dataclass(frozen=True)
class Passer:
    """A walker: its radius in metres, its way, and how it goes with more marks on its path, None for one that
    cannot wait.

    `start`: seconds from the first time of the way to the start of its walk.
    """

    radius: float
    way: CrowdWay
    again: Callable[[Marks], CrowdWay] | None = None
    start: float = 0.0


@dataclass(frozen=True)
class Cleared:
    """The marks and ways of all walkers, in their order, and the meetings that are left."""

    marks: list[Marks]
    ways: list[CrowdWay]
    left: list[Meeting]


def cleared(passers: Sequence[Passer], every: float) -> Generator[float, None, Cleared]:
    """Return walkers that do not meet, or as few as possible; `every`: seconds between the times of their
    ways. Yields the share done."""
    radii = np.array([passer.radius + 0.5 * CLEARANCE for passer in passers])
    solution = _Solution(passers, radii, every)
    order, promoted, number = solution.order(), set[int](), 0
    while number < len(order):
        yield number / len(order)
        each = order[number]
        if solution.settle(each, order[:number]):
            number += 1
            continue
        earlier = None if each in promoted else solution.in_its_way(each, order[:number])
        if earlier is None:
            solution.settle_somehow(each, order[:number])
            number += 1
        else:
            promoted.add(each)
            order.insert(earlier, order.pop(number))
            number = earlier
    return Cleared(solution.marks, solution.ways, meetings(solution.ways, radii - 0.5 * CLEARANCE))


class _Solution:
    """The marks and ways found so far; of walkers that are not settled yet, as they came."""

    def __init__(self, passers: Sequence[Passer], radii: np.ndarray, every: float) -> None:
        self.passers, self.radii, self.every = passers, radii, every
        self.marks: list[Marks] = [()] * len(passers)
        self.ways = [passer.way for passer in passers]

    def order(self) -> list[int]:
        """Return who goes first: who cannot wait, who meets nobody, then by arrival at the first meeting."""
        arrives = np.full(len(self.passers), -1.0)
        for meeting in meetings(self.ways, self.radii):
            for number, row in zip(
                (meeting.first, meeting.second), arrivals(self.ways, self.radii, meeting), strict=True
            ):
                arrives[number] = row if arrives[number] < 0.0 else min(arrives[number], row)
        waits = [passer.again is not None for passer in self.passers]
        return sorted(range(len(self.passers)), key=lambda number: (waits[number], arrives[number], number))

    def settle(self, number: int, before: list[int]) -> bool:
        """Lead a walker past those before it, and return whether there is a way."""
        self.marks[number], self.ways[number], clear = self._led(number, self._others(number, before))
        return clear

    def settle_somehow(self, number: int, before: list[int]) -> None:
        """Lead a walker past all before it but those that it cannot avoid."""
        others, clear = self._others(number, before), False
        while not clear:
            self.marks[number], self.ways[number], clear = self._led(number, others)
            others = others.without_the_first(self.ways[number].places)

    def in_its_way(self, number: int, before: list[int]) -> int | None:
        """Return the place in the order of the first walker that another meets and that can wait, None
        without one."""
        others = [(place, each) for place, each in enumerate(before) if self.passers[each].again is not None]
        way = self.passers[number].way.places
        for place, each in others:
            if (
                first_row(way, self.ways[each].places[None], self.radii[[each]] + self.radii[number])
                is not None
            ):
                return place
        return None

    def _others(self, number: int, before: list[int]) -> Others:
        """Return those before a walker that come near its way at any time."""
        way, radius = self.passers[number].way.places, self.radii[number]
        low, high = way.min(axis=0) - radius, way.max(axis=0) + radius
        near = []
        for each in before:
            places, own = self.ways[each].places, self.radii[each]
            if ((places.min(axis=0) - own <= high) & (places.max(axis=0) + own >= low)).all():
                near.append(each)
        places = np.array([self.ways[each].places for each in near]).reshape(len(near), *way.shape)
        return Others(places, self.radii[near] + radius)

    def _led(self, number: int, others: Others) -> tuple[Marks, CrowdWay, bool]:
        """Return the marks that lead a walker past others as far as it comes, its way then, and whether it
        meets nobody."""
        passer = self.passers[number]
        marks: Marks = ()
        way = passer.way
        while (row := others.met(way.places)) is not None:
            if passer.again is None or len(marks) == MOST_WAITS:
                return marks, way, False
            since = max((mark.distance for mark in marks), default=0.0)
            led = self._best(
                passer,
                marks,
                others,
                float(way.distance[row]),
                waits(way, others, row, since, self.every, passer.start),
            )
            if led is None:
                return marks, way, False
            marks, way = led
        return marks, way, True

    def _best(
        self, passer: Passer, marks: Marks, others: Others, met: float, choice: list[Wait]
    ) -> tuple[Marks, CrowdWay] | None:
        """Return the first wait after which a walker meets nobody, else the one that leads farthest; None if
        it stays stuck."""
        assert passer.again is not None
        best, farthest = None, met + 0.5 * float(others.reach.min())
        for wait in _spread(choice)[:TRIES]:
            try:
                way = passer.again((*marks, wait.mark))
            except NeuraRigError:  # its own times forbid it
                continue
            row = others.met(way.places)
            if row is None:
                return (*marks, wait.mark), way
            if way.distance[row] > farthest:
                best, farthest = ((*marks, wait.mark), way), float(way.distance[row])
        return best


def _spread(choice: list[Wait]) -> list[Wait]:
    """Return waits that differ: of those at the same place the shortest, and then some that are longer."""
    apart: list[Wait] = []
    for wait in choice:
        alike = (
            abs(wait.mark.distance - one.mark.distance) < 0.5 and abs(wait.cost - one.cost) < 0.3
            for one in apart
            if (wait.mark.due is None) == (one.mark.due is None)
        )
        if not any(alike):
            apart.append(wait)
    return apart
