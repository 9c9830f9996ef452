"""`neurarig walk` and `neurarig detect`."""

import argparse
import json
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ...core.files.option_values import ActOnWay, Limits, Marker, Shipped, Slider
from ...core.gait.sliders.style import SLIDERS
from .. import api
from ..animation.frame_range import checked_range, play_range
from ..interface import report_text
from ..keys import figures
from ..walk.bake import bake_options
from ..walk.bake.bake_options import OPTIONS as BAKE_OPTIONS
from ..walk.blend import OPTIONS as BLEND_OPTIONS
from ..walk.hands import HAND_POSES
from ..walk.manner import presets, profiles, styles
from ..walk.settings.requirements import OPTIONS
from ..walk.way import acts
from ..walk.way.markers import OBJECTS, NeuraRigMarker
from . import arguments, export
from .arguments import command

# Options that count on a path only, and for one gait only.
ON_PATHS = ("arrive", "marker", "start_turn", "end_turn")
OF_GAITS = {"lead": ("gallop", "canter"), "hop_on": ("hop",)}
REFUSED = {
    "keys": bake_options.DENSE,
    "tolerance": figures.TOLERANCE,
    "step": 1,
    "target": bake_options.CONTROLS,
}
# what carries the travel in a file, if nothing is said
CARRIERS = {".bvh": "bone", ".fbx": "object", ".glb": "object"}
SETTINGS = (
    "arrive",
    "start_turn",
    "end_turn",
    "facing",
    "start_standing",
    "variation_seed",
    "person_seed",
)


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    walk = command(
        commands, "walk", _walk, "make a character walk, bake it, report on it, write it to a file"
    )
    walk.armature()
    add_manner(walk)
    walk.takes(
        "--profile",
        Shipped(tuple(name for name, _ in profiles.shipped())),
        "NAME|FILE",
        "walk by a logic profile instead of the human gait",
    )
    walk.options(OPTIONS)
    walk.name("--path", "what to walk along: a curve, an empty with others on it, an object with keys")
    walk.name("--ground", "the mesh object or collection to walk on")
    walk.frames("--arrive", "FRAME", "arrive at the end of the path at this frame")
    walk.takes(
        "--marker",
        Marker(*(arguments.limits(name, NeuraRigMarker) for name in ("distance", "frame", "pause"))),
        "METRES[@FRAME][+SECONDS]",
        "arrive at a distance along the path at a frame and pause there, e.g. 3.5@60+2; may be repeated",
        action="append",
    )
    walk.takes(
        "--act",
        ActOnWay(
            acts.kinds(),
            {name: arguments.limits(name, acts.NeuraRigAct) for name in acts.NUMBERS},
            tuple(map(str.lower, acts.HANDS)),
            OBJECTS,
        ),
        "KIND[@WHERE][,FIELD=VALUE]",
        "do something on the way: JUMP@3.5,length=1.2 after metres, WAVE@f120 at a frame,"
        " SIT,thing=Chair,seconds=3; may be repeated",
        action="append",
    )
    walk.setting("--start-turn", "DEGREES", "degrees turned from the path at the start, left positive")
    walk.setting("--end-turn", "DEGREES", "degrees to turn on the spot at the end of the path, left positive")
    walk.name("--look-at", "the object that head and chest turn to")
    walk.setting(
        "--facing",
        "DEGREES",
        "degrees the body is turned from its direction of travel, left positive: 180 walks backward",
    )
    walk.name("--face", "the object that the body faces in travel and path")
    walk.add_argument(
        "--in-stride",
        dest="start_standing",
        action="store_const",
        const=False,
        help="enter the path in full stride instead of from standing",
    )
    walk.takes("--prints", arguments.given_file, "FILE.json", "edited footprints, as saved from a character")
    walk.name("--stand-on", "the moving object to stand on: a deck, a train")
    walk.choice(
        "--controls", ("auto", "fk"), "fk: rotations on the character's own bones only", default="auto"
    )
    walk.choice(
        "--hands",
        (pose.lower() for pose in HAND_POSES),
        "how the fingers of both hands are held (default: auto)",
    )
    walk.follow_through()
    walk.name("--blend-into", "the action that takes over from the walk", dest="blend_action")
    walk.options(BLEND_OPTIONS)
    for option, setting, told in (
        ("--seed", "variation_seed", "another number is another take, with --set variation=1"),
        ("--person", "person_seed", "another number is another person, with --set individual=1"),
    ):
        walk.setting(option, "N", told, setting, dest=setting)
    walk.frames("--frames", ("FIRST", "LAST"), "default: the scene's range")
    walk.switch("--bake", "bake to keyframes of a new action")
    walk.options(BAKE_OPTIONS)
    walk.labels()
    walk.output("write the contact report")
    command(commands, "detect", _detect, "print which bone plays which role, as JSON").armature()


def add_manner(parser: arguments.Parser) -> None:
    """Add the options of how a character walks: speed, preset, styles and sliders."""
    parser.setting("--speed", "M/S", "walking speed in metres a second (default: natural for the leg length)")
    parser.takes("--preset", _shipped(presets.WALK), "NAME", "a walk preset, e.g. Natural, Brisk, Heavy")
    for option, read, metavar, told in (
        (
            "--style",
            _shipped(presets.STYLE, (0.0, styles.MOST_WEIGHT)),
            "NAME[=WEIGHT]",
            "walk in a learned style, by its name or file, with a weight of 0 to 1.5 (default: 1)",
        ),
        ("--set", Slider({name: arguments.limits(name) for name in SLIDERS}), "SLIDER=VALUE", "set a slider"),
    ):
        parser.takes(option, read, metavar, f"{told}; may be repeated", action="append", default=[])


