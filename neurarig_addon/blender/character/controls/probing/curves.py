"""Curves that a rig's own bones bend, and that bend its bones in turn: the usual spline IK of a spine, tail or neck."""

from collections.abc import Iterator

import bpy


def followed(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the curves that spline IK of an armature follows and that its own bones move."""
    targets = [constraint.target for bone in obj.pose.bones for constraint in bone.constraints if constraint.type == "SPLINE_IK"]
    return [curve for curve in dict.fromkeys(targets) if curve is not None and any(movers(curve, obj))]


def movers(curve: bpy.types.Object, obj: bpy.types.Object) -> Iterator[str]:
    """Yield the names of the bones of an armature that move a curve: those its points are hooked to, and its parent."""
    for modifier in curve.modifiers:
        if modifier.type == "HOOK" and modifier.object == obj and modifier.subtarget:
            yield modifier.subtarget
    if curve.parent == obj and curve.parent_type == "BONE":
        yield curve.parent_bone


def copied(curve: bpy.types.Object, obj: bpy.types.Object, copy: bpy.types.Object) -> bpy.types.Object:
    """Return a copy of a curve that follows the copy of its armature as it follows the armature, and that the copy's bones follow."""
    other = curve.copy()
    if other.parent == obj:
        other.parent = copy
    elif other.parent is not None:
        world = curve.matrix_world.copy()
        other.parent = None
        other.matrix_world = world
    for modifier in other.modifiers:
        if modifier.type == "HOOK" and modifier.object == obj:
            back = modifier.matrix_inverse.copy()
            modifier.object = copy
            modifier.matrix_inverse = back  # Blender forgets it with the object
    for bone in copy.pose.bones:
        for constraint in bone.constraints:
            if constraint.type == "SPLINE_IK" and constraint.target == curve:
                constraint.target = other
    return other
