"""Rigify's human and animals, generated once with each Blender and kept as a .blend file in `out/rigs`."""

import hashlib
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import bpy

REPOSITORY = Path(__file__).resolve().parents[1]
LEGS = "limbs.leg"  # the human metarig's own type
HUMAN = "human"


def rigify_metarig(kind: str = HUMAN) -> bpy.types.Object:
    """Return one of Rigify's metarigs."""
    import addon_utils

    if not addon_utils.check("rigify")[1]:
        addon_utils.enable("rigify", default_set=True)
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    return bpy.context.object


@cache
def generated_file(legs: str = LEGS, kind: str = HUMAN) -> Path:
    """Return a .blend file with the rig generated from a metarig, people with a type of legs; generating
    takes seconds.

    The bpy module lets another process generate: in 4.2 Rigify leaves memory behind that later updates of
    Blender trip over.
    """
    how = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    kept = (
        REPOSITORY / "out" / "rigs" / f"{kind}-{legs}-{bpy.app.version_string.replace(' ', '-')}-{how}.blend"
    )
    if kept.exists():
        return kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    # whole before another process sees it
    path = Path(tempfile.mkdtemp(prefix="rig_", dir=kept.parent)) / "rigify_human.blend"
    if not bpy.app.binary_path:
        subprocess.run(
            [sys.executable, "-m", "tests.generated_human", str(path), legs, kind],
            cwd=REPOSITORY,
            check=True,
            capture_output=True,
        )
    else:
        before = bpy.context.window.scene
        bpy.context.window.scene = bpy.data.scenes.new("Generate")
        generate(path, legs, kind)
        bpy.data.scenes.remove(bpy.context.scene)
        bpy.context.window.scene = before
    path.replace(kept)
    path.parent.rmdir()
    return kept


def generate(path: Path, legs: str, kind: str) -> None:
    """Generate the rig in the present scene and write it, with what belongs to it, to a .blend file; paws
    have no heel bone."""
    metarig = rigify_metarig(kind)
    if legs != LEGS:
        bpy.ops.object.mode_set(mode="EDIT")
        for side in "LR":
            metarig.data.edit_bones.remove(metarig.data.edit_bones[f"heel.02.{side}"])
        bpy.ops.object.mode_set(mode="OBJECT")
        for side in "LR":
            metarig.pose.bones[f"thigh.{side}"].rigify_type = legs
    bpy.ops.pose.rigify_generate()
    bpy.data.libraries.write(str(path), {bpy.context.object})


if __name__ == "__main__":
    generate(Path(sys.argv[1]), *sys.argv[2:])
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
