"""Control layer and Rigify controls: the evaluated bones are where the walk says, and nothing is left behind."""

import json

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender import controls
from neurarig_addon.blender.read_armature import read_skeleton
from neurarig_addon.blender.write_pose import apply_row
from neurarig_addon.core.body import Body
from neurarig_addon.core.channels import Channels
from neurarig_addon.core.detect import detect
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.measure import measure
from neurarig_addon.core.motion import Motion
from neurarig_addon.core.posing import solve
from neurarig_addon.core.roles import RoleMap
from tests import rigs

FRAMES = np.arange(1.0, 30.0)
SHOWN = (0, 4, 9, 14, 21, 28)
FEET_MM = 0.02
LEG_MM, LEG_DEG = 0.3, 0.1
TURN_DEG = 0.1


class Walker:
    """A character that has been attached, and its walk."""

    def __init__(self, obj: bpy.types.Object, travel_bone: bool = False) -> None:
        self.obj = obj
        skeleton = read_skeleton(obj, bpy.context.scene)
        self.roles: RoleMap = detect(skeleton)
        self.body: Body = measure(skeleton, self.roles)
        self.attachment = json.loads(json.dumps(controls.attach(obj, skeleton, self.roles, self.body)))
        track = StyleTrack(Style(speed=1.3 * np.sqrt(self.body.leg_length / 0.9)))
        self.pose: WalkPose = walk(self.body, track, Clock(), FRAMES)
        self.rig = controls.rig_table(obj, self.attachment, self.roles, self.body)
        self.channels: Channels = solve(self.rig, self.pose, travel_bone)

    def show(self, row: int, channels: Channels | None = None) -> dict[str, np.ndarray]:
        """Pose one row and return the evaluated matrix of every bone."""
        apply_row(self.obj, channels or self.channels, row)
        return evaluated(self.obj)

    def errors(self, role: str, matrices: dict[str, np.ndarray], row: int, bone: str = "", travel: float = 0.0) -> tuple[float, float]:
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


def wanted(body: Body, motion: Motion, rest_matrix: np.ndarray, row: int, travel: float) -> tuple[np.ndarray, np.ndarray]:
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
        "bones": [(bone.name, bone.parent.name if bone.parent else "", bone.use_connect, bone.use_deform) for bone in obj.data.bones],
        "rest": np.array([bone.matrix_local for bone in obj.data.bones]).round(6).tolist(),
        "lengths": [round(bone.length, 6) for bone in obj.data.bones],
        "collections": [(c.name, c.is_visible, sorted(bone.name for bone in c.bones)) for c in obj.data.collections_all],
        "active collection": obj.data.collections.active_name,
        "constraints": [(b.name, [(c.name, c.type, c.mute, c.influence) for c in b.constraints]) for b in obj.pose.bones],
        "switches": [(b.name, [(k, v) for k, v in b.items() if isinstance(v, int | float)]) for b in obj.pose.bones],
        "stretch": [(b.name, [c.use_stretch for c in b.constraints if c.type == "IK"]) for b in obj.pose.bones],
        "ik locks": [(b.lock_ik_x, b.lock_ik_y, b.lock_ik_z, b.use_ik_limit_x) for b in obj.pose.bones],
        "pose": [
            (b.rotation_mode, *b.location, *b.rotation_quaternion, *b.rotation_euler, *b.rotation_axis_angle, *b.scale)
            for b in obj.pose.bones
        ],
        "drivers": [(d.data_path, d.array_index, d.mute) for d in (obj.animation_data.drivers if obj.animation_data else ())],
        "properties": [(bone.name, sorted(bone.keys())) for bone in obj.data.bones],
        "mode": (obj.mode, obj.select_get(), obj.hide_viewport, obj.hide_get(), bpy.context.view_layer.objects.active),
        "selection": sorted(bone.name for bone in selectable(obj) if bone.select),
        "active bone": obj.data.bones.active.name if obj.data.bones.active else "",
        "mirror": obj.data.use_mirror_x,
        "file": {kind: sorted(item.name for item in getattr(bpy.data, kind)) for kind in ("objects", "meshes", "armatures", "actions")},
    }


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


