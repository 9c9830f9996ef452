"""The errors of a trained network against its rule, with the code that runs it in the add-on."""

import numpy as np

from ...core.learned.solver import Solver
from .rules import Rule

_UNSEEN_SEED = 20_000  # far from the seeds of training
GOALS = {"median": 1e-4, "99.9th percentile": 1e-3}  # m, rad


def check(solver: Solver, rule: Rule, rows: int) -> dict[str, float]:
    """Return the absolute errors of all outputs over random inputs of the rule's whole range, in metres and radians.

    Outputs that the rule never changes are left out, as they would lower the median.
    """
    inputs = rule.draw(rows, np.random.default_rng(_UNSEEN_SEED))
    ideal = rule.evaluate(inputs)
    error = np.abs(solver.predict(inputs) - ideal)[:, np.ptp(ideal, axis=0) > 0.0]
    return {"median": float(np.median(error)), "99.9th percentile": float(np.quantile(error, 0.999)), "largest": float(error.max())}
