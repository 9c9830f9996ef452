"""Reading an armature's rest pose, and the skin of the meshes that it deforms, as plain arrays."""

from collections.abc import Callable, Mapping, Sequence

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix

from ...core.character.paw import PADS
from ...core.errors import NeuraRigError
from ...core.geometry.vectors import transformed
from ...core.skeleton.roles import BIPED, NECK, QUADRUPED, SIDES, SPINE, RoleMap, sided, stem_of
from ...core.skeleton.skeleton import Skeleton
from . import standing

SAME_SHAPE_DIGITS = 5  # digits; parenting noise in a world matrix must not solve a clip again
# parts of which the skin is looked at, and at how many vertices of it about
SKIN, LOOKED_AT = ("pelvis", SPINE, NECK, "head", "hand", "forearm", "thigh", "shin", "foot"), 6000
NO_WEIGHT = 1e-4  # least weight of a vertex that counts
_FLAT = 0.1  # volume below which three unit axes are degenerate
NEAR = (
    1.0,
    2.0,
)  # distances from hip to ankle: how far from the ankle a foot may be, of bipeds and of animals
_SAME_JOINT = 1e-3  # share of a bone's length: heads nearer than this are one joint


def read_skeleton(obj: Object, scene: Scene | None = None) -> Skeleton:
    """Return an armature object's rest pose, whatever its pose, action, mode or pose position, in a scene, by
    default the present one.

    Raises NeuraRigError, naming the bone, if one has degenerate axes, as in damaged files.
    """
    bones = obj.data.edit_bones if obj.mode == "EDIT" else obj.data.bones
    parents = [bone.parent for bone in bones]
    names = [bone.name for bone in bones]
    order, rows = _parents_first(names, [parent.name if parent else None for parent in parents])
    rest = _rest_matrices(bones, obj.mode == "EDIT")
    _require_axes(obj, names, rest)
    return Skeleton(
        names=tuple(names[k] for k in order),
        parents=np.array([rows[parents[k].name] if parents[k] else -1 for k in order], dtype=int),
        rest=rest[order],
        lengths=_floats(bones, "length", 1)[order, 0],
        deform=_flags(bones, "use_deform")[order],
        to_world=_to_world(obj, scene or bpy.context.scene),
    )


def read_soles(obj: Object, roles: RoleMap) -> dict[str, np.ndarray]:
    """Return `'L'`/`'R'` -> rest points `(n, 3)` in armature space of the mesh vertices that mainly follow
    that foot; `'hand.L'`/`'hand.R'` of a quadruped's fore feet; after PADS, of animals' feet without toes.

    A foot's vertices are those whose heaviest weight is on its foot or toe bone or on a bone below them. Only
    rest shapes are read
    (mesh data, not the evaluated mesh), so the current pose does not matter. Sides without such vertices are
    left out.
    """
    followed = _followed(obj, roles)
    limbs: dict[str, tuple[str, str, str]] = dict.fromkeys([*SIDES], ("thigh", "foot", "toe"))
    if roles.kind == QUADRUPED:
        limbs |= {sided("hand", side): ("upper_arm", "hand", "fingers") for side in SIDES}
    feet = {
        limb: {
            name for name, role in followed.items() if role in {sided(part, limb[-1]) for part in parts[1:]}
        }
        for limb, parts in limbs.items()
    }
    if roles.kind != BIPED:
        feet |= {
            PADS + limb: {name for name in feet[limb] if followed[name] == sided(parts[1], limb[-1])}
            for limb, parts in limbs.items()
        }
    return _skin_of(
        obj,
        meshes_of(obj),
        feet,
        lambda points: {
            part: _near_foot(
                points, obj, roles, *(sided(role, part[-1]) for role in limbs[part.removeprefix(PADS)][:2])
            )
            for part in feet
        },
    )


def read_skin(obj: Object, roles: RoleMap) -> dict[str, np.ndarray]:
    """Return what `read_soles` does, and by their roles the points of trunk, neck, head and hands: of
    some thousand vertices, spread evenly."""
    names: dict[str, set[str]] = {}
    for name, role in _followed(obj, roles).items():
        if stem_of(role) in SKIN and not (roles.kind == QUADRUPED and stem_of(role) == "hand"):
            names.setdefault(role, set()).add(name)
    # without what it wears, or has in its hands
    meshes = [mesh for mesh in meshes_of(obj) if mesh.parent_type != "BONE"]
    every = 1 + sum(len(mesh.data.vertices) for mesh in meshes) // LOOKED_AT
    return read_soles(obj, roles) | _skin_of(
        obj, meshes, names, lambda points: {role: np.arange(len(points)) % every == 0 for role in names}
    )


