"""The same frame is the same pose: however the frame was reached, and whatever moves, turns or resizes the
character and its carriers."""

import random
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import holding
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.filming import heads_as_rendered
from tests.blender.frames_compared import CHARACTERS, SAME, _same_however_reached
from tests.blender.leading import curve, sheet
from tests.blender.moving import (
    FIRST,
    LAST,
    MOTIONS,
    OWN,
    Motion,
    carried,
    carrier,
    grows,
    key,
    tilts,
    tilts_by_constraint,
    tilts_by_driver,
)
from tests.blender.reaching import carry
from tests.blender.walking import key_speed, played, seen, seen_now, walker


def on_path(**settings: object) -> Callable[[], bpy.types.Object]:
    return lambda: walker(
        mode="PATH", path=curve([(0.0, 0.0), (0.3, -2.0), (-1.0, -4.0), (1.0, -7.0)]), **settings
    )


def on_hills() -> bpy.types.Object:
    hills = sheet("Hills", lambda x, y: 0.15 * np.sin(1.1 * x) * np.cos(0.9 * y))
    return walker(mode="TRAVEL", ground=hills, gait="BY_SPEED", use_network=True)


def at_keyed_speed() -> bpy.types.Object:
    obj = walker(mode="TRAVEL", styles={"Sad": 1.0}, facing=70.0, use_network=True)
    key_speed(obj)
    return obj


LED = {
    "path": on_path(travel_with="OBJECT"),
    "controls on path": on_path(),
    "root bone on path": on_path(travel_with="BONE"),
    "hills": on_hills,
    "sideways, keyed": at_keyed_speed,
}
DRAWN = [
    (character, motion) for character in LED for motion in random.Random(character).sample(MOTIONS[:-1], 3)
]


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
def test_played_scrubbed_and_stood_on_a_frame_are_the_same(motion: Motion, character: str):
    obj = CHARACTERS[character]()
    motion(obj, random.Random(f"{motion.__name__} {character}"))
    _same_however_reached(obj)
    assert not obj.neurarig.walk.error


@pytest.mark.parametrize(
    ("character", "motion"),
    [*DRAWN, ("hills", carried(tilts_by_driver)), ("root bone on path", grows), ("path", grows)],
    ids=lambda of: getattr(of, "__name__", of),
)
def test_who_is_led_is_the_same_on_a_frame_and_baked(motion: Motion, character: str):
    obj = LED[character]()
    motion(obj, random.Random(f"{motion.__name__} {character}"))
    live = _same_however_reached(obj)
    assert not obj.neurarig.walk.error
    api.bake_walk(obj, frame_start=FIRST, frame_end=LAST, target="LAYER")
    assert np.abs(played(obj, range(FIRST, LAST + 1)) - live).max() < SAME


@pytest.mark.parametrize("motion", OWN, ids=lambda motion: motion.__name__)
def test_hands_on_what_hangs_on_the_chest_are_the_same_on_a_frame(motion: Motion):
    obj = walker(mode="TRAVEL")
    carry(obj)
    motion(obj, random.Random(motion.__name__))
    _same_however_reached(obj)


def test_a_strip_that_turns_who_is_led_is_told():
    obj = LED["path"]()
    assert holding.playing_over(obj) == []
    tilts(obj, random.Random(1))
    assert holding.playing_over(obj) == [obj.animation_data.action.name]
    walker = CHARACTERS["travelling"]()
    tilts(walker, random.Random(1))
    assert holding.playing_over(walker) == [], "that turns its way too"


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
def test_an_opened_file_shows_what_was_saved(motion: Motion, tmp_path: Path):
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    motion(obj, random.Random(motion.__name__))
    frames = (1, 9, 20)
    before = played(obj, frames)
    bpy.context.scene.frame_set(16)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walks.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walks.blend"))
    assert np.abs(played(bpy.data.objects["Hero"], frames) - before).max() < SAME


@pytest.mark.few(4)
@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
def test_rendered_moments_are_those_seen(motion: Motion, tmp_path: Path):
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    motion(obj, random.Random(motion.__name__))
    rendered = heads_as_rendered(obj, "LeftFoot", tmp_path, range(4, 29, 8))
    assert len(rendered) == 4
    for frame, head in rendered.items():
        assert np.abs(seen(obj, frame, ["LeftFoot"])[0, 0] - head).max() < SAME


def test_an_edit_in_the_middle_does_not_bring_in_its_frame():
    obj = walker()
    carrier(obj, tilts, random.Random(3))
    before = seen(obj, 24)
    bpy.context.scene.frame_set(16)
    obj.data.bones["LeftHand"].use_deform = False
    obj.location.z += 1.0
    bpy.context.view_layer.update()
    api.resume_walk(obj)
    obj.location.z -= 1.0
    assert np.abs(seen(obj, 24) - before).max() < SAME


def test_an_animated_character_resized_by_hand_is_measured_anew():
    obj = walker(mode="TRAVEL", travel_with="OBJECT", whole_frames=False)
    carrier(obj, tilts, random.Random(3))
    bpy.context.scene.frame_set(20)
    obj.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    seen(obj, 25)
    assert obj.location.length == pytest.approx(obj.neurarig.walk.speed, rel=0.01)
    _same_however_reached(obj)


@pytest.mark.parametrize("motion", [tilts, tilts_by_constraint], ids=lambda motion: motion.__name__)
def test_keys_and_a_carrier_set_in_one_go_leave_the_body_its_size(motion: Motion):
    obj = walker()
    leg = walk_source.source_of(obj, bpy.context.scene).body.leg_length
    key(obj, "scale", [(1.0,) * 3, (0.02,) * 3, (50.0,) * 3])  # Blender has not evaluated the last
    carrier(obj, motion, random.Random(6))
    bpy.context.scene.frame_set(20)
    assert walk_source.source_of(obj, bpy.context.scene).body.leg_length == pytest.approx(leg, rel=1e-5)
    _same_however_reached(obj)


@pytest.mark.few(2)
@pytest.mark.parametrize("character", ["travelling", "linked"])
@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [("render", "fps", 60), ("render", "fps_base", 1.5), ("unit_settings", "scale_length", 0.5)],
)
def test_a_change_of_frame_rate_or_units_shows_at_once(character: str, owner: str, name: str, value: float):
    obj = CHARACTERS[character]()
    before = seen(obj, 25)
    setattr(getattr(bpy.context.scene, owner), name, value)
    bpy.context.view_layer.update()
    now = seen_now(obj)
    assert np.abs(seen(obj, 25) - now).max() < SAME
    assert np.abs(now - before).max() > 1e-3 or character == "linked"


def test_a_driven_slider_is_that_of_the_frame():
    obj = walker()
    obj.driver_add("neurarig.walk.crouch").driver.expression = "0.01 * frame"
    forward = _same_however_reached(obj)
    still = walker("Still", crouch=0.2)
    assert np.abs(seen(still, 20) - forward[20 - FIRST]).max() < SAME


def test_what_stood_is_forgotten_with_the_walk():
    obj = walker()
    assert obj.neurarig.standing.is_known
    api.remove_walk(obj)
    assert not obj.neurarig.standing.is_known
