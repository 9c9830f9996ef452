"""The command line, run in this process: what it writes, what it prints, and how it refuses."""

import json
from pathlib import Path

import bpy
import pytest

from tests.blender.command_line import has_exporter, run
from tests.rigs import biped, build, quadruped


def test_walk_bakes_reports_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    obj = build(biped(), "Hero")
    report, output = tmp_path / "report.json", tmp_path / "out.blend"
    assert run(
        "walk", "--armature", "Hero", "--speed", 1.3, "--mode", "travel", "--frames", 1, 48, "--bake",
        "--set", "energy=0.25",
        "--report", report, "--output", output,
    ) == 0  # fmt: skip
    figures = json.loads(report.read_text())
    assert figures["ground_speed_m_s"] == pytest.approx(1.3, abs=0.02) and figures["frames"] == [1.0, 48.0]
    assert obj.animation_data.action and obj.neurarig.walk.energy == 0.25
    assert "'Hero' walks" in capsys.readouterr().out
    with bpy.data.libraries.load(str(output)) as (stored, _):
        assert "Hero" in stored.objects and obj.animation_data.action.name in stored.actions


def test_the_only_armature_needs_no_name(tmp_path: Path) -> None:
    build(biped())
    assert run("walk", "--frames", 1, 24, "--report", tmp_path / "r.json") == 0
    assert json.loads((tmp_path / "r.json").read_text())["frames"] == [1.0, 24.0]


def test_detect_prints_the_role_map(capsys: pytest.CaptureFixture) -> None:
    build(biped())
    assert run("detect") == 0
    assert json.loads(capsys.readouterr().out)["thigh.R"] == "RightUpLeg"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("--tolerance 0.01", "--tolerance does nothing without --bake"),
        ("--arrive 5", "--arrive does nothing without --path"),
        ("--lead left", "--lead does nothing without --gait gallop"),
        ("--style Sad --profile Plain", "Leave --style or --profile out"),
        ("--bake --frames 1 10 --step 500", "A step of 500 is longer than frames 1 to 10"),
        ("--bake --keys editable --tolerance -1", "is not at least"),
    ],
)
def test_what_would_do_nothing_is_refused_before_anything_changes(
    given: str, sentence: str, capsys: pytest.CaptureFixture
) -> None:
    obj = build(biped(), "Hero")
    assert run("walk", "--armature", "Hero", *given.split()) != 0
    assert sentence in capsys.readouterr().err and not obj.neurarig.attachment


@pytest.mark.few(30)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["walk", "--armature", "Nobody"], "no armature named 'Nobody'"),
        (["walk"], "--armature"),
        (["walk", "--armature", "Horse"], "legs"),
        (["walk", "--armature", "Hero", "--preset", "Nonsense"], "no preset named 'Nonsense'"),
        (["walk", "--armature", "Hero", "--set", "wings=2"], "'wings' is not a slider"),
        (["walk", "--armature", "Hero", "--set", "energy=high"], "needs a number"),
        (["walk", "--armature", "Hero", "--output", "walk.mp4"], "must end in one of"),
        (["walk", "--armature", "Hero", "--report", "no/such/folder/r.json"], "no folder"),
        (["walk", "--armature", "Hero", "--bake", "--frames", "20", "10"], "frame"),
        (["dance"], "dance"),
    ],
)
def test_a_refusal_is_one_sentence_and_a_status(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture
) -> None:
    build(biped(), "Hero")
    build(quadruped(), "Horse")
    assert run(*arguments) != 0
    said = capsys.readouterr().err.strip()
    assert sentence in said and len(said.splitlines()) == 1 and said.startswith("neurarig: ")


@pytest.mark.parametrize("arguments", [["--help"], ["walk", "--help"], ["detect", "--help"]])
def test_help_explains(arguments: list[str], capsys: pytest.CaptureFixture) -> None:
    assert run(*arguments) == 0
    assert "--command neurarig" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ending", "begins", "exporter"),
    [
        (".glb", b"glTF", lambda: has_exporter(bpy.ops.export_scene, "gltf")),
        (".fbx", b"Kaydara FBX Binary", lambda: has_exporter(bpy.ops.export_scene, "fbx")),
        (".bvh", b"HIERARCHY", lambda: has_exporter(bpy.ops.export_anim, "bvh")),
    ],
)
def test_blenders_own_exporters(ending: str, begins: bytes, exporter, tmp_path: Path) -> None:
    if not exporter():
        pytest.skip(f"this Blender has no exporter for {ending}")
    obj = build(biped())
    path = tmp_path / f"walk{ending}"
    assert (
        run("walk", "--mode", "travel", "--frames", 1, 24, "--bake", "--target", "deform", "--output", path)
        == 0
    )
    assert path.read_bytes().startswith(begins)
    # A BVH has no object: what travels must be a bone, or the walk would tread the spot.
    assert obj.neurarig.walk.travel_with == ("BONE" if ending == ".bvh" else "OBJECT")


