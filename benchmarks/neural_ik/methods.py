"""The rows of the table: every solver with its settings, and how often it is run."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.neural_ik.conditions import NOISES_MM
from benchmarks.neural_ik.fabrik import Fabrik
from benchmarks.neural_ik.gaussian_lm import GaussianLM
from benchmarks.neural_ik.plain_poses import Analytic, AnalyticSwing, MeanPose, Solver
from benchmarks.neural_ik.prior import PosePrior
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.solver import BUNDLED, PoseSolver

OURS, UNREFINED, PAPER, MLP = "ours", "ours, unrefined", "paper-class GAT", "plain MLP"
LM, COLD = "Gaussian-prior LM", "VPoser-like cold L-BFGS"
# Chosen on the validation subjects by `python -m benchmarks.neural_ik.tuning`, for each noise on its own.
# Noise in mm -> weight of the prior, least sigma in mm.
LM_WEIGHTS = {0: (0.3, 0.3), 5: (0.3, 1.0), 10: (0.3, 1.0), 20: (0.5, 1.0), 40: (1.0, 1.0)}
# Noise in mm -> weight of the latent term over that of the data.
LATENT_WEIGHTS = {0: 1e-5, 5: 3e-5, 10: 3e-5, 20: 3e-4, 40: 1e-3}


@dataclass(frozen=True)
class Method:
    """One row: `every` n-th test pose is solved with the first `seeds` draws of noise, in the conditions that begin with `only`."""

    name: str
    solver: Solver
    every: int = 1
    seeds: int = 3
    only: tuple[str, ...] = ("",)

    def takes(self, condition: str) -> bool:
        """Say whether the method is run in a condition."""
        return condition.startswith(self.only)


def classical(prior: PosePrior) -> list[Method]:
    """Return the rows without a network."""
    return [
        Method("mean pose", MeanPose(prior)),
        Method("analytic swing, zero twist", AnalyticSwing(prior)),
        Method("FABRIK", Fabrik(prior)),
        Method("analytic with bends (our start)", Analytic()),
        *cold_optimisers(prior),
        Method(LM, GaussianLM(prior, LM_WEIGHTS), every=2),
    ]


def networks() -> list[Method]:
    """Return the rows of the networks that ours is measured against, as far as their weights are there."""
    from benchmarks.neural_ik.place_networks import PlaceSolver, in_numpy, load, weights_file

    rows = {MLP: "dense", PAPER: "paper_graph"}
    return [Method(row, PlaceSolver(in_numpy(load(name, weights_file(name))))) for row, name in rows.items() if weights_file(name).exists()]


def ours(weights: Path | None = None) -> list[Method]:
    """Return the rows of this project, with the bundled weights or those of a file; none where there are none."""
    path = weights or BUNDLED
    if not path.exists():
        return []
    solver = PoseSolver.load(path)
    return [Method(OURS, solver), Method(UNREFINED, Unrefined(solver))]


@dataclass(frozen=True)
class Unrefined:
    """Ours as it is live: the network's pose is the answer."""

    solver: PoseSolver

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        return self.solver.solve(body, points, seen, sigma, refine=0)


def cold_optimisers(prior: PosePrior) -> list[Method]:
    """Return the two rows that need torch and a tenth of a second for each frame."""
    from benchmarks.neural_ik.latent_fit import VPOSER_WEIGHT, LatentFit

    slow = {"every": 40, "seeds": 1, "only": (*(f"{noise} mm" for noise in NOISES_MM), "3 missing", "six points")}
    return [
        Method(COLD, LatentFit(prior, dict.fromkeys(NOISES_MM, VPOSER_WEIGHT)), **slow),
        Method("VPoser-like, tuned", LatentFit(prior, LATENT_WEIGHTS, tolerance=1e-7), **slow),
    ]
