"""The objects that a character follows: made, chosen and removed; `places` reads where they are."""

from collections.abc import Callable, Iterable

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ...core.errors import NeuraRigError
from ...core.neural.points import INDEX, POINTS
from ..animation import compat, objects
from . import empties, settings
from .empties import ALONG, COLLECTION, HELD_AT_FIRST, MARK, in_order, label
from .places import STILL, is_there


def add(
    obj: Object,
    scene: Scene,
    points: Iterable[str],
    world: np.ndarray,
    leg_m: float,
    may_lock: Callable[[str], bool],
) -> None:
    """Give points without a target an empty each, at `world` `(27, 3)` metres; the selection stays as it is.

    So do points whose object is gone from the scene. `leg_m`: leg length in metres, by which the empties are
    sized.
    """
    own = obj.neurarig.neural_pose
    listed = {item.point for item in own.targets}
    lost = {item.point for item in own.targets if not is_there(item.object)}
    for point in sorted({*points} - listed | lost, key=lambda point: INDEX[point]):  # parents first
        if point in lost:
            item = next(item for item in own.targets if item.point == point)
            _drop_made(item)
            item.bone = ""
        else:
            item = _new(obj, point)
            item.lock = item.lock and may_lock(point)
        item.object, item.is_made = empties.new(obj, scene, point, leg_m), True
        place(item.object, world[INDEX[point]] / scene.unit_settings.scale_length)
    _sort(obj)


def choose(obj: Object, point: str, target: Object, bone: str = "") -> settings.NeuraRigTarget:
    """Have a point of a character follow a checked object, or the head of one of its bones; return the item
    of the list."""
    own = obj.neurarig.neural_pose
    item = next((item for item in own.targets if item.point == point), None)
    if item is None:
        item = _new(obj, point)
    _drop_made(item)
    item.object, item.bone, item.is_made = target, bone, False
    _sort(obj)
    return next(item for item in own.targets if item.point == point)


def check_target(obj: Object, point: str, target: Object | None, bone: str) -> None:
    """Refuse what a character cannot follow."""
    if point not in INDEX:
        raise NeuraRigError(f"'{point}' is not a body point; choose one of {', '.join(POINTS)}.")
    require_target(obj, point, target, bone)
    carrier = target
    while carrier.parent is not None:
        if carrier.parent == obj and carrier.parent_type == "BONE":
            raise NeuraRigError(
                f"The target of {label(point)}, '{target.name}', is parented to a bone of '{obj.name}', which"
                " would chase itself. Clear its parent first."
            )
        carrier = carrier.parent


def require_target(obj: Object, point: str, target: Object | None, bone: str) -> None:
    """Refuse what cannot be a target of any kind."""
    what = f"The target of {label(point)}"
    if target is None:
        raise NeuraRigError(f"{what} has no object. Choose one, or remove the target.")
    if target == obj:
        raise NeuraRigError(f"{what} is the character itself. Choose another object.")
    if bone and (target.type != "ARMATURE" or bone not in target.data.bones):
        raise NeuraRigError(
            f"{what}, '{target.name}', has no bone '{bone}'. Choose one of its bones, or none."
        )


def let_go(obj: Object) -> None:
    """Remove our empties whose place in the list was given to another object or cleared."""
    for item in obj.neurarig.neural_pose.targets:
        if item.is_made and (item.object is None or item.object.get(MARK) != item.point):
            item.is_made = item.object is None
            for empty in [
                other
                for other in bpy.data.objects
                if other.get(MARK) == item.point and _carrier(other) == obj
            ]:
                if not _is_followed(empty):
                    _discard(empty)


def take_own(obj: Object) -> None:
    """Give a copied character empties of its own, if those made for the original hang on the original."""
    own = obj.neurarig.neural_pose
    shared = [
        item
        for item in own.targets
        if item.is_made and is_there(item.object) and _is_of_another(item.object, obj)
    ]
    if not shared or obj.library:
        return
    with settings.changes.as_one(obj):
        for item in sorted(shared, key=lambda item: INDEX[item.point]):  # parents first
            item.object = objects.copied(item.object)
            item.object.parent = empties.holder(obj, item.point)


def remove(obj: Object, points: Iterable[str] | None = None) -> None:
    """Remove targets (None: all), and the empties made for them."""
    own, layer = obj.neurarig.neural_pose, bpy.context.view_layer
    one_is_active = layer.objects.active is not None and MARK in layer.objects.active
    chosen = None if points is None else set(points)
    for row in reversed(range(len(own.targets))):
        if chosen is None or own.targets[row].point in chosen:
            _drop_made(own.targets[row])
            own.targets.remove(row)
    own.active_target = max(0, min(own.active_target, len(own.targets) - 1))
    objects.drop_collection(COLLECTION)
    if one_is_active and layer.objects.active is None and obj.name in layer.objects:
        layer.objects.active = obj  # its panel stays visible
        obj.select_set(True)


def select(obj: Object, point: str) -> Object:
    """Select the object that a point of a character follows, alone and in Object Mode, and return it; its row
    becomes active."""
    own, layer = obj.neurarig.neural_pose, bpy.context.view_layer
    row = next((row for row, item in enumerate(own.targets) if item.point == point), -1)
    target = own.targets[row].object if row >= 0 else None
    if target is None or not is_there(target):
        raise NeuraRigError(
            f"The target of {label(point)} has no object in the scene. Click Create Targets to add it again,"
            " or choose an object."
        )
    if target.name not in layer.objects or not target.visible_get(view_layer=layer):
        raise NeuraRigError(f"'{target.name}' is hidden. Show it, or its collection, in the Outliner first.")
    objects.leave_modes()
    objects.select(target)
    own.active_target = row
    return target


