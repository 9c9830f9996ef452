"""A bake belongs to the user: it plays the same after its holder is removed, saved and opened, or gone on
from."""

import random
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import lasting
from tests.blender.retargeting import actor
from tests.blender.walking import deform_bones, played, state_of, walk
from tests.refusals import refuses
from tests.rigs import biped, build, make_active, metarig_with_leg_ik, rigify_human

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


RIGS = {
    "biped": lambda: build(biped(), "Hero"),
    "posed": posed,
    "rigify": rigify_human,
    "metarig": metarig_with_leg_ik,
}
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


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(60))
def test_a_bake_plays_the_same_when_its_holder_is_gone(seed, tmp_path):
    rng = random.Random(seed)
    rig, what, how = rng.choice(list(RIGS)), rng.choice(BAKES), rng.choice(ENDS)
    obj = RIGS[rig]()
    obj.name = "Hero"
    bones = deform_bones(obj)
    action, made = baked(rng, obj, what)
    name, before = action.name, played(obj, FRAMES, bones)
    assert np.ptp(before, axis=0).max() > 0.05
    obj = ended(rng, obj, how, what, tmp_path)
    assert obj.neurarig.attachment == ""
    assign(obj, bpy.data.actions[name])
    off = float(np.abs(played(obj, FRAMES, bones) - before).max())
    print(f"{seed} {rig} {what} {made} {how}: {1e3 * off:.3f} mm")
    assert off < SAME, (rig, what, made, how)


def test_from_a_bake_the_motion_goes_on_or_all_is_as_it_was():
    obj = build(biped(), "Hero")
    walk(obj, use_network=False, mode="TRAVEL")
    action = api.bake_walk(obj, frame_start=1, frame_end=40, push_nla=True)
    far = bpy.data.objects.new("Line", bpy.data.curves.new("Line", "CURVE"))
    bpy.context.scene.collection.objects.link(far)
    bones = deform_bones(obj)
    seen = played(obj, FRAMES, bones)
    before = state_of(obj) | {"attachment": ""}
    with refuses("Line"):
        api.continue_motion(obj, 1.0, to=far)
    assert (
        state_of(obj) | {"attachment": ""} == before
        and np.abs(played(obj, FRAMES, bones) - seen).max() < SAME
    )
    obj.neurarig.walk.live = True
    assert np.abs(played(obj, FRAMES, bones) - seen).max() < 0.005
    obj.neurarig.walk.live = False
    obj.animation_data.nla_tracks[0].mute = False
    on = api.continue_motion(obj, 1.0, check=False, action_name="Onward")
    assert on.name == "Onward" and on.frame_range[1] > 60.0 and action.frame_range[1] == 40.0
    api.remove_retarget(obj)
    assert obj.animation_data.nla_tracks[0].strips[0].action == action


def test_a_layer_goes_on_a_baked_walk():
    obj = build(biped(), "Hero")
    walk(obj, use_network=False)
    api.bake_walk(obj, frame_start=1, frame_end=30)
    wave, place = compat.new_action("Wave", obj)
    curves, _ = compat.ensure_channels(wave, place)
    curves.new('pose.bones["LeftArm"].rotation_quaternion', index=1).keyframe_points.insert(1, 0.5)
    api.layer_action(obj, wave)
    assert obj.neurarig.walk.live


def test_what_is_in_the_file_is_found_and_what_is_anothers_stays():
    one, other = build(biped(), "One"), build(biped(), "Other")
    for obj in (one, other):
        make_active(obj)
        walk(obj, use_network=False)
    mine, theirs = (api.bake_walk(obj, frame_start=1, frame_end=12, target="LAYER") for obj in (one, other))
    loose = mine.copy()
    loose.name, loose.use_fake_user = "One by hand", True
    one.animation_data.action = None
    make_active(one)
    assert {action for action, _ in lasting.on_layer(one)} == {mine, loose}
    notes = api.remove_walk(one)
    assert all(f"'{action.name}'" in " ".join(notes) for action in (mine, loose))
    assert not any(
        '"NR-' in curve.data_path for action in (mine, loose) for curve in compat.all_channels(action)
    )
    assert any('"NR-' in curve.data_path for curve in compat.all_channels(theirs))


def test_keys_over_a_pushed_bake_play_on():
    obj = build(biped(), "Hero")
    walk(obj, use_network=False, mode="TRAVEL")
    api.bake_walk(obj, frame_start=1, frame_end=28, target="LAYER", push_nla=True)
    obj.animation_data.action = bpy.data.actions.new("Mine")
    for frame, height in ((8, 0.0), (13, 0.2), (18, 0.0)):
        bpy.context.scene.frame_set(frame)
        obj.pose.bones["NR-pelvis"].location[1] += height
        obj.pose.bones["NR-pelvis"].keyframe_insert("location", frame=frame)
    bones = deform_bones(obj)
    before = played(obj, range(1, 29), bones)
    api.remove_walk(obj)
    assert np.abs(played(obj, range(1, 29), bones) - before).max() < SAME


@pytest.mark.parametrize("bakes", ["KEEP", "LEAVE"])
def test_controls_may_stay_and_what_dies_is_named(bakes):
    obj = build(biped(), "Hero")
    walk(obj, use_network=False)
    action = api.bake_walk(obj, frame_start=1, frame_end=12, target="LAYER")
    assert f"'{action.name}'" in " ".join(api.remove_walk(obj, bakes=bakes)) or bakes == "KEEP"
    assert ("NR-foot.L" in obj.data.bones) == (bakes == "KEEP")
    walk(obj, use_network=False)
    api.remove_walk(obj)
    assert ("NR-foot.L" in obj.data.bones) == (bakes == "KEEP")
