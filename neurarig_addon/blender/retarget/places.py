"""Moving the armature object by a clip's root, and letting the animator move it while it follows.

All is in the object's own channels (in its parent's space): a parent that moves carries the clip with it, and no evaluated matrix, a
frame late, is needed.  With A from walk frame to armature space, a root motion G in the walk frame is K = A G A^-1 in armature space,
and the object that stood at the matrix M stands at M K.
"""

import bpy
import numpy as np
from mathutils import Matrix

from ...core.channels import from_mode, rotation_path
from ...core.motion import Motion
from ..animation.keyframes import continuous_rotation

NOTICEABLE = 1e-5  # relative; a place differs from what was written by less than this through float32 alone


def steps(root: Motion, walk_to_armature: np.ndarray) -> np.ndarray:
    """Return K `(f, 4, 4)` of each frame for a root's motion in the walk frame."""
    ground = np.tile(np.eye(4), (len(root.position), 1, 1))
    ground[:, :3, :3] = root.rotation
    ground[:, :3, 3] = root.position - root.rotation @ root.rest
    return walk_to_armature @ ground @ np.linalg.inv(walk_to_armature)


def channels(obj: bpy.types.Object, moved: np.ndarray) -> tuple[np.ndarray, str, np.ndarray]:
    """Return location `(f, 3)`, the property that holds the rotation and its values `(f, n)` after K `moved` `(f, 4, 4)`."""
    origin = np.array(Matrix(obj.neurarig.retarget.origin))
    locations = origin[:3, 3] - np.array(obj.delta_location) + moved[:, :3, 3] @ origin[:3, :3].T
    turns = _own_turn(obj, origin) @ moved[:, :3, :3]
    return locations, *continuous_rotation(turns, obj.rotation_mode)


def stand(obj: bpy.types.Object, step: np.ndarray | None = None) -> None:
    """Note where the object stands as the place from which it moves; `step` `(4, 4)`: what a clip has moved it already."""
    origin = np.array(obj.matrix_basis)
    if step is not None:
        origin = origin @ np.linalg.inv(step)
    obj.neurarig.retarget.origin = origin.T.ravel().tolist()


def put_back(obj: bpy.types.Object) -> None:
    """Return the object to where it would stand had the clip not moved it."""
    if obj.neurarig.retarget.is_carried:
        locations, path, turns = channels(obj, np.eye(4)[None])
        obj.location = locations[0]
        setattr(obj, path, turns[0])
        obj.neurarig.retarget.is_carried = False


def is_elsewhere(obj: bpy.types.Object, step: np.ndarray) -> bool:
    """Say whether the object does not stand where `step` `(4, 4)` has put it: somebody has moved it."""
    expected = np.array(Matrix(obj.neurarig.retarget.origin)) @ step
    now = np.array(obj.matrix_basis)
    size = np.abs(expected[:3, :3]).max() + 1e-30
    apart = np.abs(now - expected)
    return bool(apart[:3, :3].max() > NOTICEABLE * size or apart[:3, 3].max() > NOTICEABLE * (1.0 + np.abs(expected[:3, 3]).max()))


def _own_turn(obj: bpy.types.Object, basis: np.ndarray) -> np.ndarray:
    """Return the rotation `(3, 3)` that an object's own channels hold where its matrix is `basis`: without its delta rotation."""
    turn = basis[:3, :3] / np.linalg.norm(basis[:3, :3], axis=0)
    delta = getattr(obj, f"delta_{rotation_path(obj.rotation_mode)}", None)  # Blender lets nobody set one of axis and angle
    return turn if delta is None else from_mode(np.array(delta), obj.rotation_mode).T @ turn
