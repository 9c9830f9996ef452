"""Clips on other characters: linked live, baked, mirrored, from files and folders, encoded; what is refused, and the way back."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.retarget import api as retarget_api
from tests.blender.record.characters import RIGS
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.retargeting import actor
from tests.rigs import make_active

FRAMES = (5, 17, 33.5, 60)
CHOICES: dict[str, dict[str, Any]] = {
    "root bone": {"root": "BONE", "fit_range": True},
    "places, late": {"follow": "PLACES", "hands": False, "frame_start": 20, "step": 4, "check": False},
    "mirror": {"mirror": True, "follow": "DIRECTIONS", "root": "OBJECT", "start_here": True},
    "free, in place": {"root": "IN_PLACE", "stride": 1.3, "contacts": False, "arm_spacing": 12.0, "root_smoothing": 0.0},
    "ik": {"controls": "IK"},
}


def short(**settings: Any) -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a source and its action, of half its length."""
    source, action = actor(**settings)
    action.use_frame_range, action.frame_start, action.frame_end = True, 5, 34
    return source, action


def put_on(make: str, seen: Seen, **given: Any) -> None:
    """Put a clip on a character, look, link it live, and take all off."""
    source, action = short()
    obj = RIGS[make]()
    make_active(obj)
    seen.ask(api.retarget, obj, source=source, action=action, **given)
    seen.look(*FRAMES)
    given.pop("check", None)
    seen.ask(api.link_retarget, obj, source=source, **given)
    seen.look(*FRAMES)
    source.location.x += 0.4
    bpy.context.view_layer.update()
    seen.look(*FRAMES[:2])
    obj.neurarig.retarget.live = False
    seen.ask(api.remove_retarget, obj)
    seen.look(*FRAMES)


def buttons(seen: Seen) -> None:
    """Link, retarget, keep and remove by the buttons."""
    source, action = short()
    obj = RIGS["animated"]()
    make_active(obj)
    seen.press("link_retarget")
    obj.neurarig.retarget.source = source
    seen.press("link_retarget")
    seen.look(*FRAMES)
    obj.neurarig.retarget.stride = 1.2
    seen.look(*FRAMES)
    seen.press("retarget")
    seen.look(*FRAMES)
    seen.note("actions", [each.name for each in retarget_api.actions_of_source(obj)])
    other = action.copy()
    other.name = "Second"
    made = seen.ask(api.retarget_actions, obj, [action, other, bpy.data.actions["Own"]], source=source)
    seen.look(*FRAMES)
    seen.ask(retarget_api.play, obj, made[0].action)
    seen.look(*FRAMES)
    obj.neurarig.retarget.live = True
    seen.look(*FRAMES)
    seen.press("remove_retarget")
    seen.look(*FRAMES)
    seen.ask(api.retarget, obj, source=source, action=action)
    seen.ask(api.remove_retarget, obj, keep_clip=True)
    seen.look(*FRAMES)


def files(seen: Seen) -> None:
    """Write an encoding and a BVH, take clips from them, from a folder, and from what is no clip."""
    source, action = short()
    obj = RIGS["other"]()
    make_active(obj)
    for ending in ("npz", "csv", "txt"):
        seen.ask(api.encode_action, source, seen.folder / f"walk.{ending}", action)
    (seen.folder / "odd.bvh").write_text("HIERARCHY\nROOT Hips\n{\n}")
    for name in ("walk.npz", "walk.csv", "odd.bvh", "none.bvh", "walk.mp4"):
        seen.ask(api.retarget, obj, file=seen.folder / name, root="OBJECT")
        seen.look(*FRAMES)
    made = seen.ask(api.retarget_folder, obj, seen.folder)
    seen.note("folder", made)
    seen.ask(api.retarget_folder, obj, seen.folder / "none")
    seen.look(*FRAMES)
    seen.ask(api.link_retarget, obj, file=seen.folder / "walk.npz")
    (seen.folder / "walk.npz").unlink()
    seen.look(*FRAMES)
    seen.ask(api.link_retarget, obj, file=seen.folder / "walk.npz")
    seen.ask(api.remove_retarget, obj)
    seen.look(*FRAMES)


def refused(seen: Seen) -> None:
    """Ask for clips that cannot be."""
    source, action = short()
    obj = RIGS["bones"]()
    for given in (
        {},
        {"source": obj},
        {"source": source, "root": "HEAD"},
        {"source": source, "stride": float("inf")},
        {"source": source, "step": 0},
        {"source": source, "wings": 1},
        {"source": source, "controls": "HANDS"},
        {"source": source, "frame_start": 10**8},
        {"action": action},
        {"source": bpy.data.objects.new("Empty", None)},
        {"source": RIGS["no names"]()},
        {"source": source, "contacts": "yes"},
    ):
        make_active(obj)
        seen.ask(api.retarget, obj, **given)
        seen.ask(api.link_retarget, obj, **given)
    for call in (api.remove_retarget, retarget_api.actions_of_source):
        seen.ask(call, obj)
    seen.ask(api.retarget_actions, obj, [], source=source)
    seen.ask(api.remove_retarget, obj, keep_clip=True)
    seen.look(*FRAMES)
    seen.ask(api.generate_walk, obj, use_network=False)
    seen.ask(api.retarget, obj, source=source)
    seen.ask(api.link_retarget, obj, source=source)
    seen.ask(api.remove_walk, obj)
    seen.ask(api.link_retarget, obj, source=source)
    bpy.data.objects.remove(source)
    bpy.context.scene.frame_set(9)
    seen.look(*FRAMES)
    seen.ask(api.pose_targets, obj)
    seen.ask(api.remove_retarget, obj, keep_clip=True)
    seen.look(*FRAMES)


def walked(seen: Seen) -> None:
    """Follow a character that itself walks live, in a mirror of what moves it."""
    source = RIGS["no toes"]()
    source.name = "Other"
    seen.ask(api.generate_walk, source, use_network=False, mode="TRAVEL")
    bpy.context.scene.frame_end = 20
    obj = RIGS["bones"]()
    make_active(obj)
    seen.ask(api.link_retarget, obj, source=source, mirror=True)
    seen.look(1, 9, 19)
    source.neurarig.walk.speed = 0.8
    seen.look(1, 9, 19)
    seen.ask(api.retarget, obj, source=source)
    seen.look(1, 9, 19)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"on {make}": partial(put_on, make) for make in ("animated", "drawn 3", "no names")},
        **{name: partial(put_on, "other", **given) for name, given in CHOICES.items()},
        "buttons": buttons,
        "files": files,
        "refused": refused,
        "walked": walked,
    }
