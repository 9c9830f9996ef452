"""Which control takes which part of a pose: the choice between IK and FK for each limb, from the controls of
a map."""

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from ..posing.rig_table import POLE, ROOT_ROLE
from ..skeleton.roles import NECK, SIDES, SPINE, RoleMap, sided, spine_of, stem_of
from .control_map import FK, IK, ControlMap
from .figure import ARM, CHAINS, LEG

# Limb -> its end control, pole and swivel controls, the role whose motion the end control takes, and the role
# of the pole and swivel.
_ENDS = {
    LEG: ("foot_ik", "knee_pole", "knee_swivel", "foot", "thigh"),
    ARM: ("hand_ik", "elbow_pole", "elbow_swivel", "hand", "upper_arm"),
}


@dataclass(frozen=True)
class DrivenControl:
    """A control and what it takes from a pose: a role's location, its rotation, or both.

    `spared`: a walk can do without it. `begins`: it is where an IK solver starts from. `joint`: the control
    is put on the head of this
    role's bone, with the rotation of its own role's bone, whatever its offset from them at rest.
    """

    bone: str
    role: str
    location: bool
    rotation: bool
    spared: bool = False
    begins: bool = False
    joint: str = ""


@dataclass(frozen=True)
class DrivePlan:
    """The controls that a pose drives, and the state, `IK` or `FK`, that each limb needs for it.

    `aimed`: the drives for limbs whose first bone is aimed at its pole before the limb is solved: with the
    pole on the knee, and the bones posed, the solvers have nothing left to do.
    """

    drives: tuple[DrivenControl, ...]
    states: dict[str, str]
    aimed: tuple[DrivenControl, ...] = ()

    @property
    def needed(self) -> tuple[DrivenControl, ...]:
        """The drives without those that only start a solver: it may do better by itself."""
        return tuple(drive for drive in self.drives if not drive.begins)

    @property
    def placed(self) -> tuple[DrivenControl, ...]:
        """The drives with locations for the spine too, for controls that turn their bones about a point other
        than the joint."""
        return tuple(
            replace(drive, location=True) if stem_of(drive.role) == SPINE else drive for drive in self.drives
        )


def plan_drives(roles: RoleMap, found: ControlMap, legs: str = IK, arms: str = "") -> DrivePlan:
    """Return what to drive on a rig; a limb that lacks the controls of the wanted state is driven in the
    other one.

    `legs`, `arms`: IK, FK, or '' for FK if the rig provides it, that is, without turning a limb's solvers
    off. Each control is driven once: if one control turns several roles, the first of them counts.
    """
    drives: list[DrivenControl] = []
    if found.get("root"):
        drives.append(DrivenControl(found.get("root"), ROOT_ROLE, True, False))
    if body := found.get("torso") or found.get("hips"):
        drives.append(DrivenControl(body, "pelvis", True, True))
    drives += _spine(roles, found)
    for role in roles.bones:
        if stem_of(role) in ("neck", "head", "clavicle") and roles.has(role) and found.get(role):
            drives.append(DrivenControl(found.get(role), role, False, True, spared=True))
    states: dict[str, str] = {}
    for kind, wanted in ((LEG, legs), (ARM, arms)):
        for side in SIDES:
            states[sided(kind, side)], chosen = _limb(roles, found, kind, side, wanted)
            drives += chosen
    taken: set[str] = set()
    once = [drive for drive in drives if not (drive.bone in taken or taken.add(drive.bone))]
    return DrivePlan(tuple(once), states, _aimed(roles, once))


def posed_one_by_one(roles: RoleMap, found: ControlMap) -> tuple[RoleMap, ControlMap]:
    """Return the character's roles that have a control of their own, and the map for them.

    A trunk with fewer controls than bones is posed as one with fewer bones; spine and neck are renumbered.
    """
    kept: dict[str, str] = {}
    controls = {
        role: bone for role, bone in found.controls.items() if stem_of(role) not in (SPINE, NECK, "chest")
    }
    for stem in (SPINE, NECK):
        own = {
            found.get(role): roles.bones[role]
            for role in roles.bones
            if stem_of(role) == stem and roles.has(role)
        }
        own.pop("", None)  # if one control poses several bones, the last counts
        if stem == SPINE and not own and found.get("chest") and roles.spine():
            own = {found.get("chest"): roles.spine()[-1]}
        for number, (control, bone) in enumerate(own.items(), start=1):
            role = stem if stem == NECK and number == 1 else f"{stem}.{number}"
            kept[role], controls[role] = bone, control
    for role, bone in roles.bones.items():
        part = stem_of(role)
        if part not in (SPINE, NECK) and (part != "clavicle" or found.get(role)):
            kept[role] = bone
    return replace(roles, bones=kept, eyes={}), replace(found, controls=controls)


