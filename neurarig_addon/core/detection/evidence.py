"""The weighing of evidence for a candidate; `benchmarks.detection.fit` fits the weights, with whole families left out."""

from collections.abc import Mapping

import numpy as np

from ..shipped import shipped

Evidence = dict[str, np.ndarray]  # observation -> its amount for each candidate `(candidates,)`


def weights() -> Mapping[str, Mapping[str, float]]:
    """Return question (`legs`, `arms` ...) -> observation -> its weight."""
    return shipped("detection")["weights"]


def weighed(question: str, seen: Evidence) -> np.ndarray:
    """Return the weighted sum of the evidence for each candidate `(candidates,)`, natural log; observations without a weight count 0."""
    constants = weights().get(question, {})
    count = len(next(iter(seen.values()))) if seen else 0
    return sum((constants.get(name, 0.0) * values for name, values in seen.items()), np.zeros(count))
