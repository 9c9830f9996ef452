"""A file in centimetres is walked as the giant that it says it is, and the user is told."""

from dataclasses import replace

import bpy
import pytest

from neurarig_addon.blender import api
from tests import rigs


@pytest.mark.parametrize(("scale", "told"), [(1.0, False), (100.0, True), (0.01, True)])
def test_unlikely_sizes_are_mentioned(scale, told):
    obj = rigs.build(rigs.biped())
    obj.scale = (scale,) * 3
    bpy.context.view_layer.update()
    api.generate_walk(obj)
    assert bool(api.odd_size(obj)) == told


@pytest.mark.parametrize(
    ("raised", "told"), [(0.005, ""), (0.04, "left foot of 'Character' stands 4 cm above")]
)
def test_a_foot_that_rests_above_the_other_is_mentioned(raised, told):
    feet = ("LeftLeg", "LeftFoot", "LeftToeBase")
    bones = [
        replace(
            bone,
            head=(bone.head[0], bone.head[1], bone.head[2] + raised * (bone.name in feet[1:])),
            tail=(bone.tail[0], bone.tail[1], bone.tail[2] + raised * (bone.name in feet)),
        )
        for bone in rigs.biped()
    ]
    obj = rigs.build(bones)
    api.generate_walk(obj)
    assert told in api.uneven_feet(obj) and bool(api.uneven_feet(obj)) == bool(told)
