"""Armatures that deform a mesh together: a character that is made of several is posed as one, or not at all."""

import bpy

from ...core.errors import NeuraRigError
from .read_armature import meshes_of


def require_whole(obj: bpy.types.Object) -> None:
    """Refuse a character whose mesh another armature deforms too, unless that one follows it: it would stay behind."""
    for mesh in meshes_of(obj):
        for modifier in mesh.modifiers:
            other = modifier.object if modifier.type == "ARMATURE" and (modifier.show_viewport or modifier.show_render) else None
            if other is not None and other != obj and not _follows(other, obj):
                raise NeuraRigError(
                    f"'{obj.name}' and '{other.name}' deform '{mesh.name}' together, and '{other.name}' would stay behind: join them "
                    f"(Object > Join), or parent '{other.name}' to a bone of '{obj.name}'."
                )


def _follows(other: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Say whether an armature hangs on another one, or any of its bones looks at it."""
    parent = other.parent
    while parent is not None:
        if parent == obj:
            return True
        parent = parent.parent
    held = [*other.constraints, *(constraint for bone in other.pose.bones for constraint in bone.constraints)]
    targets = [getattr(constraint, "target", None) for constraint in held]
    several = [target.target for constraint in held for target in getattr(constraint, "targets", ())]
    return obj in targets or obj in several
