"""Drawn bipeds made to walk in Blender: python -m benchmarks drawn_bodies.

`DRAWS=first:last` in the environment: which are drawn.
"""

import os

import bpy
from mathutils import Matrix

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.skeleton import Skeleton
from tests.drawn_skeletons.samples import Sample, drawn
from tests.rigs import make_active

DRAWS, SEED = "0:250", 77
_SHORTEST = 1e-4  # Blender deletes bones without a length


def rows() -> list[Row]:
    """Have every drawn biped walk, print which are refused or past a limit, and return the figures."""
    first, last = map(int, os.environ.get("DRAWS", DRAWS).split(":"))
    bodies = [sample for number in range(first, last) if (sample := drawn(SEED, number)).roles is not None]
    found = []
    for how in ("by name", "scrambled"):
        came = [_walked(body if how == "by name" else body.scrambled()) for body in bodies]
        for body, why in zip(bodies, came, strict=True):
            if why:
                print(
                    f"  {how}: {body.kind} with {', '.join(body.vices) or 'nothing odd'}: {why}", flush=True
                )
        refused = sum(why.startswith("refused") for why in came)
        past = sum(why.startswith("past") for why in came)
        found += [
            Row(
                f"drawn bipeds refused, {how}",
                100.0 * refused / len(bodies),
                5.0,
                "%",
                note=f"{refused} of {len(bodies)}",
            ),
            Row(
                f"drawn bipeds past a limit of their report, {how}",
                100.0 * past / len(bodies),
                5.0,
                "%",
                note=f"{past}",
            ),
        ]
    return found


def _walked(body: Sample) -> str:
    """Return what is wrong with a drawn body's walk, '' if nothing is."""
    new_scene()
    try:
        report = api.generate_walk(built(body.skeleton))
    except NeuraRigError as refusal:
        return f"refused: {refusal}"
    return f"past {', '.join(report['past_limits'])}" if report["past_limits"] else ""


def built(skeleton: Skeleton) -> bpy.types.Object:
    """Return an armature object with a skeleton's bones, active, in object mode."""
    obj = bpy.data.objects.new("Drawn", bpy.data.armatures.new("Drawn"))
    bpy.context.scene.collection.objects.link(obj)
    obj.matrix_world = Matrix(skeleton.to_world.tolist())
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    made: list[bpy.types.EditBone] = []
    for row, name in enumerate(skeleton.names):
        bone = obj.data.edit_bones.new(name)
        bone.tail = (0.0, 1.0, 0.0)
        bone.matrix = Matrix(skeleton.rest[row].tolist())
        bone.length = max(float(skeleton.lengths[row]), _SHORTEST)
        bone.use_deform = bool(skeleton.deform[row])
        bone.parent = made[skeleton.parents[row]] if skeleton.parents[row] >= 0 else None
        made.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj
