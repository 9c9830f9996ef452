"""The objects of edited prints: made, followed, told apart from the user's, and removed.

The character holds the edits; an object is where its print is. If it is moved by hand, the print follows; if
path
or speed move the print, the object follows. An object parented to something of the user's stays where that
has it.
"""

from collections.abc import Callable, Iterable, Sequence

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Quaternion, Vector

from ....core.gait.prints.print_places import edits_for, places_of
from ....core.geometry.rotation import norms, orthonormal, rotated, to_quaternion, transposed
from ....core.geometry.vectors import transformed
from ...animation.objects import drop_collection, own_collection, remove_alone
from ...character.selection import PRINT_MARK
from ...live.memory import Memory
from ..changes import changes
from ..walk import WalkSource
from ..way import deck, world
from . import edits
from .edits import NeuraRigPrint, basis_at, is_held_elsewhere, seen_at

COLLECTION = "NeuraRig Footprints"
SIZE = 0.6  # share of the foot
MOVED = 1e-5  # tolerances of a matrix' rotation and metres, against rounding

_placed: Memory[tuple] = Memory()  # the walk and placement that each character's objects were placed for
_moved: Memory[frozenset[int]] = Memory()  # identities of objects moved by an edit


def is_there(item: NeuraRigPrint) -> bool:
    """Return whether a print has an object in some scene."""
    return item.object is not None and bool(item.object.users_scene)


def _items_of(obj: Object) -> list[NeuraRigPrint]:
    """Return the prints of a character that are objects."""
    return [item for item in obj.neurarig.walk.prints if is_there(item)]


def make(obj: Object, scene: Scene, items: Sequence[NeuraRigPrint], source: WalkSource) -> list[Object]:
    """Make objects for edited prints, and return them all."""
    collection = own_collection(COLLECTION, scene)
    new = [item for item in items if not is_there(item)]
    for item in new:
        _drop(item)
        handle = bpy.data.objects.new(_name(obj, item), None)
        handle.empty_display_type = "ARROWS"
        handle.empty_display_size = SIZE * source.walker.sole.length / scene.unit_settings.scale_length
        handle.rotation_mode = "XYZ"
        handle[PRINT_MARK] = item.name
        collection.objects.link(handle)
        item.object = handle
    _place(obj, new, source)
    return [item.object for item in items]


def name_again(obj: Object, item: NeuraRigPrint) -> None:
    """Rename a print's object by its current number."""
    if is_there(item) and PRINT_MARK in item.object and not item.object.library:
        item.object.name, item.object[PRINT_MARK] = _name(obj, item), item.name


def _name(obj: Object, item: NeuraRigPrint) -> str:
    return f"{obj.name} {item.side.replace('_', ' ').title()} {item.number}"


def remove(obj: Object, items: Iterable[NeuraRigPrint] | None = None) -> None:
    """Remove the objects of prints (None: all); the user's children of one stay where they are."""
    for item in _items_of(obj) if items is None else list(items):
        _drop(item)
    drop_collection(COLLECTION)


def _drop(item: NeuraRigPrint) -> None:
    handle, item.object = item.object, None
    if handle is None or PRINT_MARK not in handle or handle.library:
        return
    remove_alone(handle)


def take_own(obj: Object) -> None:
    """Detach a copied character from the original's print objects; its edits stay."""
    own = {item.object: item for item in obj.neurarig.walk.prints if item.object is not None}
    if not own or obj.library:
        return
    for other in bpy.data.objects:
        if other.type == "ARMATURE" and other.session_uid < obj.session_uid:
            for item in other.neurarig.walk.prints:
                if item.object in own:
                    own[item.object].object = None


def follow(obj: Object, source: WalkSource) -> bool:
    """Synchronise prints and objects after either has moved; return whether prints have changed."""
    if not obj.neurarig.walk.prints:
        return False
    stands = (
        source.walker.rhythm,
        source.walker.path,
        source.walker.ground,
        tuple(deck.stand(obj, world.AS_IS).ravel().tolist()),
    )
    known = _placed.get(obj)
    is_same = (
        known is not None
        and known[3] == stands[3]
        and all(one is other for one, other in zip(known[:3], stands[:3], strict=True))
    )
    if is_same:
        return False
    _placed[obj] = stands
    items = _items_of(obj)
    hung = {item.name for item in items if is_held_elsewhere(item.object)}
    moved = [item for item in items if (known is not None if item.name in hung else _is_moved(item))]
    _place(obj, [item for item in items if item not in moved and item.name not in hung], source)
    return take_in(obj, moved, source)


