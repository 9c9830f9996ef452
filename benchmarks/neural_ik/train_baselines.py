"""Teach the networks that ours is measured against: python -m benchmarks.neural_ik.train_baselines {paper_graph,dense} [--steps N]."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks.neural_ik.baselines import train_baseline
from benchmarks.neural_ik.people import mocap_folder
from benchmarks.neural_ik.place_networks import MODELS, save, weights_file
from neurarig_addon.training.descent import Progress
from neurarig_addon.training.pose.poses import TRAINING, VALIDATION, gather, read_clip, recordings
from neurarig_addon.training.pose.train import Recipe

# Highest rates that were best on the validation subjects after a short training.
_RATES = {"paper_graph": 1e-3, "dense": 2e-3}


def main() -> None:
    """Teach one network what ours is taught, and write its weights."""
    recipe = Recipe()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.neural_ik.train_baselines", description="Teach a network to measure against."
    )
    parser.add_argument("name", choices=MODELS)
    parser.add_argument("--steps", type=int, default=recipe.steps, help="(default: %(default)s, as ours)")
    parser.add_argument("--data", type=Path, help="folder of the motion capture (default: data/mocap of the shared data)")
    parser.add_argument("--out", type=Path, help="weights file (default: the one that the benchmark reads)")
    options = parser.parse_args()
    folder = mocap_folder(options.data)
    poses = gather([read_clip(recording) for part in (TRAINING, VALIDATION) for recording in recordings(folder, part)])
    recipe = replace(recipe, steps=options.steps, learning_rate=_RATES[options.name])
    torch.manual_seed(recipe.seed)
    save(train_baseline(MODELS[options.name](), poses, recipe, _show), options.out or weights_file(options.name))


def _show(progress: Progress) -> None:
    print(
        f"step {progress.step}/{progress.steps}  loss {progress.loss:.4f}  {progress.seconds_left:.0f} s left", file=sys.stderr, flush=True
    )


if __name__ == "__main__":
    main()
