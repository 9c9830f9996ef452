"""Armatures that belong together: a character that is made of several is posed as one, or not at all."""

import bpy

from ...core.errors import NeuraRigError
from ...core.skeleton.roles import SIDES, RoleMap, sided
from .read_armature import meshes_of

_SOLVERS = {"IK", "SPLINE_IK"}  # who is only reached for is not followed


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


def leader(obj: bpy.types.Object, roles: RoleMap) -> bpy.types.Object | None:
    """Return the armature that the legs of a character follow by constraints, None where they follow none.

    Raises NeuraRigError where that one deforms a mesh of its own: it would stay behind.
    """
    legs = [obj.pose.bones[bone] for side in SIDES for part in ("thigh", "foot") if (bone := roles.get(sided(part, side)))]
    led_by = [{thing for one in bone.constraints if _holds(one) for thing in _targets(one)} for bone in legs]
    found = next((thing for thing in set.intersection(*led_by) if thing != obj and thing.type == "ARMATURE"), None) if led_by else None
    if found is not None and meshes_of(found):
        raise NeuraRigError(
            f"'{obj.name}' follows '{found.name}', which would stay behind. Select '{found.name}': '{obj.name}' comes along. "
            f"Or mute the constraints by which '{obj.name}' follows it."
        )
    return found


def _holds(constraint: bpy.types.Constraint) -> bool:
    return not constraint.mute and constraint.influence > 0.0 and constraint.type not in _SOLVERS


def _targets(constraint: bpy.types.Constraint) -> set[bpy.types.Object]:
    """Return the objects that a constraint looks at."""
    several = (target.target for target in getattr(constraint, "targets", ()))
    return {getattr(constraint, "target", None), *several} - {None}


def _follows(other: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Say whether an armature hangs on another one, or any of its bones looks at it."""
    parent = other.parent
    while parent is not None:
        if parent == obj:
            return True
        parent = parent.parent
    held = [*other.constraints, *(constraint for bone in other.pose.bones for constraint in bone.constraints)]
    return any(obj in _targets(constraint) for constraint in held)
