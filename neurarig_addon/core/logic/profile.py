"""A logic profile, the content of NeuraRig's JSON files, ready to evaluate.

Two lanes make a row: a rule that both sides use is evaluated once, over the right side's rows followed by the
left side's.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path

import numpy as np

from ..contract.channels import POSE_AXES
from ..errors import NeuraRigError, about
from ..files.given_file import content_of
from ..shipped import DATA
from .document import LARGEST_FILE, Binding, ConstantHelp, Document, Field, read_document
from .rule import Rule, compile_rule, faults, notes
from .schema import instead, quoted
from .vocabulary import Value


def _input_columns(document: Document) -> dict[str, tuple[int, int]]:
    """Return the input columns, right and left, of every variable."""
    offsets = {entry.name: entry.offset for entry in document.inputs if entry.size}
    found = {}
    for name, sides in document.variables.items():
        if name in document.constants:
            raise NeuraRigError(f"{quoted(name)} is a constant and a variable; rename one.")
        for given in sides:
            if given not in offsets:
                raise NeuraRigError(
                    f"The variable {quoted(name)} lists the input {quoted(given)}{instead(given, offsets)}"
                )
        found[name] = offsets[sides[0]], offsets[sides[1]]
    return found


def _column_names(fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Return a name for each column: the field's, with a number appended if the field has several."""
    names = {
        entry.offset + n: f"{entry.name}.{n}" if entry.size > 1 else entry.name
        for entry in fields
        for n in range(entry.size)
    }
    return tuple(names.get(column, f"unnamed.{column}") for column in range(max(names, default=-1) + 1))


def _output_names(document: Document) -> tuple[str, ...]:
    """Return a name for each output column, `foot_r.x` if a binding fills it; raises NeuraRigError for a
    binding beyond Outputs."""
    bound = {
        binding.offset + n: f"{binding.name}.{POSE_AXES[n] if n < len(POSE_AXES) else n}"
        for binding in document.bindings
        for n in range(binding.size)
    }
    declared = _column_names(document.outputs)
    width = len(declared) if document.outputs else max(bound, default=-1) + 1
    for binding in document.bindings:
        if binding.offset + binding.size > width:
            raise NeuraRigError(
                f"The binding {quoted(binding.name)} goes beyond the {width} Outputs; correct Offset, Size or"
                " Outputs."
            )
    return tuple(bound[column] if column in bound else declared[column] for column in range(width))


FOLDER = DATA / "profiles"
# The result of Logic that is the cycle's period in seconds, by the original's convention.
PERIOD = "T_gait"
# Rows evaluated at once: arrays stay in the processor's cache, and memory does not grow with a profile's
# formulas.
_ROWS_AT_ONCE = 2_048