BVH = """HIERARCHY
ROOT Hips
{
OFFSET 0 0 0
CHANNELS 3 Xposition Yposition Zposition
End Site
{
OFFSET 0 10 0
}
}
MOTION
Frames: 2
Frame Time: 0.04
0 0 0
0 1 0
"""


@pytest.mark.few(30)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["walk", "--preset", ""], "--preset: the name is empty"),
        (["walk", "--profile", " "], "--profile: the name is empty"),
        (["walk", "--armature", ""], "--armature: the name is empty"),
        (["walk", "--speed", "nan"], "'nan' is not a number"),
        (["walk", "--set", "lean=inf"], "needs a number"),
        (["walk", "--frames", "9", "1"], "The end frame 1 is before the start frame 9"),
        (["walk", "--frames", "1", "2000000000"], "past Blender's last"),
        (["walk", "--frames", "1", "9" * 40], "past Blender's last"),
        (["walk", "--frames", "1", "2.5"], "'2.5' is not a whole number"),
        (["walk", "--report", ""], "the name is empty"),
        (["walk", "--report", "/"], "folder"),
        (["walk", "--report", "x" * 5_000], "folder"),
        (["walk", "--report", "x" * 5_000 + "/r.json"], "folder"),
        (["walk", "--report", "a\0b/r.json"], "folder"),
        (["walk", "--profile", "x" * 5_000], "no profile file"),
        (["walk", "--profile", "a\0b"], "no profile file"),
        (["pose", "--output", "p.npz", "--frames", "9", "1"], "The end frame 1 is before the start frame 9"),
        (["pose", "--output", "p.npz", "--frames", "1", "1048575"], "past Blender's last"),
        (["solve", "--points", "c.bvh", "--noise", "nan"], "'nan' is not a number"),
        (["solve", "--points", "c.bvh", "--noise", "-1"], "not the error of a point"),
        (["solve", "--points", ""], "the name is empty"),
        (["retarget", "--file", "c.bvh", "--action", "x"], "--source"),
        (["retarget", "--folder", ".", "--all-actions"], "--source"),
        (["retarget", "--file", "c.bvh", "--start", "1" + "0" * 300], "past Blender's last"),
        (["retarget", "--file", "c.bvh", "--stride", "inf"], "'inf' is not a number"),
        (["encode", "--output", "e.npz", "--action", ""], "the name is empty"),
    ],
)
def test_what_was_passed_over_or_raised_is_one_sentence(
    arguments, sentence, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.bvh").write_text(BVH)
    build(biped(), "Hero")
    assert run(*arguments) in (1, 2)
    said = capsys.readouterr().err.strip()
    assert (
        sentence in said
        and len(said.splitlines()) == 1
        and said.startswith("neurarig: ")
        and len(said) <= 1_000
    )
    assert [path.name for path in tmp_path.iterdir()] == ["c.bvh"]


EXPORTERS = {
    ".glb": (bpy.ops.export_scene, "gltf"),
    ".fbx": (bpy.ops.export_scene, "fbx"),
    ".bvh": (bpy.ops.export_anim, "bvh"),
}


@pytest.mark.few(30)
@pytest.mark.parametrize("ending", [".blend", *EXPORTERS])
@pytest.mark.parametrize("place", ["folder", "wall", "long"])
def test_a_file_that_cannot_be_written_is_one_sentence(ending, place, tmp_path, capfd) -> None:
    """And not the exporter's own traceback."""
    if ending != ".blend" and not has_exporter(*EXPORTERS[ending]):
        pytest.skip(f"this Blender cannot write {ending}")
    build(biped(), "Hero")
    (tmp_path / f"folder{ending}").mkdir()
    (tmp_path / "wall").mkdir()
    path = {
        "folder": tmp_path / f"folder{ending}",
        "wall": Path("/proc") / f"walk{ending}",
        "long": tmp_path / ("x" * 300 + ending),
    }[place]
    if place == "wall" and not Path("/proc").is_dir():
        pytest.skip("there is no folder here in which nobody can write")
    assert run("walk", "--frames", 1, 3, "--bake", "--output", path) in (1, 2)
    said = [line for line in capfd.readouterr().err.strip().splitlines() if line.startswith("neurarig: ")]
    assert len(said) == 1 and "Traceback" not in said[0]
    assert sorted(found.name for found in tmp_path.iterdir()) == [f"folder{ending}", "wall"]


def test_an_output_is_written_through_a_link(tmp_path) -> None:
    build(biped(), "Hero")
    (tmp_path / "store").mkdir()
    (tmp_path / "walk.blend").symlink_to(tmp_path / "store" / "other.blend")
    (tmp_path / "walk.blend.part").write_text("precious")
    assert run("walk", "--frames", 1, 3, "--output", tmp_path / "walk.blend") == 0
    assert (tmp_path / "walk.blend").is_symlink() and (
        tmp_path / "store" / "other.blend"
    ).stat().st_size > 10_000
    assert (tmp_path / "walk.blend.part").read_text() == "precious"
