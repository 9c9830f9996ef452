"""A tryout of controls: how they carry one another, and what the deform bones of a copy do."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Object

from ....core.character.body import Body
from ....core.character.integrity import integrity
from ....core.character.motion import Posed
from ....core.controls.drives import DrivenControl, DrivePlan, stiff_feet
from ....core.controls.figure import ObservedRig
from ....core.controls.rig import ControlRig, Trial
from ....core.controls.setup import Setup, find_setup, table_of
from ....core.controls.tryout import TryoutOf, seen_hinges, seen_swivels
from ....core.errors import NeuraRigError
from ....core.geometry.rotation import orthonormal
from ....core.geometry.vectors import transformed
from ....core.posing import posing
from ....core.posing.rig_table import POLE, ROOT_ROLE, RigTable, TrunkBend
from ....core.skeleton.anatomy import anatomy
from ....core.skeleton.roles import SIDES, RoleMap, sided
from ....core.skeleton.skeleton import Skeleton
from ...animation.curve_pose import moved_by
from ..read_armature import meshes_of, skin_bones
from . import snapshot
from .attachment import OWN_FK
from .probing.bench import Bench, bench
from .probing.read_rig import direct_sources, needed_for, read_rig


class NotCarriedError(NeuraRigError):
    """The controls can be driven, but do not pose the character as they should."""


class Tried(NamedTuple):
    """A tryout: the character and the motion to carry; `exact`: every bone must reach its place in the
    pose."""

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
    """How controls are parented, the switches for it, the bones besides that could move the character, how
    its knees bend, and its trunk, where one control does that.
    """

    setup: Setup
    settings: dict[str, float]
    idle: list[str]
    knees: Knees
    bend: TrunkBend | None


def first_carried(
    obj: Object, tried: Tried, posed: RoleMap, plan: DrivePlan, settings: Mapping[str, float]
) -> Carried:
    """Return `_carried` in the first way that carries the character.

    The ways: with the solvers' starting pose, without it, for exact places with the spine's places or with
    poles on the joints;
    then the same without stretching limbs.  If none does, the first one's error is raised.
    """
    ways: dict[tuple[DrivenControl, ...], None] = dict.fromkeys(
        [plan.drives, plan.needed, *([plan.placed, plan.aimed] if tried.exact else [])]
    )
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


def _stretch_off(obj: Object) -> dict[str, float]:
    """Return the switches that stop solvers from stretching their bones."""
    solvers = [
        (bone, one)
        for bone in obj.pose.bones
        for one in bone.constraints
        if one.type == "IK" and one.use_stretch and not one.mute
    ]
    bent = [
        (bone, one)
        for bone, one in solvers
        if any(obj.pose.bones[name].ik_stretch for name in moved_by(bone, one))
    ]
    return {snapshot.switch_path(bone.name, one.name, "use_stretch"): 0.0 for bone, one in bent}


def _carried(
    obj: Object,
    tried: Tried,
    posed: RoleMap,
    drives: Sequence[DrivenControl],
    settings: Mapping[str, float],
    firm: Mapping[str, float],
) -> Carried:
    """Try controls on the bench; raises NeuraRigError if they do not pose the rig as they should.

    `posed`: the roles to pose individually.  `settings`: of the rig's switches.  `firm`: of its solvers.
    """
    skeleton = tried.skeleton.deforming(skin_bones(obj))
    with bench(obj) as place:
        rig = read_rig(place.obj)
        figure = ObservedRig.of(skeleton, posed, rig.names)
        numbers = {switch.path: number for number, switch in enumerate(rig.switches)}
        numbered = {numbers[path]: value for path, value in settings.items() if path in numbers}
        setup = _answered(place, rig, find_setup(drives, rig, figure, numbered))
        body = tried.body.with_stiff_feet(stiff_feet(posed, {drive.role for drive in setup.drives}))
        modes = [place.obj.pose.bones[drive.bone].rotation_mode for drive in setup.drives]
        table = table_of(setup.drives, setup.parenting, modes, body.walk_to_armature, np.eye(4))
        order = [rig.names.index(name) for name in skeleton.names]
        wanted = {**firm} | {rig.switches[number].path: value for number, value in setup.settings.items()}
        place.switch(wanted)
        tryout = tried.tryout(skeleton, posed, body)
        seen = _posed(place, table, tryout.pose, order, skeleton)
        knees = _seen_knees(skeleton, posed, body, tryout.pose, seen, setup.drives)
        if any(knees):
            table = replace(table, **knees._asdict())
            seen = _posed(place, table, tryout.pose, order, skeleton)
        whole, bend = anatomy(skeleton, tried.roles), None
        problem = integrity(whole, seen).reason or tryout.judge(seen)
        if problem and tryout.bending is not None:
            bend = tryout.bending.seen(_posed(place, table, tryout.bending.pose, order, skeleton))
        if bend is not None:
            tryout = tryout.bending.tryout(bend)
            seen = _posed(place, table, tryout.pose, order, skeleton)
            problem = integrity(whole, seen).reason or tryout.judge(seen)
        if problem:
            raise NotCarriedError(problem)
        reaching = np.flatnonzero(rig.is_free & rig.reach[:, figure.bones].any(axis=1))
        return Carried(setup, wanted, [rig.names[row] for row in reaching], knees, bend)


def _posed(place: Bench, table: RigTable, pose: Posed, order: list[int], skeleton: Skeleton) -> np.ndarray:
    """Return every bone's evaluated matrix `(f, n, 4, 4)` for the frames of a pose, as the skeleton reads
    it."""
    return skeleton.as_read(
        np.array(
            [matrices[order] for matrices in place.poses(posing.solve(table, pose, posing.Travel.NOTHING))]
        )
    )


def _seen_knees(
    skeleton: Skeleton,
    roles: RoleMap,
    body: Body,
    pose: Posed,
    seen: np.ndarray,
    drives: Sequence[DrivenControl],
) -> Knees:
    """Return how knees bend in an evaluated pose: swivels for legs with a pole, hinges for others."""
    frame = body.walk_to_armature
    rows = {
        role: skeleton.index[bone]
        for part in ("thigh", "shin")
        for side in SIDES
        if (bone := roles.get(role := sided(part, side)))
    }
    swivels, hinges = {}, {}
    if any(drive.role.startswith(POLE) for drive in drives):
        to_walk = np.linalg.inv(frame)
        knees = {
            side: transformed(seen[:, rows[shin], :3, 3], to_walk)
            for side in SIDES
            if (shin := sided("shin", side)) in rows
        }
        swivels = seen_swivels(pose.motions, knees)
    if any(drive.begins for drive in drives):
        axes = orthonormal(frame[:3, :3])
        away = {
            role: axes.T @ orthonormal(seen[:, row, :3, :3]) @ skeleton.rest[row, :3, :3].T @ axes
            for role, row in rows.items()
        }
        hinges = seen_hinges(pose.motions, away)
    return Knees(swivels, hinges)


def _answered(place: Bench, rig: ControlRig, trials: Generator[Trial, np.ndarray, Any]) -> Any:
    """Run a series of trials and return its result."""
    try:
        trial = next(trials)
        while True:
            trial = trials.send(place.answer(rig, trial))
    except StopIteration as finished:
        return finished.value


def takes_all_along(obj: Object, attachment: Mapping[str, Any]) -> bool:
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


def _holding(obj: Object) -> set[str]:
    """Return the bones that carry objects."""
    return {child.parent_bone for child in obj.children if child.parent_type == "BONE"} & set(
        obj.pose.bones.keys()
    )


def _hanging(obj: Object) -> bool:
    """Return whether something hangs on the armature object itself and is not deformed by it."""
    deformed = set(meshes_of(obj))
    return any(child.parent_type != "BONE" and child not in deformed for child in obj.children)
