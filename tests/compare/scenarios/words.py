"""What is said: of every setting, button and panel; by refusals; on the command line."""

import json
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.blender.command_line import run
from tests.blender.leading import curve, linked, sheet
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.clips import actor
from tests.compare.scenarios.walks import walker
from tests.compare.seen import Seen
from tests.rigs import make_active

LIMITS = (
    "hard_min",
    "hard_max",
    "soft_min",
    "soft_max",
    "step",
    "precision",
    "default",
    "subtype",
    "unit",
    "array_length",
    "length_max",
)
MARKS = (
    "is_animatable",
    "is_hidden",
    "is_skip_save",
    "is_enum_flag",
    "is_overridable",
    "is_readonly",
    "name",
    "description",
)
LOOKS = (
    "bl_label",
    "bl_description",
    "bl_parent_id",
    "bl_order",
    "bl_category",
    "bl_space_type",
    "bl_region_type",
    "bl_context",
)
REFUSED: tuple[dict[str, Any], ...] = (
    {"mode": "FLY"},
    {"speed": float("nan")},
    {"speed": 200.0},
    {"wings": 2},
    {"preset": "Nobody's"},
    {"profile": "nothing.json"},
    {"prints": "none.json"},
    {"styles": {"Nobody's": 1.0}},
    {"styles": {f"s{n}": 1.0 for n in range(9)}},
    {"mode": "PATH"},
    {"controls": "HANDS"},
    {"ground": 5},
    {"start_frame": 1e9},
    {"gait": "SKIP", "profile": "Plain Biped"},
    {"markers": [{}]},
    {"markers": 3},
    {"arrive": "soon"},
)
BAKES: tuple[dict[str, Any], ...] = (
    {"step": 0},
    {"step": 2, "keys": "EDITABLE"},
    {"keys": "FEW"},
    {"target": "HEAD"},
    {"tolerance": 9.0},
    {"frame_end": 10**9},
    {"frame_start": 1.5},
    {"loop": "yes"},
    {"frame_start": 9, "frame_end": 4},
)
CLIPS: tuple[dict[str, Any], ...] = (
    {},
    {"root": "HEAD"},
    {"stride": float("inf")},
    {"step": 0},
    {"wings": 1},
    {"controls": "HANDS"},
    {"contacts": "yes"},
)
LINES = (
    "walk --speed 1.3 --mode travel --frames 1 24 --bake --report r.json --set energy=0.25",
    "walk --armature Hero --gait run --frames 3 12 --bake --target both --keys dense",
    "walk --preset Heavy --style Sad=0.5 --style March --bake --loop --push-nla",
    (
        "walk --path Way --ground Hill --arrive 90 --marker 1@30+0.5 --marker 2 --start-turn 40 --end-turn"
        " -30 --frames 1 12 --bake"
    ),
    (
        "walk --mode travel --face Thing --stand-on Thing --facing 20 --seed 3 --person 4 --set variation=1"
        " --set individual=1"
    ),
    "walk --preset Nobody",
    "walk --set wings=2",
    "walk --set energy=high",
    "walk --speed fast",
    "walk --frames 20 10 --bake",
    "walk --path Nothing",
    "walk --output walk.mp4",
    "walk --marker 1@x",
    "walk --armature Nobody",
    "walk --style Sad=x",
    "dance",
    "",
    "detect",
    "retarget --target Hero --source Actor --action Walk --report r.json --fit-range",
    (
        "retarget --target Hero --source Actor --all-actions --controls ik --root object --begin-here --start"
        " 3 --step 2"
    ),
    "retarget --target Hero",
    "retarget --target Hero --source Actor --stride x",
    "encode --armature Actor --action Walk --output e.csv",
    "encode --armature Actor --output e.txt",
    "style list",
    "style learn --armature Actor --name Low --action Walk",
    "pose --armature Actor --output pose.npz --frames 5 9",
    "pose --armature Actor --output pose.txt",
    *(
        f"{command} --help"
        for command in ("", "walk", "detect", "retarget", "encode", "style", "solve", "pose")
    ),
)


NOT_PRESSED = ("start_link", "train_profile")  # they wait for another program


