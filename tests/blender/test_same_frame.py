"""The same frame is the same pose: however the frame was reached, and whatever moves, turns or resizes the character and its carriers."""

import random
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender import api
from neurarig_addon.blender.character import attached
from tests.blender.filming import heads_as_rendered
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
    grows_by_delta,
    key,
    slides,
    tilts,
    tilts_by_driver,
)
from tests.blender.reaching import carry
from tests.blender.walking import key_speed, played, seen, seen_now, walker
from tests.rigs import biped, build

pytestmark = pytest.mark.usefixtures("addon")

SAME = 1e-5  # metres, of a character of its own size; they grow to twice that
SCRUBBED = (32, 3, 20, 7, 13, 1, 28, 12.5, 20)


def walks(**settings: object) -> Callable[[], bpy.types.Object]:
    return lambda: walker(**settings)


def follows(root: str = "IN_PLACE") -> bpy.types.Object:
    source = walker("Source", mode="TRAVEL")
    obj = build(biped(), "Hero")
    api.bake_walk(source, frame_start=FIRST, frame_end=LAST)
    api.link_retarget(obj, source=source, root=root)
    return obj


CHARACTERS = {
    "in place": walks(),
    "travelling": walks(mode="TRAVEL"),
    "root bone": walks(mode="TRAVEL", travel_with="BONE"),
    "fk": walks(controls="FK"),
    "linked": follows,
}


def on_path(**settings: object) -> Callable[[], bpy.types.Object]:
    return lambda: walker(mode="PATH", path=curve([(0.0, 0.0), (0.3, -2.0), (-1.0, -4.0), (1.0, -7.0)]), **settings)


def on_hills() -> bpy.types.Object:
    hills = sheet("Hills", lambda x, y: 0.15 * np.sin(1.1 * x) * np.cos(0.9 * y))
    return walker(mode="TRAVEL", ground=hills, gait="BY_SPEED", use_network=True)


def at_keyed_speed() -> bpy.types.Object:
    obj = walker(mode="TRAVEL", styles={"Sad": 1.0}, facing=70.0, use_network=True)
    key_speed(obj)
    return obj


LED = {"path": on_path(), "root bone on path": on_path(travel_with="BONE"), "hills": on_hills, "sideways, keyed": at_keyed_speed}
DRAWN = [(character, motion) for character in LED for motion in random.Random(character).sample(MOTIONS[:-1], 3)]


def _same_however_reached(obj: bpy.types.Object) -> np.ndarray:
    frames = np.array([*range(FIRST, LAST + 1)], dtype=float)
    forward = played(obj, frames)
    for frame in SCRUBBED:
        now = seen(obj, frame)
        if not frame % 1:
            assert np.abs(now - forward[int(frame) - FIRST]).max() < SAME, frame
        assert np.abs(seen(obj, frame) - now).max() < SAME, frame
    return forward


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
    api.bake_walk(obj, frame_start=FIRST, frame_end=LAST)
    assert np.abs(played(obj, range(FIRST, LAST + 1)) - live).max() < SAME


@pytest.mark.parametrize("motion", OWN, ids=lambda motion: motion.__name__)
def test_hands_on_what_hangs_on_the_chest_are_the_same_on_a_frame(motion: Motion):
    obj = walker(mode="TRAVEL")
    carry(obj)
    motion(obj, random.Random(motion.__name__))
    _same_however_reached(obj)


def test_a_strip_that_turns_who_is_led_is_told():
    obj = LED["path"]()
    assert attached.playing_over(obj) == []
    tilts(obj, random.Random(1))
    assert attached.playing_over(obj) == [obj.animation_data.action.name]
    walker = CHARACTERS["travelling"]()
    tilts(walker, random.Random(1))
    assert attached.playing_over(walker) == [], "that turns its way too"


@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
@pytest.mark.parametrize("character", ["in place", "travelling"])
@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
def test_a_bake_is_what_was_seen(motion: Motion, character: str, target: str):
    obj = CHARACTERS[character]()
    motion(obj, random.Random(f"{motion.__name__} {character}"))
    bones = [bone.name for bone in obj.data.bones if bone.use_deform]
    frames = range(FIRST, LAST + 1)
    live = played(obj, frames, bones)
    bpy.context.scene.frame_set(13)
    api.bake_walk(obj, frame_start=FIRST, frame_end=LAST, target=target)
    assert np.abs(played(obj, frames, bones) - live).max() < 2.0 * SAME


