"""What the viewer sees: the skin of every rig that tests build stays closed at its joints, whoever poses the
rig."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests import rigs, skins
from tests.blender.retargeting import actor
from tests.kinds_of_legs import WALKING

FRAMES = range(1, 30, 4)
CLOSED = 1e-3  # of the leg
RIGS = {
    "human": lambda: rigs.build(rigs.biped(), "Hero"),
    "arms down": lambda: rigs.build(rigs.biped(arm_drop_deg=45.0), "Hero"),
    "no toes": lambda: rigs.build(rigs.biped(toes=False), "Hero"),
    "from FBX": lambda: rigs.build(rigs.biped(), "Hero", rigs.fbx_matrix(30.0)),
    "halves": lambda: rigs.build(rigs.split_limb_biped(), "Hero"),
    "leg IK": rigs.metarig_with_leg_ik,
    "aimed knees": rigs.biped_with_aimed_knees,
    "Rigify": rigs.rigify_human,
    **{kind: lambda table=table: rigs.build(table, "Hero") for kind, table in WALKING.items()},
}


def opened(skin: skins.Skin, leg: float) -> list[tuple[str, str]]:
    """Return the bones between which the skin opens, of a character with a leg so long."""
    return [bones for bones, gap in zip(skin.bones, skin.gaps(FRAMES), strict=True) if gap > CLOSED * leg]


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
@pytest.mark.parametrize("rig", RIGS)
def test_the_skin_stays_closed_in_a_walk(rig, controls):
    obj = RIGS[rig]()
    skin = skins.dressed(obj)
    report = api.generate_walk(obj, controls=controls)
    assert len(skin.bones) >= 8 and opened(skin, report["leg_length_m"]) == []


@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("rig", ["human", "halves", "leg IK", "Rigify"])
def test_the_skin_stays_closed_in_a_clip(rig, controls):
    obj = RIGS[rig]()
    skin = skins.dressed(obj)
    api.retarget(obj, source=actor("Actor")[0], controls=controls)
    assert opened(skin, 0.85) == []


def test_a_shin_that_leaves_its_thigh_opens_the_skin():
    obj = RIGS["human"]()
    skin = skins.dressed(obj)
    assert skin.gaps(FRAMES).max() < 1e-6
    obj.pose.bones["LeftLeg"].location = (0.0, 0.0, 0.02)
    bpy.context.view_layer.update()
    assert opened(skin, 0.85) == [("LeftUpLeg", "LeftLeg")]
    np.testing.assert_allclose(skin.gaps([1]).max(), 0.02, atol=1e-6)
