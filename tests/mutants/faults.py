"""The faults that can be put into a source file, one at a time, such as people make them: a sign, a side, a
comparison, a line left out."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    "Lt": ("<", ">"),
    "LtE": ("<=", ">="),
    "Gt": (">", "<"),
    "GtE": (">=", "<="),
    "Eq": ("==", "!="),
    "NotEq": ("!=", "=="),
    "In": ("in", "not in"),
    "NotIn": ("not in", "in"),
    "Is": ("is", "is not"),
    "IsNot": ("is not", "is"),
}
OPERATORS = {
    "Add": ("+", "-"),
    "Sub": ("-", "+"),
    "Mult": ("*", "/"),
    "Div": ("/", "*"),
    "BitAnd": ("&", "|"),
    "BitOr": ("|", "&"),
}
EACH_FOR_THE_OTHER = [
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("any", "all"),
    ("floor", "ceil"),
    ("sin", "cos"),
    ("LEFT", "RIGHT"),
    ("about_x", "about_y"),
    ("zeros", "ones"),
    ("append", "remove"),
]
SWAPPED = {one: other for pair in EACH_FOR_THE_OTHER for one, other in (pair, pair[::-1])}
LEFT_OUT = {"abs", "transposed", "normalized", "sorted"}  # calls, of which the argument alone is left
PLAIN = {0, 1, 2, 0.5}  # other numbers are tuned: pictures tell whether they are right
# a wrong number there can only raise
SHAPES = {"eye", "zeros", "ones", "empty", "full", "reshape", "broadcast_to"}
NOT_CODE = (ast.Raise, ast.Assert, ast.JoinedStr, ast.arguments)  # sentences and types
Change = tuple[int, int, bytes]


@dataclass(frozen=True)
class Fault:
    """One change of a source file: bytes `start` to `end` become `new`; `function` is the qualified name of
    what they are in."""

    function: str
    line: int
    start: int
    end: int
    new: bytes

    def put_into(self, source: bytes) -> bytes:
        """Return the source with the fault in."""
        return source[: self.start] + self.new + source[self.end :]

    def is_python(self, source: bytes) -> bool:
        """Say whether the source can be read with the fault in."""
        try:
            ast.parse(self.put_into(source))
        except SyntaxError:
            return False
        return True

    def shown(self, source: bytes) -> tuple[str, str]:
        """Return the lines that it changes, as they were and as they are, with single blanks."""
        begin, end = source.rfind(b"\n", 0, self.start) + 1, source.find(b"\n", self.end)
        was, new = source[begin:end], source[begin : self.start] + self.new + source[self.end : end]
        return " ".join(was.decode().split()), " ".join(new.decode().split())


def faults_of(source: bytes) -> list[Fault]:
    """Return every fault that can be put into the functions of a file; a few leave no Python (see
    `is_python`)."""
    return list(_Finder(source).found())


class _Finder:
    """What can be changed in a source, node by node."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.line_starts = [0, *(match.end() for match in re.finditer(b"\n", source))]

    def found(self) -> Iterator[Fault]:
        for name, function in functions(ast.parse(self.source), ""):
            known = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
            for node, inside in _walked(function, ()):
                for start, end, new in (
                    *self._of_statement(node, inside, known),
                    *self._of_expression(node, inside),
                ):
                    yield Fault(name, self.source.count(b"\n", 0, start) + 1, start, end, new)
                if isinstance(node, ast.Assign):
                    known |= {
                        part.id
                        for target in node.targets
                        for part in ast.walk(target)
                        if isinstance(part, ast.Name)
                    }

    def _of_statement(self, node: ast.AST, inside: tuple[ast.AST, ...], known: set[str]) -> Iterator[Change]:
        """Yield the statement left out, where what follows still has all names that it needs; and conditions
        the other way round."""
        conditional = any(isinstance(outer, ast.If | ast.For | ast.While) for outer in inside)
        if (
            isinstance(node, ast.AugAssign | ast.Continue | ast.Break)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
            or (isinstance(node, ast.Raise | ast.Return) and conditional)
            or (isinstance(node, ast.Assign) and all(_is_known(target, known) for target in node.targets))
        ):
            start, end = self._span(node)
            yield start, end, b"pass" + b"\n" * self.source.count(b"\n", start, end)
        if isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Compare):
            yield *self._span(node.test), b"(not (" + self._text(node.test) + b"))"

    def _of_expression(self, node: ast.AST, inside: tuple[ast.AST, ...]) -> Iterator[Change]:
        match node:
            case ast.Compare(ops=[operator]):
                yield from self._swapped(
                    node.left, node.comparators[0], *COMPARISONS[type(operator).__name__]
                )
            case ast.BinOp() if type(node.op).__name__ in OPERATORS and not _is_text(node.left):
                yield from self._swapped(node.left, node.right, *OPERATORS[type(node.op).__name__])
            case ast.BoolOp():
                pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from self._swapped(left, right, *pair)
            case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert()):
                yield self._span(node)[0], self._span(node.operand)[0], b""
            case ast.Attribute(attr="T"):
                yield self._span(node)[1] - 2, self._span(node)[1], b""
            case ast.Name(id="LEFT" | "RIGHT" as name):
                yield *self._span(node), SWAPPED[name].encode()
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SWAPPED:
                end = self._span(node.func)[1]
                yield end - len(name), end, SWAPPED[name].encode()
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[argument]) if (
                name in LEFT_OUT and not node.keywords
            ):
                yield *self._span(node), b"(" + self._text(argument) + b")"
            case ast.Constant(value=bool(value)):
                if not _is_guard(node, inside):
                    yield *self._span(node), str(not value).encode()
            case ast.Constant(value=int() | float() as value) if (
                value in PLAIN or (value == 3 and isinstance(value, int))
            ) and not _is_shape(node, inside):
                yield (
                    *self._span(node),
                    str(value + 1 if isinstance(value, int) else 2.0 * value or 1.0).encode(),
                )

    def _swapped(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Iterator[Change]:
        """Yield an operator between two operands exchanged."""
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = (
            rb"\b" + old.encode().replace(b" ", rb"\s+") + rb"\b"
            if old[0].isalpha()
            else re.escape(old).encode()
        )
        places = list(re.finditer(pattern, self.source[start:end]))
        if len(places) == 1:
            yield start + places[0].start(), start + places[0].end(), new.encode()

    def _text(self, node: ast.AST) -> bytes:
        start, end = self._span(node)
        return self.source[start:end]

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        return (
            self.line_starts[node.lineno - 1] + node.col_offset,
            self.line_starts[node.end_lineno - 1] + node.end_col_offset,
        )


def functions(node: ast.AST, holder: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield functions with their qualified names, as code objects have them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield holder + child.name, child
            yield from functions(child, f"{holder}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from functions(child, f"{holder}{child.name}.")
        else:
            yield from functions(child, holder)


def _walked(node: ast.AST, inside: tuple[ast.AST, ...]) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """Yield what a function does, in the order of the source, with what encloses it; functions within it are
    walked on their own."""
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if (
                isinstance(child, ast.AST)
                and not isinstance(child, ast.FunctionDef)
                and name not in ("annotation", "returns", "decorator_list")
            ):
                yield child, (*inside, node)
                if not isinstance(child, NOT_CODE):
                    yield from _walked(child, (*inside, node))


def _is_known(target: ast.AST, known: set[str]) -> bool:
    return (
        target.id in known
        if isinstance(target, ast.Name)
        else isinstance(target, ast.Subscript | ast.Attribute)
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_guard(node: ast.AST, inside: tuple[ast.AST, ...]) -> bool:
    """Say whether a constant is the `strict` of a zip, which only raises where somebody erred elsewhere."""
    return isinstance(inside[-1], ast.keyword) and inside[-1].arg == "strict" and inside[-1].value is node


def _is_shape(node: ast.AST, inside: tuple[ast.AST, ...]) -> bool:
    calls = [outer.func for outer in inside if isinstance(outer, ast.Call)]
    return bool(calls) and getattr(calls[-1], "attr", getattr(calls[-1], "id", "")) in SHAPES