@dataclass(frozen=True)
class _Use:
    """A rule, the bindings it serves, and their sides: 0 right, 1 left, each once."""

    rule: Rule
    bindings: tuple[Binding, ...]
    sides: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Profile:
    """A valid profile: every formula that a binding uses is compiled.

    `inputs`, `outputs`: a name for every column, outputs as `foot_r.x`. `constants`: the numbers a user may
    edit, see `with_constants`;
    `help` describes them. `text`: the profile's own description. `notes`: harmless oddities, one sentence
    each.
    """

    name: str
    version: int | float
    text: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    bindings: tuple[Binding, ...]
    constants: Mapping[str, float]
    help: Mapping[str, ConstantHelp]
    notes: tuple[str, ...]
    _uses: tuple[_Use, ...] = field(repr=False)
    _columns: Mapping[str, tuple[int, int]] = field(repr=False)
    _document: Document = field(repr=False)

    @classmethod
    def load(cls, path: str | os.PathLike) -> "Profile":
        """Read a profile; raises NeuraRigError naming the file, and the rule, phase, formula and column of
        the fault."""
        path = Path(path)
        content = content_of(path, LARGEST_FILE, "a profile is a short text, choose the right file")
        with about(path.name):
            try:
                return cls.from_json(content.decode("utf-8"))
            except UnicodeDecodeError:
                raise NeuraRigError("It is not UTF-8 text; choose a profile file.") from None

    @classmethod
    def from_json(cls, text: str) -> "Profile":
        """Read a profile from its JSON text, with or without a byte order mark; raises NeuraRigError."""
        document = read_document(text)
        columns = _input_columns(document)
        known = [*document.constants, *columns]
        return cls(
            name=document.name,
            version=document.version,
            text=document.text,
            inputs=_column_names(document.inputs),
            outputs=_output_names(document),
            bindings=document.bindings,
            constants=document.constants,
            help=document.help,
            notes=tuple(notes(document, known)),
            _uses=tuple(_uses(document, known)),
            _columns=columns,
            _document=document,
        )

    def to_json(self) -> str:
        """Return the profile as read, with its current constants."""
        whole = dict(self._document.whole)
        if self.constants != self.defaults:
            schema = dict(whole["Schema"])
            given = schema["Parameters"]["Constants"]
            changed = {name: value for name, value in self.constants.items() if value != self.defaults[name]}
            schema["Parameters"] = {**schema["Parameters"], "Constants": given | changed}
            whole["Schema"] = schema
        return json.dumps(whole, indent=2) + "\n"

    def with_constants(self, **values: float) -> "Profile":
        """Return the profile with some constants changed; raises NeuraRigError for an unknown constant or a
        value that is not finite."""
        for name, value in values.items():
            if name not in self.constants:
                raise NeuraRigError(
                    f"The profile '{self.name}' has no constant {quoted(name)}; it has"
                    f" {', '.join(self.constants)}."
                )
            if not isfinite(value):
                raise NeuraRigError(f"The constant '{name}' needs a finite number; set it again.")
        return replace(
            self, constants={**self.constants, **{name: float(value) for name, value in values.items()}}
        )

    @property
    def defaults(self) -> Mapping[str, float]:
        """The constants in the file, to reset to."""
        return self._document.constants

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return the outputs `(n, outputs)` float64 for inputs `(n, inputs)`, in the order and units of the
        file.

        If a formula divides by 0 or the like its output is not finite, as in the original; see `check`.
        """
        rows = self._checked(inputs)
        found = np.zeros((len(rows), len(self.outputs)))
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            block = slice(start, start + _ROWS_AT_ONCE)
            self._fill(found[block], np.ascontiguousarray(rows[block].T))
        return found

    def active_phases(self, inputs: np.ndarray) -> dict[str, np.ndarray]:
        """Return for each binding the number of its rule's active phase `(n,)`, -1 where none is (see
        `phase_names`)."""
        columns = np.ascontiguousarray(self._checked(inputs).T)
        found = {}
        for use in self._uses:
            values, lanes = self._lanes(use, columns)
            active = use.rule.active_phase(use.rule.logic_values(values), lanes).reshape(len(use.sides), -1)
            found |= {binding.name: active[use.sides.index(int(binding.is_left))] for binding in use.bindings}
        return {binding.name: found[binding.name] for binding in self.bindings}

    @cached_property
    def phase_names(self) -> dict[str, tuple[str, ...]]:
        """The names of the phases of each binding's rule, in order."""
        return {
            binding.name: tuple(phase.name for phase in use.rule.phases)
            for use in self._uses
            for binding in use.bindings
        }

    def period(self, inputs: np.ndarray) -> np.ndarray | None:
        """Return the cycle's period `(n,)` in seconds: Logic's `T_gait` in the first rule that has one; None
        if none has."""
        columns = np.ascontiguousarray(self._checked(inputs).T)
        for use in self._uses:
            if PERIOD in use.rule.logic:
                values, lanes = self._lanes(replace(use, sides=use.sides[:1]), columns)
                return np.broadcast_to(use.rule.logic_value(PERIOD, values), lanes).copy()
        return None

    def check(self, inputs: np.ndarray) -> list[str]:
        """Return the problems for inputs `(n, inputs)`, a sentence for each faulty formula, after the
        `notes`; empty if there are none."""
        found = list(self.notes)
        outputs, active = self.evaluate(inputs), self.active_phases(inputs)
        for use in self._uses:
            for binding in use.bindings:
                own = outputs[:, binding.offset : binding.offset + binding.size]
                found += faults(use.rule, binding.name, own, active[binding.name])
        return found

    def _checked(self, inputs: np.ndarray) -> np.ndarray:
        rows = np.asarray(inputs, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != len(self.inputs):
            shape = " x ".join(map(str, rows.shape))
            raise NeuraRigError(
                f"The profile '{self.name}' takes rows of {len(self.inputs)} inputs and was given {shape}."
            )
        return rows

    def _fill(self, found: np.ndarray, columns: np.ndarray) -> None:
        """Fill outputs `(n, outputs)` from input columns `(inputs, n)`."""
        for use in self._uses:
            values, lanes = self._lanes(use, columns)
            values = use.rule.logic_values(values)
            slots = max(binding.size for binding in use.bindings)
            own = use.rule.outputs(values, use.rule.active_phase(values, lanes), slots).reshape(
                slots, len(use.sides), len(found)
            )
            for binding in use.bindings:
                side = use.sides.index(int(binding.is_left))
                found[:, binding.offset : binding.offset + binding.size] = own[: binding.size, side].T

    def _lanes(self, use: _Use, columns: np.ndarray) -> tuple[dict[str, Value], int]:
        """Return the constants and, side after side, the variables that a rule reads, and the number of
        lanes."""
        values: dict[str, Value] = {}
        for name in use.rule.names:
            if name in self.constants:
                values[name] = np.float64(self.constants[name])
            else:
                values[name] = columns[[self._columns[name][side] for side in use.sides]].reshape(-1)
        return values, len(use.sides) * columns.shape[1]


def _uses(document: Document, known: Collection[str]) -> Iterator[_Use]:
    """Yield the rules that bindings use, compiled."""
    rules = {rule.name: rule for rule in document.rules}
    bound: dict[str, list[Binding]] = {}
    for binding in document.bindings:
        if binding.rule not in rules:
            raise NeuraRigError(
                f"The binding {quoted(binding.name)} has the Target"
                f" {quoted(binding.rule)}{instead(binding.rule, rules)}"
            )
        bound.setdefault(binding.rule, []).append(binding)
    for name, bindings in bound.items():
        sides = tuple(sorted({int(binding.is_left) for binding in bindings}))
        yield _Use(compile_rule(rules[name], known), tuple(bindings), sides)
