"""What README and docs tell to type, typed: in Blender's place stands this bpy, and Godot (GODOT names its
command) has no window."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path

import bpy
import pytest

from docs import godot_zip
from neurarig_addon.blender import api
from tests import told_commands
from tests.animals import dog
from tests.blender.command_line import has_exporter
from tests.blender.recording import LABELS, points_of
from tests.core.c3d_writer import C3D
from tests.rigs import biped, build, make_active
from tests.skins import dressed
from tests.told_commands import REPOSITORY

GODOT = os.environ.get("GODOT", "")
FOLDER = REPOSITORY / "out" / "told"  # a Godot in a container sees the checkout alone
STAND_INS = {  # `blender -b FILE --command neurarig ...`; Godot ends by itself
    "blender": f'file=$2; shift 4; exec "{sys.executable}" -m neurarig_addon.batch.in_bpy "$file" "$@"',
    "godot": f'exec {GODOT} --headless --quit-after 200 "$@"',
}
BLOCKS = {block for page in told_commands.PAGES for block in told_commands.blocks(page)}
IN_GODOT = {block for block in BLOCKS if "\ngodot " in block}
TYPED = {
    line
    for block in BLOCKS - (IN_GODOT if GODOT else set())
    for line in told_commands.lines(block)
    if "--command neurarig" in line
}
WRITES = {"set": "godot/set/manifest.json"}  # a command that names no output

needs_glb = pytest.mark.skipif(
    not has_exporter(bpy.ops.export_scene, "gltf"), reason="this Blender writes no GLB"
)


@pytest.fixture
def folder() -> Path:
    """Return a folder with what the commands name: characters, recordings, the example."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "bin").mkdir(parents=True)
    for name, script in STAND_INS.items():
        (FOLDER / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (FOLDER / "bin" / name).chmod(0o755)
    godot_zip.write(FOLDER / "godot.zip")
    dog()
    bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "dog.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    hero = build(biped(), "Hero")
    dressed(hero)
    make_active(hero)
    bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "hero.blend"))
    api.generate_walk(hero, mode="TRAVEL", travel_with="BONE", controls="FK")
    api.bake_walk(hero, frame_start=1, frame_end=40)
    bpy.ops.export_anim.bvh(filepath=str(FOLDER / "dance.bvh"), frame_start=1, frame_end=40)
    places = 1e3 * points_of(hero, range(1, 41))[:, : len(LABELS)]
    (FOLDER / "markers.c3d").write_bytes(C3D(places, LABELS, fps=24.0).to_bytes())
    return FOLDER


def typed(folder: Path, block: str) -> None:
    """Type a block; every line of it has to succeed."""
    with_ours = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(REPOSITORY)}
    told = subprocess.run(
        ["sh", "-ec", block],
        cwd=folder,
        env=os.environ | with_ours,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert told.returncode == 0 and "ERROR:" not in told.stdout + told.stderr, told


@needs_glb
@pytest.mark.few(9)
@pytest.mark.parametrize("command", sorted(TYPED))
def test_a_command_writes_what_it_names(folder: Path, command: str) -> None:
    typed(folder, command)
    given = shlex.split(command)
    results = [given[at + 1] for at, word in enumerate(given) if word in ("--output", "--report")]
    results += [file for word, file in WRITES.items() if word in given]
    assert all((folder / name).stat().st_size > 100 for name in results)
    assert results or "detect" in given


def test_python_of_readme_bakes_a_walk() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text("utf-8"), re.DOTALL)
    build(biped(), "Hero")
    named = {"bpy": bpy}
    exec(block.replace("bl_ext.user_default.neurarig.", ""), named)  # noqa: S102
    assert named["action"].frame_range[1] == 120 and not named["report"]["past_limits"]


@needs_glb
@pytest.mark.skipif(not GODOT, reason="GODOT names no Godot 4.6")
@pytest.mark.skipif(not shutil.which("unzip"), reason="there is no unzip")
def test_three_commands_lead_into_godot(folder: Path) -> None:
    (block,) = IN_GODOT  # README and guide tell the same
    assert len(block.splitlines()) == 3
    typed(folder, block)


@pytest.mark.skipif(not util.find_spec("distributed"), reason="no distributed (the batch extra)")
def test_dask_takes_what_is_told() -> None:
    for given in told_commands.of("dask"):
        dask = [str(Path(sys.executable).parent / "dask"), given[0], "--help"]
        said = subprocess.run(dask, capture_output=True, text=True, check=True).stdout
        assert all(word in said for word in given if word.startswith("--")), given
