"""`neurarig solve` and `neurarig pose`."""

import argparse
import json
from typing import Any

from ...core.files.whole_file import write_text
from ..animation.steps import finish
from ..neural_pose import mocap
from ..neural_pose.settings import CLIP_OPTIONS
from . import arguments, export


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    solve = commands.add_parser("solve", help="pose a character from recorded points, feet planted")
    solve.set_defaults(run=_solve)
    arguments.add_armature(solve)
    solve.add_argument(
        "--points",
        type=arguments.given_file,
        required=True,
        metavar="FILE",
        help=".bvh; points in .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy, .json; pose parameters in .npz",
    )
    solve.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="POINT=NAME",
        help="which recorded point is which, or subject=NAME to choose one person; may be repeated",
    )
    solve.add_argument(
        "--noise", type=arguments.number, metavar="MM", help="error of the points in millimetres (default: 1)"
    )
    arguments.add_options(solve, CLIP_OPTIONS)
    solve.add_argument(
        "--controls", choices=("fk", "ik"), type=str.lower, help="FK bones (default), or IK controls"
    )
    solve.add_argument(
        "--frames",
        type=arguments.frame,
        metavar="FIRST",
        help="frame at which the clip begins (default: the scene's first)",
    )
    arguments.add_output(solve, "write slip, penetration and reach of the solved clip")

    pose = commands.add_parser("pose", help="save a character's motion as SMPL-like pose parameters")
    pose.set_defaults(run=_pose)
    arguments.add_armature(pose)
    pose.add_argument(
        "--frames",
        type=arguments.frame,
        nargs=2,
        metavar=("FIRST", "LAST"),
        help="default: the action's range, else the scene's",
    )
    pose.add_argument(
        "--output", type=arguments.file, required=True, metavar="FILE.npz", help="the file to write"
    )


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
