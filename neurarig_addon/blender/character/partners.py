"""Armatures that belong together: a character made of several is posed as one, or not at all."""

from collections.abc import Iterable

import bpy

from ...core.errors import NeuraRigError
from ...core.skeleton.roles import SIDES, RoleMap, sided
from .read_armature import meshes_of

_SOLVERS = {"IK", "SPLINE_IK"}  # a pure target is not followed


def require_whole(obj: bpy.types.Object) -> None:
    """Refuse a character whose mesh is also deformed by another armature that does not follow it: that one would stay behind."""
    for mesh in meshes_of(obj):
        for modifier in mesh.modifiers:
            other = modifier.object if modifier.type == "ARMATURE" and (modifier.show_viewport or modifier.show_render) else None
            if other is not None and other != obj and not _follows(other, obj):
                raise NeuraRigError(
                    f"'{obj.name}' and '{other.name}' deform '{mesh.name}' together, and '{other.name}' would stay behind: join them "
                    f"(Object > Join), or parent '{other.name}' to a bone of '{obj.name}'."
                )


def leader(obj: bpy.types.Object, roles: RoleMap) -> bpy.types.Object | None:
    """Return the armature that a character's legs follow by constraints, None if there is none.

    Raises NeuraRigError if that one deforms a mesh of its own, which would stay behind.
    """
    legs = [_held_by(obj, [roles.get(sided(part, side))], solved=False) for side in SIDES for part in ("thigh", "foot")]
    found = next(iter(set.intersection(*legs)), None)
    if found is not None and meshes_of(found):
        raise NeuraRigError(
            f"'{obj.name}' follows '{found.name}', which would stay behind. Select '{found.name}': '{obj.name}' comes along. "
            f"Or mute the constraints by which '{obj.name}' follows it."
        )
    return found


def controls_of(obj: bpy.types.Object, roles: RoleMap) -> bpy.types.Object | None:
    """Return the armature whose bones are the IK targets of both legs, None if these are the character's own, or there are none."""
    legs = [_held_by(obj, [roles.get(sided(part, side)) for part in ("thigh", "shin", "foot")], solved=True) for side in SIDES]
    return next(iter(set.intersection(*legs)), None)


def _held_by(obj: bpy.types.Object, bones: Iterable[str | None], solved: bool) -> set[bpy.types.Object]:
    """Return the other armatures targeted by constraints of some bones: by IK solvers, or by all others."""
    held = [one for bone in bones if bone for one in obj.pose.bones[bone].constraints if (one.type in _SOLVERS) == solved]
    things = {thing for one in held if not one.mute and one.influence > 0.0 for thing in _targets(one)}
    return {thing for thing in things if thing != obj and thing.type == "ARMATURE"}


def _targets(constraint: bpy.types.Constraint) -> set[bpy.types.Object]:
    """Return a constraint's target objects."""
    several = (target.target for target in getattr(constraint, "targets", ()))
    return {getattr(constraint, "target", None), *several} - {None}


def _follows(other: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Return whether an armature is a child of another one, or any of its bones targets it."""
    parent = other.parent
    while parent is not None:
        if parent == obj:
            return True
        parent = parent.parent
    held = [*other.constraints, *(constraint for bone in other.pose.bones for constraint in bone.constraints)]
    return any(obj in _targets(constraint) for constraint in held)
