"""A generated Rigify human or animal: walking by its own IK controls, by FK, or with exact hands.

Driven by IK: torso (carries the pelvis), chest, neck, head, shoulders, FK arms, IK feet and toes, knee poles,
root; by FK: torso, spine,
neck, head, arms and legs. Exact hands take legs by IK, the trunk bone by bone and arms by FK, as the chest
control would bend the spine in
its own way, and head and hands would be off. Switches that would put something between control and bone are
set, noted, and restored.

An animal's trunk goes bone by bone, so that both pairs of legs hang where they walk; see `rigify_limbs` for
its legs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import bpy

from ....core.character.body import Body
from ....core.skeleton.roles import LEGS, NECK, QUADRUPED, SIDES, RoleMap, chest_of, sided, tail_of
from ....core.skeleton.skeleton import Skeleton
from . import rigify_limbs
from .attachment import BY_BOTH, BY_LOCATION, BY_ROTATION
from .eyes import carried_with_head, carries_gaze, follows_head, looked_at
from .rigify_limbs import FK_SWITCHES, IK_SWITCHES, PARENT_ROOT, plain
from .snapshot import mute_drivers, neutralise, set_switches, take_motion, take_pose

ROOT, TORSO, CHEST = "root", "torso", "chest"
_REQUIRED = (ROOT, TORSO, "hips", CHEST)
TORSO_SWITCHES = {"torso_parent": PARENT_ROOT, "neck_follow": 1.0, "head_follow": 1.0}
ARM_CONTROLS = {
    "clavicle": "shoulder",
    "upper_arm": "upper_arm_fk",
    "forearm": "forearm_fk",
    "hand": "hand_fk",
}
# Controls that the walk does not use and that would add motion to it.
_AT_REST = ("hips", "spine_fk", "spine_fk.001", "spine_fk.002", "spine_fk.003")
_AT_REST_SIDED = ("foot_heel_ik", "foot_spin_ik", "thigh_ik")
_BENDING = ("hips", CHEST)  # the controls that bend the spine; at rest for a trunk posed bone by bone


def is_generated(obj: bpy.types.Object, roles: RoleMap) -> bool:
    """Return whether this is a generated Rigify rig whose own controls move the bones of the role map."""
    paws = sum(limb.is_paw(obj) for limb in rigify_limbs.limbs(roles))
    needed = len(LEGS) if roles.kind == QUADRUPED else len(SIDES)
    named = roles.kind == QUADRUPED or len([*sides(roles)]) == needed
    return named and paws >= needed and all(name in obj.pose.bones for name in _REQUIRED)


def has_three_bone_legs(obj: bpy.types.Object, roles: RoleMap) -> bool:
    """Return whether IK legs are a dog's: their foot is a third bone that the solver bends, not one that
    stands."""
    return any(f"MCH-shin_ik2{end}" in obj.pose.bones for _, end in sides(roles))


def sides(roles: RoleMap) -> Iterator[tuple[str, str]]:
    """Yield our sides with the suffix of the rig's names for that side."""
    for side in SIDES:
        bone = roles.get(sided("thigh", side)) or ""
        stem = plain(bone)
        if stem in ("thigh.L", "thigh.R"):
            yield side, stem.removeprefix("thigh")


def take_over(
    obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]
) -> None:
    """Switch the controls to what the walk needs and note in `attachment` what is driven and what was
    before."""
    drives = [*_drives(roles), *looked_at(obj, roles)]
    prepare(obj, attachment, drives, [*_AT_REST, *idle_leg_controls(roles)], list(ik_switches(obj, roles)))