TABLES = {
    "t_pose": lambda: rigs.build(rigs.biped()),
    "a_pose_no_toes": lambda: rigs.build(rigs.biped(toes=False, arm_drop_deg=45.0)),
    "split_limbs": lambda: rigs.build(rigs.split_limb_biped()),
    "fbx": lambda: rigs.build(rigs.biped(), matrix=rigs.fbx_matrix(30.0)),
    "scaled_up": lambda: rigs.build(rigs.biped(), matrix=Matrix.Scale(100.0, 4)),
    "metarig": rigs.rigify_metarig,
    "metarig_with_ik": rigs.metarig_with_leg_ik,
}


@pytest.fixture(params=TABLES)
def character(fresh_file: None, request: pytest.FixtureRequest) -> bpy.types.Object:
    return settled(TABLES[request.param]())


def assert_legs_and_trunk(walker: Walker, travel: bool = False) -> None:
    for row in SHOWN:
        matrices = walker.show(row)
        for role in walker.pose.motions:
            if not walker.roles.has(role):
                continue
            distance, angle = walker.errors(role, matrices, row, travel=walker.pose.travel[row] if travel else 0.0)
            part = role.split(".")[0]
            if part in ("foot", "toe", "pelvis"):
                assert distance < FEET_MM and angle < TURN_DEG, (role, row, distance, angle)
            elif part in ("thigh", "shin"):
                assert distance < LEG_MM and angle < LEG_DEG, (role, row, distance, angle)
            else:
                assert angle < TURN_DEG, (role, row, angle)


def test_layer_puts_every_bone_where_the_walk_says(character: bpy.types.Object) -> None:
    assert_legs_and_trunk(Walker(character))


def test_layer_does_not_care_how_the_bones_were_posed(fresh_file: None) -> None:
    obj = settled(rigs.build(rigs.biped()))
    mess_up_pose(obj)
    assert_legs_and_trunk(Walker(obj))


def test_travel_by_the_root_control(fresh_file: None) -> None:
    assert_legs_and_trunk(Walker(settled(rigs.build(rigs.biped())), travel_bone=True), travel=True)


def test_character_stays_where_its_root_bone_has_been_put(fresh_file: None) -> None:
    table = [rigs.Bone("root", None, (0, 0, 0), (0, 0.3, 0)), *(b if b.parent else rigs.replace(b, parent="root") for b in rigs.biped())]
    obj = settled(rigs.build(table))
    obj.pose.bones["root"].matrix_basis = Matrix.Translation((3.0, 1.0, 0.0)) @ Matrix.Rotation(1.0, 4, "Z")
    root = obj.pose.bones["root"]
    placed = np.array(root.bone.matrix_local @ root.matrix_basis @ root.bone.matrix_local.inverted())
    walker = Walker(obj)
    matrices = walker.show(4)
    for role in ("foot.L", "toe.R", "pelvis", "head"):
        axes, head = wanted(walker.body, walker.pose.motions[role], rest(obj, walker.roles.get(role)), 4, 0.0)
        found = np.linalg.inv(placed) @ matrices[walker.roles.get(role)]
        assert millimetres(walker.body, found[:3, 3] - head) < 0.05
        assert degrees(found[:3, :3], axes) < TURN_DEG


@pytest.mark.parametrize("table", ["t_pose", "split_limbs", "fbx"])
def test_bones_alone_give_the_same_pose_without_constraints(fresh_file: None, table: str) -> None:
    walker = Walker(settled(TABLES[table]()))
    alone = solve(controls.deform_table(walker.obj, walker.attachment, walker.roles, walker.body), walker.pose, False)
    for row in SHOWN:
        constrained = walker.show(row)
        for bone in walker.obj.pose.bones:
            for constraint in bone.constraints:
                constraint.mute = True
        bare = walker.show(row, alone)
        for bone in walker.obj.pose.bones:
            for constraint in bone.constraints:
                constraint.mute = False
        for role, name in walker.roles.bones.items():
            assert millimetres(walker.body, bare[name][:3, 3] - constrained[name][:3, 3]) < LEG_MM, (role, row)
            assert degrees(bare[name][:3, :3], constrained[name][:3, :3]) < LEG_DEG, (role, row)


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_detach_leaves_no_trace(character: bpy.types.Object, mode: str) -> None:
    mess_up_pose(character)
    character.data.use_mirror_x = True
    own = character.data.collections.new("My bones")
    own.assign(character.data.bones[2])
    bpy.ops.object.mode_set(mode=mode)
    character.data.bones.active = character.data.bones[3]
    before = state(character)
    walker = Walker(character)
    assert (character.mode, walker.attachment["kind"]) == (mode, "LAYER")
    walker.show(5)
    assert controls.detach(character, walker.attachment) == []
    after = state(character)
    for key, value in before.items():
        assert after[key] == value, key


