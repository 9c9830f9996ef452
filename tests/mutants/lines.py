"""Which lines a fault's statement has."""

import ast

from tests.mutants.faults import Fault


def statement(source: bytes, fault: Fault) -> range:
    """Return the lines of the innermost statement that holds a fault; of a compound one those of its head."""
    heads = [range(fault.line, fault.line + 1)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= fault.line:
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            heads += [range(node.lineno, last + 1)] if fault.line <= last else []
    return max(heads[1:] or heads, key=lambda head: head.start)
