"""The columns of inputs and outputs behind the names of a profile."""

from ..contract.channels import POSE_AXES
from ..errors import NeuraRigError
from .document import Document, Field
from .schema import instead, quoted


def input_columns(document: Document) -> dict[str, tuple[int, int]]:
    """Return the input columns, right and left, of every variable."""
    offsets = {entry.name: entry.offset for entry in document.inputs if entry.size}
    found = {}
    for name, sides in document.variables.items():
        if name in document.constants:
            raise NeuraRigError(f"{quoted(name)} is a constant and a variable; rename one.")
        for given in sides:
            if given not in offsets:
                raise NeuraRigError(f"The variable {quoted(name)} lists the input {quoted(given)}{instead(given, offsets)}")
        found[name] = offsets[sides[0]], offsets[sides[1]]
    return found


def column_names(fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Return a name for each column: the field's, with a number appended if the field has several."""
    names = {entry.offset + n: f"{entry.name}.{n}" if entry.size > 1 else entry.name for entry in fields for n in range(entry.size)}
    return tuple(names.get(column, f"unnamed.{column}") for column in range(max(names, default=-1) + 1))


def output_names(document: Document) -> tuple[str, ...]:
    """Return a name for each output column, `foot_r.x` if a binding fills it; raises NeuraRigError for a binding beyond Outputs."""
    bound = {
        binding.offset + n: f"{binding.name}.{POSE_AXES[n] if n < len(POSE_AXES) else n}"
        for binding in document.bindings
        for n in range(binding.size)
    }
    declared = column_names(document.outputs)
    width = len(declared) if document.outputs else max(bound, default=-1) + 1
    for binding in document.bindings:
        if binding.offset + binding.size > width:
            raise NeuraRigError(f"The binding {quoted(binding.name)} goes beyond the {width} Outputs; correct Offset, Size or Outputs.")
    return tuple(bound[column] if column in bound else declared[column] for column in range(width))
