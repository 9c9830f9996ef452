"""Choosing the constants of detection: conditional logits, fitted by Newton's method on drawn skeletons and on the shared rigs.

A question (which pair is the legs?) has candidates, of which some are right.  The weights make the right ones likely among the others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from neurarig_addon.core.detection.evidence import Evidence, weighed

_KEPT, _DRAWN = 250, 100  # wrong candidates: the likeliest ones, and some at random
_RIDGE = 0.03
_STEPS = 25


@dataclass(frozen=True)
class Problem:
    """One rig's candidates: `seen` `(candidates, names)` and which of them are `right` `(candidates,)`."""

    seen: np.ndarray
    right: np.ndarray


def problem(question: str, seen: Evidence, right: np.ndarray, names: Sequence[str], draw: np.random.Generator) -> Problem | None:
    """Return a problem with the wrong candidates thinned out, None where no candidate is right."""
    if not right.any():
        return None
    wrong = np.flatnonzero(~right)
    likely = wrong[np.argsort(-weighed(question, {name: values[wrong] for name, values in seen.items()}), kind="stable")]
    kept = np.concatenate([np.flatnonzero(right), likely[:_KEPT], draw.permutation(likely[_KEPT:])[:_DRAWN]])
    return Problem(np.stack([seen.get(name, np.zeros(len(right)))[kept] for name in names], axis=1), right[kept])


def fit(problems: Iterable[Problem], names: Sequence[str], start: Mapping[str, float]) -> tuple[dict[str, float], float]:
    """Return the weights under which the right candidates are likeliest, and in which share of the problems the best one is right."""
    problems = list(problems)
    weights = np.array([start.get(name, 0.0) for name in names])
    best, best_value = weights, -np.inf
    step = 1.0
    for _ in range(_STEPS):
        value, gradient, hessian = _likelihood(problems, best if best_value > -np.inf else weights)
        best_value = value
        direction = np.linalg.solve(hessian, gradient)
        while step > 1e-3:
            tried = best + step * direction
            if _likelihood(problems, tried)[0] > best_value:
                best, step = tried, min(1.0, 2.0 * step)
                break
            step /= 2.0
        else:
            break
    right = np.mean([bool(one.right[np.argmax(one.seen @ best)]) for one in problems])
    return dict(zip(names, best.round(4).tolist(), strict=True)), float(right)


def _likelihood(problems: Iterable[Problem], weights: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log likelihood with a ridge, its gradient, and a bound of its curvature."""
    value, gradient = -0.5 * _RIDGE * float(weights @ weights), -_RIDGE * weights
    hessian = _RIDGE * np.eye(len(weights))
    for one in problems:
        score = one.seen @ weights
        score -= score.max()
        share = np.exp(score)
        among = np.where(one.right, share, 0.0)
        value += float(np.log(among.sum() / share.sum() + 1e-300))
        share, among = share / share.sum(), among / max(among.sum(), 1e-300)
        mean = share @ one.seen
        gradient += among @ one.seen - mean
        hessian += (one.seen * share[:, None]).T @ one.seen - np.outer(mean, mean)
    return value, gradient, hessian


def names_of(seen: Iterable[Evidence]) -> list[str]:
    """Return all that is seen in some candidates, in order."""
    return list(dict.fromkeys(name for one in seen for name in one))


def chunks(items: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    """Yield `count` parts of a sequence."""
    for k in range(count):
        yield items[k::count]