def test_a_hidden_unselected_character_is_left_so(fresh_file: None) -> None:
    obj = settled(rigs.build(rigs.biped()))
    other = rigs.build(rigs.biped(), name="Other")
    bpy.ops.object.mode_set(mode="POSE")
    obj.hide_viewport = True
    before = [state(each) for each in (obj, other)]
    controls.detach(obj, Walker(obj).attachment)
    assert [state(each) for each in (obj, other)] == before


def test_two_characters_share_shapes_and_the_last_takes_them_away(fresh_file: None) -> None:
    one, two = (Walker(settled(rigs.build(rigs.biped(), name=name))) for name in ("One", "Two"))
    shapes = [obj.name for obj in bpy.data.objects if "neurarig_shape" in obj]
    controls.detach(one.obj, one.attachment)
    assert shapes and all(name in bpy.data.objects for name in shapes)
    controls.detach(two.obj, two.attachment)
    assert not any("neurarig_shape" in obj for obj in bpy.data.objects)


def test_users_own_nr_bones_are_not_ours(fresh_file: None) -> None:
    table = [*rigs.biped(), rigs.Bone("NR-root", None, (1, 0, 0), (1, 0, 0.2)), rigs.Bone("NR-foot.L", None, (2, 0, 0), (2, 0, 0.2))]
    obj = settled(rigs.build(table))
    before = state(obj)
    walker = Walker(obj)
    assert_legs_and_trunk(walker)
    controls.detach(obj, walker.attachment)
    assert state(obj)["bones"] == before["bones"]


def test_renamed_and_deleted_bones_are_named(fresh_file: None) -> None:
    obj = settled(rigs.build(rigs.biped()))
    walker = Walker(obj)
    obj.data.bones["NR-foot.L"].name = "my foot"
    obj.data.bones["Head"].name = "Skull"
    with pytest.raises(NeuraRigError, match=r"NR-foot\.L|Head"):
        controls.rig_table(obj, walker.attachment, walker.roles, walker.body)
    assert controls.detach(obj, walker.attachment) == ["Head"]
    assert not any(bone.name.startswith("NR-") or bone.name == "my foot" for bone in obj.data.bones)


def test_failure_half_way_leaves_the_rig_as_it_was(fresh_file: None, monkeypatch: pytest.MonkeyPatch) -> None:
    obj = settled(rigs.build(rigs.biped()))
    before = state(obj)

    def fail(*_args: object) -> None:
        raise RuntimeError("half-way")

    monkeypatch.setattr(controls.layer, "_constrain_legs", fail)
    with pytest.raises(RuntimeError, match="half-way"):
        Walker(obj)
    assert state(obj) == before


def test_shared_data_and_edit_mode_are_refused(fresh_file: None) -> None:
    obj = settled(rigs.build(rigs.biped()))
    twin = bpy.data.objects.new("Twin", obj.data)
    bpy.context.scene.collection.objects.link(twin)
    with pytest.raises(NeuraRigError, match="single-user"):
        Walker(obj)
    bpy.data.objects.remove(twin)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(NeuraRigError, match="Edit Mode"):
        Walker(obj)


