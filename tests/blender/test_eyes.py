"""Eyes of a character that walks: they meet what Look At names, on plain bones and on Rigify's controls;
live, baked, and given back."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests import rigs
from tests.blender.leading import linked
from tests.blender.walking import played, state_of

EYES = [rigs.Bone("LeftEye", "Head", (0.032, -0.09, 1.65), (0.032, -0.11, 1.65))]
FRAMES = (1, 9, 20, 33)
MOST_OFF = 1.0  # degrees
IN_HEAD = 2.0  # degrees that both eyes may be from each other when they look far ahead


def plain() -> bpy.types.Object:
    return rigs.build([*rigs.biped(), *rigs.with_mirror(EYES)], "Seer")


def thing(*place: float) -> bpy.types.Object:
    obj = linked("Thing", None)
    move(obj, *place)
    return obj


def move(obj: bpy.types.Object, *place: float) -> None:
    obj.location = place
    bpy.context.view_layer.update()


def directions(
    obj: bpy.types.Object, bones: tuple[str, ...], frame: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return where evaluated bones are in the world and where their forward at rest, -Y, points now."""
    bpy.context.scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = []
    for name in bones:
        bone = evaluated.pose.bones[name]
        turn = np.array(bone.matrix)[:3, :3] @ np.array(bone.bone.matrix_local)[:3, :3].T
        found.append(
            (
                np.array(evaluated.matrix_world @ bone.head),
                np.array(evaluated.matrix_world.to_3x3()) @ turn @ [0.0, -1.0, 0.0],
            )
        )
    return found


def off(obj: bpy.types.Object, bones: tuple[str, ...], at: bpy.types.Object, frame: int) -> float:
    """Return by how many degrees the worse of the bones is off a thing."""
    angles = []
    for place, forward in directions(obj, bones, frame):
        way = np.array(at.matrix_world.translation) - place
        angles.append(
            np.degrees(
                np.arccos(np.clip(forward @ way / np.linalg.norm(forward) / np.linalg.norm(way), -1.0, 1.0))
            )
        )
    return float(max(angles))


@pytest.mark.parametrize("make", ["plain", "layer", "Rigify"])
@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_both_eyes_meet_what_is_looked_at_and_follow_where_it_is_dragged(make, mode):
    obj = rigs.rigify_human() if make == "Rigify" else plain()
    bones = ("ORG-eye.L", "ORG-eye.R") if make == "Rigify" else ("LeftEye", "RightEye")
    at = thing(2.0, -6.0, 1.3)
    api.generate_walk(
        obj, mode=mode, look_at=at, speed=1.0, **({"controls": "FK"} if make == "plain" else {})
    )
    listed = {item.role: item.bone for item in obj.neurarig.roles}
    assert (listed["eye.L"], listed["eye.R"]) == bones
    assert max(off(obj, bones, at, frame) for frame in FRAMES) < MOST_OFF
    move(at, -2.0, -6.0, 2.2)
    assert max(off(obj, bones, at, frame) for frame in FRAMES) < MOST_OFF
    obj.neurarig.walk.look_at = None
    left, right = (forward for _, forward in directions(obj, bones, 5))
    assert np.degrees(np.arccos(min(float(left @ right), 1.0))) < IN_HEAD


@pytest.mark.parametrize("make", ["plain", "Rigify"])
def test_a_bake_has_the_eyes_and_removing_gives_them_back(make):
    obj = rigs.rigify_human() if make == "Rigify" else plain()
    bones = ("ORG-eye.L", "ORG-eye.R") if make == "Rigify" else ("LeftEye", "RightEye")
    moved = obj.pose.bones["eye.L" if make == "Rigify" else "LeftEye"]
    moved.location.x = 0.01
    moved.rotation_mode = "XYZ"
    moved.rotation_euler.x = 0.1
    bpy.context.view_layer.update()
    before, at = state_of(obj), thing(2.0, -6.0, 1.3)
    api.generate_walk(obj, mode="IN_PLACE", look_at=at, speed=1.0)
    live = played(obj, FRAMES, bones)
    api.bake_walk(obj, frame_start=1, frame_end=40)
    np.testing.assert_allclose(played(obj, FRAMES, bones), live, atol=1e-4)
    assert max(off(obj, bones, at, frame) for frame in FRAMES) < MOST_OFF
    api.remove_walk(obj)
    after = state_of(obj)
    for part in ("bones", "constraints", "pose"):
        assert after[part] == before[part], part


def test_eyes_with_a_constraint_of_their_own_are_left_to_it():
    obj = plain()
    constraint = obj.pose.bones["LeftEye"].constraints.new("DAMPED_TRACK")
    constraint.target = thing(0.0, -3.0, 1.6)
    api.generate_walk(obj, mode="IN_PLACE", look_at=thing(2.0, -6.0, 1.3), speed=1.0)
    assert (
        not constraint.mute
        and '"LeftEye"' not in obj.neurarig.attachment
        and '"RightEye"' not in obj.neurarig.attachment
    )


def test_an_eye_that_is_taken_off_the_list_is_not_turned():
    obj = plain()
    api.detect_rig(obj)
    next(item for item in obj.neurarig.roles if item.role == "eye.R").bone = ""
    api.generate_walk(obj, mode="IN_PLACE", look_at=thing(2.0, -6.0, 1.3), speed=1.0)
    assert '"LeftEye"' not in obj.neurarig.attachment
