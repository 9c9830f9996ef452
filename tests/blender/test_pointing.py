"""What a ray from the mouse hits in a scene, and what a character can do there: whatever the thing is made
of, and without what is its own."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender.walk.api.acts import why_not
from neurarig_addon.blender.walk.ui import sight
from neurarig_addon.blender.walk.ui.operators.pointing import Pointing
from tests.blender.acting import box, empty, instanced, parent
from tests.blender.walking import walker

MAKES = {"mesh": lambda part, _: part, "instance": instanced, "child of an empty": parent}


@pytest.fixture
def obj() -> bpy.types.Object:
    made = walker(mode="TRAVEL")
    box("Own", (0.0, -3.0, 1.2), (0.5, 0.5, 0.1)).parent = made
    box("Floor", (0.0, 0.0, -0.05), (40.0, 40.0, 0.1))
    return made


@pytest.mark.parametrize("made_of", MAKES)
def test_a_thing_is_found_under_what_is_the_characters_own(obj, made_of, tmp_path) -> None:
    thing = MAKES[made_of](box("Stool", (0.0, -3.0, 0.225), (0.45, 0.45, 0.45)), tmp_path)
    bpy.context.view_layer.update()
    hit = sight.hit(obj, Vector((0.0, -3.0, 5.0)), Vector((0.0, 0.0, -1.0)))
    assert hit is not None and sight.whole(obj, hit[0]) == thing and hit[1].z == pytest.approx(0.45, abs=1e-4)
    found = Pointing(obj)._thing(obj, thing)
    assert [offer.kind for offer in found.offers if not offer.why][:2] == ["SIT", "PICK_UP"]
    before = len(obj.neurarig.walk.acts)
    assert why_not(obj, {"kind": "SIT", **found.given["SIT"]}) == ""
    assert len(obj.neurarig.walk.acts) == before
    far = empty("Far")
    far.location = (4.0, -3.0, 0.45)
    bpy.context.view_layer.update()
    assert "possible" in why_not(obj, {"kind": "SIT", "thing": far})


def test_the_floor_is_a_place_on_the_way_and_a_gap_in_it_gives_the_jump(obj) -> None:
    pointing = Pointing(obj)
    floor = sight.hit(obj, Vector((0.3, -5.0, 5.0)), Vector((0.0, 0.0, -1.0)))
    assert floor is not None and pointing._is_ground(obj, *floor)
    found = pointing._place(obj, np.array([5.0, 0.3, 0.0]))
    assert found.given["WAVE"]["distance"] == pytest.approx(5.0, abs=0.05)
    bpy.data.objects["Floor"].location.y = 40.0 - 20.0 - 4.0
    box("Far Floor", (0.0, -24.8, -0.05), (40.0, 40.0, 0.1))
    bpy.context.view_layer.update()
    jump = pointing._place(obj, np.array([4.4, 0.0, 0.0])).given["JUMP"]
    assert jump["distance"] < 3.9 and jump["distance"] + jump["length"] > 4.9
    assert why_not(obj, {"kind": "JUMP", **jump}) == ""