def is_ours(other: Object) -> bool:
    """Return whether an object was made for a print, or is a copy of one that was."""
    return PRINT_MARK in other


def was_moved(obj: Object, other: Object) -> bool:
    """Return whether an object is that of a print of a character; if so, it is looked at with the next
    `take_moved`."""
    if all(item.object != other for item in obj.neurarig.walk.prints):
        return False
    _moved[obj] = (_moved.get(obj) or frozenset()) | {other.session_uid}
    return True


def keys_changed(obj: Object) -> bool:
    """Return whether the keys of some action may move objects of a character's prints; if so, `take_moved`
    looks at these."""
    keyed = [item.object for item in _items_of(obj) if _is_keyed(item)]
    if keyed:
        _moved[obj] = (_moved.get(obj) or frozenset()) | {handle.session_uid for handle in keyed}
    return bool(keyed)


def take_moved(obj: Object, source_of: Callable[[], WalkSource]) -> None:
    """Move prints to where their objects were dragged."""
    moved = _moved.get(obj)
    if moved:
        _moved.forget(obj)
        items = [
            item
            for item in _items_of(obj)
            if item.object.session_uid in moved and (_is_keyed(item) or _is_moved(item))
        ]
        if items:
            take_in(obj, items, source_of())


def take_all(obj: Object, source_of: Callable[[], WalkSource]) -> None:
    """Move prints to where scripts have put their objects, before Blender reports it."""
    moved = [item for item in _items_of(obj) if not is_held_elsewhere(item.object) and _is_moved(item)]
    if moved:
        take_in(obj, moved, source_of())


def take_in(obj: Object, items: Sequence[NeuraRigPrint], source: WalkSource) -> bool:
    """Set prints to where their objects are; return whether there were any."""
    if not items:
        return False
    seen = seen_at(obj, items, source)
    back = np.linalg.inv(seen.walk_to_world)
    place = rotated(back[:, :3, :3], seen.objects[:, :3, 3]) + back[:, :3, 3]
    axes = transposed(orthonormal(seen.walk_to_world[:, :3, :3])) @ _turns(seen.objects)
    on_ground = np.array([item.on_ground for item in items])
    found = edits_for(source.walker, [edits.edit_of(item) for item in items], place, axes, on_ground)
    with changes.unheard():
        for item, edit in zip(items, found, strict=True):
            edits.put(item, edit)
            item.seen = _flat(basis_at(item.object))
    edits.touched(obj)
    return True


def place_again(obj: Object, source: WalkSource) -> None:
    """Place the objects of a character's prints."""
    _place(obj, [item for item in _items_of(obj) if not is_held_elsewhere(item.object)], source)


def forget(obj: Object | None = None) -> None:
    """Drop what is remembered of a character (None: of all)."""
    _placed.forget(obj)
    _moved.forget(obj)


def _place(obj: Object, items: Sequence[NeuraRigPrint], source: WalkSource) -> None:
    if not items:
        return
    prints = places_of(source.walker, [edits.edit_of(item).key for item in items])
    to_world = deck.stand(obj, world.AS_IS) @ source.walk_to_armature
    places = transformed(prints.place, to_world)
    turns = to_quaternion(orthonormal(to_world[:3, :3]) @ prints.axes)
    for item, place, turn in zip(items, places, turns, strict=True):
        handle = item.object
        matrix = Matrix.LocRotScale(Vector(place), Quaternion(turn), handle.matrix_basis.to_scale())
        if not _near(_flat(handle.matrix_basis), _flat(matrix)):
            handle.matrix_world = matrix
        item.seen = _flat(matrix)


def _is_moved(item: NeuraRigPrint) -> bool:
    return not _near(_flat(basis_at(item.object)), item.seen)


def _is_keyed(item: NeuraRigPrint) -> bool:
    return is_held_elsewhere(item.object) and world.may_move(item.object)


def _near(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= MOVED * (1.0 + abs(b)) for a, b in zip(one, other, strict=True))


def _flat(matrix: Matrix) -> tuple[float, ...]:
    return tuple(value for column in matrix.col for value in column)


def _turns(matrices: np.ndarray) -> np.ndarray:
    """Return the rotations `(n, 3, 3)` of matrices `(n, 4, 4)`, which may be scaled unevenly."""
    axes = matrices[:, :3, :3]
    ahead = axes[:, :, 0] / norms(axes[:, :, 0])[..., None]
    left = axes[:, :, 1] - ahead * (axes[:, :, 1] * ahead).sum(axis=-1, keepdims=True)
    left = left / norms(left)[..., None]
    return np.stack([ahead, left, np.cross(ahead, left)], axis=-1)
