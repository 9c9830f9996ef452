"""The installed extension in a Blender with a window: keys pressed in the middle of work, windows closed,
rendering, quitting.

BLENDER_WINDOW is a command that opens Blender on some display; else BLENDER is taken where there is a
DISPLAY.
"""

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real_blender.conftest import FOLDER, REPOSITORY, SCRIPTS

SECONDS = 600
Tell = Callable[..., str]


@pytest.fixture(scope="session")
def tell(installed) -> Tell:
    """Return a function that tells one of our stories to a Blender with a window, and returns what that
    printed."""
    named = os.environ.get("BLENDER_WINDOW") or (
        os.environ.get("BLENDER", "blender") if os.environ.get("DISPLAY") else ""
    )
    if not named:
        pytest.skip(
            "no window: set BLENDER_WINDOW to a command that opens Blender in one, such as `xvfb-run -a"
            " blender`"
        )
    environment = os.environ | {
        "BLENDER_USER_RESOURCES": str(FOLDER / "user"),
        "PYTHONPATH": "",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }

    def story(script: str, file: Path, *arguments: object) -> str:
        ends = ("--python-exit-code", "1")  # where the script fails before its story begins
        command = [
            *shlex.split(named),
            "--enable-event-simulate",
            file,
            *ends,
            "--python",
            SCRIPTS / script,
            "--",
            *arguments,
        ]
        ended = subprocess.run(
            [*map(str, command)],
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        said = ended.stdout + ended.stderr
        assert ended.returncode == 0 and "told" in said and "Traceback" not in said, said[-4000:]
        return said

    return story


def test_work_ends_by_esc_undo_and_a_closed_window_and_leaves_nothing(tell, installed, character) -> None:
    saved = FOLDER / "meanwhile.blend"
    tell("works_in_window.py", character, saved)
    installed("-b", saved, "--python-exit-code", "1", "--python", SCRIPTS / "holds_nothing_half_done.py")


def test_footprints_are_picked_across_undo_until_their_character_is_deleted(tell, character) -> None:
    tell("picks_in_window.py", character)


def test_acts_are_added_by_pointing(tell, character) -> None:
    tell("points_in_window.py", character)


def test_a_live_walk_is_rendered_in_a_window_as_it_is_scrubbed(tell, character) -> None:
    tell("renders_in_window.py", character, FOLDER)


def test_blender_quits_with_a_link_open(tell, character) -> None:
    tell("quits_linked_in_window.py", character)


def test_a_window_never_stands_still_for_two_seconds(tell, run_script) -> None:
    people, folder = FOLDER / "people.blend", FOLDER / "long_work"
    folder.mkdir()
    run_script("make_people.py", people)
    print(tell("blocks_in_window.py", people, folder))
