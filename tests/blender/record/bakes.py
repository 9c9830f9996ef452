"""Bakes: targets, steps, loops, tracks, editable keys, on all kinds of rigs; Re-bake, Reduce Keys, layers, and what is there before."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.record.characters import walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 7.5, 16, 40)
KINDS: dict[str, dict[str, Any]] = {
    "dense": {"frame_start": 1, "frame_end": 12},
    "every third": {"frame_start": 2, "frame_end": 14, "step": 3},
    "deform": {"frame_start": 1, "frame_end": 9, "target": "DEFORM"},
    "both": {"frame_start": 1, "frame_end": 9, "target": "BOTH"},
    "loop": {"loop": True},
    "loop of deform": {"loop": True, "target": "DEFORM"},
    "track": {"frame_start": 5, "frame_end": 12, "push_nla": True},
    "editable": {"frame_start": 1, "frame_end": 40, "keys": "EDITABLE"},
    "editable, loose": {"frame_start": 1, "frame_end": 30, "keys": "EDITABLE", "tolerance": 0.02},
    "editable loop": {"loop": True, "keys": "EDITABLE"},
    "checked": {"frame_start": 1, "frame_end": 25, "check": True},
}


def baked(make: str, given: dict[str, Any], seen: Seen, **settings: Any) -> None:
    """Bake a walk, look, turn it live again, and remove it."""
    obj = walker(make, **settings)
    seen.ask(api.bake_walk, obj, **given)
    seen.look(*FRAMES)
    obj.neurarig.walk.live = True
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, **given)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES)


def again(keys: str, seen: Seen) -> None:
    """Touch keys of a bake and bake it again with other sliders."""
    obj = walker("animated", use_network=True)
    action = seen.ask(api.bake_walk, obj, frame_start=1, frame_end=24, keys=keys)
    curves = list(compat.find_channels(action, compat.suitable_slot(action, obj)))
    for number, curve in enumerate(curves):
        points = curve.keyframe_points
        if number % 5 == 0 and len(points) > 4:
            points[2].co.y += 0.05
        elif number % 5 == 1 and len(points) > 4:
            points.remove(points[1])
        elif number % 5 == 2 and len(points) > 2:
            points[1].interpolation = "CONSTANT"
        elif number % 5 == 3:
            points.insert(7.5, 0.1)
        curve.update()
    obj.neurarig.walk.energy = 0.5
    seen.press("rebake_walk")
    seen.look(*FRAMES)
    seen.ask(api.rebake_walk, obj)
    seen.look(*FRAMES)
    obj.neurarig.walk.live = True
    seen.ask(api.rebake_walk, obj)
    seen.look(*FRAMES)
    bpy.data.actions.remove(action)
    seen.ask(api.rebake_walk, obj)
    seen.look(*FRAMES)


def button(seen: Seen) -> None:
    """Bake by the button with all of its options, and what it refuses."""
    obj = walker()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 10
    for given in (
        {},
        {"check": True, "frame_end": 14},
        {"step": 2},
        {"keys": "DENSE", "target": "BOTH"},
        {"loop": True},
        {"frame_start": 9, "frame_end": 4},
        {"tolerance": 0.0001},
        {"push_nla": True, "keys": "DENSE"},
    ):
        obj.neurarig.walk.live = True
        seen.press("bake_walk", **given)
        seen.look(3, 8)
    for given in (
        {"step": 0},
        {"step": 2, "keys": "EDITABLE"},
        {"keys": "FEW"},
        {"target": "HEAD"},
        {"wings": 1},
        {"tolerance": 9.0},
        {"frame_end": 10**9},
        {"frame_start": 1.5},
        {"loop": "yes"},
        {"target": "DEFORM", "keys": "EDITABLE"},
        {"frame_start": 1, "frame_end": 1},
    ):
        seen.ask(api.bake_walk, obj, **given)
    seen.look(3, 8)


def reduced(seen: Seen) -> None:
    """Reduce the keys of a bake and of an action of one's own."""
    obj = walker("animated")
    seen.ask(api.reduce_keys, obj)
    action = seen.ask(api.bake_walk, obj, frame_start=1, frame_end=30)
    seen.press("reduce_keys", tolerance=0.01)
    seen.look(*FRAMES)
    seen.ask(api.reduce_keys, obj, action, tolerance=0.03)
    seen.ask(api.reduce_keys, obj, action, tolerance=-1.0)
    seen.ask(api.remove_walk, obj)
    seen.ask(api.reduce_keys, obj, bpy.data.actions["Own"])
    seen.look(*FRAMES)


def layered(blend: str, seen: Seen) -> None:
    """Play an action over a walk, on parts, with weights; bake it."""
    obj = walker("animated")
    action = bpy.data.actions["Own"]
    for given in (
        {"blend": blend},
        {"parts": ["HEAD"], "weight": 0.5, "blend": blend},
        {"offset": 8.0, "ease": 3.0, "blend": blend},
        {"parts": ["LEFT_ARM"]},
        {"parts": []},
        {"parts": ["LEGS"]},
        {"blend": "MIX"},
    ):
        seen.ask(api.layer_action, obj, action, **given)
        seen.look(*FRAMES)
    seen.ask(api.layer_action, obj, action, blend=blend)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=10)
    seen.look(*FRAMES)
    seen.ask(api.layer_action, obj, None)
    obj.neurarig.walk.live = True
    seen.look(*FRAMES)


def kept(seen: Seen) -> None:
    """Bake with animation of one's own there: tracks, other actions chosen meanwhile, renamed and deleted ones."""
    obj = walker("animated")
    first = seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5)
    first.name = "Mine now"
    obj.neurarig.walk.live = True
    second = seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5, push_nla=True)
    for track in obj.animation_data.nla_tracks:
        track.name = f"Track of {track.name}"
    seen.look(*FRAMES)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES)
    compat.assign(obj.animation_data, second, compat.suitable_slot(second, obj))
    seen.ask(api.generate_walk, obj)
    own = obj.animation_data
    own.action = None
    obj.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=4)
    seen.look(*FRAMES)
    seen.ask(api.generate_walk, obj, speed=0.8)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES)
    make_active(obj)
    track = own.nla_tracks.new()
    strip = track.strips.new("Strip", 1, first)
    compat.assign(strip, first, compat.suitable_slot(first, obj))
    own.use_tweak_mode = False
    seen.ask(api.generate_walk, obj)
    seen.look(*FRAMES)
    track.mute = not track.mute
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=4)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{kind: partial(baked, "animated", given) for kind, given in KINDS.items()},
        **{
            f"{kind} on {make}": partial(baked, make, KINDS[kind])
            for make, kind in (("leg ik", "deform"), ("leg ik", "editable"), ("drawn 3", "dense"))
        },
        **{f"{kind} by the root": partial(baked, "metarig", KINDS[kind], travel_with="BONE") for kind in ("loop", "both")},
        "in fbx": partial(baked, "fbx", KINDS["both"]),
        "fk": partial(baked, "leg ik", KINDS["dense"], controls="FK"),
        **{f"again {keys}": partial(again, keys) for keys in ("DENSE", "EDITABLE")},
        **{f"layered {blend}": partial(layered, blend) for blend in ("REPLACE", "ADD")},
        "button": button,
        "reduced": reduced,
        "kept": kept,
    }
