"""Looking at what deforms while a walk is measured: whether the character stays in one piece."""

import bpy
import numpy as np

from ...core.integrity import Integrity, anatomy, integrity
from ...core.roles import RoleMap
from ..animation.seen_pose import pose_matrices
from ..character.read_armature import read_skeleton, skin_bones


class DeformingBones:
    """The bones that deform a character, gathered frame by frame."""

    def __init__(self, obj: bpy.types.Object, scene: bpy.types.Scene, roles: RoleMap, frames: int) -> None:
        skeleton = read_skeleton(obj, scene)
        self.body = anatomy(skeleton.deforming(skin_bones(obj)), roles)
        order = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
        self.rows = np.array([order[name] for name in skeleton.names], dtype=int)
        self.counted = np.unique(np.concatenate([self.body.joints.ravel(), self.body.members.ravel()])).astype(int)
        self.poses = np.tile(skeleton.rest.astype(np.float32), (frames, 1, 1, 1))

    def look(self, row: int, evaluated: bpy.types.Object) -> None:
        """Remember the pose of an evaluated object as that of frame `row`."""
        self.poses[row, self.counted] = pose_matrices(evaluated)[self.rows[self.counted]]

    def judged(self) -> Integrity:
        """Judge all poses that were seen."""
        return integrity(self.body, self.poses.astype(float))
