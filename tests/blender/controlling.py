"""Characters whose controls are attached: where their bones are and should be, and all that must be as before
once they are detached."""

import json

import bpy
import numpy as np
from mathutils import Matrix

from neurarig_addon.blender.animation.write_pose import apply_row
from neurarig_addon.blender.character import controls
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.character.measure import measure
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.posing.channels import Channels
from neurarig_addon.core.posing.posing import Travel, solve
from neurarig_addon.core.skeleton.roles import RoleMap
from tests import rigs

FRAMES = np.arange(1.0, 30.0)
SHOWN = (0, 4, 9, 14, 21, 28)
TABLES = {
    "t_pose": lambda: rigs.build(rigs.biped()),
    "a_pose_no_toes": lambda: rigs.build(rigs.biped(toes=False, arm_drop_deg=45.0)),
    "split_limbs": lambda: rigs.build(rigs.split_limb_biped()),
    "fbx": lambda: rigs.build(rigs.biped(), matrix=rigs.fbx_matrix(30.0)),
    "scaled_up": lambda: rigs.build(rigs.biped(), matrix=Matrix.Scale(100.0, 4)),
    "metarig": rigs.rigify_metarig,
    "metarig_with_ik": rigs.metarig_with_leg_ik,
}
# The ORG bones of a generated Rigify human by the roles of its walk.
RIGIFY_BONES = {
    "pelvis": "ORG-spine",
    "spine.3": "ORG-spine.003",
    "head": "ORG-spine.006",
    **{
        f"{part}.{s}": f"ORG-{part}.{s}"
        for s in "LR"
        for part in ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")
    },
    **{f"clavicle.{s}": f"ORG-shoulder.{s}" for s in "LR"},
}


class Walker:
    """A character that has been attached, and its walk."""

    def __init__(self, obj: bpy.types.Object, root_bone: bool = False) -> None:
        self.obj = obj
        skeleton = read_skeleton(obj, bpy.context.scene)
        self.roles: RoleMap = detect(skeleton)
        self.body: Body = measure(skeleton, self.roles)
        self.attachment = json.loads(json.dumps(controls.attach(obj, skeleton, self.roles, self.body)))
        track = StyleTrack(Style(speed=1.3 * np.sqrt(self.body.leg_length / 0.9)))
        self.pose: WalkPose = walk(self.body, track, Clock(), FRAMES)
        self.rig = controls.rig_table(obj, self.attachment, self.body)
        self.channels: Channels = solve(
            self.rig, self.pose, Travel.ROOT_BONE if root_bone else Travel.NOTHING
        )

    def show(self, row: int, channels: Channels | None = None) -> dict[str, np.ndarray]:
        """Pose one row and return the evaluated matrix of every bone."""
        apply_row(self.obj, channels or self.channels, row)
        return evaluated(self.obj)

    def errors(
        self, role: str, matrices: dict[str, np.ndarray], row: int, bone: str = "", travel: float = 0.0
    ) -> tuple[float, float]:
        """Return how far a bone is from its role's motion: its head in millimetres, its axes in degrees."""
        name = bone or self.roles.get(role)
        axes, head = wanted(self.body, self.pose.motions[role], rest(self.obj, name), row, travel)
        found = matrices[name]
        return millimetres(self.body, found[:3, 3] - head), degrees(found[:3, :3], axes)


def rest(obj: bpy.types.Object, bone: str) -> np.ndarray:
    return np.array(obj.data.bones[bone].matrix_local, dtype=float)


def evaluated(obj: bpy.types.Object) -> dict[str, np.ndarray]:
    bpy.context.view_layer.update()
    bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    return {bone.name: np.array(bone.matrix, dtype=float) for bone in bones}


def wanted(
    body: Body, motion: Motion, rest_matrix: np.ndarray, row: int, travel: float
) -> tuple[np.ndarray, np.ndarray]:
    move = np.eye(4)
    move[:3, :3] = motion.rotation[row]
    move[:3, 3] = motion.position[row] - motion.rotation[row] @ motion.rest + np.array([travel, 0.0, 0.0])
    posed = body.walk_to_armature @ move @ np.linalg.inv(body.walk_to_armature) @ rest_matrix
    return posed[:3, :3], posed[:3, 3]


