"""Presets of walks, role maps and control maps: small JSON files, the shipped ones read-only, the user's in
the add-on's own folder.

Learned styles are found, named and removed like presets, but read by `styles`.

A walk preset is `{"format", "version", "name", "description", "pace", "sliders", "styles"}`. `pace` is the
speed made dimensionless by
the leg length, so that it fits any size; without one the walk has the character's natural speed. Missing
sliders are natural too.
`styles`: learned styles by name, and their weights. A role map is `{"format", "version", "name", "character",
"bones"}`, one of KINDS and role to bone; a control map is described in `core.controls.control_map`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import bpy

from ....core.controls import control_map
from ....core.controls.control_map import ControlMap
from ....core.errors import NeuraRigError, about
from ....core.files import json_text
from ....core.files.given_file import content_of, exists
from ....core.files.json_text import is_finite
from ....core.files.whole_file import write_text
from ....core.gait.sliders.style import SLIDERS, STYLE_WEIGHTS
from ....core.skeleton.roles import BIPED, KINDS, QUADRUPED
from ...interface.addon import ADDON_ID, IS_EXTENSION

WALK, ROLES, CONTROLS, STYLE = "WALK", "ROLES", "CONTROLS", "STYLE"
FORMATS = {WALK: "neurarig-walk", ROLES: "neurarig-roles", CONTROLS: control_map.FORMAT}
FOLDERS = {WALK: "walks", ROLES: "role_maps", CONTROLS: "control_maps", STYLE: "styles"}
VERSION = 1
LARGEST_FILE = 2**18  # bytes

# Speed is stored as a pace; phase and influence belong to the shot, not to the manner.
_NOT_OF_A_MANNER = (
    "speed",
    "phase",
    "influence",
    "look",
    "as_recorded",
    "left_hand",
    "right_hand",
    *STYLE_WEIGHTS,
)
WALK_SLIDERS = tuple(name for name in SLIDERS if name not in _NOT_OF_A_MANNER)

_DATA = Path(__file__).parents[3] / "data"
ANY = "any"  # kind of character
_SHIPPED = {WALK: _DATA / "presets", STYLE: _DATA / "styles"}


@dataclass(frozen=True)
class Preset:
    """One preset file: `pace` (None: natural), `sliders` and `styles` of a walk, `bones` of a role map, or a
    control map; `character`: the kind of character that it is for, of a walk also ANY."""

    kind: str
    name: str
    description: str = ""
    pace: float | None = None
    sliders: Mapping[str, float] = field(default_factory=dict)
    styles: Mapping[str, float] = field(default_factory=dict)
    bones: Mapping[str, str] = field(default_factory=dict)
    character: str = BIPED
    controls: ControlMap = field(default_factory=ControlMap)
    shipped: bool = False


def names(kind: str, character: str = ANY) -> list[tuple[str, bool]]:
    """Return `(name, shipped)` of every preset: the shipped ones in order, those for one kind of `character`
    alone if it is given, then the user's by name."""
    own = sorted(path.stem for path in _user_folder(kind).glob("*.json"))
    shipped = [path.stem.split("_", 1)[1] for path in _shipped(kind) if _suits(path, kind, character)]
    return [(_title(stem), True) for stem in shipped] + [(_title(stem), False) for stem in own]


@cache
def _suits(path: Path, kind: str, character: str) -> bool:
    """Return whether a shipped preset is for a kind of character."""
    if kind != WALK or character == ANY:
        return True
    walks_as = QUADRUPED if character == QUADRUPED else BIPED
    return read(path, kind, shipped=True).character in (ANY, walks_as)


def load(kind: str, name: str) -> Preset:
    """Read a preset, the user's or a shipped one.

    Raises NeuraRigError if there is none, or the file is not a preset.
    """
    path = path_of(kind, name)
    if path is None:
        known = ", ".join(known for known, _ in names(kind)) or "none"
        raise NeuraRigError(f"There is no preset named '{name}'; choose one of: {known}.")
    return read(path, kind, shipped=not is_own(kind, name))


def path_of(kind: str, name: str) -> Path | None:
    """Return the file of a preset, the user's or a shipped one; None if there is none of that name."""
    if is_own(kind, name):
        return _user_folder(kind) / f"{_stem(name)}.json"
    return next((path for path in _shipped(kind) if path.stem.split("_", 1)[1] == _stem(name)), None)


@cache  # nobody changes what ships, and the menu of pictures asks for each of its pictures
def _shipped(kind: str) -> list[Path]:
    return sorted(_SHIPPED[kind].glob("*_*.json")) if kind in _SHIPPED else []


def is_own(kind: str, name: str) -> bool:
    """Return whether a preset is one of the user's, which can be removed."""
    return bool(_stem(name)) and exists(_user_folder(kind) / f"{_stem(name)}.json")


def listed_name(name: str) -> str:
    """Return a name as the menu shows it."""
    return _title(_stem(name))


