"""The directive `.. api:: NAME ...`: functions of `blender.api` with signature and docstring, read from the
source without Blender."""

import ast
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, GoogleDocstring

API = Path(__file__).resolve().parents[1] / "neurarig_addon" / "blender" / "api.py"


class Api(Directive):
    """Functions by their names."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the functions' descriptions."""
        lines: list[str] = []
        for name in " ".join(self.content).split():
            lines += described(name)
        parent = nodes.container()
        self.state.nested_parse(StringList(lines, source=str(API)), 0, parent)
        return parent.children


def described(name: str) -> list[str]:
    """Return a function as lines of reStructuredText."""
    function = functions()[name]
    returns = function.returns
    # `at_once`: of what it does step by step it returns the result
    if function.decorator_list and isinstance(returns, ast.Subscript):
        returns = returns.slice
    signature = f"{name}({ast.unparse(function.args)})" + (f" -> {ast.unparse(returns)}" if returns else "")
    config = Config(napoleon_use_param=False, napoleon_use_rtype=False)
    body = str(GoogleDocstring(ast.get_docstring(function) or "", config, what="function")).splitlines()
    return [f".. py:function:: {signature}", "", *(f"   {line}" for line in body), ""]


@cache
def functions() -> dict[str, ast.FunctionDef]:
    """Return every function that `blender.api` hands on."""
    found = {}
    for statement in ast.parse(API.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.level == 1:
            file = API.parent / f"{(statement.module or '').replace('.', '/')}.py"
            own = {
                each.name: each
                for each in ast.parse(file.read_text(encoding="utf-8")).body
                if isinstance(each, ast.FunctionDef)
            }
            found |= {alias.name: own[alias.name] for alias in statement.names}
    return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("api", Api)
    return {"parallel_read_safe": True}
