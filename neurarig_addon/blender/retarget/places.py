"""The way of the armature object that a clip's root makes, from where `carry` says that it stands.

With A from walk frame to armature space, a root motion G in the walk frame is the step K = A G A^-1 in armature space.
"""

import bpy
import numpy as np

from ...core.motion import Motion
from ..animation.keyframes import continuous_rotation
from ..character import carry


def steps(root: Motion, walk_to_armature: np.ndarray) -> np.ndarray:
    """Return K `(f, 4, 4)` of each frame for a root's motion in the walk frame."""
    ground = np.tile(np.eye(4), (len(root.position), 1, 1))
    ground[:, :3, :3] = root.rotation
    ground[:, :3, 3] = root.position - root.rotation @ root.rest
    return walk_to_armature @ ground @ np.linalg.inv(walk_to_armature)


def channels(obj: bpy.types.Object, moved: np.ndarray) -> tuple[np.ndarray, str, np.ndarray]:
    """Return location `(f, 3)`, the property that holds the rotation and its values `(f, n)` after K `moved` `(f, 4, 4)`."""
    origin = np.array(carry.origin(obj))
    locations = origin[:3, 3] - np.array(obj.delta_location) + moved[:, :3, 3] @ origin[:3, :3].T
    turns = carry.own_turn(obj, origin) @ moved[:, :3, :3]
    return locations, *continuous_rotation(turns, obj.rotation_mode)
