"""A compiled rule: its logic, then the first phase whose condition holds, for many rows at once; and its
faults, in sentences."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..errors import NeuraRigError
from .document import Document, PhaseText, RuleText
from .expression import Expression
from .schema import quoted
from .vocabulary import FormulaError, Value, excerpt

_NO_PHASE = -1


@dataclass(frozen=True)
class Phase:
    """A phase: condition, and the formulas of the slots by name, in order; `names` are the values that these
    need."""

    name: str
    condition: Expression
    formulas: Mapping[str, Expression]
    names: frozenset[str]


@dataclass(frozen=True)
class Rule:
    """A rule ready to evaluate; `names` are the constants and variables that it reads (or shadows with a
    result of its own)."""

    name: str
    logic: Mapping[str, Expression]
    phases: tuple[Phase, ...]
    names: frozenset[str]

    def logic_values(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return the constants and variables `given` and the results of Logic: `(rows,)`, or single numbers
        if the same for all rows."""
        values = dict(given)
        with np.errstate(all="ignore"):
            for name, formula in self.logic.items():
                values[name] = formula.evaluate(values)
        return values

    def logic_value(self, name: str, given: Mapping[str, Value]) -> Value:
        """Return one result of Logic as `logic_values` does; only the formulas that it needs are
        evaluated."""
        needed, formulas = {name}, []
        for result, formula in reversed([*self.logic.items()]):
            if result in needed:
                formulas.append((result, formula))
                needed |= formula.names
        values = dict(given)
        with np.errstate(all="ignore"):
            for result, formula in reversed(formulas):
                values[result] = formula.evaluate(values)
        return values[name]

    def active_phase(self, values: Mapping[str, Value], rows: int) -> np.ndarray:
        """Return the number of the first phase whose condition holds in each row `(rows,)`, NO_PHASE where
        none does."""
        active = np.full(rows, _NO_PHASE)
        with np.errstate(all="ignore"):
            # Last phase first, so that an earlier one overwrites it.
            for number in reversed(range(len(self.phases))):
                holds = np.not_equal(self.phases[number].condition.evaluate(values), 0.0)
                active = np.where(holds, number, active)
        return active

    def outputs(self, values: Mapping[str, Value], active: np.ndarray, slots: int) -> np.ndarray:
        """Return the values of the first `slots` formulas of the active phases `(slots, rows)`; 0 where there
        is none.

        A phase's formulas are evaluated only for the rows where it is active.
        """
        found = np.zeros((slots, len(active)))
        for number, phase in enumerate(self.phases):
            rows = np.flatnonzero(active == number)
            if not len(rows):
                continue
            here = values if len(rows) == len(active) else _taken(values, phase.names, rows)
            with np.errstate(all="ignore"):
                for slot, formula in enumerate(islice(phase.formulas.values(), slots)):
                    found[slot, rows] = formula.evaluate(here)
        return found


def _taken(values: Mapping[str, Value], names: Collection[str], rows: np.ndarray) -> dict[str, Value]:
    """Return named values at some rows; single numbers stay as they are."""
    return {
        name: value[rows] if isinstance(value := values[name], np.ndarray) and value.ndim else value
        for name in names
    }


def compile_rule(text: RuleText, known: Collection[str]) -> Rule:
    """Compile a rule that may use the `known` constants and variables; raises NeuraRigError with phase,
    formula and column."""
    place = f"Rule {quoted(text.name)}"
    names = set(known)
    logic = {}
    for name, formula in text.logic.items():
        logic[name] = _compiled(formula, names, f"{place}, Logic {quoted(name)}")
        names.add(name)
    phases = tuple(_compile_phase(phase, names, place) for phase in text.phases)
    used = frozenset[str]().union(
        *(formula.names for formula in logic.values()), *(p.names | p.condition.names for p in phases)
    )
    return Rule(text.name, logic, phases, used & frozenset(known))


def _compile_phase(text: PhaseText, names: Collection[str], place: str) -> Phase:
    place = f"{place}, phase {quoted(text.name)}"
    condition = _compiled(text.condition, names, f"{place}, condition")
    formulas = {
        name: _compiled(formula, names, f"{place}, formula {quoted(name)}")
        for name, formula in text.formulas.items()
    }
    return Phase(
        text.name,
        condition,
        formulas,
        frozenset[str]().union(*(formula.names for formula in formulas.values())),
    )


def _compiled(formula: str, names: Collection[str], place: str) -> Expression:
    try:
        return Expression(formula, names)
    except FormulaError as error:
        raise NeuraRigError(
            f"{place}: in {excerpt(formula, error.column)} at column {error.column}, {error.problem}."
        ) from None


def notes(document: Document, known: Collection[str]) -> Iterator[str]:
    """Yield what the original ignores silently: unused rules, and formulas beyond the last slot."""
    sizes: dict[str, int] = {}
    for binding in document.bindings:
        sizes[binding.rule] = max(binding.size, sizes.get(binding.rule, 0))
    for rule in document.rules:
        if rule.name not in sizes:
            yield f"No binding uses the rule {quoted(rule.name)}.{_broken(rule, known)}"
            continue
        for phase in rule.phases:
            extra = list(phase.formulas)[sizes[rule.name] :]
            if extra:
                yield (
                    f"Rule {quoted(rule.name)}, phase {quoted(phase.name)}: no slot is left for"
                    f" {quoted(extra[0])}."
                )


def _broken(rule: RuleText, known: Collection[str]) -> str:
    try:
        compile_rule(rule, known)
    except NeuraRigError as error:
        return f" It would not work: {error}"
    return ""


def faults(rule: Rule, binding: str, outputs: np.ndarray, active: np.ndarray) -> Iterator[str]:
    """Yield sentences on rows without an active phase, and on formulas with values that are not finite."""
    idle = int(np.count_nonzero(active == _NO_PHASE))
    if idle:
        yield (
            f"Rule '{rule.name}' for '{binding}': no phase holds in {idle} of {len(active)} rows; add one"
            " with the condition 1."
        )
    for number, phase in enumerate(rule.phases):
        own = outputs[active == number]
        for name, column in zip(phase.formulas, own.T, strict=False):
            bad = int(np.count_nonzero(~np.isfinite(column)))
            if bad:
                yield (
                    f"Rule '{rule.name}', phase '{phase.name}', formula '{name}' for '{binding}': "
                    f"not finite in {bad} of {len(column)} rows; guard divisions, as in x / max(y, 1e-6)."
                )
