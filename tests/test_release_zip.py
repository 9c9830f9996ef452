"""The release zip holds the add-on, its manifest, credits and licences, and nothing else; Blender and
extensions.blender.org accept it."""

import ast
import io
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest
from PIL import Image

from tests import release_zip

REPOSITORY = Path(__file__).resolve().parents[1]
LICENCES = {"CC-BY-4.0", "CC-BY-SA-4.0", "MIT", "Apache-2.0"}
# What the listing at extensions.blender.org shows, in the sizes that it asks for.
PICTURES = {"listing/icon.png": (256, 256), "listing/picture.jpg": (1920, 1080)}
LARGEST_PICTURE_KB = 200
AT_THE_ROOT = {
    "__init__.py",
    "blender_manifest.toml",
    "LICENSE",
    "CREDITS.md",
    *(f"LICENSES/{name}.txt" for name in LICENCES),
    *PICTURES,
}
# Nine catalogues of 2,700 texts are .8 MB of it.
LARGEST_ZIP_MB = 5.3
# What runs from the repository, without Blender.
LEFT_OUT = (
    "neurarig_addon/batch/",
    "neurarig_addon/training/",
    "neurarig_addon/link/__main__.py",
)


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
    """Return what git knows of the package and does not ignore, and Blender needs."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "neurarig_addon"]
    listed = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return {name for name in listed if (REPOSITORY / name).exists() and not name.startswith(LEFT_OUT)}


def test_all_that_ships_is_imported_and_all_that_is_imported_ships(release: zipfile.ZipFile) -> None:
    files = {name for name in release.namelist() if name.endswith(".py")}
    reached, met = set(), ["__init__.py"]
    while met:
        name = met.pop()
        assert name in files, name
        if name not in reached:
            reached.add(name)
            met += imported_by(name, release.read(name), files)
    assert not [name for name in files - reached if not name.endswith("/__init__.py")]


def imported_by(name: str, content: bytes, files: set[str]) -> Iterator[str]:
    """Yield the files that a file imports, or names as parts that Blender is to know."""
    tree = ast.parse(content)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if getattr(call.func, "id", "") == "_parts":
            told = [part.value for part in call.args if isinstance(part, ast.Constant)]
            whole = [Path(name).parent / str(part).replace(".", "/") for part in told]
            places = [path.as_posix() + ending for path in whole for ending in (".py", "/__init__.py")]
            yield from (place for place in places if place in files)
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level):
        base = Path(name).parents[node.level - 1] / (node.module or "").replace(".", "/")
        within = [
            (base / f"{alias.name}{ending}").as_posix()
            for alias in node.names
            for ending in (".py", "/__init__.py")
        ]
        found = [path for path in within if path in files]
        whole = base.with_suffix(".py").as_posix()
        yield from (*found, whole if whole in files else (base / "__init__.py").as_posix())


def test_weights_presets_and_conventions_are_in_it(release: zipfile.ZipFile) -> None:
    folders = {str(Path(name).parent) for name in release.namelist()}
    assert {
        "neurarig_addon/data/weights",
        "neurarig_addon/data/presets",
        "neurarig_addon/data/conventions",
    } <= folders
    assert "neurarig_addon/data/controls" in folders


def test_it_is_small(release: zipfile.ZipFile) -> None:
    assert sum(entry.compress_size for entry in release.infolist()) < LARGEST_ZIP_MB * 1e6


def test_versions_agree(release: zipfile.ZipFile) -> None:
    manifest = tomllib.loads(release.read("blender_manifest.toml").decode())
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    assert manifest["version"] == project["version"]
    assert f"## {manifest['version']}" in changelog


def test_blender_accepts_it(release: zipfile.ZipFile) -> None:
    command = release_zip.builder()
    assert command is not None
    told = subprocess.run(
        [*command, "validate", str(release.filename)], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert told.returncode == 0 and "rror" not in told.stdout, told.stdout + told.stderr


# Permission -> what a file says that needs it.
NEEDS = {"files": r"\.write_text\(|\.open\(", "network": r"^import socket\b", "clipboard": r"\.clipboard\b"}


def test_the_manifest_says_what_it_is_and_asks_for_what_it_does(release: zipfile.ZipFile) -> None:
    manifest = tomllib.loads(release.read("blender_manifest.toml").decode())
    # the add-on as a whole; the site knows none of the data's
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"]
    assert manifest["website"].startswith("https://") and "wheels" not in manifest
    sources = [release.read(name).decode() for name in release.namelist() if name.endswith(".py")]
    needed = {
        permission
        for permission, said in NEEDS.items()
        if any(re.search(said, text, re.MULTILINE) for text in sources)
    }
    assert set(manifest["permissions"]) == needed


def test_every_file_of_data_has_its_line_of_the_credits(release: zipfile.ZipFile) -> None:
    table = release.read("CREDITS.md").decode().partition("## Every file of data")[2]
    lines = re.findall(r"^\| `(.*?)` \| (.+) \| (.*) \|$", table, re.MULTILINE)
    data = "neurarig_addon/data/"
    files = [
        name.removeprefix(data)
        for name in release.namelist()
        if name.startswith(data) and not name.endswith("/")
    ]
    for name in files:
        assert len([pattern for pattern, _, _ in lines if fnmatch(name, pattern)]) == 1, name
    assert all(any(fnmatch(name, pattern) for name in files) for pattern, _, _ in lines)
    assert {licence for _, _, named in lines for licence in named.split(", ")} <= LICENCES | {
        "GPL-3.0-or-later"
    }


def test_the_listing_has_its_pictures(release: zipfile.ZipFile) -> None:
    for name, size in PICTURES.items():
        content = release.read(name)
        assert Image.open(io.BytesIO(content)).size == size and len(content) < LARGEST_PICTURE_KB * 1000


def test_its_pages_link_to_the_web_or_to_what_ships(release: zipfile.ZipFile) -> None:
    names = set(release.namelist())
    for page in (name for name in names if name.endswith(".md")):
        for target in re.findall(r"\]\(([^)]*)\)", release.read(page).decode()):
            assert (
                target.startswith("https://") or (PurePosixPath(page).parent / target).as_posix() in names
            ), f"{page}: {target}"
