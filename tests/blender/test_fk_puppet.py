"""A puppet of FK controls alone, each copied by a bone that deforms, walks by them, and the panel calls them
what they are."""

from dataclasses import replace

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.controls.attachment import CONTROLS
from neurarig_addon.blender.rig.control_text import posed_by
from tests.rigs import Bone, biped, build

SAME = 1e-5  # metres
MODES = ("XYZ", "ZXY", "QUATERNION")


def _puppet() -> bpy.types.Object:
    """Return a human whose deforming bones lie side by side under one root and copy a hierarchy of
    controls."""
    body = biped()
    controls = [
        replace(bone, name=f"a {bone.name}", parent=f"a {bone.parent}" if bone.parent else "All")
        for bone in body
    ]
    deforming = [replace(bone, parent="All") for bone in body]
    obj = build([Bone("All", None, (0.0, 0.0, 0.0), (0.0, -0.3, 0.0)), *controls, *deforming], "Marion")
    for number, bone in enumerate(body):
        copied = obj.pose.bones[bone.name].constraints.new("COPY_TRANSFORMS")
        copied.target, copied.subtarget = obj, f"a {bone.name}"
        obj.data.bones[f"a {bone.name}"].use_deform = False
        obj.pose.bones[f"a {bone.name}"].rotation_mode = MODES[number % len(MODES)]
    obj.data.bones["All"].use_deform = False
    bpy.context.view_layer.update()
    return obj


def test_it_walks_by_its_controls_and_the_panel_says_that_they_are_fk():
    obj = _puppet()
    api.generate_walk(obj)
    assert record.attachment(obj)["kind"] == CONTROLS
    assert posed_by(obj) == "Drives the rig's FK controls."
    bpy.context.scene.frame_set(9)
    bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    for bone in biped():
        np.testing.assert_allclose(bones[bone.name].head, bones[f"a {bone.name}"].head, atol=SAME)
    assert not np.allclose(bones["LeftFoot"].head, obj.data.bones["LeftFoot"].head_local, atol=0.01)
