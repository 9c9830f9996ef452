"""Whether controls carry what they are tried with: how they hang on one another, and what the deforming bones of a copy do in it."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import bpy
import numpy as np

from ....core.character.body import Body
from ....core.character.integrity import integrity
from ....core.character.motion import Posed
from ....core.controls.drives import Driven, DrivePlan
from ....core.controls.figure import Figure
from ....core.controls.rig import ControlRig
from ....core.controls.stand import Stand, find_stand, table_of
from ....core.controls.swivel import seen_hinges, seen_swivels
from ....core.controls.tryout import TryoutOf
from ....core.errors import NeuraRigError
from ....core.geometry.rotation import orthonormal
from ....core.posing.posing import solve
from ....core.posing.rig_table import POLE, RigTable
from ....core.posing.trunk_bend import TrunkBend
from ....core.skeleton.anatomy import anatomy
from ....core.skeleton.roles import SIDES, RoleMap, sided
from ....core.skeleton.skeleton import Skeleton
from ...animation.constraints import moved_by
from ..read_armature import skin_bones
from . import snapshot
from .probing.bench import Bench, bench
from .probing.read_rig import read_rig


class NotCarriedError(NeuraRigError):
    """The controls can be driven, and the character is not posed by them as it should be."""


class Tried(NamedTuple):
    """A character whose controls are tried, and with what; `exact`: every bone has to be where the pose has it."""

    skeleton: Skeleton
    roles: RoleMap
    body: Body
    tryout: TryoutOf
    exact: bool = False


class Knees(NamedTuple):
    """How the rig's own knees bend, see `RigTable`."""

    swivels: dict[str, float]
    hinges: dict[str, np.ndarray]


class Carried(NamedTuple):
    """How controls hang, the switches for it, the bones besides that could move the character, how its knees bend, and its
    trunk, where one control does that.
    """

    stand: Stand
    settings: dict[str, float]
    idle: list[str]
    knees: Knees
    bend: TrunkBend | None


def first_carried(obj: bpy.types.Object, tried: Tried, posed: RoleMap, plan: DrivePlan, settings: Mapping[str, float]) -> Carried:
    """Return what `_carried` does, in the first way that carries the character.

    With what solvers begin from, without it, or, where places have to be exact, with places of the spine's, or with poles on the joints;
    then the same with limbs that do not stretch.  What is raised, where no way does it, is of the first.
    """
    ways = dict.fromkeys([plan.drives, plan.needed, *([plan.placed, plan.aimed] if tried.exact else [])])
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
) -> Carried:
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
            table = replace(table, **knees._asdict())
            seen = _posed(place, table, tryout.pose, order)
        whole, bend = anatomy(skeleton, tried.roles), None
        problem = integrity(whole, seen).reason or tryout.judge(seen)
        if problem and tryout.bending is not None:
            bend = tryout.bending.seen(_posed(place, table, tryout.bending.pose, order))
        if bend is not None:
            tryout = tryout.bending.tryout(bend)
            seen = _posed(place, table, tryout.pose, order)
            problem = integrity(whole, seen).reason or tryout.judge(seen)
        if problem:
            raise NotCarriedError(problem)
        reaching = np.flatnonzero(rig.is_free & rig.reach[:, figure.bones].any(axis=1))
        return Carried(stand, wanted, [rig.names[row] for row in reaching], knees, bend)


def _posed(place: Bench, table: RigTable, pose: Posed, order: list[int]) -> np.ndarray:
    """Return every bone's evaluated matrix `(f, n, 4, 4)` for the frames of a pose."""
    return np.array([matrices[order] for matrices in place.poses(solve(table, pose, False))])


def _seen_knees(skeleton: Skeleton, roles: RoleMap, body: Body, pose: Posed, seen: np.ndarray, drives: Sequence[Driven]) -> Knees:
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
    return Knees(swivels, hinges)


def _answered(place: Bench, rig: ControlRig, trials: Generator) -> Any:
    """Return what a series of trials comes to."""
    try:
        trial = next(trials)
        while True:
            trial = trials.send(place.answer(rig, trial))
    except StopIteration as finished:
        return finished.value
