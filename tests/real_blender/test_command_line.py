"""The built extension, installed in a real Blender, walked from the command line.

`BLENDER` names the program (a path or a command with arguments).  All files are under `out/`, the one place that a Blender in a container
is sure to see, and so are Blender's own settings: the user's are not touched.
"""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SCRATCH = REPOSITORY / "out" / "real_blender"
PROGRAM = shlex.split(os.environ.get("BLENDER", ""))
SECONDS = 300

MAKE_CHARACTER = """
import os, sys
sys.path.insert(0, os.getcwd())
import bpy
from tests.rigs import biped, build, quadruped
bpy.ops.wm.read_homefile(use_empty=True)
build(biped(), "Hero")
bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath("out/real_blender/hero.blend"))
build(quadruped(), "Horse")
bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath("out/real_blender/both.blend"))
"""

Run = Callable[..., subprocess.CompletedProcess]

pytestmark = pytest.mark.skipif(not PROGRAM or shutil.which(PROGRAM[0]) is None, reason="no real Blender: set BLENDER to one")


@pytest.fixture(scope="module")
def blender() -> Run:
    """Return a function that runs Blender, with the extension built from this checkout installed."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (SCRATCH / "settings").mkdir(parents=True)
    environment = os.environ | {"BLENDER_USER_RESOURCES": str(SCRATCH / "settings")}

    def run(*arguments: object, status: int = 0) -> subprocess.CompletedProcess:
        command = [*PROGRAM, *map(str, arguments)]
        done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=SECONDS)
        assert (done.returncode != 0) == (status != 0), done.stdout + done.stderr
        return done

    run("--command", "extension", "build", "--source-dir", REPOSITORY, "--output-dir", SCRATCH)
    archive = next(SCRATCH.glob("neurarig-*.zip"))
    run("--command", "extension", "validate", archive)
    run("--command", "extension", "install-file", "-r", "user_default", "--enable", archive)
    script = SCRATCH / "make_character.py"
    script.write_text(MAKE_CHARACTER, encoding="utf-8")
    run("-b", "--factory-startup", "--python-exit-code", "1", "--python", script)
    return run


def test_a_walk_is_baked_reported_and_saved(blender: Run) -> None:
    report, output = SCRATCH / "report.json", SCRATCH / "walk.blend"
    said = blender(
        "-b", SCRATCH / "hero.blend", "--command", "neurarig", "walk", "--armature", "Hero", "--speed", 1.3, "--mode", "travel",
        "--frames", 1, 120, "--bake", "--report", report, "--output", output,
    )  # fmt: skip
    figures = json.loads(report.read_text())
    assert "'Hero' walks" in said.stdout
    assert figures["past_limits"] == [] and figures["frames"] == [1.0, 120.0]
    assert figures["ground_speed_m_s"] == pytest.approx(1.3, abs=0.02)
    assert output.stat().st_size > 0


@pytest.mark.parametrize(("ending", "begins"), [(".glb", b"glTF"), (".fbx", b"Kaydara FBX Binary"), (".bvh", b"HIERARCHY")])
def test_a_walk_is_exported(blender: Run, ending: str, begins: bytes) -> None:
    path = SCRATCH / f"walk{ending}"
    blender(
        "-b", SCRATCH / "hero.blend", "--command", "neurarig", "walk", "--mode", "travel", "--frames", 1, 48, "--preset", "Heavy",
        "--bake", "--target", "deform", "--output", path,
    )  # fmt: skip
    assert path.read_bytes().startswith(begins)


def test_roles_are_printed(blender: Run) -> None:
    said = blender("-b", SCRATCH / "hero.blend", "--command", "neurarig", "detect").stdout
    roles = json.loads(said[said.index("{") : said.rindex("}") + 1])
    assert roles["pelvis"] == "Hips" and roles["toe.R"] == "RightToeBase"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["walk"], "Name the armature"),
        (["walk", "--armature", "Nobody"], "no armature named 'Nobody'"),
        (["walk", "--armature", "Horse"], "legs"),
        (["walk", "--armature", "Hero", "--set", "wings=2"], "'wings' is no slider"),
    ],
)
def test_a_refusal_is_one_sentence_and_a_status(blender: Run, arguments: list[str], sentence: str) -> None:
    said = blender("-b", SCRATCH / "both.blend", "--command", "neurarig", *arguments, status=1)
    ours = [line for line in said.stderr.splitlines() if line.startswith("neurarig: ")]
    assert len(ours) == 1 and sentence in ours[0]
    assert "Traceback" not in said.stdout + said.stderr
