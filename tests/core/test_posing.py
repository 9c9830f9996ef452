"""Channels, put through Blender's rule of inheritance again, must give the walk that they were made from."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.motion import Motion, RolePose
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.posing.channels import (
    LOCATION,
    Channels,
    from_mode,
    in_mode,
    rotation_path,
)
from neurarig_addon.core.posing.posing import Travel, solve
from neurarig_addon.core.posing.rig_table import Drive, RigTable, TableBone

MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")
FRAMES = 7


def random_turns(rng: np.random.Generator, count: int, most: float = 3.0) -> np.ndarray:
    axis = rotation.normalized(rng.normal(size=(count, 3)))
    return rotation.from_axis_angle(axis, rng.uniform(-most, most, count))


def random_matrix(rng: np.random.Generator, most: float = 3.0) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3] = random_turns(rng, 1, most)[0]
    matrix[:3, 3] = rng.normal(size=3)
    return matrix


def random_motion(rng: np.random.Generator) -> Motion:
    return Motion(random_turns(rng, FRAMES), rng.normal(size=(FRAMES, 3)), rng.normal(size=3))


def straight_on(travel: np.ndarray) -> Motion:
    """Return the motion of a root that has gone `travel` `(f,)` metres ahead."""
    return replace(Motion.still(len(travel)), position=np.outer(travel, [1.0, 0.0, 0.0]))


def walk_pose(motions: dict[str, Motion], travel: float = 0.0) -> WalkPose:
    frames = np.arange(FRAMES, dtype=float)
    still = np.zeros((FRAMES, 2))
    return WalkPose(
        frames,
        motions,
        straight_on(travel * frames),
        False,
        still,
        still,
        frames,
        frames,
        still,
        frames,
        np.zeros((FRAMES, 2, 2)),
    )


def posed_by_blender(rig: RigTable, channels: Channels, row: int) -> list[np.ndarray]:
    """Return the posed matrices that Blender's rule makes of a table whose driven bones have `channels`."""
    posed: list[np.ndarray] = []
    for bone in rig.bones:
        basis = bone.basis.copy()
        if bone.name in channels.bones():
            turns, places = (
                channels.of(bone.name, rotation_path(bone.rotation_mode)),
                channels.of(bone.name, LOCATION),
            )
            scale = np.linalg.norm(basis[:3, :3], axis=0)
            basis[:3, :3] = np.eye(3) if turns is None else from_mode(turns[row], bone.rotation_mode)
            basis[:3, :3] *= scale
            basis[:3, 3] = 0.0 if places is None else places[row]
        parent = np.eye(4) if bone.parent < 0 else posed[bone.parent]
        parent_rest = np.eye(4) if bone.parent < 0 else rig.bones[bone.parent].rest
        offset = np.linalg.inv(parent_rest) @ bone.rest
        holder = parent.copy()
        if not bone.inherit_scale:
            holder[:3, :3] /= np.linalg.norm(holder[:3, :3], axis=0)
        turned = (holder @ offset)[:3, :3] if bone.inherit_rotation else bone.rest[:3, :3]
        slide = (parent @ offset)[:3, :3] if bone.local_location else parent[:3, :3]
        matrix = np.eye(4)
        matrix[:3, :3] = turned @ basis[:3, :3]
        matrix[:3, 3] = (parent @ offset)[:3, 3] + slide @ basis[:3, 3]
        posed.append(matrix)
    return posed