def _take_over_limbs(obj: bpy.types.Object, roles: RoleMap, attachment: dict[str, Any], by_ik: bool) -> None:
    """Switch all limbs to IK, as only an animal's go, or to FK, and note in `attachment` what is driven and
    what was before."""
    drives = [*_trunk_drives(obj, roles), *looked_at(obj, roles)]
    switches, idle = [*_torso_switches()], [*_BENDING]
    if roles.kind == QUADRUPED:
        switches += _each_by_itself(obj, roles)
    for limb in rigify_limbs.limbs(roles):
        drives += limb.ik_drives() if by_ik else limb.fk_drives(obj)
        switches += limb.switches(obj, by_ik)
        idle += limb.idle(obj)
    drives += [[plain(roles.bones[role]), role, *BY_ROTATION] for role in tail_of(roles)]
    slides = roles.kind == QUADRUPED and not by_ik  # shoulders may hang on another bone than the chest
    for role in (sided("clavicle", side) for side in SIDES):
        if roles.has(role):
            drives.append([plain(roles.bones[role]), role, slides, True])
    prepare(obj, attachment, drives, idle, switches)


def idle_leg_controls(roles: RoleMap) -> list[str]:
    """Return the controls of IK legs that are not posed and would add motion to those that are."""
    return [f"{name}{end}" for _, end in sides(roles) for name in _AT_REST_SIDED]


def posed_roles(roles: RoleMap) -> RoleMap:
    """Return the roles that the rig's controls pose individually; one control turns all bones of the neck."""
    return replace(
        roles, bones={role: bone for role, bone in roles.bones.items() if not role.startswith(f"{NECK}.")}
    )


def prepare(
    obj: bpy.types.Object,
    attachment: dict[str, Any],
    drives: Iterable[list],
    at_rest: Iterable[str],
    switches: list[tuple[str, str, str, Any]],
) -> None:
    """Put the driven controls, and those that would add motion, to rest, set the switches, and note what was
    before."""
    present = [drive for drive in drives if drive[0] in obj.pose.bones]
    driven, switches = {bone for bone, *_ in present}, [*switches, *follows_head(present)]
    idle = [*at_rest, *carries_gaze(present)]
    used = sorted((driven | {name for name in idle if name in obj.pose.bones}) - {ROOT})
    attachment["placement"] = take_motion(obj, ROOT)
    attachment["controls"] = {role: bone for bone, role, *_ in present}
    attachment["drives"] = present
    attachment["pose"] = take_pose(obj, [*used, ROOT])
    attachment["muted_drivers"] = mute_drivers(obj, set(used), switches=switches)
    attachment["switches"] = set_switches(obj, switches)
    neutralise(obj, used)


def _drives(roles: RoleMap) -> Iterator[list]:
    yield [ROOT, "root", *BY_LOCATION]
    yield [TORSO, "pelvis", *BY_BOTH]
    if roles.spine():
        yield [CHEST, chest_of(roles), *BY_ROTATION]
    yield ["neck", "neck", *BY_ROTATION]
    yield ["head", "head", *BY_ROTATION]
    yield from limb_drives(roles)


def limb_drives(roles: RoleMap) -> Iterator[list]:
    """Yield the drives of IK legs and FK arms."""
    for side, end in sides(roles):
        yield [f"foot_ik{end}", sided("foot", side), *BY_BOTH]
        yield [f"toe_ik{end}", sided("toe", side), *BY_ROTATION]
        yield from _paw_drives(roles, side, end)
        yield [f"thigh_ik_target{end}", sided("knee", side), *BY_LOCATION]
        for part, control in ARM_CONTROLS.items():
            yield [f"{control}{end}", sided(part, side), *BY_ROTATION]


def _paw_drives(roles: RoleMap, side: str, end: str) -> Iterator[list]:
    """Yield the drive of a paw's toes: one control bends them by IK and by FK."""
    if roles.get(sided("toe", side)) != f"toe{end}":
        yield [f"toe{end}", sided("toe", side), *BY_ROTATION]