def _skin_of(
    obj: Object,
    meshes: Sequence[Object],
    names: Mapping[str, set[str]],
    asked: Callable[[np.ndarray], Mapping[str, np.ndarray]],
) -> dict[str, np.ndarray]:
    """Return the rest points `(n, 3)` in armature space that mainly follow bones of each set of `names`, of
    those that are `asked` for."""
    names = {part: bones for part, bones in names.items() if bones}
    found: dict[str, list[np.ndarray]] = {part: [] for part in names}
    for mesh in meshes if found else ():
        points = _rest_points(mesh, obj)
        if mesh.parent is obj and mesh.parent_type == "BONE":
            chosen = {part: slice(None if mesh.parent_bone in names[part] else 0) for part in found}
        else:
            near = asked(points)
            main = _main_groups(mesh, np.logical_or.reduce([*near.values()]))
            groups = {
                part: [group.index for group in mesh.vertex_groups if group.name in names[part]]
                for part in found
            }
            chosen = {part: near[part] & np.isin(main, groups[part]) for part in found}
        for part, rows in chosen.items():
            found[part].append(points[rows])
    skin = {part: np.concatenate(parts) for part, parts in found.items() if parts}
    return {part: points for part, points in skin.items() if len(points)}


def skin_bones(obj: Object) -> set[str]:
    """Return the names of the bones that carry the skin: those with weights on a mesh, if there is one.

    Without a mesh: all bones marked as deforming except targets of constraints, which are rarely unmarked.
    """
    deforming = {bone.name for bone in obj.data.bones if bone.use_deform}
    weighted = {name for mesh in meshes_of(obj) for name in _weighted(mesh, deforming)}
    return weighted or deforming - _aimed_at(obj)


def _weighted(mesh: Object, names: set[str]) -> set[str]:
    """Return which of these vertex groups have a weighted vertex; exporters write empty groups for all
    bones."""
    sought = {group.index: group.name for group in mesh.vertex_groups if group.name in names}
    found: set[str] = set()
    for vertex in mesh.data.vertices:
        if not sought:
            break
        found.update(
            sought.pop(entry.group)
            for entry in vertex.groups
            if entry.weight > NO_WEIGHT and entry.group in sought
        )
    return found


def _aimed_at(obj: Object) -> set[str]:
    constraints = [constraint for bone in obj.pose.bones for constraint in bone.constraints]
    return {
        getattr(constraint, name, "")
        for constraint in constraints
        for name in ("subtarget", "pole_subtarget")
    }