def snap(obj: Object, scene: Scene, world: np.ndarray) -> list[int]:
    """Move the empties made for a character to `world` `(27, 3)` metres and return their points' rows;
    animated ones stay."""
    moved = []
    for item in sorted(obj.neurarig.neural_pose.targets, key=lambda item: INDEX[item.point]):
        if item.is_made and item.object is not None and not is_moved(item.object):
            place(item.object, world[INDEX[item.point]] / scene.unit_settings.scale_length)
            item.object.pop(ALONG, None)
            moved.append(INDEX[item.point])
    return moved


def bring_along(obj: Object, scene: Scene, world: np.ndarray, rows: Iterable[int]) -> list[int]:
    """Move the empties made for some points, by `rows`, to `world` `(27, 3)` metres without dragging them;
    return the rows of the moved."""
    chosen, moved = set(rows), []
    for item in sorted(obj.neurarig.neural_pose.targets, key=lambda item: INDEX[item.point]):  # parents first
        row = INDEX[item.point]
        if (
            row in chosen
            and item.is_made
            and not item.lock
            and is_there(item.object)
            and not is_moved(item.object)
        ):
            place(item.object, world[row] / scene.unit_settings.scale_length)
            item.object[ALONG] = list(_hangs_at(item.object))
            moved.append(row)
    return moved


def brought_along(obj: Object) -> list[int]:
    """Return the rows of the points whose empties are where they were brought along with the body: nobody has
    dragged them."""
    found = []
    for item in obj.neurarig.neural_pose.targets:
        target = item.object
        if item.is_made and not item.lock and is_there(target) and ALONG in target and not is_moved(target):
            there, here = Vector(target[ALONG]), _hangs_at(target)
            if (here - there).length <= STILL * (1.0 + there.length):
                found.append(INDEX[item.point])
    return found


def place(target: Object, world: np.ndarray) -> None:
    """Move an empty to a world position in Blender units, whatever its parent, and even if that has just
    moved."""
    where = Vector(world)
    if target.parent:
        where = (_stands_at(target.parent) @ target.matrix_parent_inverse).inverted_safe() @ where
    target.location = where


def _stands_at(obj: Object) -> Matrix:
    """Return an object's world matrix; for our empties from their current channels, which Blender has yet to
    evaluate."""
    if MARK not in obj or obj.parent is None:
        return obj.matrix_world
    return _stands_at(obj.parent) @ obj.matrix_parent_inverse @ obj.matrix_basis


def _hangs_at(target: Object) -> Vector:
    """Return where an empty is in the space of the object on which our empties hang, whatever moves that."""
    stands, carrier = target.matrix_basis, target
    while carrier.parent is not None:
        stands, carrier = carrier.matrix_parent_inverse @ stands, carrier.parent
        if MARK not in carrier:
            break
        stands = carrier.matrix_basis @ stands
    return stands.to_translation()


def _new(obj: Object, point: str) -> settings.NeuraRigTarget:
    item = obj.neurarig.neural_pose.targets.add()
    item.point, item.lock = point, point in HELD_AT_FIRST
    return item


def _drop_made(item: settings.NeuraRigTarget) -> None:
    target = item.object
    if (
        item.is_made
        and target is not None
        and MARK in target
        and not _is_followed(target, besides=item.id_data)
    ):
        _discard(target)


def _discard(empty: Object) -> None:
    """Remove one of our empties; those parented to it stay where they are."""
    for end in [end for end in empty.children if MARK in end]:
        stands = _stands_at(end).copy()
        end.parent = empty.parent
        end.matrix_basis = (_stands_at(end.parent) @ end.matrix_parent_inverse).inverted_safe() @ stands
    bpy.data.objects.remove(empty)


def _is_followed(empty: Object, besides: Object | None = None) -> bool:
    """Return whether a character other than `besides` follows an empty: a copied character follows the
    original's empties."""
    characters = (other for other in bpy.data.objects if other.type == "ARMATURE" and other != besides)
    return any(
        item.object == empty for character in characters for item in character.neurarig.neural_pose.targets
    )


def _carrier(empty: Object) -> Object | None:
    """Return what one of our empties, or its parent empty, hangs on: the character for which it was made."""
    while empty is not None and MARK in empty:
        empty = empty.parent
    return empty


def _is_of_another(empty: Object, obj: Object) -> bool:
    """Return whether one of our empties hangs on another character, which follows it too."""
    carrier = _carrier(empty)
    is_character = carrier not in (None, obj) and carrier.type == "ARMATURE"
    return is_character and any(item.object == empty for item in carrier.neurarig.neural_pose.targets)


def is_moved(target: Object) -> bool:
    """Return whether constraints, an action, NLA tracks or drivers move an empty."""
    return bool(target.constraints) or compat.is_animated(target)


def _sort(obj: Object) -> None:
    """Sort the list of targets in body order."""
    targets = obj.neurarig.neural_pose.targets
    for wanted, point in enumerate(in_order([item.point for item in targets])):
        now = next(row for row, item in enumerate(targets) if item.point == point)
        targets.move(now, wanted)
