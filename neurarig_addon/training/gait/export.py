"""Export from torch: checkpoints, the weights file of the add-on, and its model card."""

import os
from dataclasses import asdict
from pathlib import Path

import torch

from ...core.errors import NeuraRigError
from ...core.human.canonical import COEFFICIENTS
from ...core.human.features import FEATURES
from ...core.human.gait_network import GaitNetwork
from ...core.human.weights import write_weights
from .dataset import GaitSampler
from .judge import GroupError, judge, unseen_characters
from .model import PhaseFunction
from .subject import WALK, Subject
from .train import Recipe


def save_checkpoint(path: str | os.PathLike, model: PhaseFunction, recipe: Recipe) -> None:
    """Write a trained network and its recipe for torch."""
    torch.save({"state": model.state_dict(), "recipe": asdict(recipe)}, path)


def load_checkpoint(path: str | os.PathLike) -> tuple[PhaseFunction, Recipe]:
    """Read a file of save_checkpoint; raises NeuraRigError, naming the file, for anything else."""
    try:
        stored = torch.load(path, weights_only=True)
        recipe = Recipe(**stored["recipe"])
        model = PhaseFunction(recipe.hidden, len(stored["state"]["gaits"]))
        model.load_state_dict(stored["state"])
    except Exception as error:  # torch passes on any error of its unpickler
        raise NeuraRigError(f"'{Path(path).name}' is not a checkpoint of this training: {str(error).splitlines()[0]}.") from None
    return model, recipe


def export(model: PhaseFunction, recipe: Recipe, sample: GaitSampler, out: str | os.PathLike, subject: Subject = WALK) -> list[GroupError]:
    """Write the weights and their card, and return the errors on unseen characters, measured with the file just written."""
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_weights(out, model.exported())
    errors = judge(GaitNetwork.load(out), sample, unseen_characters(subject.among), subject.exactness)
    out.with_suffix(".md").write_text(model_card(model, recipe, errors, out, subject), encoding="utf-8")
    return errors


def error_table(errors: list[GroupError]) -> str:
    """Return the errors as a Markdown table."""
    lines = ["| channels | root mean square, worst channel | limit | largest |", "|---|---|---|---|"]
    lines += [f"| {e.group} | {e.rms:.2f} {e.unit} | {e.limit:g} | {e.largest:.2f} |" for e in errors]
    return "\n".join(lines)


def model_card(model: PhaseFunction, recipe: Recipe, errors: list[GroupError], out: Path, subject: Subject = WALK) -> str:
    """Return the model card of a weights file: what it is, its sources and its errors."""
    trained = sum(p.numel() for p in model.parameters())
    widths = " - ".join(map(str, [len(FEATURES), *recipe.hidden, COEFFICIENTS]))
    ranges = [f"{low:g} to {high:g}" for low, high in zip(subject.among.lowest, subject.among.highest, strict=True)]
    settings = ", ".join(f"{name} {value}" for name, value in asdict(recipe).items())
    option = "" if subject is WALK else f" --gait {subject.what}"
    return f"""# Model card: {out.name}

**What it is.** The {subject.what} of a natural human as a function of the phase: an ELU network ({widths},
{trained:,} trained weights) gives Fourier coefficients for 46 channels (NeuraRig's 30 outputs, then chest, head and arms).
It draws the shape of the motion only; where the feet stand is decided by the footstep plan, so other weights change the style and not
the contacts.

**Inputs.** Speed v / sqrt(9.81 leg) ({ranges[0]}) and its square root, thigh over leg ({ranges[1]}), own leg over mean leg
({ranges[2]}), lateral spacing over leg ({ranges[3]}), where leg = thigh + shin. Values outside are held at the edge.

**Data.** Samples of the human gait in `training/gait/human_gait.py`, which was fitted to published gait curves and to measured walks; no
recording of a person is in the weights. Sources, and the licences that they ask to be named with:

{subject.data}

**Licence.** The weights: {subject.licence}

**Errors** on {len(unseen_characters(subject.among))} characters that it never met, random speeds, proportions and spacings,
both legs alike, scaled to a 0.9 m leg:

{error_table(errors)}

**Limits.** {subject.reach}
For legs of different length there is no data: the stride is shared and each leg moves as at its own dimensionless speed.

**Made with** `python -m neurarig_addon.training train{option} --out {out.name}` ({settings}).
"""
