"""What must hold before a character is changed; each refusal is one sentence with the remedy."""

from collections.abc import Sequence

import bpy
import numpy as np
from bpy.types import Object

from ...core.errors import NeuraRigError


def require_editable(obj: Object) -> None:
    """Refuse anything but an armature that can be changed here."""
    if obj is None or obj.type != "ARMATURE":
        raise NeuraRigError(
            f"'{obj.name if obj else None}' is not an armature. Choose the character's armature object."
        )
    if not obj.is_editable:
        raise NeuraRigError(f"'{obj.name}' is linked from another file. Make a library override of it first.")
    if obj.name not in bpy.context.view_layer.objects:
        raise NeuraRigError(
            f"'{obj.name}' is not in the current view layer. Enable its collection in the Outliner first."
        )


def require_not_edited(obj: Object) -> None:
    """Refuse an armature in Edit Mode, whose bones are still changing and whose pose is not seen."""
    if obj.mode == "EDIT":
        raise NeuraRigError(f"'{obj.name}' is in Edit Mode; leave it (Tab) first.")


def require_pose_seen(obj: Object) -> None:
    """Refuse an armature of which Blender shows no pose."""
    require_not_edited(obj)
    if obj.data.pose_position == "REST":
        raise NeuraRigError(
            f"'{obj.name}' is shown in its rest position; switch its armature to Pose Position first."
        )


def require_numbers(names: Sequence[str], matrices: np.ndarray) -> None:
    """Raise NeuraRigError, naming the bone, if a matrix `(..., bones, 3 or 4, 4)` of bones as posed has
    values that are not numbers."""
    damaged = ~np.isfinite(matrices).all(axis=(-2, -1))
    if damaged.any():
        bone = names[np.nonzero(damaged)[-1][0]]
        raise NeuraRigError(
            f"The pose of '{bone}' has values that are not numbers; clear its transform, or delete its"
            " damaged keys."
        )
