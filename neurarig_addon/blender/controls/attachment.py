"""The attachment: what a walk has put on a rig and how it was before, as JSON that travels in the .blend file.

    version   of this format
    kind      LAYER (own controls), FK (the character's own bones), or controls of a Rigify rig: RIGIFY (IK legs, chest), RIGIFY_FK,
              RIGIFY_REACH (IK legs, FK spine)
    controls  role -> control bone
    drives    [bone, role, uses location, uses rotation], the bones that the walk poses
    deform    the same for the character's own bones alone, without constraints (LAYER, FK)
    made      bones and bone collections that were added
    held      the character's bones that copy one of ours -> that bone
    loosened  the character's bones that were connected to their parents
    muted, muted_drivers, pose, switches   see snapshot
    placement 16 numbers: how the user's root control had moved the character when the walk was attached

It may come from any file, so nothing in it is believed before `checked` has seen it.
"""

from typing import Any

import bpy

from ...core.errors import NeuraRigError
from .snapshot import POSE_PROPERTIES

VERSION = 1
LAYER, RIGIFY, FK, RIGIFY_FK, RIGIFY_REACH = KINDS = ("LAYER", "RIGIFY", "FK", "RIGIFY_FK", "RIGIFY_REACH")
MARK = "neurarig"  # custom property of the bones that are ours: its value is the bone's key, and survives renaming
CONSTRAINT = "NeuraRig"  # how the names of our constraints begin
IDENTITY = [float(n % 5 == 0) for n in range(16)]


def new(kind: str) -> dict[str, Any]:
    """Return an attachment of nothing."""
    return {
        "version": VERSION,
        "kind": kind,
        "controls": {},
        "drives": [],
        "deform": [],
        "made": {"bones": [], "collections": []},
        "held": {},
        "loosened": [],
        "muted": [],
        "muted_drivers": [],
        "pose": {},
        "switches": [],
        "placement": list(IDENTITY),
    }


def checked(attachment: Any) -> dict[str, Any]:
    """Return the attachment if it has the form described above; raise NeuraRigError if not."""
    if not isinstance(attachment, dict) or attachment.get("version") != VERSION or attachment.get("kind") not in KINDS:
        raise NeuraRigError("The walk stored in this file was not made by this version of NeuraRig; remove it and generate it again.")
    for key, is_good in _FORM.items():
        if key not in attachment or not is_good(attachment[key]):
            raise NeuraRigError(f"The walk stored in this file is damaged ('{key}'); remove it and generate it again.")
    return attachment


def require_bones(obj: bpy.types.Object, attachment: dict[str, Any]) -> None:
    """Raise NeuraRigError where a bone that the walk drives is gone."""
    for bone, *_ in attachment["drives"]:
        if bone not in obj.pose.bones:
            raise NeuraRigError(f"Bone '{bone}', which the walk moves, is gone or renamed; use Remove Walk and generate it again.")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _list_of(is_item):
    return lambda value: isinstance(value, list) and all(map(is_item, value))


def _row_of(*columns):
    def fits(row):
        return isinstance(row, list) and len(row) == len(columns) and all(is_good(item) for is_good, item in zip(columns, row, strict=True))

    return fits


def _map_of(is_value):
    return lambda value: isinstance(value, dict) and all(_is_text(key) and is_value(item) for key, item in value.items())


def _is_pose(value: Any) -> bool:
    sizes = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4, "scale": 3}
    return (
        isinstance(value, dict)
        and str(value.get("rotation_mode")) in bpy.types.PoseBone.bl_rna.properties["rotation_mode"].enum_items
        and all(_list_of(_is_number)(value.get(key)) and len(value[key]) == sizes[key] for key in POSE_PROPERTIES)
    )


def _is_made(value: Any) -> bool:
    return isinstance(value, dict) and all(_list_of(_is_text)(value.get(key)) for key in ("bones", "collections"))


_drives = _list_of(_row_of(_is_text, _is_text, lambda value: isinstance(value, bool), lambda value: isinstance(value, bool)))
_FORM = {
    "controls": _map_of(_is_text),
    "drives": _drives,
    "deform": _drives,
    "made": _is_made,
    "held": _map_of(_is_text),
    "loosened": _list_of(_is_text),
    "muted": _list_of(_row_of(_is_text, _is_text)),
    "muted_drivers": _list_of(_row_of(_is_text, _is_number)),
    "pose": _map_of(_is_pose),
    "switches": _list_of(_row_of(_is_text, _is_text, _is_text, _is_number, _is_number)),
    "placement": lambda value: _list_of(_is_number)(value) and len(value) == 16,
}