def manner(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the options of `add_manner` give, without the preset."""
    found = dict(options.set) | ({} if options.speed is None else {"speed": options.speed})
    return found | ({"styles": dict(options.style)} if options.style else {})


def _shipped(kind: str, weight: Limits | None = None) -> Shipped:
    return Shipped(tuple(name for name, is_shipped in presets.names(kind) if is_shipped), weight)


def _walk(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    first, last = map(int, checked_range(*options.frames or (None, None)))
    _require_use(options, obj)
    if options.bake and not options.loop:
        bake_options.require_step(options.step or 1, first, last)
    settings = manner(options) | {
        name: value for name in SETTINGS if (value := getattr(options, name)) is not None
    }
    settings |= arguments.given(options, OPTIONS) | _way(options)
    settings |= {"travel_with": _carrier(options), "controls": options.controls.upper()}
    settings |= _blend(options)
    if options.marker:
        settings["markers"] = options.marker
    if options.act:
        settings["acts"] = [_act(given) for given in options.act]
    if options.hands is not None:
        settings |= {"left_hand_pose": options.hands.upper(), "right_hand_pose": options.hands.upper()}
    if options.frames:
        settings.setdefault("start_frame", first)
        play_range(bpy.context.scene, first, last)
    arguments.follow(obj, options)
    report = api.generate_walk(
        obj, preset=options.preset, profile=options.profile, prints=options.prints, **settings
    )
    bake = arguments.given(options, BAKE_OPTIONS)
    if options.bake:
        action = api.bake_walk(obj, check=True, **bake)
        report = json.loads(obj.neurarig.walk.report)
    elif options.report:
        report = api.contact_report(obj, (first, last))
    print(api.summary(obj, report))
    arguments.warn(report_text.warning(obj.name, report))
    for sentence in report["held_back"]:
        arguments.warn(f"'{obj.name}': {sentence}")
    if options.report:
        api.save_report(obj, options.report)
    export.write_labels(
        obj, options.labels, (first, last), _told(settings), json.dumps(settings.get("styles", {}))
    )
    # a .bvh begins again after its last frame
    if options.loop and options.output and options.output.suffix.lower() != ".blend":
        first, last = (
            int(action.frame_start),
            int(action.frame_end) - (options.output.suffix.lower() == ".bvh"),
        )
    if options.output:
        export.export(
            obj, options.output, (first, last), deform_only=options.bake and bake.get("target") == "DEFORM"
        )


def _told(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings as JSON has them: objects by their names."""
    found = {name: getattr(value, "name", value) for name, value in settings.items()}
    return found | ({"acts": [_told(one) for one in settings["acts"]]} if "acts" in settings else {})


def _require_use(options: argparse.Namespace, obj: bpy.types.Object) -> None:
    """Raise NeuraRigError for an option that does nothing beside the others, or that the bake refuses."""
    gait = (options.gait or obj.neurarig.walk.gait).lower()
    bake = arguments.given(options, BAKE_OPTIONS)
    idle = [(name, "--bake") for name in bake if not options.bake]
    if options.path is None and options.mode != "path":
        idle += [(name, "--path") for name in ON_PATHS if getattr(options, name) is not None]
    idle += [
        (name, f"--gait {' or '.join(of)}")
        for name, of in OF_GAITS.items()
        if getattr(options, name) is not None and gait not in of
    ]
    if options.blend_action is None:
        idle += [(name, "--blend-into") for name in arguments.given(options, BLEND_OPTIONS)]
    for name, wanted in idle:
        raise NeuraRigError(
            f"--{name.replace('_', '-')} does nothing without {wanted}. Add that, or leave it out."
        )
    if options.profile and options.style:
        raise NeuraRigError(
            "A profile walks by its own rule, without styles. Leave --style or --profile out."
        )
    bake_options.require(**{name: bake.get(name, default) for name, default in REFUSED.items()})


def _way(options: argparse.Namespace) -> dict[str, Any]:
    """Return the mode, and path, ground, deck, and the objects to look at and to face, if given."""
    named = {
        name: getattr(options, name)
        for name in ("path", "ground", "stand_on", "look_at", "face")
        if getattr(options, name) is not None
    }
    mode = options.mode or ("path" if "path" in named else "in_place")
    return {"mode": mode.upper()} | {name: _thing(name, given) for name, given in named.items()}


def _blend(options: argparse.Namespace) -> dict[str, Any]:
    """Return the action into which the walk blends, and how, if given."""
    if options.blend_action is None:
        return {}
    return {"blend_action": arguments.action(options.blend_action)} | arguments.given(options, BLEND_OPTIONS)


def _act(given: dict[str, Any]) -> dict[str, Any]:
    """Return an act with the objects that it names."""
    named = {name: _thing("act", given[name]) for name in ("place", "thing") if name in given}
    return given | named | ({"hand": given["hand"].upper()} if "hand" in given else {})


def _thing(name: str, given: str) -> bpy.types.ID:
    """Return the object of a given name, or for a ground the collection."""
    found = bpy.data.objects.get(given) or (bpy.data.collections.get(given) if name == "ground" else None)
    if found is None:
        raise NeuraRigError(
            f"The file has no object '{given}'; name the object for --{name.replace('_', '-')}."
        )
    return found


def _carrier(options: argparse.Namespace) -> str:
    """Return what carries the travel: by default what suits the rig and the file."""
    suffix = options.output.suffix.lower() if options.output is not None else ""
    return (options.travel_with or CARRIERS.get(suffix, "auto")).upper()


def _detect(options: argparse.Namespace) -> None:
    roles = api.detect_rig(arguments.armature(options.armature))
    print(json.dumps(dict(roles.bones), indent=2))
