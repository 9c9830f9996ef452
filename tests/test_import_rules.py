"""Who may import whom: the table of docs/internals/architecture.md, read from the source with `ast`."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = "neurarig_addon"
FILES = sorted((REPOSITORY / PACKAGE).rglob("*.py"))
ROOMS = ("core", "blender", "link", "training", "batch")

# Room -> what its files may import besides the standard library and themselves.
ALLOWED = {
    "core": {"numpy"},
    "link": {"numpy", "core"},
    "training": {"numpy", "scipy", "torch", "safetensors", "onnx", "onnxscript", "core", "link"},
    "blender": {
        "numpy",
        "bpy",
        "bpy_extras",
        "rna_keymap_ui",
        "mathutils",
        "addon_utils",
        "bl_operators",
        "blf",
        "gpu",
        "gpu_extras",
        "core",
        "link",
    },
    "batch": {"numpy", "bpy", "distributed", "pyarrow", "core", "blender", ""},
    "": {"blender", "core"},
}
# The core's rooms in their order: each may import what lies in no room (""), and of the rooms before it those
# that it names.
CORE_ORDER: dict[str, set[str]] = {
    "": set(),
    "geometry": set(),
    "files": set(),
    "language": set(),
    "skeleton": {"geometry", "files"},
    "detection": {"geometry", "skeleton"},
    "character": {"geometry", "skeleton", "detection"},
    "body": {"geometry", "skeleton", "character"},
    "posing": {"geometry", "character"},
    "follow": {"geometry", "skeleton", "character", "posing"},
    "hands": {"geometry", "skeleton", "character", "posing"},
    "contract": {"character"},
    "people": {"files", "character", "contract"},
    "path": {"geometry", "character"},
    "ground": {"geometry", "body"},
    "crowd": {"geometry", "files", "path"},
    "logic": {"files", "contract"},
    "gait": {
        "geometry",
        "files",
        "skeleton",
        "character",
        "body",
        "contract",
        "people",
        "path",
        "ground",
        "logic",
    },
    "report": {"geometry", "skeleton", "character", "body", "ground", "gait"},
    "controls": {"geometry", "files", "skeleton", "character", "posing", "gait", "report"},
    "network": {"files"},
    "human": {"character", "contract", "gait", "network"},
    "learned": {"files", "logic", "gait", "network"},
    "ikrig": {"geometry", "files", "skeleton", "character"},
    "neural": {"geometry", "files", "skeleton", "character", "body", "posing", "network"},
    "labels": {"geometry", "files", "body", "neural"},
    "over": {"geometry", "skeleton", "character", "body"},
    "retarget": {"geometry", "skeleton", "character", "body", "ground", "ikrig"},
    "blend": {"geometry", "skeleton", "character", "body", "posing", "gait", "retarget"},
    "styles": {
        "geometry",
        "files",
        "skeleton",
        "character",
        "body",
        "contract",
        "people",
        "gait",
        "human",
        "ikrig",
        "retarget",
    },
    "takes": {
        "geometry",
        "files",
        "skeleton",
        "character",
        "body",
        "contract",
        "path",
        "ground",
        "gait",
        "ikrig",
        "retarget",
        "styles",
    },
    "acts": {
        "geometry",
        "files",
        "skeleton",
        "character",
        "body",
        "contract",
        "path",
        "ground",
        "gait",
        "retarget",
        "blend",
        "styles",
        "takes",
    },
    "keys": {"geometry", "skeleton", "character", "retarget"},
    "sets": {
        "geometry",
        "files",
        "skeleton",
        "character",
        "body",
        "posing",
        "path",
        "ground",
        "gait",
        "acts",
    },
    "sequence": {
        "geometry",
        "skeleton",
        "character",
        "body",
        "path",
        "gait",
        "network",
        "ikrig",
        "neural",
        "retarget",
        "blend",
    },
    "mocap": {"geometry", "files", "skeleton", "detection", "neural"},
}
# What lies in `core/gait`, rooms and files that lie in none, from the bottom up: each may import what stands
# before it.
GAIT_ORDER = (
    "pose",
    "key_poses",
    "inputs",
    "sliders",
    "kinds",
    "timing",
    "way",
    "slow_inputs",
    "walker",
    "steps",
    "feet",
    "body",
    "prints",
    "carriage",
    "synthesis",
    "contract_pose",
    "limits",
)
# The same of `blender/walk`: what is read, the walk that follows from it, how it is shown and baked, what
# scripts and the tab do with it.
WALK_ORDER = (
    "changes",
    "hands",
    "way",
    "layer",
    "blend",
    "manner",
    "walk",
    "footprints",
    "settings",
    "source",
    "show",
    "bake",
    "api",
    "ui",
)
# Blender's rooms, from the bottom up: a file may import what stands in its own room and below, never above.
BLENDER_ROOMS = (
    "animation",
    "character",
    "live",
    "interface",
    "hands",
    "follow",
    "keys",
    "over",
    "walk",
    "retarget",
    "learning",
    "neural_pose",
    "sets",
    "labels",
    "crowd",
    "engine",
    "rig",
    "properties",
    "preferences",
    "api",
    "cli",
    "registration",
)
# In every room: what draws, and what only buttons, scripts and commands call.
PANEL = "panel"
APPLICATION = (PANEL, "operators", "api", "cli", "registration")
# Bases of panels, and what several panels draw, are no panel of the tab.
PANEL_BASES = {"blender.interface.panel"}
DANGEROUS_CALLS = {"eval", "exec", "compile", "__import__"}
DANGEROUS_MODULES = {"pickle", "marshal", "shelve", "urllib", "http", "subprocess", "ctypes"}
RUN_FROM_THE_REPOSITORY = ("training", "batch")  # their commands start processes; Blender never loads them
NETWORK_MODULES = {"socket", "socketserver", "ssl", "asyncio"}


def name_of(path: Path) -> str:
    """Return a file's module name below the package: `core.gait.pose`."""
    parts = path.relative_to(REPOSITORY / PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in FILES}


