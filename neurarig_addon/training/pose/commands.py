"""The pose network's part of the command line: train, prior, stoop, check; and its model card."""

import argparse
from dataclasses import asdict
from pathlib import Path

from ...core.body.stoop import STORE
from ...core.neural.likely.likely_pose import PRIOR
from ...core.neural.likely.pose_prior import write_pose_prior
from ...core.neural.network.pose_weights import PoseWeights, write_pose_weights
from ...core.neural.solver import BUNDLED, PoseSolver
from ..descent import show
from .judge import PoseError, judge
from .model import exported
from .poses import (
    TEST,
    TEST_SUBJECTS,
    TRAINING,
    VALIDATION,
    PoseClip,
    figure_shape,
    gather,
    habits_text,
    pose_prior,
    read_clip,
    recordings,
)
from .train import PoseRecipe, train


def _error_table(errors: list[PoseError]) -> str:
    """Return the errors as a Markdown table."""
    lines = [
        "| shown | observable joints | goal | head, hands, toes | twist | place |",
        "|---|---|---|---|---|---|",
    ]
    for error in errors:
        goal = "" if error.condition.goal is None else f"{error.condition.goal:g}"
        figures = (
            f"{error.angle:.2f} | {goal} | {error.leaf_angle:.2f} | {error.twist:.2f} | {error.place_mm:.2f}"
        )
        lines.append(f"| {error.condition.name} | {figures} |")
    return "\n".join(lines)


def _model_card(
    weights: PoseWeights, recipe: PoseRecipe, errors: list[PoseError], out: Path, poses: int, people: int
) -> str:
    """Return the model card of a weights file: what it is, its sources and its errors.

    `poses`, `people`: the numbers learned from.
    """
    shape = recipe.shape
    settings = ", ".join(
        f"{name} {value}" for name, value in asdict(recipe).items() if name not in ("shape", "variety")
    )
    subjects = ", ".join(TEST_SUBJECTS)
    return f"""# Model card: {out.name}

**What it is.** A network that gives 22 joints their orientations from the places of up to 27 points of a
figure. Points that are noisy or missing are first put where they most likely are (mean and covariance of
recorded figures, `core/neural/analytic/figure_filter`). From the analytic pose of these points
(`core/neural/analytic/anchor`) a dense network ({shape.figure} wide) guesses how each joint is turned against
it; graph attention over the skeleton ({shape.width} and {shape.half} wide, {shape.heads} heads, found once
for two layers) looks at each joint and its neighbours, at the guess and, where there is one, at the previous
pose, and adds to the guess. What points show for certain is not turned. {weights.count:,} numbers. The
mathematics: `docs/internals/neural-ik.md` of the repository.

**Inputs.** The directions of bones as seen from the trunk and from the joints that carry them, which points
are seen, and how exact they are: nothing of where the figure stands, how it is turned, how large it is.

**Data.** {poses:,} distinct poses of {people} recorded people of the CMU Graphics Lab Motion Capture Database
(mocap.cs.cmu.edu, created with funding from NSF EIA-0196217; free for any use, the recordings themselves may
not be sold). None of the recordings is in the weights. The subjects below ({subjects}) were never learned
from.

**Licence.** The weights: GPL-3.0-or-later, as the add-on.

**Errors** on the held-out subjects {subjects}, on poses that differ by 12 degrees or more, measured with the
file beside this card. Mean angles in degrees, places after forward kinematics in mm for a body of 1.75 m; 22
joints are shown unless said otherwise, so the orientations of head, hands and toes can only be guessed. As
the solver is by default: refined where points are noisy or missing.

{_error_table(errors)}

**Limits.** CMU's knees and elbows are exact hinges and its toes had no markers: on other skeletons a thigh's
or upper arm's twist is as good as their hinges. Upright everyday motion, sport, dance and some acrobatics; no
hands, no faces, no children.

**Made with** `python -m neurarig_addon.training pose train MOCAP` ({settings}).
"""


def add_pose(commands: argparse._SubParsersAction) -> None:
    """Add `pose` with its own subcommands to a command line."""
    own = commands.add_parser("pose", help="the network that gives a pose its rotations from points")
    parts = own.add_subparsers(required=True, metavar="COMMAND")
    recipe = PoseRecipe()
    learn = parts.add_parser(
        "train", help="train the network on recorded motion; write weights and model card"
    )
    learn.add_argument("mocap", type=Path, help="folder of motion capture with a manifest.csv")
    learn.add_argument(
        "--out", type=Path, default=BUNDLED, help="weights file to write (default: the bundled one)"
    )
    learn.add_argument("--seed", type=int, default=recipe.seed)
    learn.add_argument("--steps", type=int, default=recipe.steps, help="(default: %(default)s)")
    learn.add_argument("--threads", type=int, default=recipe.threads)
    learn.set_defaults(run=_train)
    likely = parts.add_parser("prior", help="find which poses are likely, which refining needs")
    likely.add_argument("mocap", type=Path)
    likely.add_argument("--out", type=Path, default=PRIOR, help="file to write (default: the bundled one)")
    likely.set_defaults(run=_prior)
    stoop = parts.add_parser("stoop", help="find how people reach down, which dragged hands need")
    stoop.add_argument("mocap", type=Path)
    stoop.add_argument("--out", type=Path, default=STORE, help="file to write (default: the bundled one)")
    stoop.set_defaults(run=_stoop)
    measure = parts.add_parser("check", help="measure a weights file on people that the training never met")
    measure.add_argument("mocap", type=Path)
    measure.add_argument("weights", type=Path, nargs="?", default=BUNDLED)
    measure.set_defaults(run=_check)


def _train(options: argparse.Namespace) -> int:
    recipe = PoseRecipe(seed=options.seed, steps=options.steps, threads=options.threads)
    clips = [clip for part in (TRAINING, VALIDATION) for clip in _clips(options.mocap, part)]
    poses, people = gather(clips), len({clip.recording.subject for clip in clips})
    weights = exported(train(poses, recipe, show), figure_shape(poses))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_pose_weights(options.out, weights)
    errors = list(judge(PoseSolver.load(options.out), _clips(options.mocap, TEST)))
    options.out.with_suffix(".md").write_text(
        _model_card(weights, recipe, errors, options.out, len(poses.fresh), people), encoding="utf-8"
    )
    return _verdict(errors)


def _prior(options: argparse.Namespace) -> int:
    poses = gather([clip for part in (TRAINING, VALIDATION) for clip in _clips(options.mocap, part)])
    write_pose_prior(options.out, pose_prior(poses))
    return 0


def _stoop(options: argparse.Namespace) -> int:
    clips = [read_clip(recording) for recording in recordings(options.mocap) if recording.group == "pose"]
    options.out.write_text(habits_text(clips), encoding="utf-8")
    return 0


def _check(options: argparse.Namespace) -> int:
    return _verdict(list(judge(PoseSolver.load(options.weights), _clips(options.mocap, TEST))))


def _clips(folder: Path, part: str) -> list[PoseClip]:
    return [read_clip(recording) for recording in recordings(folder, part)]


def _verdict(errors: list[PoseError]) -> int:
    """Print the errors and return the exit status: 0 if all goals are met."""
    print(_error_table(errors))
    return int(not all(error.reached for error in errors))
