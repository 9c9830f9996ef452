"""The model card of the pose network."""

from dataclasses import asdict
from pathlib import Path

from ...core.neural.network.pose_weights import PoseWeights
from .judge import PoseError
from .split import TEST_SUBJECTS
from .train import Recipe


def error_table(errors: list[PoseError]) -> str:
    """Return the errors as a Markdown table."""
    lines = ["| shown | observable joints | goal | head, hands, toes | twist | place |", "|---|---|---|---|---|---|"]
    for error in errors:
        goal = "" if error.condition.goal is None else f"{error.condition.goal:g}"
        figures = f"{error.angle:.2f} | {goal} | {error.leaf_angle:.2f} | {error.twist:.2f} | {error.place_mm:.2f}"
        lines.append(f"| {error.condition.name} | {figures} |")
    return "\n".join(lines)


def model_card(weights: PoseWeights, recipe: Recipe, errors: list[PoseError], out: Path, poses: int, people: int) -> str:
    """Return the model card of a weights file: what it is, its sources and its errors.

    `poses`, `people`: the numbers learned from.
    """
    shape = recipe.shape
    settings = ", ".join(f"{name} {value}" for name, value in asdict(recipe).items() if name not in ("shape", "variety"))
    subjects = ", ".join(TEST_SUBJECTS)
    return f"""# Model card: {out.name}

**What it is.** A network that gives 22 joints their orientations from the places of up to 27 points of a figure. Points that are noisy or
missing are first put where they most likely are (mean and covariance of recorded figures, `core/neural/analytic/figure_filter`).
From the analytic pose of these points (`core/neural/analytic/anchor`) a dense network ({shape.figure} wide) guesses how each joint is
turned against it; graph attention over the skeleton ({shape.width} and {shape.half} wide, {shape.heads} heads, found once for two layers)
looks at each joint and its neighbours, at the guess and, where there is one, at the previous pose, and adds to the guess. What points show
for certain is not turned. {weights.count:,} numbers. The mathematics: [docs/neural-ik.md](../../../docs/neural-ik.md).

**Inputs.** The directions of bones as seen from the trunk and from the joints that carry them, which points are seen, and how exact they
are: nothing of where the figure stands, how it is turned, how large it is.

**Data.** {poses:,} distinct poses of {people} recorded people of the CMU Graphics Lab Motion Capture Database (mocap.cs.cmu.edu,
created with funding from NSF EIA-0196217; free for any use, the recordings themselves may not be sold). None of the recordings is in the
weights. The subjects below ({subjects}) were never learned from.

**Licence.** The weights: GPL-3.0-or-later, as the add-on.

**Errors** on the held-out subjects {subjects}, on poses that differ by 12 degrees or more, measured with the file beside this card.
Mean angles in degrees, places after forward kinematics in mm for a body of 1.75 m; 22 joints are shown unless said otherwise, so the
orientations of head, hands and toes can only be guessed. As the solver is by default: refined where points are noisy or missing.

{error_table(errors)}

**Limits.** CMU's knees and elbows are exact hinges and its toes had no markers: on other skeletons a thigh's or upper arm's twist is as
good as their hinges. Upright everyday motion, sport, dance and some acrobatics; no hands, no faces, no children.

**Made with** `python -m neurarig_addon.training pose train MOCAP` ({settings}).
"""
