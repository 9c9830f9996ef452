"""A file in centimetres is walked as the giant that it says it is, and the user is told."""

import bpy
import pytest

from neurarig_addon.blender import api
from tests import rigs


@pytest.mark.parametrize(("scale", "told"), [(1.0, False), (100.0, True), (0.01, True)])
def test_unlikely_sizes_are_mentioned(addon, scale, told):
    obj = rigs.build(rigs.biped())
    obj.scale = (scale,) * 3
    bpy.context.view_layer.update()
    api.generate_walk(obj)
    assert bool(api.odd_size(obj)) == told
