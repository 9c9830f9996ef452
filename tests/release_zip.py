"""Build the release zip: by Blender where there is one, else by the same builder inside the bpy module.

python -m tests.release_zip dist
"""

import argparse
import os
import shlex
import subprocess
import sys
from importlib import util
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def builder() -> list[str] | None:
    """Return the command that builds extensions, or None where neither Blender nor bpy is there."""
    if os.environ.get("BLENDER"):
        return [*shlex.split(os.environ["BLENDER"]), "--command", "extension"]
    bpy = util.find_spec("bpy")
    scripts = [Path(place) for place in (bpy.submodule_search_locations or [])] if bpy else []
    found = [
        path for place in scripts for path in place.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py")
    ]
    return [sys.executable, str(found[0])] if found else None


def build(command: list[str], folder: Path) -> Path:
    """Build the zip in a folder and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["build", "--source-dir", str(REPOSITORY), "--output-dir", str(folder)]
    subprocess.run([*command, *arguments], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return max(folder.glob("neurarig-*.zip"), key=lambda path: path.stat().st_mtime)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the release zip.")
    parser.add_argument("folder", type=Path, help="where to write neurarig-VERSION.zip")
    options = parser.parse_args()
    found_builder = builder()
    if found_builder is None:
        sys.exit("Neither Blender nor the bpy module found: set BLENDER to a Blender, or install bpy==5.0.1")
    print(build(found_builder, options.folder.resolve()))
