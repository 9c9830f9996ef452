"""A generated Rigify human walks, is baked and gets its rig back; the contacts stay inside their limits."""

import json
import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests import rigs

LAST = 60


def ankles() -> np.ndarray:
    """Return the evaluated ankles `(frames, 2, 3)` in armature space."""
    places = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        pose = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose
        places.append([pose.bones[f"DEF-foot.{side}"].head.copy() for side in "LR"])
    return np.array(places)


bpy.ops.wm.read_homefile(use_empty=True)
rig = rigs.rigify_human()
bones, constraints = len(rig.data.bones), sum(len(bone.constraints) for bone in rig.pose.bones)

assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
report = json.loads(rig.neurarig.walk.report)
assert not report["past_limits"], report
live = ankles()
assert np.ptp(live[:, :, 1], axis=0).min() > 0.3, "the feet go to and fro"

assert bpy.ops.neurarig.bake_walk(frame_start=1, frame_end=LAST, target="CONTROLS", keys="DENSE") == {
    "FINISHED"
}
assert np.abs(ankles() - live).max() < 1e-5, "baked equals live"

assert bpy.ops.neurarig.remove_walk() == {"FINISHED"}
assert (len(rig.data.bones), sum(len(bone.constraints) for bone in rig.pose.bones)) == (bones, constraints)
assert rig.animation_data.action is None
