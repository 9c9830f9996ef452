"""A dog in Blender: what is looked at and keyed of a walk is looked at and keyed of all four feet."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.core.skeleton.roles import FEET
from tests.animals import dog, fore
from tests.blender.walking import played

FRAMES = (1, 40)
MM = 1e3


def walking_dog(**settings: object) -> bpy.types.Object:
    obj = dog()
    api.generate_walk(obj, **{"mode": "TRAVEL", **settings})
    return obj


def worst(report: dict) -> dict[str, float]:
    return {foot: slip["max"] for foot, slip in report["slip_mm"].items()}


@pytest.mark.parametrize("gait", ["WALK", "TROT"])
def test_a_report_is_of_all_four_feet(gait):
    obj = walking_dog(gait=gait)
    report = api.contact_report(obj, FRAMES)
    assert tuple(report["slip_mm"]) == FEET == tuple(report["duty_factor"])
    assert max(worst(report).values()) < 0.05 and report["penetration_mm"] < 0.05
    assert report["integrity_percent"] < 0.01 and report["reach"] < 1.0
    for number, bone in enumerate((*fore("hand"), *fore("foot"))):
        constraints = obj.pose.bones[bone].constraints
        constraints.new("LIMIT_ROTATION").use_limit_x = True
        assert worst(api.contact_report(obj, FRAMES))[("LF", "RF", "L", "R")[number]] > 1.0
        constraints.remove(constraints[0])


@pytest.mark.parametrize("keys", ["DENSE", "EDITABLE"])
def test_bakes_keep_all_four_feet_where_they_are(keys):
    obj = walking_dog(gait="TROT")
    before = played(obj, range(1, 40, 3))
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[1], keys=keys, tolerance=0.004)
    bound = 1e-5 if keys == "DENSE" else 0.004
    assert np.abs(played(obj, range(1, 40, 3)) - before).max() < bound
    baked = api.contact_report(obj, FRAMES)
    assert max(worst(baked).values()) < MM * bound and not {"slip_mm", "reach"} & set(baked["past_limits"])
