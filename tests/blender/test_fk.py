"""FK only: rotations on the character's own bones, as exact as the control layer, and nothing added."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.write_pose import apply_row
from neurarig_addon.blender.character import controls
from neurarig_addon.blender.character.controls.fk import left_behind
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion, RolePose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.posing.posing import Travel, solve
from tests import rigs
from tests.blender.controlling import (
    RIGIFY_BONES,
    TABLES,
    evaluated,
    mess_up_pose,
    rest,
    settled,
    state,
    wanted,
)

FRAMES = np.arange(1.0, 31.0)
SHOWN = (0, 7, 14, 29)
JOINT_M, TURN_RAD = 2e-5, 1e-4  # for a leg of 0.9 m: what float32 leaves


class Puppet:
    """A character in FK (or, with `kind` None, on IK controls) that walks, on a ground that may move."""

    def __init__(self, obj: bpy.types.Object, ground: Motion | None = None, kind: str | None = "FK") -> None:
        self.obj = obj
        self.character: Character = read_character(obj, bpy.context.scene)
        body, roles = self.character.body, self.character.roles
        self.attachment = json.loads(
            json.dumps(
                controls.attach(obj, self.character.skeleton, roles, body, controls.PosingChoice(kind or ""))
            )
        )
        self.ground = ground or Motion(
            np.broadcast_to(np.eye(3), (len(FRAMES), 3, 3)), np.zeros((len(FRAMES), 3)), np.zeros(3)
        )
        self.motions = walk(
            body, StyleTrack(Style(speed=1.3 * np.sqrt(body.leg_length / 0.9))), Clock(), FRAMES
        ).motions
        self.rig = controls.rig_table(obj, self.attachment, body)
        self.channels = solve(
            self.rig,
            RolePose(FRAMES, self.motions, self.ground),
            Travel.NOTHING if ground is None else Travel.ROOT_BONE,
        )

    def seen(self, row: int) -> dict[str, np.ndarray]:
        """Pose one row and return the evaluated matrix of every bone."""
        apply_row(self.obj, self.channels, row)
        return evaluated(self.obj)

    def assert_exact(
        self, bones: dict[str, str] | None = None, joint_m: float = JOINT_M, turn_rad: float = TURN_RAD
    ) -> None:
        """See that every role's joint and axes are where the pose says; `bones`: role to another bone than
        the role's own."""
        for row in SHOWN:
            matrices = self.seen(row)
            for role, bone in (bones or self.character.roles.bones).items():
                if role in self.motions:
                    away, turned = self._error(role, bone, matrices[bone], row)
                    assert away < joint_m and turned < turn_rad, (role, row, away, turned)

    def _error(self, role: str, bone: str, matrix: np.ndarray, row: int) -> tuple[float, float]:
        """Return how far a joint is off, in metres for a leg of 0.9 m, and how far the axes."""
        body, turn, motion = self.character.body, self.ground.rotation[row], self.motions[role]
        placed = Motion(
            turn @ motion.rotation, motion.position @ turn.T + self.ground.position[row], motion.rest
        )
        axes, head = wanted(body, placed, rest(self.obj, bone), row, 0.0)
        placement = np.array(self.attachment["placement"]).reshape(4, 4)
        axes, head = placement[:3, :3] @ axes, placement[:3, :3] @ head + placement[:3, 3]
        away = np.linalg.norm(matrix[:3, 3] - head) * body.metres_per_unit * 0.9 / body.leg_length
        return float(away), float(np.abs(unit(matrix) - unit(axes)).max())


def unit(matrix: np.ndarray) -> np.ndarray:
    return matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)


def with_root() -> list[rigs.Bone]:
    """Return the human on a root bone; the feet hang on the root, as detached IK feet do, and turn by
    themselves."""
    hung = [
        rigs.replace(bone, parent="root") if bone.parent is None or "Foot" in bone.name else bone
        for bone in rigs.biped()
    ]
    return [rigs.Bone("root", None, (0, 0, 0), (0, 0.3, 0)), *hung]


def turning_ground() -> Motion:
    return Motion(
        rotation.about_z(0.1 * FRAMES),
        np.stack([0.1 * FRAMES, np.sin(FRAMES), 0.0 * FRAMES], -1),
        np.zeros(3),
    )


