"""What must hold before a character is touched; each refusal is one sentence with the remedy."""

import bpy

from ...core.errors import NeuraRigError


def require_editable(obj: bpy.types.Object) -> None:
    """Refuse what is no armature, or one that cannot be changed here."""
    if obj is None or obj.type != "ARMATURE":
        raise NeuraRigError(f"'{obj.name if obj else None}' is not an armature. Choose the character's armature object.")
    if not obj.is_editable:
        raise NeuraRigError(f"'{obj.name}' is linked from another file. Make a library override of it first.")
    if obj.name not in bpy.context.view_layer.objects:
        raise NeuraRigError(f"'{obj.name}' is not in the current view layer. Enable its collection in the Outliner first.")


def require_no_clip(obj: bpy.types.Object) -> None:
    """Refuse a character that follows or plays a retargeted clip, or is posed by targets."""
    if obj.neurarig.retarget.attachment:
        raise NeuraRigError(f"'{obj.name}' has a retargeted clip. Use Apply or Remove in Retarget before it walks.")
    require_no_targets(obj)


def require_no_targets(obj: bpy.types.Object) -> None:
    """Refuse a character that is posed by targets or plays a solved recording."""
    if obj.neurarig.neural_pose.attachment:
        raise NeuraRigError(f"'{obj.name}' is posed by Neural Pose. Use Apply or Remove there first.")
