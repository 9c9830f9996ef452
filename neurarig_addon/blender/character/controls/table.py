"""Reading a RigTable: the driven bones and everything above them, as they are now."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from bpy.types import Object, PoseBone

from ....core.posing.rig_table import NO_PARENT, Drive, RigTable, TableBone
from ....core.skeleton import standing_pose

INHERITING_SCALE = {"FULL", "FIX_SHEAR", "AVERAGE"}  # with uniformly scaled parents these inherit the same


def read_table(
    obj: Object,
    drives: list[list],
    walk_to_armature: np.ndarray,
    placement: np.ndarray,
    carried_by: Mapping[str, str] | None = None,
    standing: "standing_pose.Standing | None" = None,
) -> RigTable:
    """Return the table of the given drives `[bone, role, uses location, uses rotation]`.

    `carried_by`: bones that constraints move rigidly with another bone, and that bone; their parents and
    poses are ignored. `standing`: how roles stand if the rest pose does not.
    """
    carriers = carried_by or {}
    rows: dict[str, int] = {}
    bones: list[TableBone] = []
    for name, *_ in drives:
        for bone in reversed(_upwards(obj, name, carriers)):
            if bone.name not in rows:
                holder = _holder(obj, bone, carriers)
                rows[bone.name] = len(bones)
                row = _table_bone(bone, rows[holder.name] if holder else NO_PARENT)
                bones.append(_rigid(row) if bone.name in carriers else row)
    for name, role, *_ in drives:
        if standing and role in standing:
            bones[rows[name]] = replace(bones[rows[name]], stands=standing[role] @ bones[rows[name]].rest)
    moved = tuple(
        Drive(rows[name], role, bool(location), bool(rotation)) for name, role, location, rotation in drives
    )
    return RigTable(tuple(bones), moved, walk_to_armature, placement)


def _holder(obj: Object, bone: PoseBone, carriers: Mapping[str, str]) -> PoseBone | None:
    return obj.pose.bones.get(carriers.get(bone.name, "")) or bone.parent


def _upwards(obj: Object, name: str, carriers: Mapping[str, str]) -> list[PoseBone]:
    """Return a bone and all above it."""
    found = []
    bone = obj.pose.bones[name]
    while bone and bone not in found:
        found.append(bone)
        bone = _holder(obj, bone, carriers)
    return found


def _rigid(bone: TableBone) -> TableBone:
    return TableBone(bone.name, bone.parent, bone.rest, np.eye(4), bone.rotation_mode)


def _table_bone(bone: PoseBone, parent: int) -> TableBone:
    settings = bone.bone
    return TableBone(
        name=bone.name,
        parent=parent,
        rest=np.array(settings.matrix_local, dtype=float),
        basis=np.array(bone.matrix_basis, dtype=float),
        rotation_mode=bone.rotation_mode,
        inherit_rotation=settings.use_inherit_rotation,
        inherit_scale=settings.inherit_scale in INHERITING_SCALE,
        local_location=settings.use_local_location,
    )
