"""Conditional logits: weights under which the right ones of some candidates are the likeliest, found by
Newton's method."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RIDGE = 0.03
_STEPS = 10
_SMALLEST = 1e-3


@dataclass(frozen=True)
class Problem:
    """One rig's candidates: `seen` `(candidates, evidence)`, which of them are `right` `(candidates,)`, and
    how much the rig counts."""

    seen: np.ndarray
    right: np.ndarray
    weight: float = 1.0


def fitted(problems: Sequence[Problem], start: np.ndarray) -> np.ndarray:
    """Return the weights `(evidence,)`: as likely as can be, and no farther from the ones to start with than
    the problems ask for."""
    best, step = start, 1.0
    value, gradient, hessian = _likelihood(problems, best, start)
    for _ in range(_STEPS):
        direction = np.linalg.solve(hessian, gradient)
        tried = _likelihood(problems, best + step * direction, start)
        while tried[0] <= value and step > _SMALLEST:
            step /= 2.0
            tried = _likelihood(problems, best + step * direction, start)
        if tried[0] <= value:
            break
        best, (value, gradient, hessian) = best + step * direction, tried
        step = min(1.0, 2.0 * step)
    return best


def share_right(problems: Sequence[Problem], weights: np.ndarray) -> float:
    """Return in which share of the problems the best candidate is right."""
    return float(np.mean([one.right[np.argmax(one.seen @ weights)] for one in problems])) if problems else 1.0


def _likelihood(
    problems: Sequence[Problem], weights: np.ndarray, start: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log likelihood with its ridge, its gradient, and a bound of its curvature."""
    away = weights - start
    value, gradient = -0.5 * _RIDGE * float(away @ away), -_RIDGE * away
    hessian = _RIDGE * np.eye(len(weights))
    for one in problems:
        score = one.seen @ weights
        share = np.exp(score - score.max())
        among = np.where(one.right, share, 0.0)
        value += one.weight * float(np.log(max(among.sum() / share.sum(), 1e-300)))
        share, among = share / share.sum(), among / max(among.sum(), 1e-300)
        mean = share @ one.seen
        gradient += one.weight * (among @ one.seen - mean)
        hessian += one.weight * ((one.seen * share[:, None]).T @ one.seen - np.outer(mean, mean))
    return value, gradient, hessian
