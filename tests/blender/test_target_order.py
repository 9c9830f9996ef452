"""The list of targets is in body order, whatever order they were added, chosen and deleted in."""

import random

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose.empties import IN_ORDER
from tests.rigs import biped, build, make_active


@pytest.mark.parametrize("seed", [0, 1])
def test_targets_stay_in_body_order(seed: int) -> None:
    draw = random.Random(seed)
    obj, listed = build(biped(), "Hero"), set()
    make_active(obj)
    rail = bpy.data.objects.new("Rail", None)
    bpy.context.scene.collection.objects.link(rail)
    targets = obj.neurarig.neural_pose.targets
    for point in draw.sample(
        ("head", "wrist.L", "wrist.R", "ankle.L", "ankle.R", "pelvis", "elbow.R", "knee.L"), 7
    ):
        if listed and draw.random() < 0.4:
            api.choose_target(obj, point, rail)
        else:
            api.pose_targets(obj, [point])
        listed.add(point)
        assert [item.point for item in targets] == [each for each in IN_ORDER if each in listed]
        own = {item.object for item in targets if item.is_made}
        assert len(own) == sum(item.is_made for item in targets), "each has an empty of its own"
