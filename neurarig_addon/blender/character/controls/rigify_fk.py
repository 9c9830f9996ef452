"""A generated Rigify human by its FK controls: torso, spine, neck, head, arms and legs, with IK_FK at 1."""

from collections.abc import Iterator
from typing import Any

import bpy

from ....core.character.body import Body
from ....core.skeleton.roles import RoleMap, sided
from ....core.skeleton.skeleton import Skeleton
from .eyes import looked_at
from .rigify import ARM_CONTROLS, ARM_SWITCHES, CHEST, ROOT, TORSO, TORSO_SWITCHES, prepare, sides

_LEG_CONTROLS = {"thigh": "thigh_fk", "shin": "shin_fk", "foot": "foot_fk", "toe": "toe_fk"}
_LEG_SWITCHES = {"IK_FK": 1.0, "FK_limb_follow": 0.0}
BENDING = ("hips", CHEST)  # the controls that bend the spine; at rest for a trunk posed bone by bone


def take_over(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]) -> None:
    """Switch the limbs to FK and note in `attachment` what is driven and what was before."""
    prepare(obj, attachment, [*_drives(obj, roles), *looked_at(obj, roles)], BENDING, list(_switches(roles)))


def _drives(obj: bpy.types.Object, roles: RoleMap) -> Iterator[list]:
    yield from trunk_drives(obj, roles)
    for side, end in sides(roles):
        for part, control in (ARM_CONTROLS | _LEG_CONTROLS).items():
            yield [f"{control}{end}", sided(part, side), False, True]


def trunk_drives(obj: bpy.types.Object, roles: RoleMap) -> Iterator[list]:
    """Yield the drives of root, torso, FK spine, neck and head."""
    yield [ROOT, "root", True, False]
    yield [TORSO, "pelvis", True, True]
    yield from _spine_drives(obj, roles)
    yield ["neck", "neck", False, True]
    yield ["head", "head", False, True]


def _spine_drives(obj: bpy.types.Object, roles: RoleMap) -> Iterator[list]:
    """Yield the FK spine, which branches at its middle down to the pelvis and up to the chest; or the chest control."""
    controls = {role: _spine_control(bone) for role, bone in roles.bones.items() if role == "pelvis" or role.startswith("spine.")}
    if len(controls) > 1 and all(control in obj.pose.bones for control in controls.values()):
        yield from ([control, role, True, True] for role, control in controls.items())
    elif roles.spine():
        yield [CHEST, f"spine.{len(roles.spine())}", False, True]


def _spine_control(bone: str) -> str:
    return bone.removeprefix("DEF-").removeprefix("ORG-").replace("spine", "spine_fk", 1)


def _switches(roles: RoleMap) -> Iterator[tuple[str, str, str, Any]]:
    yield from ((TORSO, "", switch, value) for switch, value in TORSO_SWITCHES.items())
    for _, end in sides(roles):
        yield from ((f"thigh_parent{end}", "", switch, value) for switch, value in _LEG_SWITCHES.items())
        yield from ((f"upper_arm_parent{end}", "", switch, value) for switch, value in ARM_SWITCHES.items())
