"""The command line, run in this process: what it writes, what it prints, and how it refuses."""

import json
from pathlib import Path

import bpy
import pytest

from tests.blender.command_line import has_exporter, run
from tests.rigs import biped, build, quadruped

pytestmark = pytest.mark.usefixtures("addon")


def test_walk_bakes_reports_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    obj = build(biped(), "Hero")
    report, output = tmp_path / "report.json", tmp_path / "out.blend"
    assert run(
        "walk", "--armature", "Hero", "--speed", 1.3, "--mode", "travel", "--frames", 1, 48, "--bake", "--set", "energy=0.25",
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
    ("arguments", "sentence"),
    [
        (["walk", "--armature", "Nobody"], "no armature named 'Nobody'"),
        (["walk"], "--armature"),
        (["walk", "--armature", "Horse"], "legs"),
        (["walk", "--armature", "Hero", "--preset", "Nonsense"], "no preset named 'Nonsense'"),
        (["walk", "--armature", "Hero", "--set", "wings=2"], "'wings' is no slider"),
        (["walk", "--armature", "Hero", "--set", "energy=high"], "needs a number"),
        (["walk", "--armature", "Hero", "--output", "walk.mp4"], "must end in one of"),
        (["walk", "--armature", "Hero", "--report", "no/such/folder/r.json"], "no folder"),
        (["walk", "--armature", "Hero", "--bake", "--frames", "20", "10"], "frame"),
        (["dance"], "dance"),
    ],
)
def test_a_refusal_is_one_sentence_and_a_status(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
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
    assert run("walk", "--mode", "travel", "--frames", 1, 24, "--bake", "--target", "deform", "--output", path) == 0
    assert path.read_bytes().startswith(begins)
    # A BVH has no object: what travels must be a bone, or the walk would tread the spot.
    assert obj.neurarig.walk.travel_with == ("BONE" if ending == ".bvh" else "OBJECT")
