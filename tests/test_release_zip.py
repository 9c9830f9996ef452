"""The release zip holds the add-on, the manifest and the licence, and nothing else."""

import ast
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests import release_zip

REPOSITORY = Path(__file__).resolve().parents[1]
AT_THE_ROOT = {"__init__.py", "blender_manifest.toml", "LICENSE", "README.md"}
LARGEST_ZIP_MB = 4.0
TRAINING = "neurarig_addon/training/"
# The training that Blender never starts: everything but the trainee, and the trainee's lesson from the human gait.
LEFT_OUT = (*(f"{TRAINING}{name}" for name in ("__main__.py", "gait/", "pose/", "styles/", "trainee/human_rule.py")),)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the zip; inside the checkout, because a Blender in a sandbox may see nothing else."""
    command = release_zip.builder()
    if command is None:
        pytest.skip("no Blender and no bpy module to build with")
    return zipfile.ZipFile(release_zip.build(command, REPOSITORY / "out" / "release"))


def test_the_file_list_is_exact(release: zipfile.ZipFile) -> None:
    files = {name for name in release.namelist() if not name.endswith("/")}
    assert files == AT_THE_ROOT | shipped_files()


def shipped_files() -> set[str]:
    """Return what git knows of the package and does not ignore; of the training code the part that Blender has an external Python run."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "neurarig_addon"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name for name in listed if (REPOSITORY / name).exists() and not name.startswith(LEFT_OUT)}


def test_what_ships_imports_only_what_ships(release: zipfile.ZipFile) -> None:
    files = {name for name in release.namelist() if name.endswith(".py")}
    for name in files:
        # the one import that waits in a function: the human gait is a lesson of the repository
        statements = [node for node in ast.walk(ast.parse(release.read(name))) if isinstance(node, ast.ImportFrom) and node.level]
        for node in statements:
            if node.module == "human_rule":
                continue
            base = Path(name).parents[node.level - 1] / (node.module or "").replace(".", "/")
            assert base.with_suffix(".py").as_posix() in files or (base / "__init__.py").as_posix() in files, f"{name}: {node.module}"


def test_weights_presets_and_conventions_are_in_it(release: zipfile.ZipFile) -> None:
    folders = {str(Path(name).parent) for name in release.namelist()}
    assert {"neurarig_addon/data/weights", "neurarig_addon/data/presets", "neurarig_addon/data/conventions"} <= folders
    assert "neurarig_addon/data/controls" in folders


def test_it_is_small(release: zipfile.ZipFile) -> None:
    assert sum(entry.compress_size for entry in release.infolist()) < LARGEST_ZIP_MB * 1e6


def test_versions_agree(release: zipfile.ZipFile) -> None:
    manifest = tomllib.loads(release.read("blender_manifest.toml").decode())
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    assert manifest["version"] == project["version"]
    assert f"## {manifest['version']}" in changelog


def test_the_manifest_asks_for_files_and_the_link_only(release: zipfile.ZipFile) -> None:
    manifest = tomllib.loads(release.read("blender_manifest.toml").decode())
    assert set(manifest["permissions"]) == {"files"}
    assert "wheels" not in manifest