def properties(struct: bpy.types.bpy_struct, path: str, known: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield what Blender knows of every property of a struct, and of the groups that it holds, each once."""
    if path and struct.identifier in known:
        return
    known.add(struct.identifier)
    for prop in struct.properties:
        if prop.identifier in ("rna_type", "bl_rna"):
            continue
        here = f"{path}.{prop.identifier}"
        said = {name: getattr(prop, name, None) for name in (*LIMITS, *MARKS)}
        yield here, {name: value for name, value in said.items() if isinstance(value, float | int | str)}
        if prop.type == "ENUM":
            yield (
                f"{here} choices",
                [
                    f"{item.identifier}|{item.name}|{item.description}|{item.icon}|{item.value}"
                    for item in prop.enum_items
                ],
            )
        held = getattr(prop, "fixed_type", None)
        if held is not None and issubclass(
            getattr(bpy.types, held.identifier, object), bpy.types.PropertyGroup
        ):
            yield from properties(held, here, known)


def definitions(seen: Seen) -> None:
    """Note what is said of all settings, buttons, panels, menus and lists."""
    for kind in ("Object", "Scene", "Action", "Armature", "WindowManager"):
        group = getattr(bpy.types, kind).bl_rna.properties.get("neurarig")
        for path, said in properties(group.fixed_type, "", set()) if group is not None else ():
            seen.part("settings", f"{kind}{path}", said)
    for name in dir(bpy.types):
        if name.startswith("NEURARIG_"):
            kind = getattr(bpy.types, name)
            seen.part(
                "classes",
                name,
                {look: getattr(kind, look, "") for look in LOOKS}
                | {"options": sorted(getattr(kind, "bl_options", ()))},
            )
            if "_OT_" in name:
                for path, said in properties(
                    getattr(bpy.ops.neurarig, name.partition("_OT_")[2]).get_rna_type(), "", set()
                ):
                    seen.part("buttons", f"{name}{path}", said)


def refused(seen: Seen) -> None:
    """Ask for what cannot be."""
    obj = seen.open("bones")
    source, _ = actor(obj)
    for call in (
        api.resume_walk,
        api.remove_walk,
        api.bake_walk,
        api.contact_report,
        api.rebake_walk,
        api.reduce_keys,
        api.solve_pose,
    ):
        seen.ask(call, obj)
    for given in REFUSED:
        seen.ask(api.generate_walk, obj, **given)
    for given in CLIPS:
        seen.ask(api.retarget, obj, **{"source": source, **given} if given else {})
    for points in ("ALL", [], ["nose"], ["wrist.L", "tail"]):
        seen.ask(api.pose_targets, obj, points)
    obj.hide_set(True)
    seen.ask(api.generate_walk, obj)
    obj.hide_set(False)
    obj.data.pose_position = "REST"
    seen.ask(api.generate_walk, obj)
    obj.data.pose_position = "POSE"
    seen.ask(api.generate_walk, obj, use_network=False)
    for given in BAKES:
        seen.ask(api.bake_walk, obj, **given)
    for call in (api.retarget, api.link_retarget):
        seen.ask(call, obj, source=source)
    seen.look(1)
    horse = seen.open("quadruped")
    for call in (
        api.detect_rig,
        api.find_controls,
        api.generate_walk,
        api.pose_targets,
        api.apply_scale,
        api.add_path,
    ):
        seen.ask(call, horse)
    seen.look(1)


def pressed(make: Callable[[Seen], bpy.types.Object], seen: Seen) -> None:
    """Press every button in a state, each in the file as it was."""
    make(seen)
    path = str(seen.folder / "state.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for name in sorted(dir(bpy.ops.neurarig)):
        if name not in NOT_PRESSED:
            bpy.ops.wm.open_mainfile(filepath=path)
            seen.press(name)
            seen.bones(f"{name}, ", 9)
            seen.settings(f"{name}, ")


def said_on_lines(seen: Seen) -> None:
    """Run command lines one after the other, and look at the file and at what was written."""
    obj = seen.open("animated")
    actor(obj)
    curve([(0.0, 0.0), (0.0, -2.0), (1.0, -3.0)], "BEZIER")
    sheet("Hill", lambda x, _y: 0.03 * x, reach=5.0, cells=6)
    linked("Thing", None).location = (2.0, -4.0, 1.5)
    make_active(obj)
    for line in LINES:
        seen.ask(run, *shlex.split(line))
        seen.look(1, 9)
    for path in sorted(seen.folder.glob("*.json")):
        seen.note(path.name, json.loads(path.read_text(encoding="utf-8")))
    seen.note("written", sorted(path.name for path in seen.folder.iterdir()))


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        "definitions": definitions,
        "refused": refused,
        "buttons of one who walks": partial(pressed, walker),
        "buttons of one who does not": partial(pressed, lambda seen: seen.open("bones")),
        "command lines": said_on_lines,
    }
