"""A real Blender, called like a user calls it: one fresh settings folder, the zip built and installed into
it.

BLENDER names the program (a path or a command line), else it is `blender` on the path. Everything is written
inside the checkout,
because a Blender in a sandbox may see nothing else.
"""

import os
import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import release_zip

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "scripts"
FOLDER = REPOSITORY / "out" / "real_blender"
SECONDS = 300

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture(scope="session")
def run_blender() -> Run:
    """Return a function that runs Blender with some arguments and returns the finished process."""
    named = os.environ.get("BLENDER") or shutil.which("blender")
    if not named:
        pytest.skip("no Blender: set BLENDER to one, or put blender on the path")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    environment = os.environ | {"BLENDER_USER_RESOURCES": str(FOLDER / "user"), "PYTHONPATH": ""}

    def run(*arguments: object, succeeds: bool = True) -> subprocess.CompletedProcess:
        command = [*shlex.split(named), *map(str, arguments)]
        finished = subprocess.run(
            command,
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert (finished.returncode == 0) is succeeds, (
            f"{command}\n{finished.stdout[-4000:]}\n{finished.stderr[-4000:]}"
        )
        return finished

    return run


@pytest.fixture(scope="session")
def release(run_blender: Run) -> Path:
    """Return the release zip, built by this Blender."""
    command = release_zip.builder()
    assert command is not None
    return release_zip.build(command, FOLDER)


@pytest.fixture(scope="session")
def older(run_blender: Run, release: Path) -> Path:
    """Return the zip of a version before this one, which differs by its number and a mark."""
    source = FOLDER / "older"
    with zipfile.ZipFile(release) as archive:
        archive.extractall(source)
    manifest = source / "blender_manifest.toml"
    manifest.write_text(
        re.sub(r'^version = ".*"', 'version = "0.0.1"', manifest.read_text(), flags=re.MULTILINE)
    )
    package = source / "neurarig_addon" / "__init__.py"
    package.write_text(package.read_text() + "\nIS_OLDER = True\n")
    run_blender(
        "--command", "extension", "build", "--source-dir", source, "--output-filepath", FOLDER / "older.zip"
    )
    return FOLDER / "older.zip"


@pytest.fixture(scope="session")
def installed(run_blender: Run, release: Path) -> Run:
    """Install the zip, and return the function that runs Blender with it."""
    run_blender("--command", "extension", "install-file", "-r", "user_default", "--enable", release)
    return run_blender


@pytest.fixture(scope="session")
def run_script(installed: Run) -> Callable[..., subprocess.CompletedProcess]:
    """Return a function that runs one of our scripts in the background with the extension installed."""

    def run(script: str, *arguments: object) -> subprocess.CompletedProcess:
        return installed("-b", "--python-exit-code", "1", "--python", SCRIPTS / script, "--", *arguments)

    return run


@pytest.fixture(scope="session")
def character(run_script: Callable[..., subprocess.CompletedProcess]) -> Path:
    """Return a .blend file with a plain biped called Character."""
    path = FOLDER / "character.blend"
    run_script("make_character.py", path)
    return path


@pytest.fixture(scope="session")
def version(run_blender: Run) -> tuple[int, int]:
    """Return Blender's version."""
    found = re.search(r"Blender (\d+)\.(\d+)", run_blender("--version").stdout)
    assert found
    return int(found[1]), int(found[2])
