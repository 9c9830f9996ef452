"""`neurarig solve` and `neurarig pose`."""

import argparse
import json
from typing import Any

from ...core.files.option_values import Number
from ...core.files.whole_file import write_text
from ..animation.steps import finish
from ..neural_pose import mocap
from ..neural_pose.settings import CLIP_OPTIONS, NeuraRigNeuralPose
from . import arguments, export
from .arguments import command


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    solve = command(commands, "solve", _solve, "pose a character from recorded points, feet planted")
    solve.armature()
    solve.takes(
        "--points",
        arguments.given_file,
        "FILE",
        ".bvh; points in .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy, .json; pose parameters in .npz",
        required=True,
    )
    solve.takes(
        "--map",
        None,
        "POINT=NAME",
        "which recorded point is which, or subject=NAME to choose one person; may be repeated",
        action="append",
        default=[],
    )
    solve.takes(
        "--noise",
        Number(*arguments.limits("noise", NeuraRigNeuralPose)),
        "MM",
        "error of the points in millimetres (default: 1)",
    )
    solve.options(CLIP_OPTIONS)
    solve.choice("--controls", ("fk", "ik"), "FK bones (default), or IK controls")
    solve.frames("--frames", "FIRST", "frame at which the clip begins (default: the scene's first)")
    solve.output("write slip, penetration and reach of the solved clip")

    pose = command(commands, "pose", _pose, "save a character's motion as SMPL-like pose parameters")
    pose.armature()
    pose.frames("--frames", ("FIRST", "LAST"), "default: the action's range, else the scene's")
    pose.required_output("FILE.npz")


def _solve(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    given: dict[str, Any] = {"file": options.points, "mapping": ", ".join(options.map)}
    given |= {"noise": options.noise} if options.noise is not None else {}
    given |= {"frame_start": options.frames} if options.frames is not None else {}
    given |= {"controls": options.controls.upper()} if options.controls else {}
    given |= {option.name: option.default for option in CLIP_OPTIONS} | arguments.given(options, CLIP_OPTIONS)
    action, solved = finish(mocap.solve_clip_steps(obj, **given))
    print(solved.sentence(obj.name, action.name))
    if options.report:
        write_text(options.report, json.dumps(solved.report, indent=2) + "\n")
    if options.output:
        export.export(obj, options.output, (int(solved.frames[0]), int(solved.frames[-1])))


def _pose(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    parameters = mocap.export_pose(obj, options.output, *(options.frames or ()))
    print(f"Wrote {len(parameters)} frames of '{obj.name}' to '{options.output}'.")
