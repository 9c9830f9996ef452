"""The texts that a user sees, as the catalogues of other languages hold them.

`python -m tests.translations` brings every catalogue up to date, where there is bpy: texts that are new come
in without a translation, those that are gone go.
"""

import ast
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from neurarig_addon.core.language import catalogue
from neurarig_addon.core.shipped import shipped
from neurarig_addon.core.skeleton.roles import ARM_PARTS, EARS, EYES, FORE_PARTS, LEG_PARTS, stem_of

ADDON = Path(__file__).resolve().parents[1] / "neurarig_addon"
LANGUAGES = ADDON / "data" / "languages"
# What only a terminal or another program reads stays in English.
ROOMS = ("core", "blender")
TERMINAL = ADDON / "blender" / "cli"
# Names of evidence and of network's parts, which nobody reads.
INNER = {ADDON / "core" / room for room in ("detection", "contract", "geometry")}
SHOWN = {"text", "heading", "name", "description", "label", "confirm", "confirm_text", "doing"}
SHOWN |= {"bl_label", "bl_description"}
MOST_ALTERNATIVES = 16
CODE = ("\\", "['\"", "://", "{'", "msg", "frame >= ")
OF_THE_TERMINAL = {"help", "metavar", "flag"}
TRUNK = ("root", "pelvis", "spine", "chest", "neck", "head")
PARTS = {
    stem_of(role).replace("_", " ").title()
    for role in (
        *LEG_PARTS,
        *ARM_PARTS,
        *FORE_PARTS,
        *EYES,
        *EARS,
        "pelvis",
        "chest",
        "neck",
        "head",
        "root",
        "spine",
    )
}
_HOLE = "\0"


def texts_in_code() -> set[str]:
    """Return the sentences and labels that are written in the code, with fields for what is filled in."""
    found: set[str] = set()
    for room in ROOMS:
        for path in sorted((ADDON / room).rglob("*.py")):
            if TERMINAL not in path.parents:
                is_inner = any(inner in path.parents for inner in INNER)
                found |= set(_read(ast.parse(path.read_text("utf-8")), is_inner))
    return found


def texts_of_blender() -> set[str]:
    """Return names, labels and descriptions of everything registered in Blender, whose add-on must be on."""
    import bpy

    found: set[str] = set()

    def add(named: object) -> None:
        found.update(filter(None, (getattr(named, "name", ""), getattr(named, "description", ""))))

    for kind in _registered():
        rna = kind.bl_rna
        if issubclass(kind, bpy.types.Operator):
            category, name = kind.bl_idname.split(".")
            rna = getattr(getattr(bpy.ops, category), name).get_rna_type()
        found.update(filter(None, (getattr(kind, "bl_label", ""), rna.description)))
        for property_ in rna.properties:
            if not property_.is_runtime or property_.identifier == property_.name:
                continue
            add(property_)
            for item in getattr(property_, "enum_items_static", ()):
                add(item)
    return {text for text in found if any(map(str.isalpha, text))}


def texts_of_data() -> set[str]:
    """Return the names and descriptions of what comes with the add-on, and the names of bones' roles."""
    found = set(PARTS) | {"Left {0}", "Right {0}", "Spine {0}", "Neck {0}", "Tail {0}"}
    for folder in ("acts", "presets", "profiles", "styles"):
        for path in (ADDON / "data" / folder).glob("*.json"):
            told = shipped(f"{folder}/{path.stem}")
            found.add(path.stem.split("_", 1)[1].replace("_", " ").title())
            found.update(filter(None, map(told.get, ("name", "description"))))
    return found


def _registered() -> Iterator[type]:
    import bpy

    bases = [getattr(bpy.types, name) for name in ("Operator", "Panel", "Menu", "PropertyGroup", "UIList")]
    kinds = [*bases, bpy.types.AddonPreferences]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
        if kind.__module__.startswith("neurarig_addon") and getattr(kind, "is_registered", False):
            yield kind


