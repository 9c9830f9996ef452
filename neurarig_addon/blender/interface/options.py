"""One declaration of an option: its setting, the property of a button, the check of what a script gives and
the command-line argument.

A feature has a table of its options.  `cli.arguments` makes the command line of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...core.errors import NeuraRigError
from ...core.files.json_text import is_finite

_PROPERTIES = {bool: BoolProperty, int: IntProperty, float: FloatProperty, str: StringProperty}


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

    def full_property(self, **marks: Any) -> Any:
        """Return the property of a group of settings or an operator; `marks`: keywords that its neighbours
        share."""
        items = {"items": self.items} if self.items else {}
        kind = EnumProperty if items else _PROPERTIES[self.kind]
        return kind(
            name=self.label,
            description=self.description,
            default=self.default,
            **items,
            **{**marks, **self.rna},
        )

    def brief_property(self, **marks: Any) -> Any:
        """Return the property of an operator that takes the option for once: without limits, and described in
        brief."""
        items = (
            {"items": tuple((identifier, label, "") for identifier, label, _ in self.items)}
            if self.items
            else {}
        )
        kind = EnumProperty if items else _PROPERTIES[self.kind]
        return kind(
            name=self.label,
            description=self.brief or self.description,
            default=self.default,
            **items,
            **marks,
        )

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


def properties_of(options: Iterable[Option], /, **marks: Any) -> type:
    """Return a base of a group of settings, or an operator, that has these options as properties."""
    return type(
        "Options", (), {"__annotations__": {option.name: option.full_property(**marks) for option in options}}
    )


def brief_properties_of(options: Iterable[Option], /, **marks: Any) -> type:
    """Return a base of operators that take these options for once, without their limits."""
    return type(
        "BriefOptions",
        (),
        {"__annotations__": {option.name: option.brief_property(**marks) for option in options}},
    )
