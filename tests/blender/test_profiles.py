"""A profile as the gait source in Blender: chosen, opened, edited live, checked, saved, reset, drawn, and
carried by the file."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import api, cli
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.manner import profiles
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.ui import pictures as profile_curves
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses

SHIPPED = ("Plain Biped", "Cartoon Strut", "Stalking Wader")


def broken(path: Path, formula: str) -> Path:
    """Write the plain profile with another formula for the height of the standing foot."""
    whole = json.loads((FOLDER / "1_plain_biped.json").read_text(encoding="utf-8"))
    whole["Schema"]["Rules"][0]["Phases"][0]["z"] = formula
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def test_the_menu_lists_the_shipped_profiles() -> None:
    assert tuple(name for name, _ in profiles.shipped()) == SHIPPED
    assert all(text for _, text in profiles.shipped())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_character_walks_by_a_profile_with_planted_feet(name: str) -> None:
    obj = walker()
    before = played(obj, (5, 17))
    assert bpy.ops.neurarig.use_profile(profile=name) == {"FINISHED"}
    report = api.contact_report(obj)
    assert (
        not set(report["past_limits"]) - set(report_text.JOLTS)
        and max(side["max"] for side in report["slip_mm"].values()) < 0.01
    )
    assert np.abs(played(obj, (5, 17)) - before).max() > 0.01
    assert bpy.ops.neurarig.use_human_gait() == {"FINISHED"}
    assert np.abs(played(obj, (5, 17)) - before).max() < 1e-6


def test_free_feet_slip_and_the_report_says_so() -> None:
    obj = walker(profile="Plain Biped", keep_planted=False)
    assert "slip_mm" in api.contact_report(obj)["past_limits"]
    obj.neurarig.walk.keep_planted = True
    assert api.contact_report(obj)["past_limits"] == []


def test_constants_are_live_and_can_be_reset() -> None:
    obj = walker(profile="Stalking Wader")
    source = walk_source.source_of(obj, bpy.context.scene)
    duty = obj.neurarig.walk.profile_constants["duty"]
    shown = seen(obj, 9)
    duty.value = 0.6
    assert np.abs(seen(obj, 9) - shown).max() > 1e-3
    pose = walk_source.source_of(obj, bpy.context.scene).pose(np.array([9.0]))
    assert pose.duty[0, 0] == pytest.approx(0.6, abs=1e-6) and source.pose(np.array([9.0])).duty[
        0, 0
    ] == pytest.approx(0.76)
    duty.value = 7.0
    assert duty.value == pytest.approx(0.85), "held within the range that the profile gives"
    assert bpy.ops.neurarig.reset_constants() == {"FINISHED"}
    assert np.array_equal(seen(obj, 9), shown)


def test_a_constant_that_is_no_number_is_told_and_the_walk_goes_on_as_it_was() -> None:
    obj = walker(profile="Plain Biped")
    constant, before = obj.neurarig.walk.profile_constants["lift_share"], seen(obj, 9.0)
    was = constant.value
    constant.value = float("nan")
    assert obj.neurarig.walk.live and "'lift_share' needs a finite number" in obj.neurarig.walk.error
    assert np.abs(seen(obj, 9.0) - before).max() < 1e-6
    constant.value = was
    assert not obj.neurarig.walk.error


def test_a_profile_is_opened_saved_and_opened_again(tmp_path: Path) -> None:
    obj = walker()
    assert bpy.ops.neurarig.open_profile(filepath=str(FOLDER / "2_cartoon_strut.json")) == {"FINISHED"}
    obj.neurarig.walk.profile_constants["stride_scale"].value = 1.7
    path = tmp_path / "mine.json"
    assert bpy.ops.neurarig.save_profile(filepath=str(path)) == {"FINISHED"}
    assert Profile.load(path).constants["stride_scale"] == pytest.approx(1.7)
    assert bpy.ops.neurarig.open_profile(filepath=str(path)) == {"FINISHED"}
    assert obj.neurarig.walk.profile_constants["stride_scale"].value == pytest.approx(1.7)


def test_check_finds_nothing_in_a_good_profile_and_names_the_formula_of_a_bad_one(tmp_path: Path) -> None:
    obj = walker(profile="Plain Biped")
    assert bpy.ops.neurarig.check_profile() == {"FINISHED"}
    assert obj.neurarig.walk.profile_report == profiles.FINE
    api.use_profile(obj, broken(tmp_path / "odd.json", "velocity > 2.9 ? 1 / 0 : 0"))
    assert any("phase 'stance', formula 'z'" in sentence for sentence in api.check_profile(obj))
    assert "formula 'z'" in obj.neurarig.walk.profile_report


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("reach + ", "phase 'stance', formula 'z'.*column"),
        ("1 / 0", "Rule 'foot', phase 'stance', formula 'z'"),
        ("hieght", "'hieght' is not known"),
    ],
)
def test_a_profile_at_fault_is_refused_and_the_walk_goes_on(
    tmp_path: Path, formula: str, sentence: str
) -> None:
    obj = walker(profile="Cartoon Strut")
    shown = seen(obj, 9)
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.neurarig.open_profile(filepath=str(broken(tmp_path / "bad.json", formula)))
    assert (
        obj.neurarig.walk.profile_name == "Cartoon Strut"
        and obj.neurarig.walk.live
        and not obj.neurarig.walk.error
    )
    assert np.array_equal(seen(obj, 9), shown)


def test_a_missing_file_is_said_with_the_names_that_exist() -> None:
    obj = walker()
    with refuses("Plain Biped, Cartoon Strut, Stalking Wader"):
        api.use_profile(obj, "no such thing")
    with refuses("no constant 'strid'"):
        api.use_profile(obj, "Plain Biped", strid=1.0)


def test_a_profile_source_without_a_profile_says_what_to_do() -> None:
    obj = walker()
    obj.neurarig.walk.gait_source = "PROFILE"
    assert "No profile is chosen" in obj.neurarig.walk.error
    assert bpy.ops.neurarig.use_profile(profile="Plain Biped") == {"FINISHED"}
    assert bpy.ops.neurarig.resume_walk() == {"FINISHED"} and obj.neurarig.walk.live


def test_the_profile_travels_with_the_file(tmp_path: Path) -> None:
    obj = walker(profile="Stalking Wader")
    obj.neurarig.walk.profile_constants["crouch"].value = 0.15
    shown = played(obj, (3, 8, 20))
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert np.abs(played(bpy.data.objects["Hero"], (3, 8, 20)) - shown).max() < 1e-6


def test_curves_are_drawn_anew_when_something_changed(tmp_path: Path) -> None:
    obj = walker(profile="Plain Biped")
    first = profile_curves.curves_of(obj)
    assert first.error == "" and first.places.startswith("x ") and profile_curves.curves_of(obj) is first
    values, stands = profile_curves.curves(obj.neurarig.walk, 200)
    assert values.shape == (6, 200) and stands.mean() == pytest.approx(0.5, abs=0.01)
    assert np.ptp(values[2][stands]) == 0.0 and np.ptp(values[2]) > 0.05, (
        "the foot stays down in the shaded part"
    )
    pixels = np.array(profile_curves._icons[str(obj.session_uid)].image_pixels_float)
    obj.neurarig.walk.profile_constants["lift_share"].value = 0.2
    assert profile_curves.curves_of(obj) is not first
    assert (
        np.abs(np.array(profile_curves._icons[str(obj.session_uid)].image_pixels_float) - pixels).max() > 0.1
    )
    obj.neurarig.walk.profile_binding = "spine"
    assert "has no binding 'spine'" in profile_curves.curves_of(obj).error


def test_a_walk_that_cannot_be_made_leaves_the_constants_as_they_were() -> None:
    obj = walker(profile="Plain Biped")
    obj.neurarig.walk.profile_constants["lean"].value = 0.3
    with refuses():
        api.generate_walk(obj, profile="Stalking Wader", speed="fast")
    assert obj.neurarig.walk.profile_name == "Plain Biped" and obj.neurarig.walk.profile_constants[
        "lean"
    ].value == pytest.approx(0.3)


def test_pictures_go_with_the_addon() -> None:
    profile_curves.curves_of(walker(profile="Plain Biped"))
    neurarig_addon.unregister()
    assert profile_curves._icons is None and not profile_curves._curves_drawn
    neurarig_addon.register()


def test_the_command_line_walks_by_a_profile(tmp_path: Path) -> None:
    walker()
    report = tmp_path / "report.json"
    arguments = [
        "walk",
        "--armature",
        "Hero",
        "--profile",
        "Stalking Wader",
        "--report",
        str(report),
        "--frames",
        "1",
        "60",
    ]
    assert cli.main(arguments) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["duty_factor"]["L"] == pytest.approx(0.76, abs=1e-6)
    assert cli.main(["walk", "--armature", "Hero", "--profile", "none such"]) == cli.FAILED
