"""Targets over a walk or clip: made for hands, chest and head while the walk goes on, and removed with it."""

from collections.abc import Iterable

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ...core.body.hold import CHEST, HANDS, HEAD, REACHING
from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import orthonormal
from ...core.neural.points import INDEX, POINTS
from ...core.skeleton.roles import ARM_PARTS, SIDES, spine_of
from ..animation.objects import tail_of
from ..character import holding, record, stash
from ..character.read_character import read_character
from ..character.requirements import require_editable, require_not_edited
from ..character.state import State, state_of
from ..over import taker, wishes
from ..retarget import live as retarget_live
from ..walk.show import live as walk_live
from . import settings, targets
from .empties import label
from .settings import UNTURNED, NeuraRigTarget

POINTS_OVER = REACHING
missed = taker.missed


def is_over(obj: Object) -> bool:
    """Return whether a character's targets go over its walk or clip."""
    return any(record.holds(obj, holder) for holder in wishes.HOLDERS)


def is_hand(point: str) -> bool:
    """Return whether a point is a hand, which rotates with its target."""
    return point in HANDS


def not_possible(obj: Object) -> str:
    """Return a sentence on why a character that walks or plays a clip cannot have targets now; '' if it
    can."""
    return (
        ""
        if state_of(obj) is State.LIVE
        else f"'{obj.name}' is not live. Turn on Live in {_feature(obj)} first."
    )


def _feature(obj: Object) -> str:
    return "Walk" if record.holds(obj, record.WALK) else "Retarget"


def _require_possible(obj: Object) -> None:
    require_editable(obj)
    stash.require_untweaked(obj)
    if reason := not_possible(obj):
        raise NeuraRigError(reason)
    require_not_edited(obj)


def require_point(obj: Object, point: str) -> None:
    """Refuse a point that stays with the walk or clip."""
    if point not in REACHING:
        allowed = ", ".join(label(each) for each in REACHING)
        raise NeuraRigError(
            f"{label(point)} follows the {_feature(obj).lower()} of '{obj.name}'. Only {allowed} can have a"
            " target."
        )


def create(obj: Object, points: Iterable[str]) -> list[str]:
    """Give hands, chest or head of a walking character targets where they are now; return the points with a
    target.

    Points that stay with the walk or clip are skipped; raises NeuraRigError if nothing else is asked for.
    """
    _require_possible(obj)
    named = list(points)
    wished = [point for point in named if point in REACHING]
    if not wished:
        require_point(obj, named[0] if named else "pelvis")
    scene = bpy.context.scene
    character = read_character(obj, scene)
    shown = _shown_bones(obj, wished)
    if not shown:
        raise NeuraRigError(f"'{obj.name}' has no bone for {label(wished[0])}. Assign it in Rig > Bones.")
    own = obj.neurarig.neural_pose
    had = {item.point for item in own.targets}
    world = np.full((len(POINTS), 3), np.nan)
    for point, matrix in shown.items():
        world[INDEX[point]] = np.array(matrix.translation) * scene.unit_settings.scale_length
    with _kept_on_failure(obj, had), settings.changes.as_one(obj):
        targets.add(obj, scene, shown, world, character.body.leg_length, lambda _: False)
        for item in own.targets:
            if item.point in shown and item.point not in had:
                item.grip = _grip_of(character, item.point)
                _dress(obj, item, shown[item.point], character)
        require_no_circle(obj)
        holding.attach_exactly(obj)
        own.error, own.live = "", True
    bpy.context.view_layer.update()
    return [item.point for item in own.targets]


def choose(obj: Object, point: str, target: Object, bone: str = "", weight: float | None = None) -> None:
    """Have a hand, the chest or the head of a walking character follow an object, or one of its bones."""
    _require_possible(obj)
    require_point(obj, point)
    targets.require_target(obj, point, target, bone)
    character = read_character(obj)
    own = obj.neurarig.neural_pose
    with _kept_on_failure(obj, {item.point for item in own.targets}), settings.changes.as_one(obj):
        item = targets.choose(obj, point, target, bone)
        item.lock, item.grip = False, _grip_of(character, point)
        item.weight = item.weight if weight is None else weight
        require_no_circle(obj)
        holding.attach_exactly(obj)
        own.error, own.live = "", True
    bpy.context.view_layer.update()


def remove(obj: Object, points: Iterable[str] | None = None) -> list[str]:
    """Remove targets (None: all) from a walking character; its hands follow the walk again."""
    own = obj.neurarig.neural_pose
    with settings.changes.as_one(obj):
        targets.remove(obj, points)
        own.live = own.live and len(own.targets) > 0
    return []


def snap(obj: Object) -> None:
    """Move the empties made for a walking character to its hands, chest and head as shown."""
    shown = _shown_bones(obj, [item.point for item in obj.neurarig.neural_pose.targets])
    for item in obj.neurarig.neural_pose.targets:
        if (
            item.is_made
            and item.object is not None
            and item.point in shown
            and not targets.is_moved(item.object)
        ):
            held = item.object.matrix_world @ item.object.matrix_basis.inverted_safe()
            item.object.location = held.inverted_safe() @ shown[item.point].translation


