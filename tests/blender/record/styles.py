"""Styles, presets and profiles: taken on, blended, learned, saved, deleted; constants, curves, checks; old names."""

import json

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.manner import presets
from neurarig_addon.blender.walk.manner import styles as library
from neurarig_addon.core.logic.profile import FOLDER
from tests.blender.record.characters import hero, walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.retargeting import actor
from tests.rigs import make_active

FRAMES = (1, 9, 20.5)


def styled(seen: Seen) -> None:
    """Take styles on and off by the buttons and by names, beyond the places that there are."""
    obj = walker(use_network=True)
    make_active(obj)
    seen.note("library", library.names())
    for name in ("Sad", "March", "Proud", "Tired", "Nobody's", "Sad", library.names()[5][0], library.names()[6][0]):
        seen.press("use_style", style=name)
        seen.note("description", library.description(name))
        seen.look(*FRAMES)
    for place in (1, 0, 7):
        seen.press("take_style_out", place=place)
    seen.press("style_speed")
    seen.look(*FRAMES)
    seen.press("delete_style", style="Sad")
    for styles in ({}, {"Sad": 0.5, "March": 1.0}, {"Sad": 9.0}, {"": 1.0}, {"Sad": float("nan")}):
        seen.ask(api.generate_walk, obj, styles=styles)
        seen.bones(f"{sorted(styles)}", FRAMES)
    seen.press("style_speed")
    obj.neurarig.walk.style_1 = 0.2
    for name in ("style_legs", "style_trunk", "style_arms", "style_head"):
        setattr(obj.neurarig.walk, name, 0.4)
        seen.bones(name, FRAMES)
    seen.look(*FRAMES)


def learned(seen: Seen) -> None:
    """Learn a style from an action, an armature, no walk and no file; walk in it, and delete it."""
    source, action = actor(use_network=True, crouch=0.1, elbow_bend=40.0, speed=1.0)
    source.name = "Actor"
    obj = hero()
    for name, given, more in (
        ("Low", source, {}),
        ("Low too", action, {"armature": source}),
        ("", source, {}),
        ("x" * 90, source, {}),
        ("None", obj, {}),
        ("None", action, {}),
        ("Sad", source, {}),
        ("None", seen.folder / "none.bvh", {}),
        ("None", seen.folder / "clip.mp4", {}),
    ):
        style = seen.ask(api.learn_style, given, name, **more)
        seen.note("style", style)
    seen.ask(api.generate_walk, obj, styles={"Low": 0.8}, mode="TRAVEL")
    make_active(obj)
    seen.look(*FRAMES)
    seen.ask(api.learn_style, obj, "Live")
    make_active(source)
    seen.press("learn_style", style="Third", action=action.name)
    seen.press("learn_style", style="Fourth", action="Nothing")
    seen.press("learn_style_file", filepath=str(seen.folder / "none.bvh"))
    make_active(obj)
    seen.press("delete_style", style="Low")
    seen.press("delete_style", style="Low")
    seen.look(*FRAMES)


def preset(seen: Seen) -> None:
    """Apply every shipped preset, save one's own, apply it to another size, remove it; files that are none."""
    obj = walker(use_network=True)
    for name, _ in presets.names(presets.WALK):
        seen.press("apply_preset", preset=name)
        seen.note("description", presets.description(presets.WALK, name))
        seen.bones(name, FRAMES[:2])
        seen.settings(name)
    obj.neurarig.walk.energy = 0.3
    seen.press("add_preset", preset="Mine")
    seen.press("add_preset", preset="Natural")
    seen.press("add_preset", preset="../x")
    path = seen.ask(api.save_preset, obj, "Second")
    seen.note("written", json.loads(path.read_text()))
    path.write_text("[]")
    for name in ("Mine", "Second", "", "Natural"):
        seen.ask(api.apply_preset, obj, name)
        seen.press("remove_preset", preset=name)
    other = hero()
    seen.ask(api.apply_preset, other, "Brisk")
    seen.look(*FRAMES)


def profiled(seen: Seen) -> None:
    """Walk by every shipped profile, change constants, check, save, open, reset, go back to people's gait."""
    obj = walker()
    make_active(obj)
    for button in ("check_profile", "save_profile", "reset_constants"):
        seen.press(button)
    for name in ("Plain Biped", "Cartoon Strut", "Stalking Wader", "Nobody"):
        seen.press("use_profile", profile=name)
        seen.look(*FRAMES)
        seen.press("check_profile")
    constants = obj.neurarig.walk.profile_constants
    for constant in list(constants)[:3]:
        constant.value *= 0.9
    obj.update_tag()
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    for wrong in ({"duty": 0.6}, {"wings": 1.0}, {"duty": float("nan")}):
        seen.ask(api.use_profile, obj, "Stalking Wader", **wrong)
        seen.look(*FRAMES)
    obj.neurarig.walk.keep_planted = False
    seen.look(*FRAMES)
    obj.neurarig.walk.keep_planted = True
    seen.press("save_profile", filepath=str(seen.folder / "own.json"))
    seen.note("saved", json.loads((seen.folder / "own.json").read_text()))
    whole = json.loads((FOLDER / "1_plain_biped.json").read_text(encoding="utf-8"))
    for formula in ("0", "sin(", "1/0*t", "nothing"):
        whole["Schema"]["Rules"][0]["Phases"][0]["z"] = formula
        (seen.folder / "broken.json").write_text(json.dumps(whole))
        seen.press("open_profile", filepath=str(seen.folder / "broken.json"))
        seen.ask(api.check_profile, obj)
    seen.press("open_profile", filepath=str(seen.folder / "own.json"))
    seen.press("reset_constants")
    seen.look(*FRAMES)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=8)
    seen.press("use_human_gait")
    seen.look(*FRAMES)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"styled": styled, "learned": learned, "presets": preset, "profiled": profiled}
