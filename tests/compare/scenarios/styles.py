"""Styles, presets and profiles: taken on, blended, learned, saved, deleted; constants and checks."""

import bpy

from neurarig_addon.blender import api
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.clips import actor
from tests.compare.scenarios.walks import walker
from tests.compare.seen import Seen

FRAMES = (1, 9, 20.5)


def styled(seen: Seen) -> None:
    """Take styles on and off, beyond the places that there are, by parts of the body; learn and delete
    one."""
    obj = walker(seen, use_network=True)
    for name in ("Sad", "March", "Zombie", "Nobody's", "Sad"):
        seen.press("use_style", style=name)
        seen.look(*FRAMES)
    seen.press("take_style_out", place=1)
    seen.press("style_speed")
    for name in ("style_legs", "style_trunk", "style_arms", "style_head"):
        setattr(obj.neurarig.walk, name, 0.4)
        seen.bones(f"{name}, ", *FRAMES)
    for styles in ({}, {"Sad": 0.5, "March": 1.0}, {"Sad": 9.0}, {"": 1.0}, {"Sad": float("nan")}):
        seen.ask(api.generate_walk, obj, styles=styles)
        seen.bones(f"{sorted(styles)}, ", *FRAMES)
    source, action = actor(obj)
    seen.ask(api.learn_style, action, "Low", armature=source)
    seen.ask(api.generate_walk, obj, styles={"Low": 0.8})
    seen.look(*FRAMES)
    seen.press("delete_style", style="Low")
    seen.look(*FRAMES)


def presets(seen: Seen) -> None:
    """Apply presets, save one's own, apply it to another size, remove it."""
    obj = walker(seen, use_network=True)
    for name in ("Natural", "Brisk", "Heavy", "Nobody's"):
        seen.press("apply_preset", preset=name)
        seen.bones(f"{name}, ", *FRAMES)
        seen.settings(f"{name}, ")
    obj.neurarig.walk.energy = 0.3
    seen.press("add_preset", preset="Mine")
    seen.press("add_preset", preset="Natural")
    seen.look(*FRAMES)
    obj = seen.open("other")
    seen.ask(api.apply_preset, obj, "Mine")
    seen.look(*FRAMES)
    seen.press("remove_preset", preset="Mine")
    seen.press("remove_preset", preset="Mine")


def profiled(seen: Seen) -> None:
    """Walk by profiles, change constants, check and save, go back to people's gait."""
    obj = walker(seen)
    for name in ("Plain Biped", "Cartoon Strut", "Stalking Wader", "Nobody"):
        seen.press("use_profile", profile=name)
        seen.press("check_profile")
        seen.look(*FRAMES)
    for constant in list(obj.neurarig.walk.profile_constants)[:3]:
        constant.value *= 0.9
    obj.update_tag()
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    for constants in ({"duty": 0.6}, {"wings": 1.0}, {"duty": float("nan")}):
        seen.ask(api.use_profile, obj, "Stalking Wader", **constants)
        seen.look(*FRAMES)
    seen.ask(api.save_profile, obj, seen.folder / "own.json")
    seen.note("saved", (seen.folder / "own.json").read_text())
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=8)
    seen.press("use_human_gait")
    seen.look(*FRAMES)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {"styled": styled, "presets": presets, "profiled": profiled}
