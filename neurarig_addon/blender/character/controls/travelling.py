"""Whether a rig's controls take the whole character along when they travel and the object stays."""

from collections.abc import Mapping
from typing import Any

import bpy

from ....core.posing.rig_table import ROOT_ROLE
from ..read_armature import meshes_of, skin_bones
from .attachment import OWN_FK
from .probing.read_rig import direct_sources, needed_for


def takes_all_along(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> bool:
    """Return whether every bone that carries something, and every object on the armature, follows a control
    that travels."""
    if attachment["kind"] in OWN_FK or _hanging(obj):
        return False
    moved = {bone for bone, role, location, _ in attachment["drives"] if location and role != ROOT_ROLE}
    followers: dict[str, set[str]] = {bone.name: set() for bone in obj.pose.bones}
    for bone, sources in direct_sources(obj).items():
        for source in sources:
            followers[source].add(bone)
    return skin_bones(obj) | _holding(obj) <= needed_for(moved, followers)


def _holding(obj: bpy.types.Object) -> set[str]:
    """Return the bones that carry objects."""
    return {child.parent_bone for child in obj.children if child.parent_type == "BONE"} & set(
        obj.pose.bones.keys()
    )


def _hanging(obj: bpy.types.Object) -> bool:
    """Return whether something hangs on the armature object itself and is not deformed by it."""
    deformed = set(meshes_of(obj))
    return any(child.parent_type != "BONE" and child not in deformed for child in obj.children)