@pytest.fixture(params=TABLES)
def character(request: pytest.FixtureRequest) -> bpy.types.Object:
    return settled(TABLES[request.param]())


def test_every_joint_is_where_the_pose_says(character: bpy.types.Object) -> None:
    mess_up_pose(character)
    Puppet(character).assert_exact()


def test_nothing_is_added_and_everything_comes_back(character: bpy.types.Object) -> None:
    mess_up_pose(character)
    bpy.ops.object.mode_set(mode="POSE")
    before = state(character)
    puppet = Puppet(character)
    puppet.seen(5)
    meanwhile = state(character)
    for key in ("bones", "rest", "collections", "properties", "mode", "selection", "file"):
        assert meanwhile[key] == before[key], key
    assert [[c[:2] for c in owned] for _, owned in meanwhile["constraints"]] == [
        [c[:2] for c in owned] for _, owned in before["constraints"]
    ]
    assert controls.detach(character, puppet.attachment) == []
    after = state(character)
    for key, value in before.items():
        assert after[key] == value, key


@pytest.mark.parametrize("table", [rigs.biped, with_root])
def test_the_ground_may_turn(table) -> None:
    obj = rigs.build(table())
    obj.data.bones["LeftFoot"].use_inherit_rotation = False
    obj.data.bones["RightArm"].use_inherit_rotation = False
    Puppet(obj, turning_ground()).assert_exact()


@pytest.mark.parametrize("travels", [False, True])
def test_rigify_is_posed_by_its_own_fk_controls(travels: bool) -> None:
    human = rigs.rigify_human()
    for name in (
        "torso",
        "hips",
        "chest",
        "spine_fk.001",
        "spine_fk.003",
        "thigh_fk.L",
        "foot_fk.R",
        "foot_ik.L",
        "upper_arm_fk.L",
    ):
        human.pose.bones[name].location, human.pose.bones[name].rotation_quaternion = (
            (0.1, 0.2, 0.0),
            (0.9, 0.3, 0.1, 0.0),
        )
    for end in "LR":
        human.pose.bones[f"thigh_parent.{end}"]["FK_limb_follow"] = 1.0
    puppet = Puppet(human, turning_ground() if travels else None)
    assert puppet.attachment["kind"] == "RIGIFY_FK"
    assert dict(controls.switches(puppet.attachment))['pose.bones["thigh_parent.L"]["IK_FK"]'] == 1.0
    twisted = {"spine.1", "spine.2"}  # by the tweak controls below them
    puppet.assert_exact({role: bone for role, bone in RIGIFY_BONES.items() if role not in twisted})


def test_rigify_is_given_back() -> None:
    human = rigs.rigify_human()
    mess_up_pose(human)
    before = state(human)
    puppet = Puppet(human)
    puppet.seen(5)
    assert state(human)["bones"] == before["bones"]
    assert controls.detach(human, puppet.attachment) == []
    bpy.context.view_layer.update()  # the rig's own drivers mute and unmute constraints
    after = state(human)
    for key, value in before.items():
        assert after[key] == value, key


def test_a_double_of_several_bones_takes_the_part_of_the_most_parallel_one():
    """Both clavicles and a double of theirs begin at the neck, as in rigs whose shoulders one control lifts;
    a mesh hangs on the double."""
    neck = next(bone for bone in rigs.biped() if bone.name == "Neck")
    moved = [rigs.replace(bone, head=neck.head) if "Shoulder" in bone.name else bone for bone in rigs.biped()]
    left = next(bone for bone in moved if bone.name == "LeftShoulder")
    obj = rigs.build([*moved, rigs.replace(left, name="Yoke")])
    for side in ("Left", "Right"):
        follows = obj.pose.bones[f"{side}Shoulder"].constraints.new("COPY_LOCATION")
        follows.target, follows.subtarget = obj, "Yoke"
    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object
    mesh.parent, mesh.parent_type, mesh.parent_bone = obj, "BONE", "Yoke"
    for bone in ("Yoke", "LeftShoulder", "RightShoulder"):
        obj.data.bones[bone].use_deform = False
    rigs.make_active(obj)
    api.detect_rig(obj)
    character = read_character(obj, bpy.context.scene)
    assert left_behind(obj, character.skeleton, character.roles)["Yoke"] == "clavicle.L"
