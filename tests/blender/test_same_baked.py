"""Baked is what was seen, however the character and its carriers move."""

import random

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender import api
from tests.blender.frames_compared import CHARACTERS, SAME, _same_however_reached, follows
from tests.blender.moving import (
    FIRST,
    LAST,
    MOTIONS,
    Motion,
    carried,
    grows,
    grows_by_delta,
    key,
    slides,
)
from tests.blender.walking import played
from tests.rigs import biped, build


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


@pytest.mark.parametrize(
    "motion", (grows, grows_by_delta, carried(grows_by_delta)), ids=lambda motion: motion.__name__
)
def test_a_clip_carries_an_object_that_is_resized_to_the_same_place(motion: Motion):
    obj = follows("OBJECT")
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
    assert (obj.location - aside).length < SAME, (
        "it stands where it was built, and as far aside as it was moved by hand"
    )


@pytest.mark.few(4)
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
