"""`neurarig retarget` and `neurarig encode`."""

import argparse
import json
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Object

from ...core.errors import NeuraRigError
from ...core.files.whole_file import write_text
from ..animation.steps import Steps, finish
from ..interface import report_text
from ..retarget import api
from ..retarget.settings import OPTIONS
from . import arguments, export
from .arguments import command

NOT_OF_CONTINUE = ("continue_for", "continue_until_end", "frame_start", "mirror", "start_here")
_REPORT = "write slip, penetration and reach as measured"
_TO = "a curve to go along after the clip's end, or an object to go to and to follow"
CLIP = "{clip}"  # placeholder of a clip's name in the name of an output file


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    retarget = command(
        commands,
        "retarget",
        _retarget,
        "put a clip of another armature, of a file, or all clips of a folder on a character",
    )
    retarget.armature("--target")
    source = retarget.add_mutually_exclusive_group(required=True)
    for option, read, metavar, told in (
        ("--source", arguments.name, "NAME", "the source armature"),
        ("--file", arguments.given_file, "FILE", "a clip: .bvh, .fbx, .glb, .npz, .npy or .csv"),
        (
            "--folder",
            arguments.given_file,
            "FOLDER",
            "every clip of a folder, one action each, named after its file",
        ),
    ):
        source.add_argument(option, type=read, metavar=metavar, help=told)
    retarget.name(
        "--action",
        "an action of the source, may be repeated (default: whatever moves it now)",
        action="append",
    )
    retarget.switch("--all-actions", "every action of the source")
    retarget.options(OPTIONS)
    retarget.name("--to", _TO)
    retarget.follow_through()
    retarget.labels()
    retarget.output(_REPORT, f"; with {CLIP} in its name one file for each clip")

    goes_on = command(
        commands,
        "continue",
        _continue,
        "let a character's action go on by itself after its end",
    )
    goes_on.armature()
    goes_on.name("--action", "an action of the armature (default: the one that it plays)")
    length = goes_on.add_mutually_exclusive_group(required=True)
    length.add_argument("--seconds", type=arguments.positive, metavar="SECONDS", help="for how long")
    length.add_argument("--until-scene-end", action="store_true", help="until the scene ends")
    goes_on.name("--to", _TO)
    goes_on.follow_through()
    goes_on.options(option for option in OPTIONS if option.name not in NOT_OF_CONTINUE)
    goes_on.output(_REPORT)

    encode = command(
        commands, "encode", _encode, "save an armature's motion as a clip without its proportions"
    )
    encode.armature()
    encode.name("--action", "an action of the armature (default: whatever moves it now)")
    encode.required_output("FILE", "the .npz or .csv file to write")


def _retarget(options: argparse.Namespace) -> None:
    if not options.source and (options.action or options.all_actions):
        raise NeuraRigError(
            "All clips of a file are used; --action and --all-actions choose actions of the armature named by"
            " --source."
        )
    obj = arguments.armature(options.target, "--target")
    given = _given(options)
    arguments.follow(obj, options)
    checked = options.report is not None or not (options.folder or options.all_actions)
    if options.folder:
        steps = api.retarget_folder.steps(obj, options.folder, check=checked, **given)
    elif options.source:
        source = arguments.armature(options.source, "--source")
        actions = (
            api.actions_of_source(obj, source)
            if options.all_actions
            else [arguments.action(name) for name in options.action or ()]
        )
        if actions:
            steps = api.retarget_actions.steps(obj, actions, check=checked, source=source, **given)
        else:
            steps = api.retarget.steps(obj, check=checked, source=source, **given)
    else:
        steps = api.retarget.steps(obj, check=checked, file=options.file, **given)
    _finish(obj, steps, options)


def _continue(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    given = _given(options)
    arguments.follow(obj, options)
    if options.action:
        given["action"] = arguments.action(options.action)
    _finish(obj, api.continue_motion.steps(obj, options.seconds, **given), options)


def _finish(obj: Object, steps: Steps[list[api.BatchResult]], options: argparse.Namespace) -> None:
    """Make the clips, say what came of them, and write what is wished."""
    results = finish(steps)
    for clip in results:
        print(
            report_text.retargeted(obj.name, [clip.name], 0, clip.report)
            if clip.action
            else f"{clip.name}: {clip.refusal}"
        )
        arguments.warn(clip.remark)
        arguments.warn(report_text.warning(clip.name, clip.report))
    if options.report:
        _write_report(options.report, results)
    if made := [clip.action for clip in results if clip.action]:
        export.write_labels(
            obj, getattr(options, "labels", None), (int(made[-1].frame_start), int(made[-1].frame_end))
        )
    if options.output:
        _write(obj, options.output, [clip for clip in results if clip.action])


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """Return the given options as arguments of the functions; a .bvh has no object, so its root cannot be
    one."""
    if options.output is not None and set("{}") & set(options.output.name.replace(CLIP, "")):
        raise NeuraRigError(
            f"'{options.output.name}' has braces; only {CLIP} stands for something, the clip's name."
        )
    to_bvh = options.output is not None and options.output.suffix.lower() == ".bvh"
    if to_bvh and options.root == "object":
        raise NeuraRigError("A .bvh file has no object that could move; choose --root bone or pelvis.")
    to = {"continue_to": _object(options.to)} if options.to else {}
    return arguments.given(options, OPTIONS) | to


def _object(name: str) -> Object:
    if name not in bpy.context.scene.objects:
        raise NeuraRigError(
            f"There is no object named '{name}' in the scene. Name a curve or another object with --to."
        )
    return bpy.context.scene.objects[name]


def _write_report(path: Path, results: list[api.BatchResult]) -> None:
    """Write the report of the only clip, or all by clip name."""
    reports = {clip.name: clip.report if clip.action else {"refused": clip.refusal} for clip in results}
    content = next(iter(reports.values())) if len(reports) == 1 else reports
    write_text(path, json.dumps(content, indent=2) + "\n")


def _write(obj: Object, path: Path, results: list[api.BatchResult]) -> None:
    """Write the character with the last clip, or one file per clip."""
    for clip in results if CLIP in path.name else results[-1:]:
        api.play(obj, clip.action)
        frames = int(clip.action.frame_start), int(clip.action.frame_end)
        export.export(obj, path.with_name(path.name.replace(CLIP, bpy.path.clean_name(clip.name))), frames)


def _encode(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    encoding = api.encode_action(obj, options.output, arguments.action(options.action))
    print(f"Wrote {len(encoding)} frames of '{obj.name}' to '{options.output}'.")