def _read(node: ast.AST, is_inner: bool) -> Iterator[str]:
    for child in _without_annotations(node):
        name = getattr(child, "arg", None) or _target(child)
        if name in OF_THE_TERMINAL:
            continue
        is_shown = name in SHOWN
        value = child.value if is_shown and isinstance(child, ast.keyword | ast.Assign) else child
        texts = _texts(value)
        if texts is None:
            yield from _read(child, is_inner)
            continue
        for text in texts:
            if is_shown or _is_sentence(text, is_inner):
                yield _with_names(text) if _HOLE in text else text
        for inner in ast.walk(value):
            if isinstance(inner, ast.FormattedValue) and _texts(inner.value) is None:
                yield from _read(ast.Expression(inner.value), is_inner)


def _without_annotations(node: ast.AST) -> Iterator[ast.AST]:
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not is_docstring:
                yield child


def _target(node: ast.AST) -> str:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def _texts(node: ast.AST) -> list[str] | None:
    """Return the texts that an expression may have, a hole for each value; None if it is no text."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    if isinstance(node, ast.IfExp):
        one, other = _texts(node.body), _texts(node.orelse)
        return None if one is None or other is None else one + other
    if isinstance(node, ast.FormattedValue):
        inside = None if node.format_spec else _texts(node.value)
        return inside or [f"{_HOLE}{_named(node.value)}{_HOLE}"]
    if isinstance(node, ast.JoinedStr):
        pieces = [_texts(piece) or [""] for piece in node.values]
        return ["".join(chosen) for chosen in product(*pieces)][:MOST_ALTERNATIVES]
    return None


def _named(value: ast.AST) -> str:
    if isinstance(value, ast.Name):
        return value.id.strip("_")
    return value.attr if isinstance(value, ast.Attribute) else ""


def _with_names(text: str) -> str:
    """Return a text with its holes as fields, each with a name of its own."""
    pieces, used = text.split(_HOLE), set()
    for number in range(1, len(pieces), 2):
        name = pieces[number]
        if not name or name in used:
            name = str(number // 2)
        used.add(name)
        pieces[number] = f"{{{name}}}"
    return "".join(pieces)


def _is_sentence(text: str, is_inner: bool) -> bool:
    words = re.sub(f"{_HOLE}.*?{_HOLE}", "", text)
    if " " not in text.strip() or sum(map(str.isalpha, words)) < 4 or any(code in text for code in CODE):
        return False
    return not is_inner or text[0].isupper() or text[0] in "'" + _HOLE


def _update(found: set[str]) -> None:
    for path in sorted(LANGUAGES.glob("*.po")):
        known = catalogue.read(path)
        entries = {message: said for message, said in known.items() if message[1] in found}
        held = {text for _, text in entries}
        entries |= {("", text): "" for text in found - held}
        head = path.read_text("utf-8").split("\n\n", 1)[0]
        path.write_text(written(entries, head), "utf-8")
        print(f"{path.name}: {len(found - held)} texts to be translated, {len(found)} in all")


def written(entries: dict[catalogue.Message, str], head: str) -> str:
    """Return a catalogue as text, its entries sorted; those without a translation are kept, to be filled."""
    paragraphs = [head.rstrip("\n")]
    for (context, text), said in sorted(entries.items(), key=lambda entry: entry[0][::-1]):
        lines = [f"msgctxt {_quoted(context)}"] if context else []
        paragraphs.append("\n".join([*lines, f"msgid {_quoted(text)}", f"msgstr {_quoted(said)}"]))
    return "\n\n".join(paragraphs) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def everything() -> set[str]:
    """Return all texts that are to be translated; the add-on must be registered."""
    return {text for text in texts_in_code() | texts_of_blender() | texts_of_data() if text.strip()}


if __name__ == "__main__":
    from neurarig_addon.blender import registration

    registration.register()
    _update(everything())
