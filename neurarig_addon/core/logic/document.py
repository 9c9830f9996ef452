"""A profile's JSON text, validated and parsed; its formulas stay text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..errors import NeuraRigError
from .schema import WIDEST, a_count, a_list_of, a_number, a_text, an_object, member, parse_json, quoted, wrong
from .vocabulary import is_name

LARGEST_FILE = 1 << 18  # bytes; NeuraRig's own profiles have about ten thousand
MOST_FORMULAS = 2_000
MOST_NAMES = 2_000  # constants and variables
_RIGHT_FIRST = 2  # entries of a variable: right, left
_PHASE_KEYS = ("id", "condition")

Placed = TypeVar("Placed", bound="Field")


@dataclass(frozen=True)
class Field:
    """A named run of columns of the inputs or outputs."""

    name: str
    size: int
    offset: int


@dataclass(frozen=True)
class Binding(Field):
    """The output columns that a rule fills."""

    rule: str

    @property
    def is_left(self) -> bool:
        """Return whether it takes the left side's inputs; a name without a side takes the right's."""
        return self.name.lower().endswith("_l")


@dataclass(frozen=True)
class PhaseText:
    """A phase: its name, its condition, and the formula of each output by name, in the order of the slots."""

    name: str
    condition: str
    formulas: Mapping[str, str]


@dataclass(frozen=True)
class RuleText:
    """A rule: its logic by name, in order, and its phases."""

    name: str
    logic: Mapping[str, str]
    phases: tuple[PhaseText, ...]


@dataclass(frozen=True)
class ConstantHelp:
    """A constant's description, and the range of its slider."""

    text: str
    low: float
    high: float


@dataclass(frozen=True)
class Document:
    """A profile as written; `variables` name the inputs for right and left, `whole` is the JSON object
    itself."""

    name: str
    version: int | float
    text: str
    inputs: tuple[Field, ...]
    outputs: tuple[Field, ...]
    bindings: tuple[Binding, ...]
    constants: Mapping[str, float]
    help: Mapping[str, ConstantHelp]
    variables: Mapping[str, tuple[str, str]]
    rules: tuple[RuleText, ...]
    whole: Mapping[str, Any]


def read_document(text: str) -> Document:
    """Parse a profile's JSON text; raises NeuraRigError with the place and the remedy."""
    if len(text) > LARGEST_FILE:
        raise NeuraRigError(
            f"The profile is larger than {LARGEST_FILE >> 10} KiB; a profile is a short text, choose the"
            " right file."
        )
    whole = an_object(parse_json(text.removeprefix("\ufeff")), "The profile")
    schema = member(whole, "Schema", an_object, "the profile")
    parameters = member(schema, "Parameters", an_object, "Schema", {})
    constants = member(parameters, "Constants", _numbers, "Parameters", {})
    about = member(whole, "Documentation", an_object, "the profile", {})
    rules = member(schema, "Rules", a_list_of(_rule), "Schema")
    _check_amount(rules, len(constants) + len(member(parameters, "Variables", an_object, "Parameters", {})))
    return Document(
        name=member(whole, "Profile", a_text, "the profile"),
        version=member(whole, "Version", a_number, "the profile", 1),
        text=member(about, "Text", a_text, "Documentation", ""),
        inputs=_inputs(member(schema, "Inputs", a_list_of(_field), "Schema")),
        outputs=_placed(member(schema, "Outputs", a_list_of(_field), "Schema", ())),
        bindings=_bindings(member(schema, "Bindings", a_list_of(_binding), "Schema")),
        constants=constants,
        help=_help(member(about, "Constants", an_object, "Documentation", {}), constants),
        variables=_variables(member(parameters, "Variables", an_object, "Parameters", {})),
        rules=rules,
        whole=whole,
    )


def _numbers(value: Any, what: str) -> dict[str, float]:
    found = {}
    for name, number in an_object(value, what).items():
        if not is_name(name):
            raise NeuraRigError(
                f"No formula can use the constant {quoted(name)}; use letters, digits and _ in its name."
            )
        found[name] = float(a_number(number, f"the constant {quoted(name)}"))
    return found


def _field(value: Any, what: str) -> Field:
    owner = an_object(value, what)
    size = member(owner, "Size", a_count, what, 1)
    return Field(member(owner, "Name", a_text, what), size, member(owner, "Offset", a_count, what, -1))


def _binding(value: Any, what: str) -> Binding:
    field = _field(value, what)
    if not field.size:
        raise NeuraRigError(
            f"The binding {quoted(field.name)} has the Size 0; give it as many columns as it fills."
        )
    return Binding(field.name, field.size, field.offset, member(value, "Target", a_text, what))


