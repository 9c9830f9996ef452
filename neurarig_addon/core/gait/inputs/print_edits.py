"""Edited footprints: how each differs from the print that the walk plans."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...character.body import RIGHT
from ...errors import NeuraRigError
from ...files.json_text import is_finite

MOST_EDITS = 20_000
LARGEST_STEP = 10_000_000  # step numbers: what phases still resolve in double precision


@dataclass(frozen=True)
class PrintEdit:
    """One print: `side` LEFT or RIGHT, 2 or 3 of fore feet, `number` of its heel strike from 0.

    Relative to the planned print, so that a changed path or speed carries it along. `along`, `aside`: metres
    on the path, left
    positive. `height`: metres above the ground there. `yaw`: radians, left positive; `slope`, `bank`:
    relative to the ground (see
    `ground.prints`). `ball_pivot`: radians that the foot turns on its ball while it stands, left positive.
    `touch`, `lift`: cycles later
    than planned. `held`: the foot stays on its previous print instead. `added`: a print more than planned
    (see
    `added_steps`), which later numbers count.
    """

    side: int
    number: int
    along: float = 0.0
    aside: float = 0.0
    height: float = 0.0
    yaw: float = 0.0
    slope: float = 0.0
    bank: float = 0.0
    ball_pivot: float = 0.0
    touch: float = 0.0
    lift: float = 0.0
    held: bool = False
    added: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """Side and number."""
        return self.side, self.number

    @property
    def mirrored(self) -> "PrintEdit":
        """The same edit mirrored, for the other foot."""
        return replace(
            self, side=self.side ^ RIGHT, **{name: -getattr(self, name) for name in SIDED}, added=False
        )


LENGTHS = ("along", "aside", "height")
OFFSETS = ("along", "aside", "height", "yaw", "slope", "bank", "ball_pivot", "touch", "lift")
SIDED = ("aside", "yaw", "bank", "ball_pivot")  # change sign for the other foot
# Limits: metres that a walk may go, a whole turn, half a turn, a cycle.
_LENGTH, _TIME = 1e5, 1.0
LIMITS = {
    "along": _LENGTH,
    "aside": _LENGTH,
    "height": _LENGTH,
    "touch": _TIME,
    "lift": _TIME,
    "yaw": 2 * math.pi,
} | dict.fromkeys(("slope", "bank", "ball_pivot"), math.pi)


SIDE_NAMES = ("left", "right", "left fore", "right fore")


class Print(NamedTuple):
    """The print's name in messages."""

    side: int
    number: int

    def __str__(self) -> str:
        return f"{SIDE_NAMES[self.side]} print {self.number}"


@dataclass(frozen=True)
class PrintEdits:
    """All edits of a walk, one a print at most."""

    edits: tuple[PrintEdit, ...] = ()

    @classmethod
    def of(cls, edits: Iterable[PrintEdit]) -> "PrintEdits":
        """Return the edits in the order of their steps; raises NeuraRigError if one is impossible or two are
        of one print."""
        by_print: dict[tuple[int, int], PrintEdit] = {}
        for edit in edits:
            require_edit(edit)
            if edit.key in by_print:
                raise NeuraRigError(f"The {Print(*edit.key)} is there twice. Remove one.")
            by_print[edit.key] = edit
        if len(by_print) > MOST_EDITS:
            raise NeuraRigError(
                f"{len(by_print)} edited prints are too many; a walk takes {MOST_EDITS} at most."
            )
        return cls(tuple(sorted(by_print.values(), key=lambda edit: (edit.number, edit.side))))

    def scaled(self, size: float) -> "PrintEdits":
        """Return the edits scaled to legs `factor` times as long."""
        return PrintEdits(
            tuple(
                replace(edit, **{name: size * getattr(edit, name) for name in LENGTHS}) for edit in self.edits
            )
        )

    def of_pair(self, pair: int) -> "PrintEdits":
        """Return those of one pair of feet, the hind ones 0, the fore ones 1, as LEFT and RIGHT."""
        first = 2 * pair
        ours = (edit for edit in self.edits if first <= edit.side <= first + RIGHT)
        return PrintEdits(tuple(replace(edit, side=edit.side - first) for edit in ours))

    def __bool__(self) -> bool:
        return bool(self.edits)

    @cached_property
    def sides(self) -> np.ndarray:
        """LEFT or RIGHT, 2 or 3 of fore feet `(n,)`."""
        return np.array([edit.side for edit in self.edits], dtype=int)

    @cached_property
    def numbers(self) -> np.ndarray:
        """Step numbers `(n,)`."""
        return np.array([edit.number for edit in self.edits], dtype=int)

    @cached_property
    def held(self) -> np.ndarray:
        """Whether the foot stays on its previous print `(n,)`."""
        return np.array([edit.held for edit in self.edits], dtype=bool)

    @cached_property
    def added(self) -> tuple[tuple[int, int], ...]:
        """Side and number of the added prints, ordered by number."""
        return tuple(edit.key for edit in self.edits if edit.added)

    @cached_property
    def offsets(self) -> dict[str, np.ndarray]:
        """The OFFSETS by name, each `(n,)`."""
        return {name: np.array([getattr(edit, name) for edit in self.edits], dtype=float) for name in OFFSETS}

    @cached_property
    def runs(self) -> np.ndarray:
        """Step numbers `(n,)` of the prints that feet stand on: their own, or the last one before that is not
        held."""
        held = {edit.key for edit in self.edits if edit.held}
        numbers: dict[tuple[int, int], int] = {}
        for edit in self.edits:
            stands = edit.number
            if edit.held:
                before = edit.side, edit.number - 1
                stands = numbers[before] if before in held else edit.number - 1
            numbers[edit.key] = stands
        return np.array([numbers[edit.key] for edit in self.edits], dtype=int)


def require_edit(edit: PrintEdit) -> None:
    """Raise NeuraRigError for an edit outside the limits."""
    if edit.added and edit.side in (2, 3):
        raise NeuraRigError("Steps are added for hind feet, and the fore ones follow. Choose a hind foot.")
    if edit.side not in range(len(SIDE_NAMES)):
        raise NeuraRigError(f"A footprint is left or right, not '{edit.side}'.")
    if not isinstance(edit.number, int) or abs(edit.number) > LARGEST_STEP:
        raise NeuraRigError(f"'{edit.number}' is not a step number; use a whole number up to {LARGEST_STEP}.")
    for name in OFFSETS:
        value = getattr(edit, name)
        if not is_finite(value) or abs(value) > LIMITS[name]:
            raise NeuraRigError(
                f"'{name}' of the {Print(*edit.key)} is '{value}'; it must be a number up to"
                f" {LIMITS[name]:.4g}."
            )


NO_EDITS = PrintEdits()
