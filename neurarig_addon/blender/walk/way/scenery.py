"""Things as Blender evaluates them on a frame, with all that is below them: children, instances, what these
hold; read once until edited.

Where a thing is in the hands of a character does not count: it is evaluated as if nobody held it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import bpy
import numpy as np
from bpy.types import ID, Action, Collection, Depsgraph, DepsgraphUpdate, Object, Scene

from ....core.errors import NeuraRigError
from ....core.geometry.vectors import transformed
from ...animation import compat
from ...animation.objects import object_of
from ...animation.scratch import alone, remove_unused, show
from ...character import held, record
from ...live.memory import Memory
from . import ground, world
from .meshes import NOTHING, read_ground

MOST_FACES, MOST_FRAMES = 5_000_000, 64
WITHOUT_SIZE = ("EMPTY", "ARMATURE", "LIGHT", "CAMERA", "SPEAKER", "LIGHT_PROBE")


@dataclass(frozen=True, eq=False)
class SeenThing:
    """A thing on a frame, in the world: its `place` `(4, 4)`, `points` `(n, 3)` and the `corners` `(m, 3)` of
    its triangles.

    `box` `(8, 3)`: around all points, along its own axes; its origin, `(1, 3)`, where it has no size.
    """

    place: np.ndarray
    points: np.ndarray
    corners: np.ndarray
    box: np.ndarray

    @classmethod
    def of(cls, place: np.ndarray, points: np.ndarray, corners: np.ndarray) -> "SeenThing":
        """Return what is seen of a thing."""
        if not len(points):
            return cls(place, points, corners, place[None, :3, 3])
        axes = place[:3, :3] / np.maximum(np.linalg.norm(place[:3, :3], axis=0), 1e-12)
        axes = axes if abs(np.linalg.det(axes)) > 1e-3 else np.eye(3)
        own = points @ np.linalg.inv(axes).T
        ends = np.stack([own.min(axis=0), own.max(axis=0)])
        box = np.stack(np.meshgrid(*ends.T, indexing="ij"), axis=-1).reshape(8, 3)
        return cls(place, points, corners, box @ axes.T)


@dataclass(frozen=True)
class _Known:
    """What is known of a thing: whether it `moves`, and how it is on `frames`, None for all.

    `inputs`: what it was evaluated from, by session_uid, with the number of objects of collections.
    """

    moves: bool
    inputs: dict[int, int]
    frames: dict[float | None, SeenThing] = field(default_factory=dict)


_known: Memory[_Known] = Memory()
_reading: list[Object] = []


def seen(scene: Scene, thing: Object, frame: float) -> SeenThing:
    """Return a thing on a frame.

    Raises NeuraRigError, naming it, for one that has too many faces, that physics move, or a walk that
    depends on it.
    """
    known = _known.get(thing)
    if known is None or (frame if known.moves else None) not in known.frames:
        known = _read(scene, thing, frame)
    return known.frames[frame if known.moves else None]


def moves(thing: Object) -> bool:
    """Return whether a thing that was seen may be elsewhere, or otherwise, on another frame."""
    known = _known.get(thing)
    return known is not None and known.moves


def moves_with(thing: Object, obj: Object) -> bool:
    """Return whether a thing is led by an object: as a child, or by its constraints."""
    return any(obj in (each, *_targets(each)) for each in (thing, *world.above(thing)))


def forget(_obj: Object | None = None) -> None:
    """Look at all things again."""
    _known.forget()


def note_edits(depsgraph: Depsgraph) -> None:
    """Note which known things a depsgraph update has changed, but for those that go along with a character in
    whose hands they are."""
    if not len(_known):
        return
    changed = {update.id.original for update in depsgraph.updates if _counts(update)}
    sizes = {block.session_uid: _size(block) for block in changed}
    above = {
        each.session_uid for block in changed if isinstance(block, Object) for each in world.above(block)
    }
    for uid, known in _known.items():
        if uid in above or any(
            uid in known.inputs and known.inputs[uid] != size for uid, size in sizes.items()
        ):
            thing = object_of(uid)
            if thing is not None and changed.isdisjoint(held.holders(thing)):
                _known.forget(thing)
                world.edited(thing)


def _counts(update: DepsgraphUpdate) -> bool:
    return update.is_updated_geometry or update.is_updated_transform or isinstance(update.id, Action)


def _size(block: ID) -> int:
    """Return how many objects a collection has, as Blender tells of an update where there was none; -1 for
    all else."""
    return len(block.all_objects) if isinstance(block, Collection) else -1


def _read(scene: Scene, thing: Object, frame: float) -> _Known:
    if thing in _reading:
        raise NeuraRigError(
            f"'{thing.name}' moves with a walk that depends on where it is. Choose another object."
        )
    _reading.append(thing)
    try:
        with _free(thing) as free:
            walkers = (one for each in free for one in _targets(each) if record.is_attached(one))
            with alone(scene, *free, *walkers) as passing:
                show(passing, frame)
                depsgraph = passing.view_layers[0].depsgraph
                blocks = {block.original for block in depsgraph.ids}
                inputs = {block.session_uid: max(_size(block), 0) for block in (*blocks, *_with_below(thing))}
                may_move = any(
                    (world.may_move(block) if isinstance(block, Object) else compat.is_animated(block))
                    for block in blocks
                )
                known = _known.get(thing)
                if known is None or known.moves != may_move or len(known.frames) >= MOST_FRAMES:
                    known = _known[thing] = _Known(may_move, inputs)
                known.frames[frame if may_move else None] = _evaluated(thing.name, free, depsgraph)
                return known
    finally:
        _reading.pop()


def _evaluated(name: str, free: list[Object], depsgraph: Depsgraph) -> SeenThing:
    """Return a thing, the first one, with the others below it."""
    for each in free:
        body = each.evaluated_get(depsgraph).rigid_body
        if body is not None and body.type == "ACTIVE" and body.enabled and not body.kinematic:
            raise NeuraRigError(
                f"'{name}' is moved by physics. Set its Rigid Body to Animated, bake it to keyframes, or"
                " choose another."
            )
    meshes: dict[tuple, tuple[np.ndarray, np.ndarray]] = {}
    points, corners, many, faces = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=int)], 0, 0

    def add(part: Object, place: np.ndarray) -> None:
        nonlocal many, faces
        key = part.original.session_uid, part.data.as_pointer() if part.data else 0
        if key not in meshes:
            meshes[key] = _mesh(part)
        own, own_corners = meshes[key]
        points.append(transformed(own, place))
        corners.append(own_corners + many)
        many, faces = many + len(own), faces + len(own_corners)
        if faces > MOST_FACES:
            raise NeuraRigError(
                f"'{name}' has more than {MOST_FACES} faces. Choose a simpler object, or an empty."
            )

    for each in depsgraph.object_instances:
        if (each.parent if each.is_instance else each.object).original in free:
            add(each.object, np.array(each.matrix_world))
    thing = free[0].evaluated_get(depsgraph)
    place = np.array(thing.matrix_world, dtype=float)
    if not many:  # hidden
        add(thing, place)
    if not np.isfinite(place).all() or not all(np.isfinite(each).all() for each in points):
        raise NeuraRigError(
            f"Place, turn or size of '{name}' is not a number. Type another, or fix its driver."
        )
    return SeenThing.of(place, np.concatenate(points), np.concatenate(corners))


def _mesh(part: Object) -> tuple[np.ndarray, np.ndarray]:
    """Return the points `(n, 3)` and triangles `(m, 3)` of an evaluated object; its bounding box where it has
    no faces."""
    mesh = read_ground(part) if part.type in ground.HAVE_FACES else NOTHING
    if len(mesh.points) or part.type in WITHOUT_SIZE:
        return mesh.points, mesh.corners
    return np.array([tuple(corner) for corner in part.bound_box], dtype=float), mesh.corners


def _with_below(thing: Object) -> list[Object]:
    """Return a thing with its visible children, without characters that stand on it."""
    walker = ground.walker_of(thing)
    return [
        thing,
        *(
            one
            for one in thing.children_recursive
            if not ground.is_hidden(one) and ground.walker_of(one) in (None, walker)
        ),
    ]


def _targets(thing: Object) -> list[Object]:
    """Return what the constraints of a thing follow, but for those of ours and those without influence."""
    ours, is_keyed = held.constraints(thing), world.is_keyed(thing)
    on = [
        one
        for one in thing.constraints
        if one not in ours and not one.mute and (one.influence > 0.0 or is_keyed)
    ]
    return [one.target for one in on if isinstance(getattr(one, "target", None), Object)]


@contextmanager
def _free(thing: Object) -> Iterator[list[Object]]:
    """Yield a thing and what is below it; copies of them that nobody holds where somebody does."""
    found = _with_below(thing)
    if not any(len(each.neurarig.held) for each in found):
        yield found
        return
    copies = {each: each.copy() for each in found}
    try:
        for copy in copies.values():
            if copy.parent in copies:
                copy.parent = copies[copy.parent]
            held.release(copy)
        yield list(copies.values())
    finally:
        for copy in copies.values():
            remove_unused(bpy.data.objects, copy)