def room_of(module: str) -> str:
    """Return the first part of a module's name when that is a room, else an empty string (the package
    itself)."""
    return module.split(".")[0] if module.split(".")[0] in ROOMS else ""


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return all that a file's syntax tree has."""
    return list(ast.walk(tree_of(path)))


@cache
def imports(path: Path, top_level_only: bool = False) -> tuple[tuple[str, int], ...]:
    """Return what a file imports: `(module, level)`, relative imports resolved below the package."""
    nodes = tree_of(path).body if top_level_only else nodes_of(path)
    return tuple(found for node in nodes for found in imported_by(node, path))


def imported_by(node: ast.AST, path: Path) -> Iterator[tuple[str, int]]:
    """Yield the modules of one statement; `from . import x` yields the module x where there is one."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, 0) for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield node.module or "", 0
    elif isinstance(node, ast.ImportFrom):
        package = path.relative_to(REPOSITORY / PACKAGE).parent.parts
        base = package[: len(package) - node.level + 1] + tuple((node.module or "").split("."))
        for alias in node.names:
            candidate = ".".join(part for part in (*base, alias.name) if part)
            yield (candidate if candidate in MODULES else ".".join(part for part in base if part)), node.level


def test_a_room_imports_only_what_it_may() -> None:
    for module, path in MODULES.items():
        allowed = ALLOWED[room_of(module)] | {room_of(module)}
        for name, level in imports(path):
            target = room_of(name) if level else name.split(".")[0]
            assert target in allowed or (not level and target in sys.stdlib_module_names), (
                f"{module} imports {name}"
            )


def core_room_of(module: str) -> str:
    """Return the room of the core that a module `core.…` lies in, an empty string where it lies in none."""
    room = module.split(".")[1] if module.count(".") else ""
    return room if any(name.startswith(f"core.{room}.") for name in MODULES) else ""


def test_the_rooms_of_the_core_have_an_order() -> None:
    for module in (name for name in MODULES if room_of(name) == "core"):
        own = core_room_of(module)
        for name, level in imports(MODULES[module]):
            if level and room_of(name) == "core":
                assert core_room_of(name) in {"", own} | CORE_ORDER[own], f"{module} imports {name}"


def test_the_order_of_the_core_has_no_circle() -> None:
    assert {core_room_of(name) for name in MODULES if room_of(name) == "core"} == set(CORE_ORDER)
    rooms = list(CORE_ORDER)
    for number, (room, named) in enumerate(CORE_ORDER.items()):
        assert named <= set(rooms[:number]), f"{room} stands before what it imports"


def part_of(room: str, module: str) -> str:
    """Return the part of a room that a module is or lies in: a child room or a file in none; an empty string
    outside of the room."""
    inside = module.removeprefix(f"{room}.") if room else module
    return inside.split(".")[0] if inside != module or not room else ""


def parts_imported(room: str) -> dict[str, set[str]]:
    """Return the parts of a room, each with the other parts of it that it imports."""
    found: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        if part := part_of(room, module):
            targets = {part_of(room, name) for name, level in imports(path) if level and name in MODULES}
            found[part] = found.get(part, set()) | (targets - {part, ""})
    return found


@pytest.mark.parametrize(
    "room, order", [("core.gait", GAIT_ORDER), ("blender.walk", WALK_ORDER)], ids=["gait", "walk"]
)
def test_the_parts_of_a_large_room_have_an_order(room: str, order: tuple[str, ...]) -> None:
    parts = parts_imported(room)
    assert set(parts) == set(order)
    for number, part in enumerate(order):
        assert parts[part] <= set(order[:number]), f"{room}.{part} stands before what it imports"


@pytest.mark.parametrize("room", sorted({name.rpartition(".")[0] for name in MODULES if name}))
def test_no_parts_of_a_room_import_in_a_circle(room: str) -> None:
    graph = parts_imported(room)
    while leaves := {part for part, targets in graph.items() if not targets & graph.keys()}:
        graph = {part: targets for part, targets in graph.items() if part not in leaves}
    assert not graph, f"in {room or 'the package'} these import one another: {sorted(graph)}"


def test_inside_the_package_imports_are_relative() -> None:
    """The package is called `bl_ext.….neurarig.neurarig_addon` once installed."""
    for module, path in MODULES.items():
        assert not [name for name, level in imports(path) if not level and name.split(".")[0] == PACKAGE], (
            module
        )


BLENDER_MODULES = [name for name in MODULES if name.startswith("blender.")]


def blender_imports(module: str) -> set[str]:
    """Return the modules of Blender's side that a file of it imports."""
    return {name for name, level in imports(MODULES[module]) if level and name.startswith("blender.")}


