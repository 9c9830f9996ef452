"""What the pickers of a retargeting offer, and what a refusal leaves chosen."""

import bpy
import pytest

from neurarig_addon.blender.retarget import api
from neurarig_addon.blender.retarget.settings import NeuraRigRetarget
from tests.blender.retargeting import actor, hero
from tests.refusals import refuses


def offered(name: str, settings: bpy.types.PropertyGroup, what: bpy.types.ID) -> bool:
    """Say whether a picker lists something."""
    return bool(NeuraRigRetarget.__annotations__[name].keywords["poll"](settings, what))


def test_the_source_is_picked_from_the_other_armatures() -> None:
    source, _ = actor()
    obj = hero()
    mesh = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    settings = obj.neurarig.retarget
    assert offered("source", settings, source)
    assert not offered("source", settings, obj), "nobody takes a clip from themselves"
    assert not offered("source", settings, mesh)


@pytest.mark.parametrize("old", [False, True])
def test_a_refusal_leaves_the_report_as_old_as_it_was(old: bool) -> None:
    obj = hero()
    settings = obj.neurarig.retarget
    settings.report_is_old = old
    with refuses():
        api.retarget(obj, file="nowhere.bvh", stride=0.8)
    assert settings.report_is_old == old
    assert not settings.is_property_set("stride")
