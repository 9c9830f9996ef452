"""Neural Pose on rigs made by others: targets keep the pose, locks are met, and the rig is given back."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.controls.attachment import CONTROLS
from neurarig_addon.blender.neural_pose import api
from neurarig_addon.blender.neural_pose import rig as posed_rig
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.neural.reach.lock_plan import lockable
from tests.blender.controlling import assert_given_back, settled, state
from tests.blender.posing import missed_mm, put, shown_points, target_of
from tests.blender.walking import seen_now
from tests.core.skeletons import Point
from tests.rigs import biped_with_aimed_knees, make_active, rigify_human
from tests.shared_rigs import STANDING, load

KEPT = 0.055  # of the leg's length
# Forward, to the left and up, in lengths of the shorter of leg and arm.
DRAGGED: dict[str, Point] = {
    "wrist.L": (0.25, -0.05, 0.1),
    "wrist.R": (0.1, 0.1, 0.1),
    "ankle.L": (0.15, 0.0, 0.1),
}


@pytest.mark.parametrize(
    "file",
    [row["file"] for row in STANDING] or [pytest.param("", marks=pytest.mark.skip(reason="no shared rigs"))],
)
def test_a_rig_follows_its_targets_and_is_given_back(file: str) -> None:
    obj = load(next(row for row in STANDING if row["file"] == file))
    make_active(obj)
    settled(obj)
    before, seen = state(obj), seen_now(obj)
    own = obj.neurarig.neural_pose
    points = shown_points(obj)
    leg, arm = (
        float(np.linalg.norm(points[INDEX[end]] - points[INDEX[start]]))
        for start, end in (("hip.L", "ankle.L"), ("shoulder.L", "wrist.L"))
    )
    names = api.pose_targets(obj)
    places = {name: target_of(obj, name).matrix_world.translation.copy() for name in names}
    # Bones that were moved away from their parents, and legs that are straighter than a lock leaves them,
    # change a little.
    assert missed_mm(obj, names) < 1e3 * KEPT * leg
    rig = posed_rig.read(obj, bpy.context.scene)
    roles = rig.character.roles  # a limb of one bone reaches nothing but the sphere around its root
    moves = {
        name: move
        for name, move in DRAGGED.items()
        if roles.has(f"{'shin' if name == 'ankle.L' else 'forearm'}{name[-2:]}")
    }
    for item in own.targets:
        item.lock = item.point in moves and lockable(rig.body, item.point)
    metres = bpy.context.scene.unit_settings.scale_length
    turn = rig.walk_to_world(obj, metres)[:3, :3]
    put(
        obj,
        {
            name: np.array(places[name]) + min(leg, arm) / metres * turn @ np.array(move)
            for name, move in moves.items()
        },
    )
    assert "may be missed" not in record.attachment(obj)["why"]
    assert not own.error and (not moves or missed_mm(obj) < 0.1 * max(1.0, leg))
    assert api.remove_targets(obj) == []
    assert_given_back(obj, before)
    assert np.abs(seen_now(obj) - seen).max() < 1e-4 * leg


def test_a_neck_that_one_control_turns_is_one_joint() -> None:
    """The bones of a Rigify neck have a role each, and one control: posed one by one they would come back
    differently."""
    obj = rigify_human()
    make_active(obj)
    before = seen_now(obj, ["DEF-spine.006"])
    names = api.pose_targets(obj, controls="IK")
    found = {role.bone for role in obj.neurarig.roles if role.role.startswith("neck") and role.bone}
    roles = posed_rig.read(obj, bpy.context.scene).character.roles
    assert len(found) > 1 and [role for role in roles.bones if role.startswith("neck")] == ["neck"]
    metres = bpy.context.scene.unit_settings.scale_length
    assert np.abs(seen_now(obj, ["DEF-spine.006"]) - before).max() * metres < 5e-3
    assert missed_mm(obj, [name for name in names if name == "head"]) < 5.0


def test_knees_that_are_aimed_before_they_are_solved_are_where_the_pose_has_them() -> None:
    """A control ahead of the knee left it 4 % of the leg off, so that the rig was posed without its own
    controls."""
    obj = settled(biped_with_aimed_knees())
    before = state(obj)
    api.pose_targets(obj, controls="IK")
    made = record.attachment(obj)
    assert made["kind"] == CONTROLS, made["why"]
    assert {"LeftKneeControl", "RightKneeControl"} < {bone for bone, *_ in made["drives"]}
    places = {
        name: np.array(target_of(obj, name).matrix_world.translation) for name in ("ankle.L", "ankle.R")
    }
    put(
        obj,
        {"ankle.L": places["ankle.L"] + [0.05, -0.3, 0.25], "ankle.R": places["ankle.R"] + [-0.1, 0.2, 0.15]},
    )
    assert not obj.neurarig.neural_pose.error and missed_mm(obj) < 0.1
    assert api.remove_targets(obj) == []
    assert_given_back(obj, before)