def is_part(module: str, part: str) -> bool:
    """Say whether a module is a part of the application of that name, whatever its room; bases of panels are
    none."""
    return part in module.split(".")[1:] and module not in PANEL_BASES


def test_every_room_of_blender_has_its_place() -> None:
    assert {name.split(".")[1] for name in BLENDER_MODULES} == set(BLENDER_ROOMS)


def test_blender_files_import_downwards() -> None:
    for module in BLENDER_MODULES:
        place = BLENDER_ROOMS.index(module.split(".")[1])
        for name in blender_imports(module):
            assert BLENDER_ROOMS.index(name.split(".")[1]) <= place, f"{module} imports {name}"


def test_readers_and_writers_know_nothing_of_buttons() -> None:
    for module in BLENDER_MODULES:
        for name in blender_imports(module):
            if not any(is_part(module, part) for part in APPLICATION):
                assert not any(is_part(name, part) for part in APPLICATION), f"{module} imports {name}"
            if not is_part(module, PANEL) and module != "blender.registration":
                assert not is_part(name, PANEL), (
                    f"only panels and registration import panels, {module} imports {name}"
                )


def test_panels_draw_and_do_not_compute() -> None:
    panels = [name for name in BLENDER_MODULES if PANEL in name.split(".")]
    assert panels
    for module in panels:
        for name, _ in imports(MODULES[module]):
            assert room_of(name) != "core" and name.split(".")[0] != "numpy", f"{module} imports {name}"


def test_no_file_imports_in_a_circle() -> None:
    graph = {
        module: {name for name, level in imports(path, True) if level and name in MODULES}
        for module, path in MODULES.items()
    }
    while leaves := {module for module, targets in graph.items() if not targets & graph.keys() - {module}}:
        graph = {module: targets for module, targets in graph.items() if module not in leaves}
    assert not graph, f"these import one another: {sorted(graph)}"


def test_scripts_for_the_installed_add_on_import_what_there_is() -> None:
    """Only a real Blender runs them."""
    installed = f"bl_ext.user_default.neurarig.{PACKAGE}."
    for path in (REPOSITORY / "tests" / "real_blender" / "scripts").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(installed):
                module = (node.module or "").removeprefix(installed)
                named = tree_of(MODULES[module]).body
                there = {item.name for item in named if isinstance(item, ast.FunctionDef | ast.ClassDef)}
                for alias in node.names:
                    assert f"{module}.{alias.name}" in MODULES or alias.name in there, (
                        f"{path.name} imports {alias.name}"
                    )


def test_no_test_file_imports_another_one() -> None:
    """What several share is a file of its own: `tests/blender/posing.py`."""
    for path in (REPOSITORY / "tests").rglob("*.py"):
        modules = re.findall(r"^\s*from ([\w.]+) import", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not [module for module in modules if ".test_" in f".{module}"], path.name


def test_no_test_imports_a_benchmark() -> None:
    """What both use is the tests'."""
    for path in (REPOSITORY / "tests").rglob("*.py"):
        assert not re.findall(
            r"^\s*(?:from|import) benchmarks\b", path.read_text(encoding="utf-8"), re.MULTILINE
        ), path.name


def test_nothing_runs_code_or_reaches_out() -> None:
    for module, path in MODULES.items():
        calls = {
            node.func.id
            for node in nodes_of(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & DANGEROUS_CALLS, module
        imported = {name.split(".")[0] for name, level in imports(path) if not level}
        if room_of(module) not in RUN_FROM_THE_REPOSITORY:
            assert not imported & DANGEROUS_MODULES, module
            assert room_of(module) == "link" or not imported & NETWORK_MODULES, module


def test_numpy_never_unpickles() -> None:
    for module, path in MODULES.items():
        for node in nodes_of(path):
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert isinstance(node.value, ast.Constant) and node.value.value is False, module


def test_classes_have_names_of_their_own() -> None:
    names = Counter(
        node.name
        for path in MODULES.values()
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not [name for name, count in names.items() if count > 1]