def save(preset: Preset) -> Path:
    """Write a user preset, replacing an older one of the same name."""
    path = own_file(preset.kind, preset.name)
    content: dict = {
        "format": FORMATS[preset.kind],
        "version": VERSION,
        "name": preset.name,
        "description": preset.description,
    }
    if preset.kind == WALK:
        content |= {"character": preset.character} if preset.character != BIPED else {}
        content |= {} if preset.pace is None else {"pace": round(preset.pace, 4)}
        content["sliders"] = {slider: round(value, 4) for slider, value in preset.sliders.items()}
        content |= (
            {"styles": {style: round(weight, 4) for style, weight in preset.styles.items()}}
            if preset.styles
            else {}
        )
    elif preset.kind == ROLES:
        content |= {"character": preset.character, "bones": dict(preset.bones)}
    else:
        content |= {"controls": dict(preset.controls.controls), "switches": preset.controls.switches}
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return path


def own_file(kind: str, name: str) -> Path:
    """Return the file of a user preset, which may not exist yet, in a folder that does.

    Raises NeuraRigError for an empty name or that of a shipped preset.
    """
    if not _stem(name):
        raise NeuraRigError("The preset needs a name with at least one letter or digit.")
    if (listed_name(name), True) in names(kind):
        raise NeuraRigError(f"'{name}' comes with NeuraRig; choose another name.")
    folder = _user_folder(kind)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as problem:
        raise NeuraRigError(
            f"The folder of presets '{folder}' cannot be made: {getattr(problem, 'strerror', problem)}."
        ) from problem
    return folder / f"{_stem(name)}.json"


def description(kind: str, name: str) -> str:
    """Return a preset's description; empty if it cannot be read."""
    try:
        return load(kind, name).description
    except NeuraRigError:
        return ""


def remove(kind: str, name: str) -> None:
    """Delete one of the user's presets; shipped ones stay."""
    if not is_own(kind, name):
        raise NeuraRigError(f"'{name}' is not one of your own presets, so it cannot be removed.")
    (_user_folder(kind) / f"{_stem(name)}.json").unlink()


def read(path: Path, kind: str, shipped: bool = False) -> Preset:
    """Read and check one preset file; every refusal is a NeuraRigError that names the file."""
    text = content_of(path, LARGEST_FILE, "choose a preset")
    try:
        content = json_text.document(text, FORMATS[kind], VERSION, "a preset")
    except ValueError as problem:
        raise NeuraRigError(
            f"The preset file '{path}' cannot be used: {problem}; remove it or save the preset again."
        ) from None
    name, description = str(content.get("name") or _title(path.stem)), str(content.get("description", ""))
    character = content.get("character", BIPED)
    if character not in (ANY, *KINDS):
        raise NeuraRigError(
            f"The preset file '{path}' is for a kind of character that there is not; save the preset again."
        )
    if kind == WALK:
        sliders = _checked_sliders(content.get("sliders", {}), path)
        pace = _checked_number(content["pace"], "pace", path) if "pace" in content else None
        styles = _checked_numbers(content.get("styles", {}), "styles", path)
        return Preset(kind, name, description, pace, sliders, styles, character=character, shipped=shipped)
    if kind == CONTROLS:
        with about(str(path)):
            return Preset(kind, name, description, controls=ControlMap.from_content(content), shipped=shipped)
    bones = content.get("bones")
    if not isinstance(bones, dict) or not all(
        isinstance(item, str) for pair in bones.items() for item in pair
    ):
        raise NeuraRigError(
            f"The preset file '{path}' has no list of roles and bones; save the preset again."
        )
    return Preset(kind, name, description, bones=bones, character=character, shipped=shipped)


def _checked_sliders(sliders: object, path: Path) -> dict[str, float]:
    found = _checked_numbers(sliders, "sliders", path)
    for slider in found:
        if slider not in WALK_SLIDERS:
            raise NeuraRigError(
                f"The preset file '{path}' sets '{slider}', which is not a walk slider; remove that line."
            )
    return found


def _checked_numbers(given: object, what: str, path: Path) -> dict[str, float]:
    if not isinstance(given, dict):
        raise NeuraRigError(f"The preset file '{path}' has no {what}; save the preset again.")
    return {name: _checked_number(value, name, path) for name, value in given.items()}


def _checked_number(value: object, what: str, path: Path) -> float:
    if not is_finite(value):
        raise NeuraRigError(f"The preset file '{path}' needs a number for '{what}'.")
    return float(value)


def _user_folder(kind: str) -> Path:
    if IS_EXTENSION:
        return Path(bpy.utils.extension_path_user(ADDON_ID, path=FOLDERS[kind]))
    return Path(bpy.utils.user_resource("DATAFILES", path=f"neurarig/{FOLDERS[kind]}"))


def _stem(name: str) -> str:
    return re.sub(r"[^\w]+", "_", name.strip().lower()).strip("_")


def _title(stem: str) -> str:
    return stem.replace("_", " ").title()
