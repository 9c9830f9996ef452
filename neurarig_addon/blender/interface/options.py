"""One declaration of an option: its setting, the property of a button, the check of what a script gives and
the command-line argument.

A feature has a table of its options.  `cli.arguments` makes the command line of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import NeuraRigError
from ...core.files.json_text import is_finite
from ..animation.properties import KEPT, Marked

_METHODS = {bool: "switch", int: "whole", float: "number", str: "text"}  # of `Marked`


@dataclass(frozen=True)
class Option:
    """An option of a feature; a choice has `items`: identifier, label and description of each.

    `name`: of the setting and of the keyword argument.
    `rna`: what else the setting declares: limits, steps, subtype, an update of its own.
    `brief`: the description where a button asks for it, if it is shorter.
    On the command line, which has it if it has `help`: `flag` if that is not the name, and `metavar`.
    """

    name: str
    label: str
    description: str
    default: bool | int | float | str
    items: tuple[tuple[str, str, str], ...] = ()
    rna: Mapping[str, Any] = field(default_factory=dict)
    brief: str = ""
    help: str = ""
    flag: str = ""
    metavar: str | None = None

    @property
    def kind(self) -> type:
        """bool, int, float, or str for a choice or a text."""
        return type(self.default)

    @property
    def choices(self) -> tuple[str, ...]:
        """The identifiers of a choice."""
        return tuple(identifier for identifier, *_ in self.items)

    def declared(self, marked: Marked, is_brief: bool) -> Any:
        """Return its property, among others that are so `marked`; `is_brief`: without limits and described
        in brief, as of an operator that takes it for once."""
        words = self.label, self.brief if is_brief and self.brief else self.description
        own = {} if is_brief else dict(self.rna)
        if self.items:
            items = tuple((*item[:2], "" if is_brief else item[2]) for item in self.items)
            return marked.choice(*words, items=items, default=self.default, **own)
        return getattr(marked, _METHODS[self.kind])(*words, default=self.default, **own)

    def require(self, value: Any) -> None:
        """Raise NeuraRigError if a value that a script gives is not one of the choices, or no number."""
        if self.items and value not in self.choices:
            raise NeuraRigError(
                f"'{value}' is not a choice for {self.name}; choose one of {', '.join(self.choices)}."
            )
        if self.kind in (int, float) and not (
            is_finite(value) and (self.kind is float or value == int(value))
        ):
            raise NeuraRigError(
                f"The setting '{self.name}' needs a {'whole ' if self.kind is int else ''}number, not"
                f" '{value}'."
            )
        if "max" in self.rna and not self.rna["min"] <= value <= self.rna["max"]:
            raise NeuraRigError(
                f"The setting '{self.name}' goes from {self.rna['min']:g} to {self.rna['max']:g}, not to"
                f" {value:g}."
            )


def properties_of(options: Iterable[Option], marked: Marked = KEPT, is_brief: bool = False) -> type:
    """Return a base of a group of settings, or an operator, that has these options as properties (see
    `Option.declared`)."""
    return type(
        "Options", (), {"__annotations__": {each.name: each.declared(marked, is_brief) for each in options}}
    )
