"""Write the walk of a 1.75 m adult as BVH and say how human it is: core only, no Blender.

python -m benchmarks.judge_walk --speeds 0.9 1.3 1.7 --out out/judge
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.walk_joints import walk_joints
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.human.gait_network import BUNDLED, GaitNetwork
from tests.bvh_writer import write_bvh
from tests.gait_score import load_judge, score_walk
from tests.shared_data import find_shared

FPS = 60.0
STRIDES = 7


def main() -> None:
    """Judge the walk at every speed asked for."""
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    gait = PLAIN if options.no_network else Gait(GaitNetwork.load(options.weights or BUNDLED))
    judge = load_judge()
    files = []
    for speed in options.speeds:
        path = options.out / f"walk_{speed:.2f}.bvh"
        write_walk(path, speed, options, gait)
        files.append(path)
        print(
            describe(speed, score_walk(judge, path), options.verbose)
            if judge
            else f"{path} written; no judge without the shared data"
        )
    draw_sheet(options.out / "walk_sheet.png", files)


def parse_arguments() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--speeds", type=float, nargs="+", default=[0.9, 1.3, 1.7], metavar="M/S")
    parser.add_argument("--out", type=Path, default=Path("out/judge"))
    parser.add_argument("--arms", choices=["A", "T", "DOWN"], default="A")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is 1.75 m tall")
    parser.add_argument(
        "--slider",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a slider of the walk, such as bounce=1.5",
    )
    parser.add_argument("--weights", type=Path, help="network weights (default: the bundled ones)")
    parser.add_argument("--no-network", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print all that the judge measured")
    return parser.parse_args()


def write_walk(path: Path, speed: float, options: argparse.Namespace, gait: Gait) -> None:
    """Write about seven strides at `speed` m/s."""
    body = human_body(options.arms, options.scale)
    sliders = {name: float(value) for name, value in (text.split("=") for text in options.slider)}
    track = StyleTrack(Style(**{"speed": speed, **sliders}))
    clock = Clock(fps=FPS, start=0.0)
    period_s = float(walk(body, track, clock, np.zeros(1), gait).period[0])
    pose = walk(body, track, clock, np.arange(np.ceil(STRIDES * period_s * FPS)), gait)
    write_bvh(path, walk_joints(body, pose), FPS)


def describe(speed: float, report: dict, verbose: bool) -> str:
    """Return a few lines on the judge's report."""
    if not report["ok"]:
        return f"{speed:.2f} m/s: not judged, {report['why']}"
    lines = [f"{speed:.2f} m/s: score {report['score_0_100']}  overall z {report['overall_z']}"]
    lines.append("   groups " + "  ".join(f"{name} {value}" for name, value in report["group_z"].items()))
    lines.append("   worst  " + "  ".join(f"{name} {value:+.2f}" for name, value in report["worst"]))
    if verbose:
        sections = ("spatiotemporal", "feet", "pelvis_trunk_arms", "symmetry", "smoothness", "z", "curves")
        lines += [f"   {section}: {report[section]}" for section in sections]
    return "\n".join(lines)


def draw_sheet(picture: Path, files: list[Path]) -> None:
    """Draw the walks with the shared contact-sheet tool where it and matplotlib are there."""
    tool = find_shared("tools", "walk_sheet.py")
    if tool is None:
        return
    command = [sys.executable, "-B", str(tool), str(picture), *map(str, files)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    print(
        finished.stdout.strip()
        if finished.returncode == 0
        else f"no sheet: {finished.stderr.strip().splitlines()[-1]}"
    )


if __name__ == "__main__":
    main()
