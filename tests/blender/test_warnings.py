"""Success is what was measured: whoever makes, bakes or checks a motion that does not keep its feet planted
is told, with what to do."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import report_text
from tests.blender.drawing import drawn, texts
from tests.blender.walking import seen, walker
from tests.rigs import make_active, rigify_human


def _hobble(obj: bpy.types.Object) -> None:
    """Have something else hold a leg."""
    for bone in obj.pose.bones:
        for constraint in bone.constraints if bone.name in ("LeftUpLeg", "LeftLeg", "LeftFoot") else ():
            constraint.mute = True


def test_a_walk_that_slips_warns_with_the_cure(capfd):
    obj = walker()
    make_active(obj)
    bpy.ops.neurarig.check_contacts()
    assert "Warning" not in capfd.readouterr().out
    _hobble(obj)
    bpy.ops.neurarig.check_contacts()
    told = capfd.readouterr().out
    assert (
        "Warning: 'Hero' does not keep its feet planted (foot slip" in told
        and "Something else moves the legs" in told
    )


@pytest.mark.parametrize(
    ("figure", "value", "fault"),
    [
        ("toe_clearance_mm", 9.96, "'Hero' hardly lifts its toes (toe clearance 9.96 mm, limit 10.00 mm)"),
        (
            "off_source_percent",
            7.3,
            "'Hero' is far from its clip (off the clip 7.3 % of leg, limit 7.0 % of leg)",
        ),
        ("reach", 1.2, "'Hero' stretches its legs beyond their length (leg stretch 120.00 %, limit 99.90 %)"),
    ],
)
def test_a_warning_names_what_is_wrong_and_tells_it_from_its_limit(figure: str, value: float, fault: str):
    limits = {"toe_clearance_mm": 10.0, "off_source_percent": 7.0, "reach": 0.999}
    said = report_text.warning("Hero", {figure: value, "limits": limits, "past_limits": [figure]})
    assert said.startswith(fault) and "feet planted (" not in said


def test_a_red_check_is_said_beside_the_button():
    obj = walker()
    make_active(obj)
    assert "planted" not in texts(drawn("NEURARIG_PT_walk"))
    _hobble(obj)
    bpy.ops.neurarig.check_contacts()
    assert "'Hero' does not keep its feet planted" in texts(drawn("NEURARIG_PT_walk"))
    obj.neurarig.walk.energy = 0.3
    assert "planted" not in texts(drawn("NEURARIG_PT_walk")), "that was another walk"


def test_a_checked_bake_that_slips_warns(capfd):
    obj = walker()
    make_active(obj)
    _hobble(obj)
    bpy.ops.neurarig.bake_walk(frame_start=1, frame_end=40, check=True, target="LAYER")
    assert "does not keep its feet planted" in capfd.readouterr().out


def test_drivers_of_rigifys_switches_make_way_and_come_back():
    obj = rigify_human()
    obj.pose.bones["torso"]["legs_fk"] = 1.0
    for end in "LR":
        driver = obj.driver_add(f'pose.bones["thigh_parent.{end}"]["IK_FK"]').driver
        variable = driver.variables.new()
        variable.name, variable.targets[0].id = "v", obj
        variable.targets[0].data_path = 'pose.bones["torso"]["legs_fk"]'
        driver.expression = "v"
    bpy.context.view_layer.update()
    report = api.generate_walk(obj, use_network=False)
    assert not report["past_limits"]
    assert np.abs(seen(obj, 5, ["DEF-foot.L"]) - seen(obj, 15, ["DEF-foot.L"])).max() > 0.1
    api.remove_walk(obj)
    assert not any(driver.mute for driver in obj.animation_data.drivers if "IK_FK" in driver.data_path)
    bpy.context.view_layer.update()
    assert obj.pose.bones["thigh_parent.L"]["IK_FK"] == 1.0