def _placed(fields: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """Return fields with missing offsets filled in, each after the field before."""
    found = []
    following = 0
    for field in fields:
        offset = field.offset if field.offset >= 0 else following
        following = offset + field.size
        if following > WIDEST:
            raise NeuraRigError(
                f"{quoted(field.name)} ends at column {following}; {WIDEST} are the most, correct Offset or"
                " Size."
            )
        found.append(replace(field, offset=offset))
    return tuple(found)


def _bindings(bindings: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """Return bindings with their offsets; raises NeuraRigError if there are none, or if two fill the same
    column."""
    if not bindings:
        raise NeuraRigError("The profile has no Bindings; add one for each part that it moves.")
    owners: dict[int, str] = {}
    for binding in _placed(bindings):
        for column in range(binding.offset, binding.offset + binding.size):
            if column in owners:
                raise NeuraRigError(
                    f"The bindings {quoted(owners[column])} and {quoted(binding.name)} overlap; correct"
                    " Offset or Size."
                )
            owners[column] = binding.name
    _check_names([binding.name for binding in bindings], "Bindings")
    return _placed(bindings)


def _inputs(inputs: tuple[Field, ...]) -> tuple[Field, ...]:
    _check_names([entry.name for entry in inputs], "Inputs")
    return _placed(inputs)


def _check_names(names: list[str], what: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise NeuraRigError(f"{quoted(name)} stands twice in {what}; rename one.")
        seen.add(name)


def _variables(owner: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    found = {}
    for name, value in owner.items():
        what = f"the variable {quoted(name)}"
        if not is_name(name):
            raise NeuraRigError(f"No formula can use {what}; use letters, digits and _ in its name.")
        sides = (value,) if isinstance(value, str) else a_list_of(a_text)(value, what)
        if not 1 <= len(sides) <= _RIGHT_FIRST:
            raise NeuraRigError(
                f"{what[:1].upper()}{what[1:]} lists {len(sides)} inputs; list the right side's, then the"
                " left's."
            )
        found[name] = sides[0], sides[-1]
    return found


def _rule(value: Any, what: str) -> RuleText:
    owner = an_object(value, what)
    name = member(owner, "Name", a_text, what)
    what = f"rule {quoted(name)}"
    logic = member(owner, "Logic", _formulas, what, {})
    for result in logic:
        if not is_name(result):
            raise NeuraRigError(
                f"No formula can use {quoted(result)} in Logic of {what}; use letters, digits and _ in its"
                " name."
            )
    return RuleText(name, logic, member(owner, "Phases", a_list_of(_phase), what))


def _phase(value: Any, what: str) -> PhaseText:
    owner = an_object(value, what)
    name = member(owner, "id", _label, what, "unnamed")
    condition = member(owner, "condition", _formula, f"phase {quoted(name)}, {what}")
    formulas = {key: formula for key, formula in owner.items() if key not in _PHASE_KEYS}
    return PhaseText(name, condition, _formulas(formulas, f"phase {quoted(name)}, {what}"))


def _label(value: Any, what: str) -> str:
    return value if isinstance(value, str) else str(a_number(value, what))


def _formulas(value: Any, what: str) -> dict[str, str]:
    return {
        name: _formula(formula, f"{quoted(name)} of {what}")
        for name, formula in an_object(value, what).items()
    }


def _formula(value: Any, what: str) -> str:
    """Return a formula's text; a bare number stands for itself."""
    if isinstance(value, (dict, list)):
        raise wrong(what, "a formula in quotes", value)
    return value if isinstance(value, str) else repr(float(a_number(value, what)))


def _check_amount(rules: tuple[RuleText, ...], names: int) -> None:
    _check_names([rule.name for rule in rules], "Rules")
    count = sum(1 + len(rule.logic) + sum(1 + len(phase.formulas) for phase in rule.phases) for rule in rules)
    if count > MOST_FORMULAS:
        raise NeuraRigError(f"The profile has {count} rules and formulas; {MOST_FORMULAS} are the most.")
    if names > MOST_NAMES:
        raise NeuraRigError(f"The profile has {names} constants and variables; {MOST_NAMES} are the most.")


def _help(owner: Mapping[str, Any], constants: Mapping[str, float]) -> dict[str, ConstantHelp]:
    """Return help for every constant; the default range is from 0 to twice the value."""
    found = {}
    for name, value in constants.items():
        what = f"Documentation of the constant {quoted(name)}"
        given = an_object(owner.get(name, {}), what)
        reach = 2.0 * abs(value) or 1.0
        low = float(member(given, "Min", a_number, what, -reach if value < 0.0 else 0.0))
        high = float(member(given, "Max", a_number, what, 0.0 if value < 0.0 else reach))
        if not low < high:
            raise NeuraRigError(f"{what} has Min {low:g} and Max {high:g}; Max must be the larger.")
        found[name] = ConstantHelp(member(given, "Text", a_text, what, ""), low, high)
    return found