def wanted(rig: RigTable, drive: Drive, motion: Motion, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the axes and the head that a role's motion gives to a bone, by the definition of Motion."""
    rest = rig.bones[drive.bone].rest
    to_walk = np.linalg.inv(rig.walk_to_armature)
    move = np.eye(4)
    move[:3, :3] = motion.rotation[row]
    move[:3, 3] = motion.position[row] - motion.rotation[row] @ motion.rest
    posed = rig.walk_to_armature @ move @ to_walk @ rest
    return posed[:3, :3], posed[:3, 3]


def random_rig(rng: np.random.Generator, scaled: bool) -> RigTable:
    """A tree of twelve bones of which every second is driven, with all the flags that Blender has."""
    bones, drives = [], []
    for row in range(12):
        basis = random_matrix(rng, most=0.5)
        if scaled:
            basis[:3, :3] *= rng.uniform(0.5, 2.0)
        bones.append(
            TableBone(
                name=f"b{row}",
                parent=int(rng.integers(-1, row)) if row else -1,
                rest=random_matrix(rng),
                basis=basis,
                rotation_mode=MODES[row % len(MODES)],
                inherit_rotation=bool(rng.random() < 0.7),
                inherit_scale=bool(rng.random() < 0.7),
                local_location=bool(rng.random() < 0.7),
            )
        )
        if row % 2:
            drives.append(Drive(row, f"role {row}", use_location=bool(rng.random() < 0.5), use_rotation=True))
    walk_to_armature = random_matrix(rng)
    walk_to_armature[:3, :3] *= 100.0
    return RigTable(tuple(bones), tuple(drives), walk_to_armature)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scaled", [False, True])
def test_bones_are_where_the_walk_wants_them(seed: int, scaled: bool) -> None:
    rng = np.random.default_rng(seed)
    rig = random_rig(rng, scaled)
    pose = walk_pose({drive.role: random_motion(rng) for drive in rig.drives})
    channels = solve(rig, pose, Travel.NOTHING)
    for row in (0, FRAMES - 1):
        posed = posed_by_blender(rig, channels, row)
        for drive in rig.drives:
            axes, head = wanted(rig, drive, pose.motions[drive.role], row)
            found = posed[drive.bone]
            assert_allclose(rotation.normalized(found[:3, :3].T), rotation.normalized(axes.T), atol=1e-9)
            if drive.use_location:
                assert_allclose(found[:3, 3], head, atol=1e-7)


def test_a_row_does_not_depend_on_the_others() -> None:
    rng = np.random.default_rng(5)
    rig = random_rig(rng, scaled=False)
    pose = walk_pose({drive.role: random_motion(rng) for drive in rig.drives})
    one = WalkPose(
        **{**vars(pose), "frames": pose.frames[3:4], "root": straight_on(pose.root.position[3:4, 0])}
        | {
            "motions": {
                role: Motion(m.rotation[3:4], m.position[3:4], m.rest) for role, m in pose.motions.items()
            }
        }
    )
    every, single = solve(rig, pose, Travel.NOTHING), solve(rig, one, Travel.NOTHING)
    assert single.properties == every.properties
    assert_allclose(single.values[0], every.values[3], atol=1e-12)


def test_a_missing_role_leaves_its_bone_in_the_users_pose() -> None:
    rng = np.random.default_rng(8)
    rig = random_rig(rng, scaled=False)
    pose = walk_pose({drive.role: random_motion(rng) for drive in rig.drives[1:]})
    channels = solve(rig, pose, Travel.NOTHING)
    assert rig.bones[rig.drives[0].bone].name not in channels.bones()
    posed = posed_by_blender(rig, channels, 2)
    for drive in rig.drives[1:]:
        axes, _ = wanted(rig, drive, pose.motions[drive.role], 2)
        assert_allclose(
            rotation.normalized(posed[drive.bone][:3, :3].T), rotation.normalized(axes.T), atol=1e-9
        )


@pytest.mark.parametrize("placed", [False, True])
def test_travel_by_the_root_bone_carries_the_walk_rigidly(placed: bool) -> None:
    rng = np.random.default_rng(3)
    root = TableBone("root", -1, random_matrix(rng), np.eye(4))
    foot = TableBone("foot", 0, random_matrix(rng), np.eye(4))
    walk_to_armature = random_matrix(rng)
    placement = random_matrix(rng) if placed else np.eye(4)
    rig = RigTable(
        (root, foot),
        (Drive(0, "root", True, True), Drive(1, "foot.L", True, True)),
        walk_to_armature,
        placement,
    )
    pose = walk_pose({"foot.L": random_motion(rng)}, travel=0.3)
    in_place = posed_by_blender(
        RigTable(rig.bones[:], rig.drives, walk_to_armature), solve(rig, pose, Travel.NOTHING), 4
    )
    travelling = posed_by_blender(rig, solve(rig, pose, Travel.ROOT_BONE), 4)
    expected = placement @ in_place[1]
    expected[:3, 3] += rig.travel_direction() * pose.root.position[4, 0]
    assert_allclose(travelling[1], expected, atol=1e-9)


def test_travel_without_a_root_bone_moves_what_hangs_on_nothing() -> None:
    rng = np.random.default_rng(4)
    rig = RigTable(
        (TableBone("hips", -1, random_matrix(rng), np.eye(4)),), (Drive(0, "pelvis", True, True),), np.eye(4)
    )
    pose = walk_pose({"pelvis": random_motion(rng)}, travel=0.5)
    here, there = (
        posed_by_blender(rig, solve(rig, pose, travel), 6)[0] for travel in (Travel.NOTHING, Travel.ROOT_BONE)
    )
    assert_allclose(there[:3, 3] - here[:3, 3], [3.0, 0.0, 0.0], atol=1e-12)


def ground_motion(rng: np.random.Generator) -> Motion:
    place = rng.normal(size=(FRAMES, 3)) * [1.0, 1.0, 0.0]
    return Motion(rotation.about_z(rng.uniform(-3.0, 3.0, FRAMES)), place, np.zeros(3))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("root", ["turning", "sliding", "none"])
def test_the_ground_carries_every_bone(seed: int, root: str) -> None:
    rng = np.random.default_rng(seed)
    rig = random_rig(rng, scaled=True)
    above = [] if root == "none" else [Drive(0, "root", use_location=True, use_rotation=root == "turning")]
    rig = RigTable(
        (replace(rig.bones[0], basis=np.eye(4)), *rig.bones[1:]), (*above, *rig.drives), rig.walk_to_armature
    )
    ground = ground_motion(rng)
    motions = {drive.role: random_motion(rng) for drive in rig.drives if drive.role != "root"}
    channels = solve(rig, RolePose(np.arange(FRAMES), motions, ground), Travel.ROOT_BONE)
    posed = posed_by_blender(rig, channels, 3)
    for drive in rig.drives:
        motion = ground if drive.role == "root" else ground.holding(motions[drive.role])
        axes, head = wanted(rig, drive, motion, 3)
        assert_allclose(
            rotation.normalized(posed[drive.bone][:3, :3].T), rotation.normalized(axes.T), atol=1e-9
        )
        if drive.use_location:
            assert_allclose(posed[drive.bone][:3, 3], head, atol=1e-7)


def test_the_ground_is_left_alone_by_a_character_that_stays_in_place() -> None:
    rng = np.random.default_rng(9)
    rig = random_rig(rng, scaled=False)
    motions = {drive.role: random_motion(rng) for drive in rig.drives}
    still = solve(rig, RolePose.standing(np.arange(FRAMES), motions), Travel.NOTHING)
    moving = solve(rig, RolePose(np.arange(FRAMES), motions, ground_motion(rng)), Travel.NOTHING)
    assert still.properties == moving.properties
    assert_array_equal(moving.values, still.values)


def test_a_knee_pole_is_put_on_the_pole() -> None:
    rng = np.random.default_rng(6)
    rig = RigTable(
        (TableBone("pole", -1, random_matrix(rng), np.eye(4)),),
        (Drive(0, "knee.L", True, False),),
        random_matrix(rng),
    )
    pose = walk_pose({"knee.L": random_motion(rng)})
    channels = solve(rig, pose, Travel.NOTHING)
    assert [prop.name for prop in channels.properties] == [LOCATION]
    expected = rig.walk_to_armature @ np.append(pose.motions["knee.L"].position[1], 1.0)
    assert_allclose(posed_by_blender(rig, channels, 1)[0][:3, 3], expected[:3], atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_rotation_modes_hold_any_rotation(mode: str) -> None:
    turns = np.concatenate(
        [
            random_turns(np.random.default_rng(1), 500),
            np.eye(3)[None],
            rotation.about_y(np.array([np.pi / 2])),
        ]
    )
    assert_allclose(from_mode(in_mode(turns, mode), mode), turns, atol=2e-6)
