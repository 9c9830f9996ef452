"""The command line, run in this process: what it writes, what it prints, and how it refuses."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from tests.blender.command_line import has_exporter, run
from tests.command_lines import of_blender, stored
from tests.rigs import biped, build

ROOT = Path(__file__).resolve().parents[2]


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


def test_detect_prints_the_role_map(capsys: pytest.CaptureFixture) -> None:
    build(biped())
    assert run("detect") == 0
    assert json.loads(capsys.readouterr().out)["thigh.R"] == "RightUpLeg"


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


@pytest.mark.few(40)
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("walk --armature Hero --tolerance 0.01", "--tolerance does nothing without --bake"),
        ("walk --armature Hero --arrive 5", "--arrive does nothing without --path"),
        ("walk --armature Hero --lead left", "--lead does nothing without --gait gallop"),
        ("walk --armature Hero --style Sad --profile Plain", "Leave --style or --profile out"),
        ("walk --armature Hero --bake --frames 1 10 --step 500", "A step of 500 is longer than frames 1 to"),
        ("walk --armature Nobody", "no armature named 'Nobody'"),
        ("walk --armature Hero --set wings=2", "'wings' is not a slider"),
        ("walk --armature Hero --set energy", "needs a number after the ="),
        ("walk --armature Hero --output walk.mp4", "must end in one of"),
        ("walk --armature Hero --frames 9 1", "The end frame 1 is before the start frame 9"),
        ("dance", "dance"),
        ("walk --armature ''", "--armature: the name is empty"),
        (f"walk --armature Hero --profile {'x' * 5_000}", "no profile file"),
        ("pose --armature Hero --output p.npz --frames 9 1", "The end frame 1 is before the start frame 9"),
        ("retarget --file c.bvh --action x", "--source"),
    ],
)
def test_a_refusal_is_one_sentence_and_changes_nothing(
    given, sentence, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.bvh").write_text(BVH)
    obj = build(biped(), "Hero")
    assert run(*shlex.split(given)) in (1, 2)
    said = capsys.readouterr().err.strip()
    assert sentence in said and said.startswith("neurarig: ")
    assert len(said.splitlines()) == 1 and len(said) <= 1_000 and not obj.neurarig.attachment
    assert [path.name for path in tmp_path.iterdir()] == ["c.bvh"]


def test_what_commands_take_is_stored_as_it_is() -> None:
    """For batches and pages: `python -m tests.command_lines` writes it."""
    assert json.loads(json.dumps(of_blender())) == stored(is_training=False)


def wrong_numbers() -> Iterator[tuple[str, list[str]]]:
    """Yield every numeric option with values outside of what its setting can be, and with none at all."""
    needed = {"solve": "--points=c", "retarget": "--file=c", "set": "x", "dataset": "walks"}
    for command, options in stored(is_training=False).items():
        for flag, told in options.items():
            ends = [(told.get("least"), -1), (told.get("most"), 1)] if told["reads"] == "Number" else []
            for limit, aside in ends:
                wrong = "soon" if limit is None else f"{limit + aside:g}"
                words = [*command.split(), *needed.get(command, "").split(), flag]
                yield flag, words + [wrong] * told.get("count", 1)


def test_numbers_that_a_setting_cannot_be_are_a_sentence(capsys: pytest.CaptureFixture) -> None:
    seen = list(wrong_numbers())
    assert len(seen) > 50
    for flag, arguments in seen:
        assert run(*arguments) == 2, arguments
        said = capsys.readouterr().err.strip()
        assert flag in said and len(said.splitlines()) == 1 and said.startswith("neurarig: "), said


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
