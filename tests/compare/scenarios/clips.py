"""Clips on other characters: linked live, baked, mirrored, from files and folders, encoded; and the way
back."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.walks import TRAVELS, each_changed
from tests.compare.seen import Seen
from tests.rigs import biped, build, make_active

FRAMES = (5, 17, 33.5)
CHOICES: dict[str, dict[str, Any]] = {
    "by the root": {"root": "BONE", "fit_range": True},
    "places, late": {"follow": "PLACES", "hands": False, "frame_start": 20, "step": 4, "check": False},
    "mirrored": {"mirror": True, "follow": "DIRECTIONS", "root": "OBJECT", "start_here": True},
    "free, in place": {
        "root": "IN_PLACE",
        "stride": 1.3,
        "contacts": False,
        "arm_spacing": 12.0,
        "root_smoothing": 0.0,
    },
    "ik": {"controls": "IK"},
}


def actor(obj: bpy.types.Object) -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return another human, that plays an action of a walk, and the action; `obj` stays the active one."""
    source = build(biped(), "Actor")
    api.generate_walk(source, **TRAVELS, start_frame=5.0)
    action = api.bake_walk(source, frame_start=5, frame_end=34, target="DEFORM")
    api.remove_walk(source)
    action.name = "Walk"
    for key in [key for key in action.keys() if key.startswith("neurarig")]:  # noqa: SIM118  like any action of the user's
        del action[key]
    own = source.animation_data or source.animation_data_create()
    own.action, own.action_slot = action, action.slots[0]
    make_active(obj)
    return source, action


def on(rig: str, given: dict[str, Any], seen: Seen) -> None:
    """Put a clip on a character, look, link it live, and take all off."""
    obj = seen.open(rig)
    source, action = actor(obj)
    seen.ask(api.retarget, obj, source=source, action=action, **given)
    seen.look(*FRAMES)
    seen.ask(
        api.link_retarget,
        obj,
        source=source,
        **{name: value for name, value in given.items() if name != "check"},
    )
    source.location.x += 0.4
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    obj.neurarig.retarget.live = False
    seen.ask(api.remove_retarget, obj)
    seen.look(*FRAMES)


def settings(seen: Seen) -> None:
    """Change every setting of a linked clip."""
    obj = seen.open("bones")
    source, _ = actor(obj)
    seen.ask(api.link_retarget, obj, source=source)
    each_changed(obj.neurarig.retarget, seen)


def buttons(seen: Seen) -> None:
    """Link, retarget and remove by the buttons; put several actions on; keep a clip."""
    obj = seen.open("animated")
    source, action = actor(obj)
    seen.press("link_retarget")
    obj.neurarig.retarget.source = source
    for button in ("link_retarget", "retarget", "remove_retarget"):
        seen.press(button)
        seen.look(*FRAMES)
    second = action.copy()
    second.name = "Second"
    seen.ask(api.retarget_actions, obj, [action, second, bpy.data.actions["Own"]], source=source)
    seen.look(*FRAMES)
    seen.ask(api.remove_retarget, obj, keep_clip=True)
    seen.look(*FRAMES)


def files(seen: Seen) -> None:
    """Take clips from encodings, a folder, and what is no clip."""
    obj = seen.open("other")
    source, action = actor(obj)
    for ending in ("npz", "csv", "txt"):
        seen.ask(api.encode_action, source, seen.folder / f"walk.{ending}", action)
    (seen.folder / "odd.bvh").write_text("HIERARCHY\nROOT Hips\n{\n}")
    for name in ("walk.npz", "walk.csv", "odd.bvh", "none.bvh", "walk.mp4"):
        seen.ask(api.retarget, obj, file=seen.folder / name, root="OBJECT")
        seen.look(*FRAMES)
    seen.ask(api.retarget_folder, obj, seen.folder)
    seen.look(*FRAMES)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        **{f"on {rig}": partial(on, rig, {}) for rig in ("animated", "rigify", "drawn", "no names")},
        **{name: partial(on, "other", given) for name, given in CHOICES.items()},
        "settings": settings,
        "buttons": buttons,
        "files": files,
    }
