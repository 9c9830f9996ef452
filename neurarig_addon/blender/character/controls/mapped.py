"""A rig with a control map: its own controls do the walking, IK or FK as its switches are set, and nothing is added to it.

Before anything is touched the controls are tried on the bench: how they hang on one another, and whether the deforming bones stay in one
piece and the feet where the walk plants them.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ....core.anatomy import anatomy
from ....core.body import Body
from ....core.controls.control_map import FK, IK, ControlMap
from ....core.controls.drives import Driven, DrivePlan, plan_drives, posed_one_by_one
from ....core.controls.figure import Figure
from ....core.controls.rig import ControlRig
from ....core.controls.stand import Hang, Stand, find_stand, table_of
from ....core.controls.swivel import seen_hinges, seen_swivels
from ....core.controls.tryout import TryoutOf
from ....core.errors import NeuraRigError
from ....core.integrity import integrity
from ....core.motion import Posed
from ....core.posing import solve
from ....core.rig_table import NO_PARENT, POLE, ROOT_ROLE, RigTable
from ....core.roles import SIDES, RoleMap, sided
from ....core.rotation import orthonormal
from ....core.skeleton import Skeleton
from ...animation.constraints import moved_by
from ..read_armature import skin_bones
from . import snapshot
from .attachment import CONTROLS_FK, IDENTITY
from .probing import paths
from .probing.bench import Bench, bench
from .probing.read_rig import read_rig

_STATES = {IK: {"legs": IK, "arms": ""}, FK: {"legs": FK, "arms": FK}}  # of the limbs, where the rig has both


class NotCarriedError(NeuraRigError):
    """The controls can be driven, and the character is not posed by them as it should be."""


class Tried(NamedTuple):
    """A character whose controls are tried, and with what; `exact`: every bone has to be where the pose has it."""

    skeleton: Skeleton
    roles: RoleMap
    body: Body
    tryout: TryoutOf
    exact: bool = False


def may_have_controls(obj: bpy.types.Object) -> bool:
    """Say whether anything but the hierarchy moves bones of an armature: only then controls may be other bones than those that deform."""
    data = obj.animation_data
    driven = any(curve.data_path.startswith("pose.bones[") for curve in data.drivers) if data else False
    return driven or any(not constraint.mute for bone in obj.pose.bones for constraint in bone.constraints)


def take_over(obj: bpy.types.Object, tried: Tried, attachment: dict[str, Any], found: ControlMap) -> None:
    """Set the switches, put the controls to rest and note in `attachment` what is driven and what was before.

    Raises NeuraRigError, with nothing done, where the controls cannot carry what they are tried with.
    """
    wanted = FK if attachment["kind"] == CONTROLS_FK else IK
    posed = tried.roles
    if tried.exact:
        posed, found = posed_one_by_one(posed, found)
        attachment["roles"] = {role: bone for role, bone in posed.bones.items() if bone}
    plan = plan_drives(posed, found, **_STATES[wanted])
    _require_biped(obj, plan, wanted)
    try:
        stand, settings, idle, knees = _first_carried(obj, tried, posed, plan, found.settings(plan.states))
    except NotCarriedError as problem:
        raise NotCarriedError(f"The {wanted} controls of '{obj.name}' cannot be used: {problem}.") from problem
    bones = [drive.bone for drive in stand.drives]
    attachment["drives"] = [[drive.bone, drive.role, drive.location, drive.rotation] for drive in stand.drives]
    attachment["controls"] = {drive.role: drive.bone for drive in stand.drives}
    attachment["swivels"], attachment["hinges"] = knees.swivels, {shin: axis.tolist() for shin, axis in knees.hinges.items()}
    for bone, hang in zip(bones, stand.hangs, strict=True):
        matrices = [hang.rest.ravel().tolist(), hang.mend.ravel().tolist()]
        attachment["hangs"][bone] = [bones[hang.carrier] if hang.carrier != NO_PARENT else "", hang.turns, hang.own_axes, *matrices]
    root = next((number for number, drive in enumerate(stand.drives) if drive.role == ROOT_ROLE), None)
    if root is not None:
        attachment["placement"] = _placement(obj.pose.bones[bones[root]], stand.hangs[root].rest)
    idle = [name for name in idle if name not in bones and not _rests(obj.pose.bones[name])]
    attachment["pose"] = snapshot.take_pose(obj, sorted({*bones, *idle}))
    attachment["muted_drivers"] = snapshot.mute_drivers(obj, set(bones))
    switches = [(*switch, value) for path, value in settings.items() if (switch := paths.parts(path))]
    attachment["switches"] = snapshot.set_switches(obj, switches)
    snapshot.neutralise(obj, [name for number, name in enumerate(bones) if number != root] + idle)


def _require_biped(obj: bpy.types.Object, plan: DrivePlan, wanted: str) -> None:
    """Raise NeuraRigError where the body or a leg has no control, or none of the kind that is asked for."""
    driven = {drive.role for drive in plan.drives}
    for role in ("pelvis", *(sided("foot", side) for side in SIDES)):
        if role not in driven:
            raise NeuraRigError(f"No control was found that moves the '{role}' of '{obj.name}'; name it under Controls.")
    if wanted == FK and any(state == IK for state in plan.states.values()):
        raise NeuraRigError(f"'{obj.name}' has no FK controls for all its limbs.")


def rig_table(obj: bpy.types.Object, attachment: Mapping[str, Any], body: Body) -> RigTable:
    """Return the table of the driven controls."""
    drives = [Driven(*row) for row in attachment["drives"]]
    numbers = {drive.bone: number for number, drive in enumerate(drives)}
    hangs = []
    for drive in drives:
        carrier, turns, own_axes, *matrices = attachment["hangs"].get(drive.bone, ["", True, True, IDENTITY, IDENTITY])
        rest, mend = (np.array(matrix).reshape(4, 4) for matrix in matrices)
        hangs.append(Hang(numbers.get(carrier, NO_PARENT), turns, own_axes, rest, mend))
    modes = [obj.pose.bones[drive.bone].rotation_mode for drive in drives]
    table = table_of(drives, hangs, modes, body.walk_to_armature, np.array(attachment["placement"], dtype=float).reshape(4, 4))
    hinges = {shin: np.array(axis, dtype=float) for shin, axis in attachment.get("hinges", {}).items()}
    return replace(table, swivels=attachment.get("swivels", {}), hinges=hinges)


class _Knees(NamedTuple):
    """How the rig's own knees bend, see `RigTable`."""

    swivels: dict[str, float]
    hinges: dict[str, np.ndarray]


