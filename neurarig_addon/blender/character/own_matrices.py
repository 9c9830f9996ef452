"""A bone's own matrix, which its keys hold: from how it is seen, and how what carries it is seen."""

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Matrix

from ..animation.keyframes import REST, Channel, bone_path, continuous_rotation

READ_NOISE = 2e-6  # evaluated matrices are float32: smaller variation counts as none
UNSCALED = 1e-5  # a parent whose axes are this near to orthonormal has no scale to inherit


def own_matrix(bone: bpy.types.Bone, posed: np.ndarray, holder: np.ndarray | None) -> np.ndarray:
    """Return a bone's own matrices `(n, 4, 4)`, given it and its parent, None for a bone without one, as seen
    in armature space."""
    rest = np.array(bone.matrix_local, dtype=float)
    if holder is None:
        if bone.use_local_location:
            return np.linalg.solve(rest, posed)
    elif (
        bone.use_inherit_rotation
        and bone.use_local_location
        and (bone.inherit_scale == "FULL" or _is_unscaled(holder))
    ):
        return np.linalg.solve(
            holder @ np.linalg.solve(np.array(bone.parent.matrix_local, dtype=float), rest), posed
        )
    return np.array(
        [_by_blender(bone, posed[row], None if holder is None else holder[row]) for row in range(len(posed))]
    )


def _is_unscaled(matrices: np.ndarray) -> bool:
    axes = matrices[:, :3, :3]
    return bool(np.abs(axes.transpose(0, 2, 1) @ axes - np.eye(3)).max() < UNSCALED)


def _by_blender(bone: bpy.types.Bone, posed: np.ndarray, holder: np.ndarray | None) -> Matrix:
    """Return one frame's own matrix under Blender's rarer rules of inheritance."""
    parents = (
        {}
        if holder is None
        else {"parent_matrix": Matrix(holder), "parent_matrix_local": bone.parent.matrix_local}
    )
    return bone.convert_local_to_pose(Matrix(posed), bone.matrix_local, **parents, invert=True)


def own_matrix_channels(
    obj: bpy.types.Object, basis: Mapping[str, np.ndarray], elsewhere: bool
) -> list[Channel]:
    """Return the channels of bones' own matrices; `elsewhere`: a bone without keys rests, else it stays as it
    is posed now."""
    found = []
    for name, matrices in basis.items():
        bone = obj.pose.bones[name]
        scale = np.linalg.norm(matrices[:, :3, :3], axis=1)
        path, turns = continuous_rotation(matrices[:, :3, :3] / scale[:, None], bone.rotation_mode)
        values = {"location": matrices[:, :3, 3], path: turns, "scale": scale}
        for prop, rows in values.items():
            now = np.array(REST[prop] if elsewhere else getattr(bone, prop))
            found.append(
                Channel(bone_path(name, prop), rows, now, name, together=rows.shape[1] == 4, still=READ_NOISE)
            )
    return found