@pytest.mark.parametrize("motion", (*MOTIONS, slides), ids=lambda motion: motion.__name__)
def test_a_baked_clip_is_what_was_linked(motion: Motion):
    obj = follows()
    motion(obj, random.Random(motion.__name__))
    live = played(obj, range(FIRST, LAST + 1))
    bpy.context.scene.frame_set(13)
    api.retarget(obj, source=bpy.data.objects["Source"], root="IN_PLACE", check=False)
    assert np.abs(played(obj, range(FIRST, LAST + 1)) - live).max() < SAME


@pytest.mark.parametrize("motion", (grows, grows_by_delta, carried(grows_by_delta)), ids=lambda motion: motion.__name__)
def test_a_clip_carries_an_object_that_is_resized_to_the_same_place(motion: Motion):
    obj = follows("OBJECT")
    begins = obj.location.copy()
    motion(obj, random.Random(motion.__name__))
    _same_however_reached(obj)
    bpy.context.scene.frame_set(20)
    before, aside = obj.location.copy(), Vector((1.0, 0.0, 0.0))
    bpy.context.scene.frame_set(13)
    obj.location += aside
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(20)
    assert (obj.location - before - aside).length < SAME, "moved by hand"
    api.remove_retarget(obj)
    assert (obj.location - begins - aside).length < SAME


@pytest.mark.parametrize("motion", (*MOTIONS[:-1], slides), ids=lambda motion: motion.__name__)
def test_solved_targets_are_what_was_posed(motion: Motion):
    obj = build(biped(), "Hero")
    api.pose_targets(obj, ["wrist.L"])
    motion(obj, random.Random(motion.__name__))
    target = obj.neurarig.neural_pose.targets[0].object
    key(target, "location", [target.location + Vector((away, 0.0, 0.5 * away)) for away in (0.0, -0.2, 0.1)])
    live = played(obj, range(FIRST, LAST + 1))
    bpy.context.scene.frame_set(13)
    api.solve_range(obj, FIRST, LAST)
    assert np.abs(played(obj, range(FIRST, LAST + 1)) - live).max() < SAME


@pytest.mark.parametrize("settings", [{}, {"mode": "TRAVEL", "travel_with": "BONE"}], ids=["in place", "root bone"])
def test_a_walker_that_its_own_keys_move_goes_on_when_it_is_baked(settings: dict):
    obj = walker(**settings)
    slides(obj, random.Random(1))
    live = played(obj, range(FIRST, LAST + 1))
    api.bake_walk(obj, frame_start=FIRST, frame_end=LAST)
    assert np.abs(played(obj, range(FIRST, LAST + 1)) - live).max() < SAME
    api.bake_walk(obj, frame_start=FIRST, frame_end=LAST)
    api.remove_walk(obj)
    assert obj.animation_data.action.name == "HeroAction"


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
def test_an_opened_file_shows_what_was_saved(motion: Motion, tmp_path: Path):
    obj = walker(mode="TRAVEL")
    motion(obj, random.Random(motion.__name__))
    frames = (1, 9, 20)
    before = played(obj, frames)
    bpy.context.scene.frame_set(16)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walks.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walks.blend"))
    assert np.abs(played(bpy.data.objects["Hero"], frames) - before).max() < SAME


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
def test_rendered_moments_are_those_seen(motion: Motion, tmp_path: Path):
    obj = walker(mode="TRAVEL")
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
    obj = walker(mode="TRAVEL", whole_frames=False)
    carrier(obj, tilts, random.Random(3))
    bpy.context.scene.frame_set(20)
    obj.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    seen(obj, 25)
    assert obj.location.length == pytest.approx(obj.neurarig.walk.speed, rel=0.01)
    _same_however_reached(obj)


@pytest.mark.parametrize("character", ["travelling", "linked"])
@pytest.mark.parametrize(
    ("owner", "name", "value"), [("render", "fps", 60), ("render", "fps_base", 1.5), ("unit_settings", "scale_length", 0.5)]
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
