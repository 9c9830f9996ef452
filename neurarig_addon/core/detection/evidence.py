"""The weighing of evidence for a candidate; `benchmarks.detection.fit` fits the weights, with whole families
left out."""

from collections.abc import Mapping

import numpy as np

from ..shipped import shipped
from .figure import Figure
from .words import OTHER, PARTS

Evidence = dict[str, np.ndarray]  # observation -> its amount for each candidate `(candidates,)`


def weights() -> Mapping[str, Mapping[str, float]]:
    """Return question (`legs`, `arms` ...) -> observation -> its weight."""
    return shipped("detection")["weights"]


def weighed(question: str, seen: Evidence) -> np.ndarray:
    """Return the weighted sum of the evidence for each candidate `(candidates,)`, natural log; observations
    without a weight count 0."""
    constants = weights().get(question, {})
    count = len(next(iter(seen.values()))) if seen else 0
    return sum((constants.get(name, 0.0) * values for name, values in seen.items()), np.zeros(count))


def names_of(figure: Figure, rows: list[int] | np.ndarray, part: str) -> Evidence:
    """Return the evidence from names that bones are a part of the body."""
    roles = {row: role.split(".")[0] for role, row in figure.votes.items()}
    tables = np.array([roles.get(int(row), "") for row in rows])
    return {
        "named by table": 1.0 * (tables == part),
        "named otherwise by table": 1.0 * ((tables != part) & (tables != "")),
        "table names another": 1.0 * ((tables != part) & (part in roles.values())),
        "words": figure.words[rows, PARTS.index(part)],
        "words of something else": np.maximum(figure.words[rows, OTHER], 0.0),
    }
