"""What may differ once everything of ours is removed, and no more: what the user guide says, and what was
told."""

import re
from typing import Any

import bpy

from tests.blender.situations.ledger import Ledger
from tests.blender.situations.record import Difference, Record

SWITCHED = (".influence", ".use_stretch", ".mute", ".enabled")
FOLLOWS_FROM_KEYS = (" in order", "frame_range", "frame_start", "frame_end", "is_empty")


class Allowances:
    """The differences that are as they should be between a twin (`wanted`) and a file from which ours was
    removed (`found`).

    Bakes stay in the file. So do the user's copies of objects of ours. Bones that the user made from ours
    stay with their shapes, and
    no twin has them. What a clip or targets gave stays with Apply. Keys that the user set while something of
    ours
    played may lie in another action than the twin's. More may be kept than would have been. What of a bone
    cannot be given back is told.
    A pose without keys ends where the action that keys the bone plays again, and is not in keys that are set
    after that.
    """

    def __init__(self, ledger: Ledger, told: set[str], wanted: Record, found: Record) -> None:
        self._ledger, self._wanted, self._found = ledger, wanted, found
        self._extra_bones = {name for names in ledger.ours_copied.values() for name in names}
        self._left = _shapes_of(found, self._extra_bones)
        self._left |= _targets_of(found) if ledger.targets_left else set()
        self._left |= ledger.ours_left
        self._kept_actions = set(found["actions"]) - set(wanted["actions"])
        made_by_keys = (
            set(wanted["actions"]) - set(found["actions"]) - ledger.actions
            if ledger.keyed_meanwhile
            else set()
        )
        self._other_actions = self._kept_actions | made_by_keys
        bones = {*ledger.renamed, *(name for names in ledger.bones.values() for name in names)}
        lost = {
            name
            for name in bones
            if any(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", sentence) for sentence in told)
        }
        self._told = {f"[{name}]" for first in lost for name in (first, ledger.renamed.get(first, first))}
        keyed = {
            name for bone, _ in ledger.keyed_meanwhile for name in (bone, ledger.renamed.get(bone, bone))
        }
        self._keyed = _in_paths(keyed)
        self._posed = _in_paths(
            {name for bone in ledger.posed_meanwhile for name in (bone, ledger.renamed.get(bone, bone))}
        )

    def comparable(self) -> tuple[Record, Record]:
        """Return the two records without what only one of them can have."""
        gone = {f"[{name}]" for name in self._extra_bones} | {
            f"actions[{name}]" for name in self._other_actions
        }
        gone |= {f"{kind}[{name}]" for kind in ("objects", "meshes", "collections") for name in self._left}
        names = self._extra_bones | self._other_actions | self._left
        wanted, found = (
            {
                path: _without(value, names)
                if path.endswith(" in order") or path in ("actions", "objects", "meshes", "collections")
                else value
                for path, value in record.items()
                if not any(part in path for part in gone)
            }
            for record in (self._wanted, self._found)
        )
        return wanted, found

    def allows(self, one: Difference) -> bool:
        """Say whether a difference is as it should be."""
        if one.path.endswith(".use_fake_user"):
            return bool(one.found)
        if (
            self._extra_bones
            and _is_of_collection(one.path)
            and set(one.wanted or ()) <= set(one.found or ())
        ):
            return True  # a bone of the user's holds a collection of ours
        if (self._told or self._keyed) and one.path.endswith(".matrix"):
            return True  # what hangs on a bone that could not be given back, or whose keys lie elsewhere
        if any(bone in one.path for bone in self._told) and _is_of_bone(one.path):
            return True
        if self._ledger.targets_left and ".collection_children" in one.path:
            return True
        if self._ledger.ours_left and ".collection_objects" in one.path:
            return True
        if any(is_applied(name, one.path) or _is_driven(name, one.path) for name in self._ledger.applied):
            return True
        if any(f".{constraint}." in one.path for constraint in self._ledger.undriven):
            return True  # it stays as the driver left it
        if self._ledger.plays_other and (_is_of_played(one.path) or self._is_keyed(one.path)):
            return True
        if self._ledger.chosen_meanwhile and is_animated(one.path):
            return True
        if any(bone in one.path for bone in self._posed) and (
            is_animated(one.path) or one.path.startswith("actions[")
        ):
            return True
        return any(bone in one.path for bone in self._keyed)

    def _is_keyed(self, path: str) -> bool:
        """Say whether a path is of an action's keys that the user set meanwhile, or of what follows from
        them."""
        return path.startswith("actions[") and (
            path.endswith(FOLLOWS_FROM_KEYS) or any(bone in path for bone in self._keyed)
        )

    def missing(self) -> list[Difference]:
        """Return bones made from ours and keys set meanwhile that are nowhere."""
        bones = {
            match
            for path in self._found
            for match in re.findall(r"^armatures\[.*\]\.bones\[([^\]]*)\]\.name$", path)
        }
        lost = [
            Difference(f"bone {name!r}, made from ours", name, None)
            for name in sorted(self._extra_bones - bones)
        ]
        for bone, frame in sorted(self._ledger.keyed_meanwhile):
            names = {bone, self._ledger.renamed.get(bone, bone)}
            if not any(_has_key(names, frame)):
                lost.append(Difference(f"key of {bone!r} at frame {frame:g}", frame, None))
        return lost


def _in_paths(bones: set[str]) -> set[str]:
    """Return what paths of the record hold where they are of one of some bones."""
    return {form.format(name) for name in bones for form in ("[{}]", '"{}"')}


def _has_key(names: set[str], frame: float) -> Any:
    """Yield whether each curve of the open file has a key of one of these bones at a frame."""
    for action in bpy.data.actions:
        for curve in _curves(action):
            if any(f'"{name}"' in curve.data_path for name in names):
                yield any(abs(key.co.x - frame) < 0.01 for key in curve.keyframe_points)


def _curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    ]


