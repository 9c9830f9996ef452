"""Gradient descent as all networks of recorded motion are taught by it, and its reports."""

import copy
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

_REPORT_EVERY = 100


class DescentRecipe(Protocol):
    """What a descent follows: how many steps, how long they are at most, and what share of the mean each
    leaves (0: no mean)."""

    steps: int
    learning_rate: float
    weight_decay: float
    longest_step: float
    averaging: float


@dataclass(frozen=True)
class Progress:
    """The state of a training; `loss` is the mean since the last report."""

    step: int
    steps: int
    loss: float
    seconds_left: float


def settled(seed: int, threads: int) -> None:
    """Make what follows the same whenever it runs on the same machine."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)


def show(progress: Progress) -> None:
    """Show on one line how far a training is."""
    text = (
        f"step {progress.step}/{progress.steps}  loss {progress.loss:.4f}  {progress.seconds_left:.0f} s left"
    )
    print(f"\r{text}   ", end="\n" if progress.step == progress.steps else "", file=sys.stderr, flush=True)


Model = TypeVar("Model", bound=nn.Module)


def descend(
    model: Model,
    loss_now: Callable[[], Tensor],
    recipe: DescentRecipe,
    report: Callable[[Progress], None],
    warm_up: float = 0.06,
) -> Model:
    """Return the moving average of a model over its last training steps; `loss_now` draws a lesson and
    returns the model's loss.

    `warm_up`: the share of the steps in which the learning rate rises. Ctrl-C stops early and keeps what was
    learned.
    """
    mean = copy.deepcopy(model).eval()
    try:
        _descend(model, mean, loss_now, recipe, report, warm_up)
    except KeyboardInterrupt:
        print("\nStopped; keeping what was learned so far.", file=sys.stderr)
    return mean


def _descend(
    model: nn.Module,
    mean: nn.Module,
    loss_now: Callable[[], Tensor],
    recipe: DescentRecipe,
    report: Callable[[Progress], None],
    warm_up: float,
) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=recipe.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=recipe.steps, pct_start=warm_up
    )
    began, losses = time.monotonic(), []
    for step in range(1, recipe.steps + 1):
        loss = loss_now()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), recipe.longest_step)
        optimizer.step()
        schedule.step()
        _average(mean, model, min(recipe.averaging, step / (step + 10.0)))
        losses.append(float(loss.detach()))
        if step % _REPORT_EVERY == 0 or step == recipe.steps:
            left = (time.monotonic() - began) / step * (recipe.steps - step)
            report(Progress(step, recipe.steps, float(np.mean(losses[-_REPORT_EVERY:])), left))


@torch.no_grad()
def _average(mean: nn.Module, model: nn.Module, kept: float) -> None:
    for slow, fast in zip(mean.parameters(), model.parameters(), strict=True):
        slow.lerp_(fast, 1.0 - kept)
