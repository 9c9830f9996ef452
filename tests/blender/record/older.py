"""Files of version 0.1: opened with all that was attached then, damaged, and open while the add-on is enabled."""

import warnings
from functools import partial
from unittest.mock import patch

import bpy

import neurarig_addon
from neurarig_addon.blender import api, old_names
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.record import CLIP, POSE, WALK
from tests.blender.aging import age_attachment, age_settings
from tests.blender.leading import linked
from tests.blender.record.characters import RIGS, hero, walker
from tests.blender.record.clips import short
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 9, 20)
REMOVED = {WALK: api.remove_walk, CLIP: api.remove_retarget, POSE: api.remove_targets}


def reopened(seen: Seen) -> bpy.types.Object:
    """Save the file, open it again and return its character."""
    path = str(seen.folder / "old.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.data.objects["Hero"]


def aged(holder: str, controls: str, seen: Seen) -> None:
    """Open a file of version 0.1 with a character that walks, plays a clip or follows targets; go on, and give it back."""
    source, action = short()
    obj = RIGS["animated"]()
    data = obj.animation_data
    track = data.nla_tracks.new()
    track.name = "Mine"
    own, slot = compat.assigned(data)
    compat.assign(track.strips.new("Own", 30, own), own, slot)
    make_active(obj)
    if holder == WALK:
        seen.ask(
            api.generate_walk, obj, use_network=False, mode="TRAVEL", profile="Plain Biped", controls="FK" if controls == "FK" else "AUTO"
        )
        obj.neurarig.walk.energy = 0.25
        obj.neurarig.walk.profile_constants[0].value = obj.neurarig.walk.profile_constants[0].high
        if controls == "IK":
            seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5, push_nla=True)
        obj.neurarig.walk.keyframe_insert("energy", frame=4)
        other = linked("Gauge", None)
        variable = other.driver_add("location", 0).driver.variables.new()
        variable.targets[0].id, variable.targets[0].data_path = obj, "neurarig.energy"
    elif holder == CLIP:
        seen.ask(api.link_retarget, obj, source=source, action=action, controls=controls, root="OBJECT")
    else:
        seen.ask(api.pose_targets, obj, controls=controls)
    bpy.context.scene.frame_set(20)
    seen.look(*FRAMES)
    age_attachment(obj, holder)
    obj = reopened(seen)
    seen.look(*FRAMES)
    seen.ask(REMOVED[holder], obj)
    seen.look(*FRAMES)


def damaged(seen: Seen) -> None:
    """Open files of version 0.1 with settings and attachments that cannot be."""
    obj = walker("animated")
    stored = compat.stored(obj.neurarig)
    for name, value in {
        "mode": 77,
        "speed": "fast",
        "profile_constants": 3,
        "energy": 0.5,
        "gait": 1,
        "layer_parts": 3,
        "styles": [1.0],
    }.items():
        stored[name] = value
    obj.neurarig.walk.speed = 0.9
    obj = reopened(seen)
    seen.look(*FRAMES)
    for text in ("[]", "{}", '{"made": 3}', '{"made": {"bones": 5}, "kind": "LAYER"}', "no"):
        own = obj.neurarig
        compat.stored(own.neural_pose)["attachment"] = text
        own.holders, own.attachment = set(), ""
        obj = reopened(seen)
        seen.look(1)
        seen.ask(api.remove_targets, obj)
        seen.ask(api.generate_walk, obj, use_network=False)
        seen.look(1)
    for stash in ("[]", '{"track": 5, "muted": ["None"], "had_data": true}', "x"):
        obj.neurarig.stash = stash
        seen.ask(api.remove_walk, obj)
        seen.look(1)
        seen.ask(api.generate_walk, obj, use_network=False)


def enabled(seen: Seen) -> None:
    """Enable the add-on while a file of version 0.1 is open, which Blender shows nobody meanwhile; and drive by an old name."""
    obj = hero()
    seen.ask(api.generate_walk, obj, use_network=False, speed=0.8)
    age_settings(obj)
    for reads in ("frame", "edit", "timer"):
        neurarig_addon.unregister()
        with patch.object(bpy, "data", object()):
            neurarig_addon.register()
        seen.note("waits", bpy.app.timers.is_registered(old_names._read_open_file))
        if reads == "edit":
            obj.location.x = 0.0
            bpy.context.view_layer.update()
        elif reads == "timer":
            seen.ask(old_names._read_open_file)
        seen.note("waits", bpy.app.timers.is_registered(old_names._read_open_file))
        seen.look(*FRAMES)
        age_settings(obj)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = linked("Gauge", None)
        driver = other.driver_add("location", 0).driver
        for path in ("neurarig.lean", "location.x", "neurarig.wings", "neurarig"):
            variable = driver.variables.new()
            variable.targets[0].id, variable.targets[0].data_path = obj, path
        driver.type = "SUM"
        bpy.context.view_layer.update()
        seen.note("parts", [obj.neurarig.neural_pose.attachment == obj.neurarig.attachment, obj.neurarig.retarget.attachment])
        seen.look(1)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"{holder} of 0.1 by {controls}": partial(aged, holder, controls) for holder in (WALK, CLIP, POSE) for controls in ("IK", "FK")},
        "damaged": damaged,
        "enabled": enabled,
    }
