"""A light skin for any armature: a small tube along each deforming bone, and at each joint two vertices that
belong together."""

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

THIN = 0.03  # of a bone's length: the tubes' radius
TOUCHES = 1e-3  # of the armature's height: bones nearer than that meet in a joint


@dataclass(frozen=True)
class Skin:
    """A skinned mesh object; `joints` `(n, 2)`: the two vertices of each joint; `bones`: the bones that meet
    there."""

    mesh: bpy.types.Object
    joints: np.ndarray
    bones: tuple[tuple[str, str], ...]

    def gaps(self, frames: Iterable[int]) -> np.ndarray:
        """Return how far apart the skin is at each joint at worst `(n,)`, in metres, as evaluated at frames
        of the scene."""
        worst, scene = np.zeros(len(self.joints)), bpy.context.scene
        for frame in frames:
            scene.frame_set(frame)
            world = seen_points(self.mesh)
            worst = np.maximum(worst, np.linalg.norm(np.diff(world[self.joints], axis=1)[:, 0], axis=-1))
        return worst


def seen_points(mesh: bpy.types.Object) -> np.ndarray:
    """Return the vertices `(n, 3)` of a mesh as it is seen now, in the world."""
    seen = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(seen.data.vertices))
    seen.data.vertices.foreach_get("co", places)
    return places.reshape(-1, 3) @ np.array(seen.matrix_world)[:3, :3].T + np.array(seen.matrix_world)[:3, 3]


def dressed(obj: bpy.types.Object) -> Skin:
    """Return a new skin for an armature: tubes follow their bone, their beginning half the bone above, where
    both meet in a joint."""
    places: list[Vector] = []
    faces: list[tuple[int, ...]] = []
    weights: list[dict[str, float]] = []
    joints, bones = [], []
    near = TOUCHES * max(bone.head_local.length for bone in obj.data.bones)
    for bone in obj.data.bones:
        if not bone.use_deform:
            continue
        above = next((other for other in bone.parent_recursive if other.use_deform), None)
        meets = above is not None and _away(bone.head_local, above) < near
        first, aside = len(places), THIN * bone.length
        for end in (bone.head_local, bone.tail_local):
            for corner in (bone.x_axis, bone.z_axis, -bone.x_axis, -bone.z_axis):
                places.append(end + aside * corner)
                weights.append(
                    {above.name: 0.5, bone.name: 0.5}
                    if above is not None and meets and end == bone.head_local
                    else {bone.name: 1.0}
                )
        faces += [(first + k, first + (k + 1) % 4, first + 4 + (k + 1) % 4, first + 4 + k) for k in range(4)]
        if above is not None and meets:
            joints.append((len(places), len(places) + 1))
            bones.append((above.name, bone.name))
            places += [bone.head_local, bone.head_local]
            weights += [{above.name: 1.0}, {bone.name: 1.0}]
    return Skin(_skinned(obj, places, faces, weights), np.array(joints).reshape(-1, 2), tuple(bones))


def _away(point: Vector, bone: bpy.types.Bone) -> float:
    """Return how far a point is from a bone."""
    along = bone.tail_local - bone.head_local
    share = min(max((point - bone.head_local).dot(along) / max(along.length_squared, 1e-12), 0.0), 1.0)
    return (point - bone.head_local - share * along).length


def _skinned(
    obj: bpy.types.Object, places: list[Vector], faces: list[tuple[int, ...]], weights: list[dict[str, float]]
) -> bpy.types.Object:
    data = bpy.data.meshes.new(f"{obj.name} skin")
    data.from_pydata(places, [], faces)
    mesh = bpy.data.objects.new(data.name, data)
    bpy.context.scene.collection.objects.link(mesh)
    for row, shares in enumerate(weights):
        for bone, share in shares.items():
            (mesh.vertex_groups.get(bone) or mesh.vertex_groups.new(name=bone)).add([row], share, "REPLACE")
    mesh.parent = obj
    mesh.modifiers.new("Armature", "ARMATURE").object = obj
    return mesh
