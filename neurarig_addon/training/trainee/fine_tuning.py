"""Fine-tuning a trained rule to one character at one or a few speeds: what `OnlineBrain` learns is added to
the weights."""

from dataclasses import replace

import numpy as np

from ...core.gait.kinds.natural import GRAVITY
from ...core.learned.online import OnlineBrain
from ...core.learned.rule import TaughtRule
from ...core.learned.solver import Solver, SolverWeights
from ...core.learned.view_features import feature_names

FRAMES = 400
_FPS = 60.0


def fine_tune(
    weights: SolverWeights, rule: TaughtRule, walker: np.ndarray, frames: int = FRAMES
) -> SolverWeights:
    """Return the weights after one stream of a walker's inputs `(inputs,)` at its speed, at 60 frames/s."""
    rows = stream_of(rule, walker, frames)
    brain = OnlineBrain(weights.curves, Solver(weights))
    for row, target in zip(rows, rule.evaluate(rows), strict=True):
        brain.train(row, target)
    return folded(weights, brain, walker)


def stream_of(rule: TaughtRule, walker: np.ndarray, frames: int) -> np.ndarray:
    """Return inputs `(frames, inputs)` of a walker at its speed, as an engine sends them."""
    rows = np.repeat(walker[None], frames, axis=0)
    rows[:, rule.curves.places.time] = np.arange(1, frames + 1) / _FPS
    return rows


def folded(weights: SolverWeights, brain: OnlineBrain, walker: np.ndarray) -> SolverWeights:
    """Return the weights with what a brain learned of a walker added.

    Its functions of speed are, for a given leg, multiples of features, so they only change the heads' weights
    of these.
    """
    names = feature_names(weights.curves)
    legs = weights.curves.places.legs(walker[None])[:, 0]
    heads = []
    for group, (weight, bias), learned in zip(
        weights.curves.groups, weights.heads, brain.coefficients(walker), strict=True
    ):
        weight, bias = weight.astype(float), bias.astype(float)
        parts = learned.swapaxes(0, 1).reshape(learned.shape[1], -1)  # (speed functions, coefficients)
        bias += parts[0]
        sizes = [("root_speed", (GRAVITY * legs[group.side]) ** -0.25), ("froude_speed", 1.0)]
        sizes += [(name, 1.0) for name in names if "_bend_" in name]
        for part, (name, size) in zip(parts[1:], sizes, strict=True):
            column = names.index(name)
            weight[:, column] += part * size * weights.scale[column]
            bias += part * size * weights.mean[column]
        heads.append((weight.astype(np.float32), bias.astype(np.float32)))
    return replace(weights, heads=tuple(heads))