def millimetres(body: Body, shift: np.ndarray) -> float:
    return float(np.linalg.norm(shift)) * body.metres_per_unit * 1000.0


def degrees(found: np.ndarray, axes: np.ndarray) -> float:
    found, axes = (matrix / np.linalg.norm(matrix, axis=0) for matrix in (found, axes))
    return float(np.degrees(np.linalg.norm(found - axes) / np.sqrt(2.0)))


def state(obj: bpy.types.Object) -> dict:
    """Return everything about a rig and its file that a walk might leave changed."""
    return {
        "bones": [
            (bone.name, bone.parent.name if bone.parent else "", bone.use_connect, bone.use_deform)
            for bone in obj.data.bones
        ],
        "rest": np.array([bone.matrix_local for bone in obj.data.bones]).round(6).tolist(),
        "lengths": [round(bone.length, 6) for bone in obj.data.bones],
        "collections": [
            (c.name, c.is_visible, sorted(bone.name for bone in c.bones)) for c in obj.data.collections_all
        ],
        "active collection": obj.data.collections.active_name,
        "constraints": [
            (b.name, [(c.name, c.type, c.mute, c.influence) for c in b.constraints]) for b in obj.pose.bones
        ],
        "switches": [
            (b.name, [(k, v) for k, v in b.items() if isinstance(v, int | float)]) for b in obj.pose.bones
        ],
        "stretch": [
            (b.name, [c.use_stretch for c in b.constraints if c.type == "IK"]) for b in obj.pose.bones
        ],
        "ik locks": [(b.lock_ik_x, b.lock_ik_y, b.lock_ik_z, b.use_ik_limit_x) for b in obj.pose.bones],
        "pose": [
            (
                b.rotation_mode,
                *b.location,
                *b.rotation_quaternion,
                *b.rotation_euler,
                *b.rotation_axis_angle,
                *b.scale,
            )
            for b in obj.pose.bones
        ],
        "drivers": [
            (d.data_path, d.array_index, d.mute)
            for d in (obj.animation_data.drivers if obj.animation_data else ())
        ],
        "properties": [(bone.name, sorted(bone.keys())) for bone in obj.data.bones],
        "mode": (
            obj.mode,
            obj.select_get(),
            obj.hide_viewport,
            obj.hide_get(),
            bpy.context.view_layer.objects.active,
        ),
        "selection": sorted(bone.name for bone in selectable(obj) if bone.select),
        "active bone": obj.data.bones.active.name if obj.data.bones.active else "",
        "mirror": obj.data.use_mirror_x,
        "file": {
            kind: sorted(item.name for item in getattr(bpy.data, kind))
            for kind in ("objects", "meshes", "armatures", "actions")
        },
    }


def assert_given_back(obj: bpy.types.Object, before: dict) -> None:
    """Compare what `state` said of a rig before; Edit Mode, through which controls come and go, rounds rest
    matrices."""
    bpy.context.view_layer.update()
    after = state(obj)
    for key, value in before.items():
        if key in ("rest", "lengths"):
            np.testing.assert_allclose(after[key], value, atol=2e-5 * max(1.0, np.abs(value).max()))
        else:
            assert after[key] == value, key


def selectable(obj: bpy.types.Object):
    return obj.pose.bones if "select" in bpy.types.PoseBone.bl_rna.properties else obj.data.bones


def settled(obj: bpy.types.Object) -> bpy.types.Object:
    """Go through edit mode once: Blender rounds rest matrices the first time."""
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def mess_up_pose(obj: bpy.types.Object) -> None:
    """Pose every bone a little, in all rotation modes."""
    modes = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")
    for number, bone in enumerate(obj.pose.bones):
        bone.rotation_mode = modes[number % len(modes)]
        bone.rotation_euler, bone.rotation_quaternion = (0.1, 0.05, 0.02), (0.98, 0.1, 0.1, 0.05)
        bone.rotation_axis_angle = (0.2, 0.0, 0.6, 0.8)
    bpy.context.view_layer.update()  # a rig's own drivers have the last word
