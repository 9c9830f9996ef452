"""What of the user's aims at bones of ours, and is left without its target when these go."""

from collections.abc import Collection, Iterator

import bpy

from ...animation.renames import bone_of


def aimed_at(obj: bpy.types.Object, bones: Collection[str]) -> list[str]:
    """Return a sentence for each constraint, driver and child that is about to lose one of these bones of an
    armature object."""
    gone = [
        f"{what} has lost its target, '{bone}' of '{obj.name}'." for what, bone in _aims(obj) if bone in bones
    ]
    return list(dict.fromkeys(gone))


def _aims(obj: bpy.types.Object) -> Iterator[tuple[str, str]]:
    """Yield what aims at a bone of an object, in words, and that bone's name."""
    for other in bpy.data.objects:
        if other.parent == obj and other.parent_type == "BONE":
            yield f"'{other.name}', whose parent is a bone,", other.parent_bone
        for owner in (other, *(other.pose.bones if other.pose else ())):
            for constraint in owner.constraints:
                for bone in _targets(constraint, obj):
                    yield f"The constraint '{constraint.name}' of '{owner.name}'", bone
    for block in _animated():
        for curve in block.animation_data.drivers:
            for bone in _read(curve.driver, obj):
                yield f"The driver of '{curve.data_path}' of '{block.name}'", bone


def _targets(constraint: bpy.types.Constraint, obj: bpy.types.Object) -> Iterator[str]:
    if getattr(constraint, "target", None) == obj:
        yield getattr(constraint, "subtarget", "")
    if getattr(constraint, "pole_target", None) == obj:
        yield constraint.pole_subtarget
    yield from (target.subtarget for target in getattr(constraint, "targets", ()) if target.target == obj)


def _read(driver: bpy.types.Driver, obj: bpy.types.Object) -> Iterator[str]:
    """Yield the bones of an object that a driver reads."""
    for target in (
        target for variable in driver.variables for target in variable.targets if target.id == obj
    ):
        yield from (target.bone_target, bone_of(target.data_path))


def _animated() -> Iterator[bpy.types.ID]:
    """Yield the data-blocks of the file that have drivers, node trees within others too."""
    for prop in bpy.data.bl_rna.properties:
        for block in getattr(bpy.data, prop.identifier) if prop.type == "COLLECTION" else ():
            for each in (block, getattr(block, "node_tree", None)):
                if getattr(each, "animation_data", None) is not None:
                    yield each
