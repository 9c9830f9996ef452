"""Feet on pivots that roll by a property: their toes are turned by a pivot that an animator sees, or the foot
walks in one piece."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.controls.attachment import CONTROLS, CONTROLS_FK
from neurarig_addon.blender.retarget.api import retarget
from neurarig_addon.blender.rig.control_text import posed_by
from tests.blender.controlling import evaluated, settled, state
from tests.blender.retargeting import actor, report_of
from tests.rolling_feet import SIDES, TOE_PIVOT, rolling_rig

KINDS = {"AUTO": CONTROLS, "FK": CONTROLS_FK}
STIFF = "No control was found that bends the toes"


def bent_toes_deg(obj: bpy.types.Object) -> float:
    """Return by how much the toes bend at most against their foot in a walk."""
    found, at_rest = [], None
    for frame in (None, *range(1, 40, 2)):
        if frame is not None:
            bpy.context.scene.frame_set(frame)
        seen = (
            evaluated(obj)
            if frame is not None
            else {bone.name: np.array(bone.matrix_local) for bone in obj.data.bones}
        )
        between = np.array([seen[f"{side}Foot"][:3, :3].T @ seen[f"{side}ToeBase"][:3, :3] for side in SIDES])
        at_rest = between if at_rest is None else at_rest
        found.append(np.degrees(np.linalg.norm(between - at_rest, axis=(1, 2)) / np.sqrt(2.0)).max())
    return max(found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hidden", [False, True])
def test_it_walks_by_its_own_controls_with_planted_feet_and_is_given_back(hidden: bool, kind: str) -> None:
    obj = settled(rolling_rig(hidden))
    before = state(obj)
    report = api.generate_walk(obj, controls=kind)
    assert record.attachment(obj)["kind"] == KINDS[kind], record.attachment(obj)["why"]
    # a thousandth of the leg
    assert all(side["max"] < report["leg_length_m"] for side in report["slip_mm"].values())
    assert report["penetration_mm"] < report["leg_length_m"]
    assert (STIFF in posed_by(obj)) == hidden
    bent = bent_toes_deg(obj)
    assert bent < 0.1 if hidden else bent > 10.0
    assert api.remove_walk(obj) == []
    obj.update_tag()
    bpy.context.view_layer.update()
    assert state(obj) == before


def test_the_toe_pivot_is_found_only_where_it_is_seen() -> None:
    assert api.find_controls(rolling_rig(False)).get("toe_ik.L") == TOE_PIVOT.format("Left")
    assert api.find_controls(rolling_rig(True)).get("toe_ik.L") == ""


def test_a_hidden_pivot_that_is_named_by_hand_bends_the_toes() -> None:
    obj = rolling_rig(True)
    api.find_controls(obj)
    for side in SIDES:
        obj.neurarig.control_bones[f"toe_ik.{side[0]}"].bone = TOE_PIVOT.format(side)
    api.generate_walk(obj)
    assert record.attachment(obj)["kind"] == CONTROLS
    assert STIFF not in posed_by(obj)
    assert bent_toes_deg(obj) > 10.0


def test_a_line_that_was_cleared_by_hand_stays_clear() -> None:
    obj = rolling_rig(False)
    api.find_controls(obj)
    obj.neurarig.control_bones["toe_ik.L"].bone = ""
    assert api.find_controls(obj).get("toe_ik.L") == "" and api.find_controls(obj).get(
        "toe_ik.R"
    ) == TOE_PIVOT.format("Right")


def test_toes_that_only_one_foot_can_bend_bend_there() -> None:
    obj = rolling_rig(True)
    api.find_controls(obj)
    obj.neurarig.control_bones["toe_ik.L"].bone = TOE_PIVOT.format("Left")
    report = api.generate_walk(obj)
    assert record.attachment(obj)["kind"] == CONTROLS
    assert STIFF in posed_by(obj)
    assert all(side["max"] < report["leg_length_m"] for side in report["slip_mm"].values())


@pytest.mark.parametrize("controls", ["IK", "FK"])
def test_a_clip_stands_on_feet_that_cannot_bend_their_toes(controls: str) -> None:
    source, action = actor()
    obj = rolling_rig(True)
    retarget(obj, source=source, action=action, controls=controls)
    assert record.attachment(obj)["kind"] == KINDS["AUTO" if controls == "IK" else "FK"], record.attachment(
        obj
    )["why"]
    report = report_of(obj)
    assert max(side["max"] for side in report["slip_mm"].values()) < 1.0, report["slip_mm"]
    assert report["open_joints"] == [] and report["left_behind"] == []