class _Carried(NamedTuple):
    """How controls hang, the switches for it, the bones besides that could move the character, and how its knees bend."""

    stand: Stand
    settings: dict[str, float]
    idle: list[str]
    knees: _Knees


def _first_carried(obj: bpy.types.Object, tried: Tried, posed: RoleMap, plan: DrivePlan, settings: Mapping[str, float]) -> _Carried:
    """Return what `_carried` does, in the first way that carries the character.

    With what solvers begin from, without it, or, where places have to be exact, with places of the spine's; then the same with limbs
    that do not stretch.  What is raised, where no way does it, is of the first.
    """
    ways = dict.fromkeys([plan.drives, plan.needed, *([plan.placed] if tried.exact else [])])
    problem: NeuraRigError | None = None
    off = _stretch_off(obj)
    for firm in ({}, off) if off else ({},):
        for drives in ways:
            try:
                return _carried(obj, tried, posed, drives, settings, firm)
            except NeuraRigError as found:
                problem = problem or found
    assert problem is not None
    raise problem


def _stretch_off(obj: bpy.types.Object) -> dict[str, float]:
    """Return the switches by which solvers that stretch their bones leave these as long as they are."""
    solvers = [(bone, one) for bone in obj.pose.bones for one in bone.constraints if one.type == "IK" and one.use_stretch and not one.mute]
    bent = [(bone, one) for bone, one in solvers if any(obj.pose.bones[name].ik_stretch for name in moved_by(bone, one))]
    return {snapshot.switch_path(bone.name, one.name, "use_stretch"): 0.0 for bone, one in bent}