def ik_switches(obj: bpy.types.Object, roles: RoleMap) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the switches for IK legs and FK arms as (bone, constraint or '', property, value)."""
    yield from _torso_switches()
    for _, end in sides(roles):
        yield from ((f"thigh_parent{end}", "", switch, value) for switch, value in IK_SWITCHES.items())
        yield from ((f"upper_arm_parent{end}", "", switch, value) for switch, value in FK_SWITCHES.items())
        # A stretching solver also shortens the bones of a bent leg: the knee would be off by 2 cm and the
        # foot by a fifth of a millimetre.
        solver = obj.pose.bones.get(f"MCH-shin_ik{end}")
        for constraint in solver.constraints if solver else ():
            yield solver.name, constraint.name, "use_stretch", False


def carried_by(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return the mechanism bones that, with the current switches, move with a control that is not their
    parent, and that control.

    What hangs on the chest only rotates in the walk; the spine bones between take half the chest's turn each,
    so together they turn as it does, and the exact places of their heads do not matter.
    """
    bones = obj.pose.bones
    driven = {drive[0] for drive in attachment["drives"]}
    found = rigify_limbs.carried(obj, driven, ROOT) | dict(carried_with_head(attachment["drives"]))
    for bone in bones if CHEST in driven else ():
        if any(
            constraint.type == "COPY_TRANSFORMS" and constraint.subtarget == CHEST
            for constraint in bone.constraints
        ):
            found[bone.name] = CHEST
    for end in (".L", ".R"):
        found |= {
            f"MCH-toe{end}": f"foot_ik{end}" if f"foot_ik{end}" in driven else f"foot_fk{end}",
            f"MCH-toe_ik_parent{end}": f"foot_ik{end}",
            f"ORG-shoulder{end}": f"shoulder{end}",
        }
    return {name: carrier for name, carrier in found.items() if name in bones and carrier in bones}


def take_over_by_fk(
    obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]
) -> None:
    """Switch the limbs to FK and note in `attachment` what is driven and what was before."""
    _take_over_limbs(obj, roles, attachment, by_ik=False)


def _each_by_itself(obj: bpy.types.Object, roles: RoleMap) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the switches by which what is in the middle of an animal's spine turns as the chest does, on
    which its fore legs may hang, and no bone of its tail as another one."""
    for name in ("MCH-pivot", *(plain(bone) for bone in roles.tail())):
        bone = obj.pose.bones.get(name)
        for constraint in bone.constraints if bone else ():
            yield name, constraint.name, "influence", 0.0
    yield from ((bone.name, "", "tail_follow", 1.0) for bone in obj.pose.bones if "tail_follow" in bone)


def _trunk_drives(obj: bpy.types.Object, roles: RoleMap) -> Iterator[list]:
    """Yield the drives of root, torso, FK spine, neck and head."""
    yield [ROOT, "root", *BY_LOCATION]
    yield from _spine_drives(obj, roles)
    yield ["neck", "neck", *BY_ROTATION]
    yield ["head", "head", *BY_ROTATION]


def _spine_drives(obj: bpy.types.Object, roles: RoleMap) -> Iterator[list]:
    """Yield the torso, and the FK spine, which branches at its middle down to the pelvis and up to the chest;
    or the chest control. An animal's torso goes with the middle, and its spine turns."""
    controls = {
        role: plain(bone).replace("spine", "spine_fk", 1)
        for role, bone in roles.bones.items()
        if role == "pelvis" or role.startswith("spine.")
    }
    bones = obj.pose.bones
    if len(controls) > 1 and all(control in bones for control in controls.values()):
        first = [role for role, name in controls.items() if bones[TORSO] in bones[name].parent_recursive[:2]]
        turns = roles.kind == QUADRUPED and len(first) > 0
        yield [TORSO, first[-1] if turns else "pelvis", *BY_BOTH]
        yield from ([control, role, not turns, True] for role, control in controls.items())
        return
    yield [TORSO, "pelvis", *BY_BOTH]
    if roles.spine():
        yield [CHEST, chest_of(roles), *BY_ROTATION]


def _torso_switches() -> Iterator[tuple[str, str, str, Any]]:
    yield from ((TORSO, "", switch, value) for switch, value in TORSO_SWITCHES.items())


def take_over_for_reach(
    obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]
) -> None:
    """Switch the legs to IK and the arms to FK, an animal's legs all to IK, and note in `attachment` what is
    driven and what was before."""
    if roles.kind == QUADRUPED:
        _take_over_limbs(obj, roles, attachment, by_ik=True)
        return
    drives = [*_trunk_drives(obj, roles), *limb_drives(roles), *looked_at(obj, roles)]
    prepare(obj, attachment, drives, [*_BENDING, *idle_leg_controls(roles)], list(ik_switches(obj, roles)))