def _is_of_bone(path: str) -> bool:
    return ".pose.bones[" in path or path.endswith((".use_connect", ".use_local_location"))


def _is_of_played(path: str) -> bool:
    """Say whether a path is part of which action an object plays and what that has."""
    return ".animation_data.action" in path or path.endswith(".animation_data")


def is_animated(path: str) -> bool:
    """Say whether a path is a pose, which is left as it was shown last where another action is chosen."""
    return ".pose.bones[" in path and path.endswith(
        (".location", ".matrix", ".rotation_quaternion", ".rotation_euler", ".scale")
    )


def is_applied(obj: str, path: str) -> bool:
    """Say whether a path is of what a character keeps with Apply: its action, its pose and what hangs on it,
    its place and its switches."""
    if path.endswith(".matrix_world"):
        return True
    own = path.removeprefix(f"objects[{obj}]")
    return own != path and (
        is_animated(path)
        or own.startswith((".location", ".rotation", ".matrix", ".animation_data"))
        or _is_switch(own)
    )


def _is_driven(obj: str, path: str) -> bool:
    """Say whether a path is of what the rig's switches, which an object keeps with Apply, set: by drivers, or
    on a constraint itself."""
    own = path.removeprefix(f"objects[{obj}].")
    data = bpy.data.objects[obj].animation_data if obj in bpy.data.objects else None
    driven = {driver.data_path.replace('"', "") for driver in data.drivers} if data else set()
    return own != path and (own in driven or (".constraints[" in own and own.endswith(SWITCHED)))


def _is_switch(path: str) -> bool:
    return re.match(r"\.pose\.bones\[[^]]*\]\[", path) is not None or path.endswith(".rotation_mode")


def _shapes_of(record: Record, bones: set[str]) -> set[str]:
    """Return the shapes of ours that bones show."""
    shown = {
        record.get(path)
        for path in record
        for name in bones
        if path.endswith(f".pose.bones[{name}].custom_shape")
    }
    return {
        name
        for name in record["objects"]
        if f"<Object {name}>" in shown and f'objects[{name}]["neurarig_shape"]' in record
    }


def _targets_of(record: Record) -> set[str]:
    """Return targets that are left, and the collection of them."""
    return {name for name in record["objects"] if f'objects[{name}]["neurarig_target"]' in record} | {
        "NeuraRig Targets"
    }


def _is_of_collection(path: str) -> bool:
    return path.startswith("armatures[") and ".collections_all" in path


def _without(names: Any, gone: set[str]) -> Any:
    return type(names)(name for name in names if name not in gone)