def _carried(
    obj: bpy.types.Object,
    tried: Tried,
    posed: RoleMap,
    drives: Sequence[Driven],
    settings: Mapping[str, float],
    firm: Mapping[str, float],
) -> _Carried:
    """Try controls on the bench; raises NeuraRigError for a rig that these controls do not pose as they should.

    `posed`: the roles that they are to pose one by one.  `settings`: of the rig's switches.  `firm`: of its solvers.
    """
    skeleton, body = tried.skeleton.deforming(skin_bones(obj)), tried.body
    with bench(obj) as place:
        rig = read_rig(place.obj)
        figure = Figure.of(skeleton, posed, rig.names)
        numbers = {switch.path: number for number, switch in enumerate(rig.switches)}
        numbered = {numbers[path]: value for path, value in settings.items() if path in numbers}
        stand = _answered(place, rig, find_stand(drives, rig, figure, numbered))
        modes = [place.obj.pose.bones[drive.bone].rotation_mode for drive in stand.drives]
        table = table_of(stand.drives, stand.hangs, modes, body.walk_to_armature, np.eye(4))
        order = [rig.names.index(name) for name in skeleton.names]
        wanted = {**firm} | {rig.switches[number].path: value for number, value in stand.settings.items()}
        place.switch(wanted)
        tryout = tried.tryout(skeleton, posed, body)
        seen = _posed(place, table, tryout.pose, order)
        knees = _seen_knees(skeleton, posed, body, tryout.pose, seen, stand.drives)
        if any(knees):
            seen = _posed(place, replace(table, **knees._asdict()), tryout.pose, order)
        if problem := integrity(anatomy(skeleton, tried.roles), seen).reason or tryout.judge(seen):
            raise NotCarriedError(problem)
        reaching = np.flatnonzero(rig.is_free & rig.reach[:, figure.bones].any(axis=1))
        return _Carried(stand, wanted, [rig.names[row] for row in reaching], knees)


def _posed(place: Bench, table: RigTable, pose: Posed, order: list[int]) -> np.ndarray:
    """Return every bone's evaluated matrix `(f, n, 4, 4)` for the frames of a pose."""
    return np.array([matrices[order] for matrices in place.poses(solve(table, pose, False))])


def _seen_knees(skeleton: Skeleton, roles: RoleMap, body: Body, pose: Posed, seen: np.ndarray, drives: Sequence[Driven]) -> _Knees:
    """Return how knees bend in what was seen of a pose; the swivels of legs with a pole, the hinges of legs whose bones begin."""
    frame = body.walk_to_armature
    rows = {role: skeleton.index[bone] for part in ("thigh", "shin") for side in SIDES if (bone := roles.get(role := sided(part, side)))}
    swivels, hinges = {}, {}
    if any(drive.role.startswith(POLE) for drive in drives):
        to_walk = np.linalg.inv(frame)
        knees = {
            side: seen[:, rows[shin], :3, 3] @ to_walk[:3, :3].T + to_walk[:3, 3] for side in SIDES if (shin := sided("shin", side)) in rows
        }
        swivels = seen_swivels(pose.motions, knees)
    if any(drive.begins for drive in drives):
        axes = orthonormal(frame[:3, :3])
        away = {role: axes.T @ orthonormal(seen[:, row, :3, :3]) @ skeleton.rest[row, :3, :3].T @ axes for role, row in rows.items()}
        hinges = seen_hinges(pose.motions, away)
    return _Knees(swivels, hinges)


def _answered(place: Bench, rig: ControlRig, trials: Generator) -> Any:
    """Return what a series of trials comes to."""
    try:
        trial = next(trials)
        while True:
            trial = trials.send(place.answer(rig, trial))
    except StopIteration as finished:
        return finished.value


def _placement(bone: bpy.types.PoseBone, rest: np.ndarray) -> list[float]:
    """Return how the user's root control has moved the character, as 16 numbers in armature space."""
    location, turn, _ = bone.matrix_basis.decompose()
    at = Matrix(rest.tolist())
    motion = at @ Matrix.LocRotScale(location, turn, None) @ at.inverted()
    return [value for row in motion for value in row]


def _rests(bone: bpy.types.PoseBone) -> bool:
    return (np.abs(np.array(bone.matrix_basis) - np.eye(4)) < 1e-6).all()
