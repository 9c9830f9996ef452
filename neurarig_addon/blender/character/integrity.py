"""The law of integrity: a character stays in one piece, or it is posed in another way, or not at all.

The bones that deform it stay together, and so do armatures that belong together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any

import bpy
import numpy as np
from bpy.types import Constraint, Object, Scene
from mathutils import Matrix

from ...core.character.integrity import Integrity, integrity, integrity_figures, parting, without_open
from ...core.controls.control_map import ControlMap
from ...core.errors import NeuraRigError
from ...core.skeleton.anatomy import BoneGroups, anatomy
from ...core.skeleton.reversed_feet import with_feet_forward
from ...core.skeleton.roles import SIDES, RoleMap, sided
from ..animation.objects import above
from ..animation.scratch import alone, pose_matrices, seen
from ..animation.steps import Steps
from . import own_animation, record
from .controls import WAYS, PosingChoice
from .controls.probing.bench import bench
from .controls.probing.read_rig import probe
from .controls.stored_map import is_current
from .read_armature import meshes_of, read_skeleton, skin_bones
from .read_character import read_character

LOOKED_AT = 24  # frames of an action, evenly spaced: gaps last long
_SOLVERS = {"IK", "SPLINE_IK"}  # a pure target is not followed


class CameApartError(NeuraRigError):
    """The bones that deform a character do not stay together.

    `kind`: of the attachment, `why`: what comes apart, `broken`: whether that is the body itself.
    """

    def __init__(self, message: str, kind: str, why: str, broken: bool) -> None:
        super().__init__(message)
        self.kind, self.why, self.broken = kind, why, broken


class DeformingBones:
    """The deform bones of an attached character, gathered pose by pose.

    Joints that are open while everything we drive rests, such as a prop put down, are the user's own and do
    not count; nor do joints that the user's own animation opens.
    """

    def __init__(self, obj: Object, scene: Scene, roles: RoleMap, poses: int) -> None:
        skeleton = with_feet_forward(read_skeleton(obj, scene))
        order = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
        self.rows = np.array([order[name] for name in skeleton.names], dtype=int)
        self._as_read = skeleton.as_read
        self._obj, self._driven = (
            obj,
            [bone for bone, *_ in record.attachment(obj)["drives"] if bone in obj.pose.bones],
        )
        self._keyed = sorted(own_animation.bones_of(obj) - set(self._driven))
        self._own: list[dict[str, Matrix]] = []
        self.body = self._ours(anatomy(skeleton.deforming(skin_bones(obj)), roles), [{}])
        self.counted = np.unique(
            np.concatenate([self.body.joints.ravel(), self.body.members.ravel()])
        ).astype(int)
        self.poses = np.tile(skeleton.rest.astype(np.float32), (poses, 1, 1, 1))

    def _ours(self, body: BoneGroups, poses: Iterable[Mapping[str, Matrix]]) -> BoneGroups:
        """Return a body without the joints that are open while everything we drive rests and the user's bones
        are posed as given."""
        with bench(self._obj, self._driven) as place:
            for pose in poses:
                for bone, basis in pose.items():
                    place.obj.pose.bones[bone].matrix_basis = basis
                body = without_open(body, self._as_read(place.matrices()[self.rows]))
        return body

    def look(self, row: int, evaluated: Object) -> None:
        """Store the pose of an evaluated object as row `row`."""
        self.poses[row, self.counted] = pose_matrices(evaluated)[self.rows[self.counted]]
        own = {bone: evaluated.pose.bones[bone].matrix_basis.copy() for bone in self._keyed}
        if own and own not in self._own[-1:]:
            self._own.append(own)

    def judged(self) -> Integrity:
        """Judge all stored poses."""
        return integrity(
            self._ours(self.body, self._own) if self._own else self.body,
            self._as_read(self.poses.astype(float)),
        )


def require_steps(obj: Object, scene: Scene, roles: RoleMap, frames: np.ndarray) -> Steps[None]:
    """Raise CameApartError if the evaluated character comes apart on some of these frames `(f,)`; yields the
    share done."""
    chosen = frames[
        np.unique(np.linspace(0, len(frames) - 1, min(LOOKED_AT, len(frames))).round().astype(int))
    ]
    deforming = DeformingBones(obj, scene, roles, len(chosen))
    with alone(scene, obj) as passing:
        for row, frame in enumerate(chosen):
            deforming.look(row, seen(passing, obj, float(frame)))
            yield (row + 1) / len(chosen)
    require(obj, integrity_figures(deforming.judged()))


def require_now(obj: Object, scene: Scene, roles: RoleMap) -> None:
    """Raise CameApartError if the evaluated character has come apart now."""
    deforming = DeformingBones(obj, scene, roles, 1)
    deforming.look(0, obj.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    require(obj, integrity_figures(deforming.judged()))


def require(obj: Object, figures: Mapping[str, Any]) -> None:
    """Raise CameApartError if a joint opened or a limb bone stayed behind; `figures`: `integrity_figures`, or
    a report.

    A character that has been attached leniently is refused only where the body itself comes apart.
    """
    what = parting(figures)
    if not what or (record.attachment(obj).get("lenient") and not figures["broken"]):
        return
    raise CameApartError(
        f"'{obj.name}' does not stay in one piece: {what}. Correct the limb's bones in Rig > Bones, or use an"
        " export skeleton of the character.",
        record.attachment(obj)["kind"],
        what,
        figures["broken"],
    )


class Ways:
    """The ways to pose a character, one after the other until it stays in one piece.

        while True:
            with ways as way:
                return pose(way)

    After a CameApartError in the block, which leaves everything as before, the next way follows. If no way
    keeps all together, the first
    one that keeps the body together is taken, though a finger or a prop stays behind; if none does, the first
    one's error is raised.
    """

    def __init__(self, first: PosingChoice) -> None:
        self._next = [first, *(replace(first, kind=kind) for kind in WAYS.get(first.kind, ())[1:])]
        self._is_exact = first.exact
        if first.exact:
            self._next.append(first.roughly())
        self._problem: CameApartError | None = None
        self._current = first
        self._lenient: PosingChoice | None = None

    @property
    def is_last(self) -> bool:
        """Return whether this is the last way."""
        return not self._next

    def __enter__(self) -> PosingChoice:
        way = self._next.pop(0)
        if self._problem is not None and not way.lenient:
            missed = "" if way.exact or not self._is_exact else " Locked targets may be missed."
            way = replace(way, why=f"Otherwise {self._problem.why}.{missed}")
        self._current = way
        return way

    def __exit__(
        self, _kind: type[BaseException] | None, problem: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if not isinstance(problem, CameApartError):
            return False
        first = self._problem or problem
        self._next = [way for way in self._next if not way.makes_only(problem.kind)]
        if self._lenient is None and not problem.broken:
            self._lenient = replace(self._current, lenient=True)
        if not self._next and self._lenient is not None and not self._current.lenient:
            self._next = [self._lenient]
        if not self._next:
            if first is problem:
                return False
            raise first from None
        self._problem = first
        return True


def find_controls_steps(obj: Object, way: PosingChoice) -> Steps[ControlMap | None]:
    """Return the map of a rig's controls for `Way.found`, step by step, yielding the share done; None if the
    way needs no new one.

    Attached characters and non-bipeds are left for attaching to report.
    """
    if record.is_attached(obj):
        return None
    try:
        character = read_character(obj)
    except NeuraRigError:
        return None
    if not way.needs_map(obj, character.roles) or is_current(obj, character.roles):
        return None
    return (yield from probe.steps(obj, character.skeleton, character.roles))


def require_whole(obj: Object) -> None:
    """Refuse a character whose mesh is also deformed by another armature that does not follow it: that one
    would stay behind."""
    for mesh in meshes_of(obj):
        for modifier in mesh.modifiers:
            other = (
                modifier.object
                if modifier.type == "ARMATURE" and (modifier.show_viewport or modifier.show_render)
                else None
            )
            if other is not None and other != obj and not _follows(other, obj):
                raise NeuraRigError(
                    f"'{obj.name}' and '{other.name}' deform '{mesh.name}' together, and '{other.name}' would"
                    f" stay behind: join them (Object > Join), or parent '{other.name}' to a bone of"
                    f" '{obj.name}'."
                )


def leader(obj: Object, roles: RoleMap) -> Object | None:
    """Return the armature that a character's legs follow by constraints, None if there is none.

    Raises NeuraRigError if that one deforms a mesh of its own, which would stay behind.
    """
    legs = [
        _held_by(obj, [roles.get(sided(part, side))], solved=False)
        for side in SIDES
        for part in ("thigh", "foot")
    ]
    found = next(iter(set.intersection(*legs)), None)
    if found is not None and meshes_of(found):
        raise NeuraRigError(
            f"'{obj.name}' follows '{found.name}', which would stay behind. Select '{found.name}':"
            f" '{obj.name}' comes along. Or mute the constraints by which '{obj.name}' follows it."
        )
    return found


def controls_of(obj: Object, roles: RoleMap) -> Object | None:
    """Return the armature whose bones are the IK targets of both legs, None if these are the character's own,
    or there are none."""
    legs = [
        _held_by(obj, [roles.get(sided(part, side)) for part in ("thigh", "shin", "foot")], solved=True)
        for side in SIDES
    ]
    return next(iter(set.intersection(*legs)), None)


def _held_by(obj: Object, bones: Iterable[str | None], solved: bool) -> set[Object]:
    """Return the other armatures targeted by constraints of some bones: by IK solvers, or by all others."""
    held = [
        one
        for bone in bones
        if bone
        for one in obj.pose.bones[bone].constraints
        if (one.type in _SOLVERS) == solved
    ]
    things = {thing for one in held if not one.mute and one.influence > 0.0 for thing in _targets(one)}
    return {thing for thing in things if thing != obj and thing.type == "ARMATURE"}


def _targets(constraint: Constraint) -> set[Object]:
    """Return a constraint's target objects."""
    several = (target.target for target in getattr(constraint, "targets", ()))
    return {getattr(constraint, "target", None), *several} - {None}


def _follows(other: Object, obj: Object) -> bool:
    """Return whether an armature is a child of another one, or any of its bones targets it."""
    if obj in above(other):
        return True
    held = [*other.constraints, *(constraint for bone in other.pose.bones for constraint in bone.constraints)]
    return any(obj in _targets(constraint) for constraint in held)