def stiff_feet(roles: RoleMap, driven: Container[str]) -> np.ndarray:
    """Return whether each foot `(2,)` has toes that none of the driven roles bends."""
    return np.array([roles.has(toe) and toe not in driven for toe in (sided("toe", side) for side in SIDES)])


def _spine(roles: RoleMap, found: ControlMap) -> list[DrivenControl]:
    """Return the drives of the spine bones that have a control of their own; the chest control drives the
    last if it has none."""
    spine = spine_of(roles)
    # if one control poses several bones, the last counts
    own = {found.get(role): role for role in spine if found.get(role)}
    if found.get("chest") and spine and spine[-1] not in own.values():
        own.setdefault(found.get("chest"), spine[-1])
    return [
        DrivenControl(bone, role, False, True, spared=True)
        for bone, role in sorted(own.items(), key=lambda one: spine.index(one[1]))
    ]


def _limb(
    roles: RoleMap, found: ControlMap, kind: str, side: str, wanted: str
) -> tuple[str, list[DrivenControl]]:
    fk = _fk_limb(roles, found, kind, side)
    ik = _ik_limb(roles, found, kind, side)
    if wanted == FK or (not wanted and not found.is_only_unsolved(sided(kind, side))):
        return (FK, fk) if fk else (IK, ik)
    return (IK, ik) if ik else (FK, fk)


def _begin(roles: RoleMap, kind: str, side: str, swivel: str) -> list[DrivenControl]:
    """Return what to drive of a limb without a pole: the solver starts from its bones' rotations, and keeps
    their plane.

    If the swivel is the limb's own first bone, the bones after it start from the pose too.
    """
    limb = [sided(part, side) for part in CHAINS[kind][:3]]
    bones = [roles.get(role) or "" for role in limb] if roles.get(limb[0]) == swivel else [swivel]
    return [
        DrivenControl(bone, role, False, True, begins=True)
        for bone, role in zip(bones, limb, strict=False)
        if bone
    ]


def _aimed(roles: RoleMap, drives: list[DrivenControl]) -> tuple[DrivenControl, ...]:
    """Return drives with each pole on the joint that it points, with the rotation of the bone above, and the
    bones at that joint posed.
    """
    joints = {f"{POLE}{side}": (sided("thigh", side), sided("shin", side)) for side in SIDES}
    joints |= {sided("upper_arm", side): (sided("upper_arm", side), sided("forearm", side)) for side in SIDES}
    found, begun = [], []
    for drive in drives:
        limb = joints.get(drive.role)
        if limb and drive.location and not drive.rotation and all(roles.has(role) for role in limb):
            found.append(replace(drive, role=limb[0], rotation=True, joint=limb[1]))
            begun += [DrivenControl(roles.bones[role], role, False, True, begins=True) for role in limb]
        else:
            found.append(drive)
    return tuple(found + begun)


def _fk_limb(roles: RoleMap, found: ControlMap, kind: str, side: str) -> list[DrivenControl]:
    present = [role for part in CHAINS[kind] if roles.has(role := sided(part, side))]
    # Often one control turns the toes in both states.
    controls = [
        found.get(role.replace(".", "_fk.")) or found.get(role.replace("toe.", "toe_ik.")) for role in present
    ]
    drives = [
        DrivenControl(control, role, False, True) for control, role in zip(controls, present, strict=True)
    ]
    return [drive for drive in drives if drive.bone] if all(drive.bone for drive in drives[:2]) else []


def _ik_limb(roles: RoleMap, found: ControlMap, kind: str, side: str) -> list[DrivenControl]:
    end, pole, swivel, end_part, base_part = _ENDS[kind]
    if not found.get(sided(end, side)):
        return []
    drives = [DrivenControl(found.get(sided(end, side)), sided(end_part, side), True, True)]
    if found.get(sided(pole, side)):
        drives.append(
            DrivenControl(
                found.get(sided(pole, side)),
                f"{POLE}{side}" if kind == LEG else sided(base_part, side),
                True,
                False,
            )
        )
    elif found.get(sided(swivel, side)):
        drives += _begin(roles, kind, side, found.get(sided(swivel, side)))
    elif found.is_only_unsolved(sided(kind, side)):  # its FK controls are the limb's own bones
        drives += [replace(drive, begins=True) for drive in _fk_limb(roles, found, kind, side)]
    toe = found.get(sided("toe_ik", side)) if kind == LEG and roles.has(sided("toe", side)) else ""
    return drives + ([DrivenControl(toe, sided("toe", side), False, True, spared=True)] if toe else [])
