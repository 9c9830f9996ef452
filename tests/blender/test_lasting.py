"""A bake belongs to the user: it plays the same after its holder is removed, saved and opened, or gone on from."""

import random
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import lasting
from tests import cases
from tests.blender.retargeting import actor
from tests.blender.walking import played, walk
from tests.rigs import biped, build, make_active, metarig_with_leg_ik, rigify_human

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = (1, 7, 13, 20, 28)
SAME = 2e-4  # metres


def posed() -> bpy.types.Object:
    """Return a biped that its user has posed, and whose legs have constraints of his that make way."""
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftShoulder"].rotation_quaternion = (0.9, 0.2, 0.1, 0.1)
    obj.pose.bones["RightFoot"].rotation_quaternion = (0.95, 0.1, 0.0, 0.2)
    aimed = obj.pose.bones["LeftLeg"].constraints.new("COPY_ROTATION")
    aimed.target, aimed.subtarget, aimed.influence = obj, "RightLeg", 0.5
    return obj


RIGS = {"biped": lambda: build(biped(), "Hero"), "posed": posed, "rigify": rigify_human, "metarig": metarig_with_leg_ik}
BAKES = ("walk", "walk", "walk", "clip", "pose")
ENDS = ("remove", "remove", "apply", "keep", "continue", "reopened", "paused")


def baked(rng: random.Random, obj: bpy.types.Object, what: str) -> tuple[bpy.types.Action, str]:
    """Return a bake of a drawn holder that plays on a character, and how it was made."""
    if what == "clip":
        source, _ = actor()
        controls = rng.choice(("FK", "IK"))
        make_active(obj)
        return api.retarget(obj, source=source, check=False, controls=controls, frame_start=1), controls
    if what == "pose":
        controls = rng.choice(("FK", "IK"))
        api.pose_targets(obj, "MAIN", controls=controls)
        hand = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "wrist.L")
        for frame in (1, 28):
            hand.location.z -= 0.15
            hand.keyframe_insert("location", frame=frame)
        return api.solve_range(obj, 1, 28), controls
    settings = {"mode": rng.choice(("TRAVEL", "IN_PLACE")), "controls": rng.choice(("AUTO", "AUTO", "FK"))}
    target = rng.choice(("CONTROLS", "CONTROLS", "LAYER", "DEFORM", "BOTH"))
    options = {"target": target, "keys": rng.choice(("EDITABLE", "DENSE")) if target != "DEFORM" else "DENSE"}
    options |= {"loop": rng.random() < 0.2, "push_nla": rng.random() < 0.3}
    walk(obj, use_network=False, **settings)
    return api.bake_walk(obj, frame_start=1, frame_end=28, **options), f"{settings} {options}"


def assign(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Have a free character play an action alone, as a user assigns it."""
    data = obj.animation_data_create()
    for track in data.nla_tracks:
        track.mute = True
    compat.assign(data, action, compat.suitable_slot(action, obj))


def ended(rng: random.Random, obj: bpy.types.Object, how: str, what: str, folder: Path) -> bpy.types.Object:
    """End what holds a character in a drawn way, and return the character."""
    remove = {"walk": api.remove_walk, "clip": api.remove_retarget, "pose": api.remove_targets}[what]
    if how == "reopened":
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "bake.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(folder / "bake.blend"))
        obj = bpy.data.objects["Hero"]
        make_active(obj)
    if how == "paused" and what != "pose":
        settings = obj.neurarig.walk if what == "walk" else obj.neurarig.retarget
        settings.live = True
        settings.live = False
    if how == "continue" and what == "walk" and not lasting.on_layer(obj):
        api.continue_motion(obj, 1.0, check=False)
        api.remove_retarget(obj)
    elif how == "apply" and what != "pose":
        remove(obj, **{"keep_bake" if what == "walk" else "keep_clip": True})
    else:
        remove(obj, bakes="KEEP" if how == "keep" else "MOVE")
    return obj


@pytest.mark.parametrize("seed", range(cases.some(60)))
def test_a_bake_plays_the_same_when_its_holder_is_gone(seed, tmp_path):
    rng = random.Random(seed)
    rig, what, how = rng.choice(list(RIGS)), rng.choice(BAKES), rng.choice(ENDS)
    obj = RIGS[rig]()
    obj.name = "Hero"
    bones = [bone.name for bone in obj.data.bones if bone.use_deform]
    action, made = baked(rng, obj, what)
    name, before = action.name, played(obj, FRAMES, bones)
    assert np.ptp(before, axis=0).max() > 0.05
    obj = ended(rng, obj, how, what, tmp_path)
    assert obj.neurarig.attachment == ""
    assign(obj, bpy.data.actions[name])
    off = float(np.abs(played(obj, FRAMES, bones) - before).max())
    print(f"{seed} {rig} {what} {made} {how}: {1e3 * off:.3f} mm")
    assert off < SAME, (rig, what, made, how)