@pytest.mark.parametrize(
    "damage",
    [
        lambda a: a.clear(),
        lambda a: a.update(version=0),
        lambda a: a.update(kind="OTHER"),
        lambda a: a.update(drives=[["Hips", "pelvis", 1]]),
        lambda a: a.update(pose={"Hips": {"location": "far"}}),
        lambda a: a.update(placement=[1.0]),
        lambda a: a.update(switches=[["Hips", "", "__class__"]]),
        lambda a: a.pop("held"),
    ],
)
def test_a_damaged_attachment_is_refused(fresh_file: None, damage) -> None:
    walker = Walker(settled(rigs.build(rigs.biped())))
    damage(walker.attachment)
    with pytest.raises(NeuraRigError, match="stored in this file"):
        controls.detach(walker.obj, walker.attachment)


def test_knee_of_a_straight_leg_bends_forward(fresh_file: None) -> None:
    straight = [
        rigs.replace(bone, head=(bone.head[0], 0.0, bone.head[2]), tail=(bone.tail[0], 0.0, bone.tail[2]))
        if "Leg" in bone.name
        else rigs.replace(bone, head=(bone.head[0], 0.0, bone.head[2]))
        if "Foot" in bone.name
        else bone
        for bone in rigs.biped()
    ]
    assert_legs_and_trunk(Walker(settled(rigs.build(straight))))


class TestRigify:
    """The generated human: its own controls, and what they do to its ORG bones."""

    ORG = {  # noqa: RUF012
        "pelvis": "ORG-spine",
        "spine.3": "ORG-spine.003",
        "head": "ORG-spine.006",
        **{f"{part}.{s}": f"ORG-{part}.{s}" for s in "LR" for part in ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")},
        **{f"clavicle.{s}": f"ORG-shoulder.{s}" for s in "LR"},
    }

    @pytest.fixture
    def human(self, fresh_file: None) -> bpy.types.Object:
        return rigs.rigify_human()

    def assert_follows(self, walker: Walker, travel: bool = False) -> None:
        for row in SHOWN:
            matrices = walker.show(row)
            for role, bone in self.ORG.items():
                distance, angle = walker.errors(role, matrices, row, bone, walker.pose.travel[row] if travel else 0.0)
                if role.split(".")[0] in ("pelvis", "thigh", "shin", "foot", "toe"):
                    assert distance < 0.2, (role, row, distance)
                assert angle < 0.2, (role, row, angle)

    def test_bones_follow(self, human: bpy.types.Object) -> None:
        walker = Walker(human)
        assert walker.attachment["kind"] == "RIGIFY"
        self.assert_follows(walker)

    def test_travel(self, human: bpy.types.Object) -> None:
        self.assert_follows(Walker(human, travel_bone=True), travel=True)

    def test_bones_follow_from_any_pose_and_switches(self, human: bpy.types.Object) -> None:
        for name in ("torso", "hips", "chest", "foot_ik.L", "foot_heel_ik.R", "spine_fk.001", "upper_arm_fk.L", "head"):
            bone = human.pose.bones[name]
            bone.location, bone.rotation_quaternion, bone.rotation_euler = (0.1, 0.2, 0.0), (0.9, 0.3, 0.1, 0.0), (0.3, 0.0, 0.2)
        for end in ("L", "R"):
            human.pose.bones[f"thigh_parent.{end}"]["IK_FK"] = 1.0
            human.pose.bones[f"thigh_parent.{end}"]["IK_parent"] = 2
            human.pose.bones[f"upper_arm_parent.{end}"]["FK_limb_follow"] = 1.0
        human.update_tag()
        self.assert_follows(Walker(human))

    def test_detach_leaves_no_trace(self, human: bpy.types.Object) -> None:
        mess_up_pose(human)
        before = state(human)
        walker = Walker(human)
        walker.show(7)
        assert state(human)["bones"] == before["bones"]
        assert controls.detach(human, walker.attachment) == []
        bpy.context.view_layer.update()  # the rig's own drivers mute and unmute constraints
        after = state(human)
        for key, value in before.items():
            assert after[key] == value, key

    def test_switches_can_be_keyed(self, human: bpy.types.Object) -> None:
        walker = Walker(human)
        paths = dict(controls.switches(walker.attachment))
        assert paths['pose.bones["thigh_parent.L"]["IK_Stretch"]'] == 0.0
        for path, value in paths.items():
            assert human.path_resolve(path) in (value, f"P{value}")  # an enumeration is read by name, and keyed by number
