"""Rigify's human, generated once for all tests of a process and kept as a .blend file."""

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import bpy

REPOSITORY = Path(__file__).resolve().parents[1]
LEGS = "limbs.leg"  # the human metarig's own type


def rigify_metarig() -> bpy.types.Object:
    """Return Rigify's human metarig."""
    import addon_utils

    if not addon_utils.check("rigify")[1]:
        addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_human_metarig_add()
    return bpy.context.object


@cache
def generated_human_file(legs: str = LEGS) -> Path:
    """Return a .blend file with the rig generated with a type of legs, made once in a process because generating takes seconds.

    The bpy module lets another process generate: in 4.2 Rigify leaves memory behind that later updates of Blender trip over.
    """
    path = Path(tempfile.mkdtemp(prefix="neurarig_")) / "rigify_human.blend"
    if not bpy.app.binary_path:
        subprocess.run([sys.executable, "-m", "tests.generated_human", str(path), legs], cwd=REPOSITORY, check=True, capture_output=True)
    else:
        before = bpy.context.window.scene
        bpy.context.window.scene = bpy.data.scenes.new("Generate")
        generate_human(path, legs)
        bpy.data.scenes.remove(bpy.context.scene)
        bpy.context.window.scene = before
    return path


def generate_human(path: Path, legs: str = LEGS) -> None:
    """Generate the rig in the present scene and write it, with what belongs to it, to a .blend file; paws have no heel bone."""
    metarig = rigify_metarig()
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
    generate_human(Path(sys.argv[1]), *sys.argv[2:])
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
