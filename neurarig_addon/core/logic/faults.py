"""Problems of a profile that loads: sentences for its author."""

from collections.abc import Collection, Iterator

import numpy as np

from ..errors import NeuraRigError
from .document import Document, RuleText
from .rule import NO_PHASE, Rule, compile_rule
from .schema import quoted


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
                yield f"Rule {quoted(rule.name)}, phase {quoted(phase.name)}: no slot is left for {quoted(extra[0])}."


def _broken(rule: RuleText, known: Collection[str]) -> str:
    try:
        compile_rule(rule, known)
    except NeuraRigError as error:
        return f" It would not work: {error}"
    return ""


def faults(rule: Rule, binding: str, outputs: np.ndarray, active: np.ndarray) -> Iterator[str]:
    """Yield sentences on rows without an active phase, and on formulas with values that are not finite."""
    idle = int(np.count_nonzero(active == NO_PHASE))
    if idle:
        yield f"Rule '{rule.name}' for '{binding}': no phase holds in {idle} of {len(active)} rows; add one with the condition 1."
    for number, phase in enumerate(rule.phases):
        own = outputs[active == number]
        for name, column in zip(phase.formulas, own.T, strict=False):
            bad = int(np.count_nonzero(~np.isfinite(column)))
            if bad:
                yield (
                    f"Rule '{rule.name}', phase '{phase.name}', formula '{name}' for '{binding}': "
                    f"not finite in {bad} of {len(column)} rows; guard divisions, as in x / max(y, 1e-6)."
                )
