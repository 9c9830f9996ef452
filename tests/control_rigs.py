"""Control rigs made by others, from the shared data: their true controls and switches, as their manifest has
them."""

import csv
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.skeleton.roles import SIDES, RoleMap, sided
from tests.shared_data import find_shared

_FOLDER = find_shared("control-rigs")
ROWS = tuple(csv.DictReader((_FOLDER / "manifest.csv").open(encoding="utf-8"))) if _FOLDER else ()
_LIMB_PARTS = ("thigh", "shin", "foot", "toe", "clavicle", "upper_arm", "forearm", "hand")
# What the manifest tells apart and a walk need not.
_SAME = {
    "heel_roll": "roll",
    "foot_roll": "roll",
    "ball_roll": "roll",
    "toe_roll": "roll",
    "toe_aim_ik": "roll",
}
_SAME |= {"thigh_ik_swivel": "knee_swivel"}
_NOT_COUNTED = ("torso2", "foot_ik_parent", "foot_ik_child")  # doubles of a control that is counted
_SWITCH = re.compile(r"(.*) (IK|on):(\S+) (FK|off):(\S+) saved:(\w+)")


@dataclass(frozen=True)
class Score:
    """How many of a rig's controls and switches were found, and which were not."""

    found: int
    asked: int
    missed: tuple[str, ...]


def load(row: dict[str, str]) -> Any:
    """Load the rig of a row into the open file and return its armature."""
    import bpy

    with bpy.data.libraries.load(str(_FOLDER / row["file"]), link=False) as (source, target):
        target.objects = list(source.objects)
    shapes = {
        bone.custom_shape for obj in target.objects if obj.type == "ARMATURE" for bone in obj.pose.bones
    }
    for obj in target.objects:
        if obj not in shapes:
            bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    armature = next(obj for obj in target.objects if obj.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    return armature


def scramble(obj: Any, seed: int = 5) -> dict[str, str]:
    """Give all bones names that say nothing, and return what each is called now."""
    names = [bone.name for bone in obj.data.bones]
    numbers = list(range(len(names)))
    random.Random(seed).shuffle(numbers)
    called = {name: f"x{number}" for name, number in zip(names, numbers, strict=True)}
    for name, other in called.items():
        obj.data.bones[name].name = other
    return called


def called(roles: RoleMap, names: Mapping[str, str]) -> RoleMap:
    """Return the same roles by other names of the bones."""
    return RoleMap({role: names[bone] for role, bone in roles.bones.items()})


def is_readable(row: dict[str, str]) -> bool:
    """Say whether this Blender can open the rig."""
    import bpy

    return tuple(int(part) for part in row["min_blender"].split(".")) <= bpy.app.version[:2]


def true_roles(row: dict[str, str]) -> RoleMap:
    """Return who is who by the manifest."""
    found = {"pelvis": _first(row["pelvis"]), "head": _first(row["head"])}
    found |= {f"spine.{n + 1}": _first(bone) for n, bone in enumerate(row["spine_chain"].split(" > "))}
    found |= {
        "neck" if n == 0 else f"neck.{n + 1}": bone
        for n, bone in enumerate(row["neck"].split("|")[0].split(" > "))
    }
    found |= {sided(part, side): _first(row[f"{part}_{side}"]) for part in _LIMB_PARTS for side in SIDES}
    return RoleMap({role: bone for role, bone in found.items() if bone})


def score(row: dict[str, str], found: ControlMap, names: dict[str, str]) -> Score:
    """Compare a map with the manifest; `names`: what the bones are called now."""
    asked, missed = 0, []
    for entry in row["walk_controls"].split(";"):
        role, _, value = entry.partition("=")
        base, _, side = role.partition(".")
        if role.startswith("prop:") or role == "switch:none" or base in _NOT_COUNTED:
            continue
        asked += 1
        right = (
            _has_switch(role, value, found, names)
            if role.startswith("switch:")
            else _has_control(base, side, names[value], found)
        )
        if not right:
            missed.append(role)
    return Score(asked - len(missed), asked, tuple(missed))


def _has_control(base: str, side: str, bone: str, found: ControlMap) -> bool:
    role = sided(_SAME.get(base, base), side) if side else base
    if base == "spine_fk":
        return bone in [other for name, other in found.controls.items() if name.startswith("spine.")]
    if base in ("toe_ik", "toe_fk"):  # often one control
        return bone in (found.get(sided("toe_ik", side)), found.get(sided("toe_fk", side)))
    return found.get(role) == bone


def _has_switch(role: str, value: str, found: ControlMap, names: dict[str, str]) -> bool:
    match = _SWITCH.fullmatch(value)
    assert match, value
    path, kind, on, _, off, saved = match.groups()
    path = re.sub(r'pose\.bones\["(.*?)"\]', lambda bone: f'pose.bones["{names[bone[1]]}"]', path)
    states = found.switches.get(role.removeprefix("switch:").replace("_pole", ""), {})
    if kind == IK:
        return states.get(IK, {}).get(path) == float(on) and states.get(FK, {}).get(path) == float(off)
    return states.get(IK, {}).get(path) == float(on) or saved == "on"


def _first(cell: str) -> str:
    return cell.split("|")[0].split(" > ")[0]
