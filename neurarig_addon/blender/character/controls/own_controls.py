"""A rig with a control map: it walks by its own controls, IK or FK, and nothing is added to it.

The controls are first tried on the bench: how they carry one another, and whether the deform bones stay in
one piece and the feet planted.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from bpy.types import Object, PoseBone
from mathutils import Matrix

from ....core.character.body import Body
from ....core.controls.control_map import FK, IK, ControlMap
from ....core.controls.drives import DrivenControl, DrivePlan, plan_drives, posed_one_by_one
from ....core.controls.setup import Parenting, table_of
from ....core.errors import NeuraRigError
from ....core.posing.rig_table import NO_PARENT, ROOT_ROLE, RigTable
from ....core.skeleton.roles import SIDES, sided
from . import snapshot
from .attachment import CONTROLS_FK, IDENTITY, placed
from .carrying import NotCarriedError, Tried, first_carried
from .probing import paths

_STATES = {IK: {"legs": IK, "arms": ""}, FK: {"legs": FK, "arms": FK}}  # of the limbs, for rigs with both


def may_have_controls(obj: Object) -> bool:
    """Return whether anything but the hierarchy moves an armature's bones: only then can controls differ from
    deform bones."""
    data = obj.animation_data
    driven = any(curve.data_path.startswith("pose.bones[") for curve in data.drivers) if data else False
    return driven or any(not constraint.mute for bone in obj.pose.bones for constraint in bone.constraints)


def take_over(obj: Object, tried: Tried, attachment: dict[str, Any], found: ControlMap) -> None:
    """Set the switches, put the controls to rest, and note in `attachment` what is driven and what was
    before.

    Raises NeuraRigError, with nothing done, if the controls cannot carry the tryout.
    """
    wanted = FK if attachment["kind"] == CONTROLS_FK else IK
    posed = tried.roles
    if tried.exact:
        posed, found = posed_one_by_one(posed, found)
        attachment["roles"] = {role: bone for role, bone in posed.bones.items() if bone}
    plan = plan_drives(posed, found, **_STATES[wanted])
    _require_biped(obj, plan, wanted)
    try:
        setup, settings, idle, knees, bend = first_carried(
            obj, tried, posed, plan, found.settings(plan.states)
        )
    except NotCarriedError as problem:
        raise NotCarriedError(
            f"The {wanted} controls of '{obj.name}' cannot be used: {problem}."
        ) from problem
    bones = [drive.bone for drive in setup.drives]
    attachment["drives"] = [
        [drive.bone, drive.role, drive.location, drive.rotation] for drive in setup.drives
    ]
    attachment["controls"] = {drive.role: drive.bone for drive in setup.drives}
    attachment["swivels"], attachment["hinges"] = (
        knees.swivels,
        {shin: axis.tolist() for shin, axis in knees.hinges.items()},
    )
    attachment["bend"] = [] if bend is None else bend.terms.tolist()
    for bone, one in zip(bones, setup.parenting, strict=True):
        matrices = [one.rest.ravel().tolist(), one.mend.ravel().tolist()]
        attachment["hangs"][bone] = [
            bones[one.carrier] if one.carrier != NO_PARENT else "",
            one.turns,
            one.own_axes,
            *matrices,
        ]
    root = next((number for number, drive in enumerate(setup.drives) if drive.role == ROOT_ROLE), None)
    if root is not None:
        attachment["placement"] = _placement(obj.pose.bones[bones[root]], setup.parenting[root].rest)
    idle = [name for name in idle if name not in bones and not _rests(obj.pose.bones[name])]
    attachment["pose"] = snapshot.take_pose(obj, sorted({*bones, *idle}))
    attachment["muted_drivers"] = snapshot.mute_drivers(obj, set(bones))
    switches = [(*switch, value) for path, value in settings.items() if (switch := paths.parts(path))]
    attachment["switches"] = snapshot.set_switches(obj, switches)
    snapshot.neutralise(obj, [name for number, name in enumerate(bones) if number != root] + idle)


def _require_biped(obj: Object, plan: DrivePlan, wanted: str) -> None:
    """Raise NeuraRigError if the body or a leg has no control of the kind asked for."""
    driven = {drive.role for drive in plan.drives}
    for role in ("pelvis", *(sided("foot", side) for side in SIDES)):
        if role not in driven:
            raise NeuraRigError(
                f"No control was found that moves the '{role}' of '{obj.name}'; name it under Controls."
            )
    if wanted == FK and any(state == IK for state in plan.states.values()):
        raise NeuraRigError(f"'{obj.name}' has no FK controls for all its limbs.")


def rig_table(obj: Object, attachment: Mapping[str, Any], body: Body) -> RigTable:
    """Return the table of the driven controls."""
    drives = [DrivenControl(*row) for row in attachment["drives"]]
    numbers = {drive.bone: number for number, drive in enumerate(drives)}
    parenting = []
    for drive in drives:
        carrier, turns, own_axes, *matrices = attachment["hangs"].get(
            drive.bone, ["", True, True, IDENTITY, IDENTITY]
        )
        rest, mend = (np.array(matrix).reshape(4, 4) for matrix in matrices)
        parenting.append(Parenting(numbers.get(carrier, NO_PARENT), turns, own_axes, rest, mend))
    modes = [obj.pose.bones[drive.bone].rotation_mode for drive in drives]
    table = table_of(drives, parenting, modes, body.walk_to_armature, placed(attachment))
    hinges = {shin: np.array(axis, dtype=float) for shin, axis in attachment.get("hinges", {}).items()}
    return replace(table, swivels=attachment.get("swivels", {}), hinges=hinges)


def _placement(bone: PoseBone, rest: np.ndarray) -> list[float]:
    """Return how the user's root control has moved the character, as 16 numbers in armature space."""
    location, turn, _ = bone.matrix_basis.decompose()
    at = Matrix(rest.tolist())
    motion = at @ Matrix.LocRotScale(location, turn, None) @ at.inverted()
    return [value for row in motion for value in row]


def _rests(bone: PoseBone) -> bool:
    return bool((np.abs(np.array(bone.matrix_basis) - np.eye(4)) < 1e-6).all())
