"""Paths, grounds and faced objects that are deleted while somebody walks by them."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.walk.way.lead import deleted_words
from tests.blender.leading import curve, linked, sheet, slab
from tests.blender.walking import played, seen, walker

AHEAD = [(0.0, 0.0), (0.0, -8.0)]
FRAMES = range(1, 200, 6)
FLOOR, WALL = ((-4.0, 4.0), (-10.0, 2.0), 0.0), ((-4.0, 4.0), (-4.2, -4.0), 3.0, 3.0)


def hips(obj: bpy.types.Object) -> np.ndarray:
    return played(obj, FRAMES, ["Hips"])[:, 0, 0]


@pytest.mark.parametrize("setting", ["Path", "Ground"])
def test_what_is_deleted_in_mid_play_is_told_and_stays_as_it_is(setting: str):
    things = {"path": curve(AHEAD), "ground": slab("Floor", *FLOOR)}
    hero, name = walker(mode="PATH", **things), things[setting.lower()].name
    before = seen(hero, 20)
    assert deleted_words(hero) == ()
    with bpy.context.temp_override(selected_objects=[things[setting.lower()]]):
        bpy.ops.object.delete()
    np.testing.assert_allclose(seen(hero, 20), before, atol=1e-6)
    (words,) = deleted_words(hero)
    assert (
        words
        == f"'{name}' is in no scene, as after deleting it. The walk keeps it; clear {setting}, or choose"
        " another."
    )
    hero.neurarig.walk.mode = "TRAVEL"
    setattr(hero.neurarig.walk, setting.lower(), None)
    seen(hero, 21)
    assert deleted_words(hero) == ()


@pytest.mark.few(2)
@pytest.mark.parametrize("setting", ["path", "ground", "look_at", "face"])
def test_what_a_script_removes_in_mid_play_is_told_and_the_walk_goes_on(setting: str):
    things = {
        "path": curve([*AHEAD, (3.0, -9.0)]),
        "ground": sheet("Hill", lambda x, y: 0.3),
        "look_at": None,
        "face": None,
    }
    things |= {name: linked(name.title(), None) for name in ("look_at", "face")}
    hero = walker(mode="PATH", **{name: thing for name, thing in things.items() if name in ("path", setting)})
    seen(hero, 20)
    assert deleted_words(hero) == ()
    name = things[setting].name
    bpy.data.objects.remove(things[setting])
    assert np.isfinite(hips(hero)).all() and hero.neurarig.walk.live
    (words,) = deleted_words(hero)
    assert words.startswith(f"'{name}' was removed from the file.") and "\n" not in words
    setattr(hero.neurarig.walk, setting, curve(AHEAD) if setting == "path" else slab("Other", *FLOOR))
    assert deleted_words(hero) == ()


def test_what_an_animator_clears_is_not_told():
    hero = walker(mode="TRAVEL", ground=slab("Floor", *FLOOR))
    hero.neurarig.walk.ground = None
    seen(hero, 20)
    assert deleted_words(hero) == ()
