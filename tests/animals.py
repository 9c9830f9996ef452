"""A dog made by code, and what every animal is looked at for."""

import bpy

from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.core.skeleton.roles import QUADRUPED, SIDES, RoleMap, sided
from tests.rigs import Bone, build, with_mirror

TRUNK = (
    Bone("pelvis", None, (0.0, 0.30, 0.52), (0.0, 0.18, 0.53)),
    Bone("spine.1", "pelvis", (0.0, 0.18, 0.53), (0.0, 0.02, 0.54)),
    Bone("spine.2", "spine.1", (0.0, 0.02, 0.54), (0.0, -0.14, 0.54)),
    Bone("spine.3", "spine.2", (0.0, -0.14, 0.54), (0.0, -0.28, 0.53)),
    Bone("neck", "spine.3", (0.0, -0.28, 0.53), (0.0, -0.40, 0.68)),
    Bone("head", "neck", (0.0, -0.40, 0.68), (0.0, -0.58, 0.66)),
    Bone("tail.1", "pelvis", (0.0, 0.34, 0.53), (0.0, 0.50, 0.48)),
    Bone("tail.2", "tail.1", (0.0, 0.50, 0.48), (0.0, 0.64, 0.40)),
)
LEFT_LEGS = (
    Bone("thigh.L", "pelvis", (0.07, 0.28, 0.47), (0.07, 0.20, 0.31)),
    Bone("shin.L", "thigh.L", (0.07, 0.20, 0.31), (0.07, 0.36, 0.16)),
    Bone("foot.L", "shin.L", (0.07, 0.36, 0.16), (0.07, 0.32, 0.03)),
    Bone("toe.L", "foot.L", (0.07, 0.32, 0.03), (0.07, 0.25, 0.01)),
    Bone("clavicle.L", "spine.3", (0.05, -0.16, 0.56), (0.07, -0.26, 0.42)),
    Bone("upper_arm.L", "clavicle.L", (0.07, -0.26, 0.42), (0.07, -0.17, 0.30)),
    Bone("forearm.L", "upper_arm.L", (0.07, -0.17, 0.30), (0.07, -0.18, 0.11)),
    Bone("hand.L", "forearm.L", (0.07, -0.18, 0.11), (0.07, -0.20, 0.03)),
    Bone("fingers.L", "hand.L", (0.07, -0.20, 0.03), (0.07, -0.27, 0.01)),
)


def dog(name: str = "Dog") -> bpy.types.Object:
    """Return a dog half a metre high, whose bones are called as the roles that they play."""
    obj = build([*TRUNK, *with_mirror(LEFT_LEGS)], name)
    store_roles(obj, RoleMap({bone.name: bone.name for bone in obj.data.bones}, kind=QUADRUPED))
    return obj


def fore(part: str) -> list[str]:
    """Return the roles of a part on both sides."""
    return [sided(part, side) for side in SIDES]