def bones_key(obj: Object) -> tuple:
    """Return a key of the rest pose."""
    bones = obj.data.bones
    rest, lengths = np.empty(16 * len(bones), dtype=np.float32), np.empty(len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", rest)
    bones.foreach_get("length", lengths)
    return tuple(bone.name for bone in bones), rest.tobytes(), lengths.tobytes()


def shape(obj: Object, scene: Scene) -> np.ndarray:
    """Return what matters to a walk of an object's axes: their lengths, and their angles to each other and to
    the vertical."""
    axes = _to_world(obj, scene)[:3, :3]
    return np.concatenate([(axes.T @ axes).ravel(), axes[2]])


def shape_key(obj: Object, scene: Scene) -> tuple:
    """Return a key that changes whenever a character's roles, rest pose or shape do, regardless of its
    size."""
    size = shape(obj, scene)
    roles = tuple((item.role, item.bone) for item in obj.neurarig.roles)
    return roles, bones_key(obj), (size / np.abs(size).max()).round(SAME_SHAPE_DIGITS).tobytes()


def _parents_first(names: list[str], parents: list[str | None]) -> tuple[list[int], dict[str, int]]:
    """Return the bones' order with parents before children, and each name's row in it."""
    children: dict[str | None, list[int]] = {}
    for k, parent in enumerate(parents):
        children.setdefault(parent, []).append(k)
    order: list[int] = []
    waiting = list(reversed(children.get(None, [])))
    while waiting:
        k = waiting.pop()
        order.append(k)
        waiting.extend(reversed(children.get(names[k], [])))
    return order, {names[k]: row for row, k in enumerate(order)}


def _require_axes(obj: Object, names: list[str], rest: np.ndarray) -> None:
    """Refuse bones whose rest axes are not finite, or lie in one plane."""
    finite = np.asarray(np.isfinite(rest).all(axis=(1, 2)))
    volumes = np.linalg.det(np.where(finite[:, None, None], rest, 0.0)[:, :3, :3])
    without = np.flatnonzero(np.abs(volumes) < _FLAT)
    if len(without):
        raise NeuraRigError(
            f"The bone '{names[without[0]]}' of '{obj.name}' has no axes at rest; export the file again, or"
            " delete the bone."
        )


def _rest_matrices(bones, editing: bool) -> np.ndarray:
    """Return rest matrices `(bones, 4, 4)` in armature space."""
    if editing:
        return np.array([bone.matrix for bone in bones], dtype=float).reshape(-1, 4, 4)
    return _floats(bones, "matrix_local", 16).reshape(-1, 4, 4).transpose(0, 2, 1)


def _floats(bones, attribute: str, size: int) -> np.ndarray:
    values = np.empty(len(bones) * size, dtype=np.float32)
    bones.foreach_get(attribute, values)
    return values.astype(float).reshape(-1, size)


def _flags(bones, attribute: str) -> np.ndarray:
    values = np.empty(len(bones), dtype=bool)
    bones.foreach_get(attribute, values)
    return values


def _to_world(obj: Object, scene: Scene) -> np.ndarray:
    """Return the matrix `(4, 4)` from armature space to world metres, the object at the origin, as its place
    does not matter."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.array(standing.axes(obj)) * scene.unit_settings.scale_length
    return matrix


def _followed(obj: Object, roles: RoleMap) -> dict[str, str]:
    """Return the role of each bone: its own, that of the bone at whose joint it starts, or that of the bone
    that carries it.

    Generated rigs have a separate deforming layer, which starts at the same joints.
    """
    bones = obj.data.bones
    deforming = [bone for bone in bones if bone.use_deform]
    heads = np.array([bone.head_local for bone in deforming]).reshape(-1, 3)
    own = {name: role for role, name in roles.bones.items() if name in bones}
    found: dict[str, str] = {}
    for name, role in own.items():
        away = np.linalg.norm(heads - np.array(bones[name].head_local), axis=1)
        close = np.flatnonzero(away < _SAME_JOINT * max(bones[name].length, 1e-9))
        found |= {deforming[row].name: role for row in close}
    found |= own
    for bone in bones:  # parents come first
        if bone.name not in found and bone.parent and bone.parent.name in found:
            found[bone.name] = found[bone.parent.name]
    return found


def _near_foot(points: np.ndarray, obj: Object, roles: RoleMap, top: str, foot_role: str) -> np.ndarray:
    """Return which points `(n,)` lie within a leg's length of the ankle, twice that of an animal's bent leg:
    looking up weights is slow, so few vertices should need it."""
    bones = obj.data.bones
    foot, thigh = (bones.get(roles.get(role) or "") for role in (foot_role, top))
    if foot is None or thigh is None:
        return np.ones(len(points), dtype=bool)
    return (
        np.linalg.norm(points - np.array(foot.head_local), axis=1)
        < NEAR[roles.kind != BIPED] * (foot.head_local - thigh.head_local).length
    )


def meshes_of(obj: Object) -> list[Object]:
    """Return the mesh objects that the armature deforms or carries on a bone."""
    return [
        other
        for other in bpy.data.objects
        if other.type == "MESH"
        and (
            (other.parent is obj and other.parent_type in {"BONE", "ARMATURE"})
            or any(modifier.type == "ARMATURE" and modifier.object is obj for modifier in other.modifiers)
        )
    ]


def _rest_points(mesh: Object, obj: Object) -> np.ndarray:
    """Return a mesh's own vertices `(n, 3)` in the armature's space at rest."""
    if mesh.parent is obj and mesh.parent_type == "BONE" and mesh.parent_bone in obj.data.bones:
        bone = obj.data.bones[mesh.parent_bone]
        carried = bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0))
        matrix = np.array(carried @ mesh.matrix_parent_inverse @ mesh.matrix_basis)
    elif mesh.parent is obj:
        matrix = np.array(mesh.matrix_parent_inverse @ mesh.matrix_basis)
    else:
        matrix = np.array(obj.matrix_world.inverted_safe() @ mesh.matrix_world)
    flat = np.empty(len(mesh.data.vertices) * 3, dtype=np.float32)
    mesh.data.vertices.foreach_get("co", flat)
    return transformed(flat.reshape(-1, 3), matrix)


def _main_groups(mesh: Object, asked: np.ndarray) -> np.ndarray:
    """Return the group of each vertex' heaviest weight `(n,)`: -1 if it has none or is not `asked` for."""
    found = np.full(len(asked), -1)
    vertices = mesh.data.vertices
    rows, groups = np.flatnonzero(asked).tolist(), []
    for row in rows:
        heaviest, main = 0.0, -1
        for entry in vertices[row].groups:
            weight = entry.weight
            if weight > heaviest:
                heaviest, main = weight, entry.group
        groups.append(main)
    found[rows] = groups
    return found
