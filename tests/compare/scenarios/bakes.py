"""Bakes: targets, steps, loops, tracks, editable keys, on several rigs; Re-bake, Reduce Keys, takes, and what
is there before."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.walks import walker
from tests.compare.seen import Seen, curves

FRAMES = (1, 7.5, 16, 40)
NINE = {"frame_start": 1, "frame_end": 9}
BAKES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {  # rig, settings of the walk, of the bake
    "dense": ("animated", {}, {**NINE, "keys": "DENSE"}),
    "every third": ("animated", {}, {"frame_start": 2, "frame_end": 14, "step": 3}),
    "deform": ("animated", {}, {**NINE, "target": "DEFORM"}),
    "both": ("fbx", {}, {**NINE, "target": "BOTH"}),
    "loop": ("animated", {}, {"loop": True}),
    "loop of deform by the root": ("metarig", {"travel_with": "BONE"}, {"loop": True, "target": "DEFORM"}),
    "track": ("animated", {}, {"frame_start": 5, "frame_end": 12, "push_nla": True}),
    "editable": ("animated", {}, {"frame_start": 1, "frame_end": 40, "keys": "EDITABLE"}),
    "editable, loose": (
        "animated",
        {},
        {"frame_start": 1, "frame_end": 30, "keys": "EDITABLE", "tolerance": 0.02},
    ),
    "editable loop": ("animated", {}, {"loop": True, "keys": "EDITABLE"}),
    "checked": ("animated", {}, {"frame_start": 1, "frame_end": 25, "check": True}),
    "on rigify": ("rigify", {}, NINE),
    "editable on rigify": ("rigify", {}, {"frame_start": 1, "frame_end": 6, "keys": "EDITABLE"}),
    "editable on leg ik": ("leg ik", {}, {"frame_start": 1, "frame_end": 12, "keys": "EDITABLE"}),
    "on drawn": ("drawn", {}, NINE),
    "fk": ("leg ik", {"controls": "FK"}, NINE),
    "run": ("rooted", {"gait": "RUN"}, {"frame_start": 1, "frame_end": 24, "keys": "EDITABLE"}),
}


def baked(rig: str, settings: dict[str, Any], given: dict[str, Any], seen: Seen) -> None:
    """Bake a walk, look, turn it live again, bake again, and remove it."""
    obj = walker(seen, rig, **settings)
    seen.ask(api.bake_walk, obj, **given)
    seen.look(*FRAMES)
    obj.neurarig.walk.live = True
    seen.look(*FRAMES[1:3])
    seen.ask(api.bake_walk, obj, **given)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES[1:3])


def again(keys: str, seen: Seen) -> None:
    """Touch keys of a bake and bake it again with other sliders."""
    obj = walker(seen, "animated", use_network=True)
    action = seen.ask(api.bake_walk, obj, frame_start=1, frame_end=24, keys=keys)
    for number, curve in enumerate(curves(action)):
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
    obj.neurarig.walk.live = True
    seen.ask(api.rebake_walk, obj)
    seen.look(*FRAMES)
    seen.press("reduce_keys", tolerance=0.01)
    seen.ask(api.mark_timeline, obj)
    seen.note("markers", [(marker.name, marker.frame) for marker in bpy.context.scene.timeline_markers])
    seen.look(*FRAMES)


def kept(seen: Seen) -> None:
    """Bake with animation of one's own there: tracks, actions chosen and renamed meanwhile."""
    obj = walker(seen, "animated")
    first = seen.ask(api.bake_walk, obj, **NINE)
    first.name = "Mine now"
    obj.neurarig.walk.live = True
    seen.ask(api.bake_walk, obj, **NINE, push_nla=True)
    for track in obj.animation_data.nla_tracks:
        track.name = f"Track of {track.name}"
    seen.look(*FRAMES)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES)
    obj.animation_data.action = None
    obj.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=4)
    seen.ask(api.generate_walk, obj, speed=0.8)
    seen.look(*FRAMES)
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES)


def parametric(seen: Seen) -> None:
    """Make one take of several speeds, and take it off."""
    obj = walker(seen, use_network=True)
    seen.ask(api.make_parametric, obj)
    seen.look(*FRAMES)
    seen.ask(api.remove_take, obj)
    seen.look(*FRAMES)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        **{name: partial(baked, *of) for name, of in BAKES.items()},
        **{f"again, {keys.lower()}": partial(again, keys) for keys in ("DENSE", "EDITABLE")},
        "kept": kept,
        "parametric": parametric,
    }
