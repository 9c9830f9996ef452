"""Walks and runs on every rig; every slider and setting changed by itself; keys and drivers; edits of the rig
under a walk."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.blender.leading import linked
from tests.blender.other_values import others
from tests.compare.scenarios import Scenario
from tests.compare.seen import Seen

TRAVELS = {"use_network": False, "mode": "TRAVEL"}
GAITS: dict[str, dict[str, Any]] = {
    "natural": {"use_network": True},
    "in place": {"mode": "IN_PLACE", "speed": 0.8},
    "run": {"gait": "RUN"},
    "by speed": {"gait": "BY_SPEED", "speed": 2.1},
    "skip": {"gait": "SKIP"},
    "gallop": {"gait": "GALLOP", "lead": "LEFT"},
    "hop": {"gait": "HOP", "hop_on": "RIGHT"},
    "hop on both": {"gait": "HOP", "hop_on": "BOTH"},
    "backward": {"facing": 180.0},
    "odd frames": {"whole_frames": False, "start_frame": 3.5, "phase": 0.3},
    "stands": {"speed": 0.0, "idle": 1.0},
    "another person": {"variation": 1.0, "variation_seed": 5, "individual": 1.0, "person_seed": 7},
}
ON = {
    **{
        rig: {}
        for rig in (
            "animated",
            "rigify",
            "metarig",
            "leg ik",
            "drawn",
            "fbx",
            "other",
            "rooted",
            "no toes",
            "no names",
        )
    },
    "leg ik in fk": {"controls": "FK"},
    "metarig by the root": {"travel_with": "BONE"},
}
SHARES = 3  # scenarios for all settings


def walker(seen: Seen, rig: str = "bones", **settings: Any) -> bpy.types.Object:
    """Return one that walks plainly through the scene."""
    obj = seen.open(rig)
    seen.ask(api.generate_walk, obj, **{**TRAVELS, "speed": 1.2, **settings})
    return obj


def on(rig: str, settings: dict[str, Any], seen: Seen) -> None:
    """Make a character walk, look at it, and take the walk off."""
    obj = seen.open(rig)
    seen.ask(api.detect_rig, obj)
    seen.note("map", seen.ask(api.find_controls, obj))
    seen.ask(api.generate_walk, obj, **{**TRAVELS, **settings})
    seen.look(1, 4, 9.5, 17, 40)
    seen.ask(api.remove_walk, obj)
    seen.look(1, 9)


def gait(settings: dict[str, Any], seen: Seen) -> None:
    """Walk in a gait."""
    obj = seen.open("bones")
    report = seen.ask(api.generate_walk, obj, **{**TRAVELS, **settings})
    seen.note("summary", seen.ask(api.summary, obj, report))
    seen.note("contacts", seen.ask(api.contact_report, obj, (1, 40)))
    seen.look(-20, 1, 5, 12.25, 30, 77)


def each_changed(settings: bpy.types.PropertyGroup, seen: Seen, share: int = 0, shares: int = 1) -> None:
    """Change every so-manieth setting and back: what it refuses, and where the bones are meanwhile."""
    for name, value in sorted(others(settings), key=str)[share::shares]:
        before, here = getattr(settings, name), f"{name} = {value}, "
        seen.ask(partial(setattr, settings, name, value))
        seen.bones(here, 8.5, 60)
        seen.settings(here)
        seen.panels(here)
        seen.ask(partial(setattr, settings, name, before))
    seen.bones("afterwards, ", 8.5, 60)


def keyed(seen: Seen) -> None:
    """Key and drive sliders, and bake them."""
    obj = walker(seen)
    own = obj.neurarig.walk
    for name, values in {
        "speed": (0.5, 1.6),
        "energy": (-0.5, 0.8),
        "facing": (0.0, 90.0),
        "influence": (1.0, 0.4),
    }.items():
        for frame, value in zip((1, 30), values, strict=True):
            setattr(own, name, value)
            own.keyframe_insert(name, frame=frame)
    own.driver_add("lean").driver.expression = "frame * 0.1"
    bpy.context.scene.frame_set(1)
    seen.look(1, 12, 25, 50)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=20)
    seen.look(1, 12.5)


def interrupted(seen: Seen) -> None:
    """Pause, resume and check a walk; delete a bone of it, rename others, move the armature; save, open and
    copy it."""
    obj = walker(seen, "animated")
    obj.neurarig.walk.live = False
    obj.pose.bones["Hips"].location.x = 0.2
    seen.look(1, 9)
    seen.ask(api.resume_walk, obj)
    seen.press("check_contacts", frame_start=3, frame_end=20)
    seen.look(1, 9)
    obj.data.bones["LeftUpLeg"].name = "Thigh on the left"
    obj.location.x += 0.5
    obj.rotation_euler.z = 0.4
    seen.look(1, 9)
    path = str(seen.folder / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects["Hero"]
    seen.look(1, 9)
    bpy.ops.object.duplicate()
    bpy.context.object.neurarig.walk.speed = 0.7
    seen.look(1, 9)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.object.data.edit_bones.remove(bpy.context.object.data.edit_bones["LeftLeg"])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(3)
    seen.look(9)
    seen.ask(api.resume_walk, bpy.context.object)
    seen.ask(api.bake_walk, bpy.context.object, frame_start=1, frame_end=5)
    seen.ask(api.remove_walk, bpy.context.object)
    seen.look(9)


def carried(seen: Seen) -> None:
    """Parent a walking character to what moves, scale it, in a scene of other units and frames a second."""
    obj = walker(seen, "animated")
    ship = linked("Ship", None)
    obj.parent = ship
    for frame, x in ((1, 0.0), (30, 2.0)):
        ship.location.x, ship.rotation_euler.z = x, 0.1 * x
        ship.keyframe_insert("location", frame=frame)
        ship.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    seen.look(1, 10, 25)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base, scene.unit_settings.scale_length = 30, 1.001, 0.01
    seen.look(1, 10)
    scene.unit_settings.scale_length = 1.0
    for size in ((2.0, 2.0, 2.0), (0.02, 0.02, 0.02), (1.0, 1.0, 1.5), (-1.0, 1.0, 1.0)):
        obj.scale = size
        seen.ask(api.generate_walk, obj)
        seen.note("odd", api.odd_size(obj))
        seen.look(1, 10)
        seen.ask(api.apply_scale, obj)
        seen.look(10)


def over(seen: Seen) -> None:
    """Play an action over a walk, on parts, with weights."""
    obj = walker(seen, "animated")
    for given in (
        {},
        {"parts": ["HEAD"], "weight": 0.5, "blend": "ADD"},
        {"offset": 8.0, "ease": 3.0},
        {"parts": ["LEGS"]},
        {"parts": []},
        {"blend": "MIX"},
    ):
        seen.ask(api.layer_action, obj, bpy.data.actions["Own"], **given)
        seen.look(1, 7.5, 16)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=10)
    seen.look(7)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        **{
            f"on {name}": partial(on, name.partition(" in fk")[0].partition(" by")[0], settings)
            for name, settings in ON.items()
        },
        **{name: partial(gait, settings) for name, settings in GAITS.items()},
        **{
            f"settings {share + 1}": partial(
                lambda share, seen: each_changed(walker(seen).neurarig.walk, seen, share, SHARES), share
            )
            for share in range(SHARES)
        },
        "keyed": keyed,
        "interrupted": interrupted,
        "carried": carried,
        "an action over it": over,
    }
