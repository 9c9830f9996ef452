"""The built zip in a real Blender: install, enable, walk, bake, command line, exporters."""

import json
import re

import pytest

from tests import told_commands
from tests.real_blender.conftest import FOLDER, SCRIPTS


def test_the_zip_is_valid(run_blender, release) -> None:
    run_blender("--command", "extension", "validate", release)


def test_readme_says_how_to_build_and_install(run_blender, release) -> None:
    page = told_commands.REPOSITORY / "README.md"
    typed = told_commands.blocks(page)[0].splitlines()
    for line in typed:
        run_blender(*told_commands.words(line)[1:])
    (told_commands.REPOSITORY / typed[-1].split()[-1]).unlink()


def test_the_source_is_valid(run_blender) -> None:
    run_blender("--command", "extension", "validate", ".")


def test_enable_and_disable_leave_nothing_behind(run_script) -> None:
    run_script("lifecycle.py")


def test_it_speaks_each_of_its_languages(run_script) -> None:
    run_script("speaks.py")


def test_it_is_updated_while_a_character_walks(installed, older, release, character) -> None:
    installed("--command", "extension", "install-file", "-r", "user_default", "--enable", older)
    try:
        updated = installed(
            "-b", character, "--python-exit-code", "1", "--python", SCRIPTS / "updates.py", "--", release
        )
        assert "updated" in updated.stdout and "Traceback" not in updated.stdout + updated.stderr
    finally:
        installed("--command", "extension", "install-file", "-r", "user_default", "--enable", release)


def test_overrides_of_a_walking_character_walk_each_by_itself(installed, character) -> None:
    told = installed(
        "-b", character, "--python-exit-code", "1", "--python", SCRIPTS / "overrides.py", "--", FOLDER
    )
    assert "overridden" in told.stdout and "Traceback" not in told.stdout + told.stderr


def test_rigify_walks_bakes_and_is_given_back(run_script) -> None:
    run_script("rigify.py")


def test_a_live_neural_pose_is_rendered_as_it_is_scrubbed(installed, run_script) -> None:
    file = FOLDER / "film.blend"
    run_script("film_reaching.py", file)
    installed("-b", "-y", file, "-a")
    run_script("compare_film.py", file)


def test_blender_ends_with_a_link_open(installed, character) -> None:
    ended = installed("-b", character, "--python-exit-code", "1", "--python", SCRIPTS / "quits_linked.py")
    assert "linked" in ended.stdout and "Traceback" not in ended.stdout + ended.stderr


def test_help_says_what_there_is(installed) -> None:
    shown = installed("-b", "--command", "neurarig", "walk", "--help").stdout
    assert all(
        option in shown
        for option in ("--armature", "--speed", "--mode", "--frames", "--bake", "--report", "--output")
    )


@pytest.mark.parametrize("ending", ["blend", "glb", "fbx", "bvh"])
def test_the_command_line_walks_bakes_and_writes(installed, character, ending: str) -> None:
    report, output = FOLDER / f"{ending}.json", FOLDER / f"walked.{ending}"
    walk = [
        "walk",
        "--armature",
        "Character",
        "--speed",
        "1.3",
        "--mode",
        "travel",
        "--frames",
        "1",
        "60",
        "--bake",
    ]
    installed("-b", character, "--command", "neurarig", *walk, "--report", report, "--output", output)
    assert not json.loads(report.read_text())["past_limits"]
    assert output.stat().st_size > 1000
    if ending == "blend":
        shown = installed(
            "-b", output, "--python-exit-code", "1", "--python", "tests/real_blender/scripts/moves.py"
        ).stdout
        moved = re.search(r"moved ([\d.]+)", shown)
        assert moved and float(moved[1]) > 1.5
    if ending == "bvh":
        assert "Frames: 60" in output.read_text()


def test_the_command_line_encodes_and_retargets(installed, character) -> None:
    walked, clip, report = FOLDER / "walks.blend", FOLDER / "clip.npz", FOLDER / "clip.json"
    walk = ["walk", "--mode", "travel", "--frames", "1", "60", "--bake", "--target", "deform"]
    installed("-b", character, "--command", "neurarig", *walk, "--output", walked)
    installed("-b", walked, "--command", "neurarig", "encode", "--output", clip)
    for ending in ("fbx", "bvh"):
        output = FOLDER / f"retargeted.{ending}"
        retarget = ["retarget", "--file", clip, "--root", "bone", "--report", report, "--output", output]
        installed("-b", character, "--command", "neurarig", *retarget)
        figures = json.loads(report.read_text())
        assert not figures["past_limits"] and figures["slip_mm"]["L"]["max"] < 0.1
        assert output.stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--armature", "Nobody"], "Nobody"),
        (["--output", "walk.txt"], "must end in"),
        (["--set", "wings=2"], "not a slider"),
    ],
    ids=["unknown armature", "unknown format", "unknown slider"],
)
def test_failures_exit_with_a_sentence(installed, character, options: list[str], sentence: str) -> None:
    finished = installed("-b", character, "--command", "neurarig", "walk", *options, succeeds=False)
    assert sentence in finished.stdout + finished.stderr
    assert "Traceback" not in finished.stdout + finished.stderr


def test_a_character_without_legs_is_refused(installed, run_script) -> None:
    path = FOLDER / "arms.blend"
    run_script("make_arms.py", path)
    before = path.read_bytes()
    finished = installed("-b", path, "--command", "neurarig", "walk", "--output", path, succeeds=False)
    assert "leg" in (finished.stdout + finished.stderr).lower()
    assert path.read_bytes() == before