def require_no_circle(obj: Object) -> None:
    """Refuse a target that hangs on a bone moved by a target."""
    own = obj.neurarig.neural_pose
    bone_of = {item.role: item.bone for item in obj.neurarig.roles if item.bone}
    points = {item.point for item in own.targets}
    moved = {
        bone_of.get(f"{part}.{side}", "")
        for side, hand in zip(SIDES, HANDS, strict=True)
        if hand in points
        for part in ARM_PARTS
    }
    moved |= {bone for role, bone in bone_of.items() if CHEST in points and role.startswith("spine.")}
    moved |= {bone for role, bone in bone_of.items() if HEAD in points and role.startswith(("neck", "head"))}
    for item in own.targets:
        for carrier, name in wishes.holds(item.object) if item.object is not None else ():
            bone = obj.data.bones.get(name) if carrier == obj and name else None
            if bone is not None and moved & {bone.name, *(parent.name for parent in bone.parent_recursive)}:
                raise NeuraRigError(
                    f"The target of {label(item.point)}, '{item.object.name}', is parented to bone '{name}'"
                    f" of '{obj.name}', which a target moves, and would chase itself. Parent it to another"
                    " bone or object."
                )


class _kept_on_failure:
    """A context manager: if a walk cannot go on with its new targets, remove them, let it go on without, and
    raise the reason."""

    def __init__(self, obj: Object, had: set[str]) -> None:
        self._obj, self._had = obj, had
        self._was_live = obj.neurarig.neural_pose.live

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        obj, own = self._obj, self._obj.neurarig.neural_pose
        holder = record.settings_of(obj, record.holder_of(obj))
        if kind is None and not (holder.error or own.error):
            return
        reason = holder.error or own.error
        with settings.changes.unheard():
            targets.remove(obj, {item.point for item in own.targets} - self._had)
            own.live, own.error = self._was_live, ""
        if kind is None:
            holder.error, holder.live = "", True
            raise NeuraRigError(reason)


def _shown_bones(obj: Object, points: Iterable[str]) -> dict[str, Matrix]:
    """Return the shown world matrices of the bones at points, if the rig has them; without a hand bone, at
    the forearm's end."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = {}
    for point in points:
        bone = evaluated.pose.bones.get(_bone_of(obj, point))
        if bone is not None:
            at_end = (
                Matrix.Translation(bone.tail - bone.head)
                if point in HANDS and not _role(obj, f"hand.{point[-1]}")
                else Matrix()
            )
            found[point] = evaluated.matrix_world @ at_end @ bone.matrix
    return found


def _bone_of(obj: Object, point: str) -> str:
    """Return the bone at a point: for a hand without a bone, the forearm; '' if the rig has none."""
    if point in HANDS:
        return _role(obj, f"hand.{point[-1]}") or _role(obj, f"forearm.{point[-1]}")
    if point == HEAD:
        return _role(obj, "head")
    return _role(obj, (spine_of([item.role for item in obj.neurarig.roles if item.bone]) or [""])[-1])


def _role(obj: Object, role: str) -> str:
    return next((item.bone for item in obj.neurarig.roles if item.role == role), "")


def _dress(obj: Object, item: NeuraRigTarget, shown: Matrix, character: Character) -> None:
    """Align one of our empties with the hand, and have it travel with the character: with its object, or its
    travelling bone."""
    empty = item.object
    if item.point in HANDS:
        rest = np.array(obj.data.bones[_bone_of(obj, item.point)].matrix_local, dtype=float)[:3, :3]
        to_armature = orthonormal(character.body.walk_to_armature[:3, :3])
        turn = (
            orthonormal(np.array(obj.matrix_world.inverted_safe() @ shown, dtype=float)[:3, :3])
            @ orthonormal(rest).T
        )
        lies = to_armature.T @ turn @ to_armature @ np.array(item.grip).reshape(3, 3).T
        empty.rotation_euler = Matrix(to_armature @ lies).to_euler()
    root = (
        walk_live.travelling_bone(obj)
        if record.holds(obj, record.WALK)
        else retarget_live.travelling_bone(obj)
    )
    if root in obj.pose.bones and empty.parent == obj:
        bone = obj.pose.bones[root]
        empty.parent_type, empty.parent_bone = "BONE", root
        empty.matrix_parent_inverse = tail_of(bone).inverted_safe()


def _grip_of(character: Character, point: str) -> tuple[float, ...]:
    """Return the rotation of a hand's bone away from rest that brings its fingers along Y and its palm
    against Z."""
    role = f"hand.{point[-1]}"
    if point not in HANDS or role not in character.reference:
        return UNTURNED
    # the right arm's fingers point along -Y
    fingers_along_y = np.diag([1.0, 1.0, 1.0] if point == HANDS[0] else [-1.0, -1.0, 1.0])
    return tuple((fingers_along_y @ character.reference[role]).ravel())
