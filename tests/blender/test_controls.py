"""The control layer: the evaluated bones are where the walk says, and nothing is left behind."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender.character import controls
from neurarig_addon.blender.character.controls import snapshot
from neurarig_addon.core.posing.posing import Travel, solve
from tests import rigs
from tests.blender.controlling import (
    SHOWN,
    TABLES,
    Walker,
    degrees,
    mess_up_pose,
    millimetres,
    rest,
    settled,
    state,
    wanted,
)
from tests.refusals import refuses

FEET_MM = 0.02
LEG_MM, LEG_DEG = 0.3, 0.1
TURN_DEG = 0.1


@pytest.fixture(params=TABLES)
def character(request: pytest.FixtureRequest) -> bpy.types.Object:
    return settled(TABLES[request.param]())


def assert_legs_and_trunk(walker: Walker, travel: bool = False) -> None:
    for row in SHOWN:
        matrices = walker.show(row)
        for role in walker.pose.motions:
            if not walker.roles.has(role):
                continue
            distance, angle = walker.errors(
                role, matrices, row, travel=walker.pose.root.position[row, 0] if travel else 0.0
            )
            part = role.split(".")[0]
            if part in ("foot", "toe", "pelvis"):
                assert distance < FEET_MM and angle < TURN_DEG, (role, row, distance, angle)
            elif part in ("thigh", "shin"):
                assert distance < LEG_MM and angle < LEG_DEG, (role, row, distance, angle)
            else:
                assert angle < TURN_DEG, (role, row, angle)


def test_layer_puts_every_bone_where_the_walk_says(character: bpy.types.Object) -> None:
    assert_legs_and_trunk(Walker(character))


def test_layer_does_not_care_how_the_bones_were_posed() -> None:
    obj = settled(rigs.build(rigs.biped()))
    mess_up_pose(obj)
    assert_legs_and_trunk(Walker(obj))


def test_character_stays_where_its_root_bone_has_been_put() -> None:
    table = [
        rigs.Bone("root", None, (0, 0, 0), (0, 0.3, 0)),
        *(b if b.parent else rigs.replace(b, parent="root") for b in rigs.biped()),
    ]
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
def test_bones_alone_give_the_same_pose_without_constraints(table: str) -> None:
    walker = Walker(settled(TABLES[table]()))
    alone = solve(
        controls.deform_table(walker.obj, walker.attachment, walker.body), walker.pose, Travel.NOTHING
    )
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
            assert millimetres(walker.body, bare[name][:3, 3] - constrained[name][:3, 3]) < LEG_MM, (
                role,
                row,
            )
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


def test_two_characters_share_shapes_and_the_last_takes_them_away() -> None:
    one, two = (Walker(settled(rigs.build(rigs.biped(), name=name))) for name in ("One", "Two"))
    shapes = [obj.name for obj in bpy.data.objects if "neurarig_shape" in obj]
    controls.detach(one.obj, one.attachment)
    assert shapes and all(name in bpy.data.objects for name in shapes)
    controls.detach(two.obj, two.attachment)
    assert not any("neurarig_shape" in obj for obj in bpy.data.objects)


def test_users_own_nr_bones_are_not_ours() -> None:
    table = [
        *rigs.biped(),
        rigs.Bone("NR-root", None, (1, 0, 0), (1, 0, 0.2)),
        rigs.Bone("NR-foot.L", None, (2, 0, 0), (2, 0, 0.2)),
    ]
    obj = settled(rigs.build(table))
    before = state(obj)
    walker = Walker(obj)
    assert_legs_and_trunk(walker)
    controls.detach(obj, walker.attachment)
    assert state(obj)["bones"] == before["bones"]


def test_renamed_and_deleted_bones_are_named() -> None:
    obj = settled(rigs.build(rigs.biped()))
    walker = Walker(obj)
    obj.data.bones["NR-foot.L"].name = "my foot"
    obj.data.bones["Head"].name = "Skull"
    with refuses(r"NR-foot\.L|Head"):
        controls.rig_table(obj, walker.attachment, walker.body)
    assert "Head" in controls.detach(obj, walker.attachment)[0]
    assert not any(bone.name.startswith("NR-") or bone.name == "my foot" for bone in obj.data.bones)


def test_failure_half_way_leaves_the_rig_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    obj = settled(rigs.build(rigs.biped()))
    before = state(obj)

    def fail(*_args: object) -> None:
        raise RuntimeError("half-way")

    monkeypatch.setattr(controls.layer, "_constrain_legs", fail)
    with pytest.raises(RuntimeError, match="half-way"):
        Walker(obj)
    assert state(obj) == before


def test_shared_data_gets_no_bones_and_edit_mode_is_refused() -> None:
    obj = settled(rigs.build(rigs.biped()))
    twin = bpy.data.objects.new("Twin", obj.data)
    bpy.context.scene.collection.objects.link(twin)
    bones = set(obj.data.bones.keys())
    Walker(obj)
    assert set(obj.data.bones.keys()) == bones
    bpy.data.objects.remove(twin)
    bpy.ops.object.mode_set(mode="EDIT")
    with refuses("Edit Mode"):
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
def test_a_damaged_attachment_is_refused(damage) -> None:
    walker = Walker(settled(rigs.build(rigs.biped())))
    damage(walker.attachment)
    with refuses("stored in this file"):
        controls.detach(walker.obj, walker.attachment)


def test_switches_of_which_one_cannot_be_set_are_all_as_before(
    character: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    bone = character.pose.bones[0]
    bone["follow"], bone["stretch"] = 0.0, 0.5
    put = snapshot.put_switch

    def fail_at_stretch(obj: bpy.types.Object, holder: str, constraint: str, key: str, value: float) -> None:
        if key == "stretch" and value == 1.0:
            raise RuntimeError
        put(obj, holder, constraint, key, value)

    monkeypatch.setattr(snapshot, "put_switch", fail_at_stretch)
    with pytest.raises(RuntimeError):
        snapshot.set_switches(character, [(bone.name, "", "follow", 1.0), (bone.name, "", "stretch", 1.0)])
    assert (bone["follow"], bone["stretch"]) == (0.0, 0.5)
