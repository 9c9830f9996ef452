"""A pose found by a cold optimiser in the latent space of a pose prior, as VPoser's inverse kinematics does it.

The latent space is the 32 principal directions of the turns away from the mean pose; pelvis turn and place are free.  Minimised is
data * sum |x - y|^2 + latent * |z|^2 by L-BFGS with a strong-Wolfe line search, at most 300 iterations, history 200, change 1e-4 at the
end, from z = 0 for every frame: the settings of human_body_prior (Pavlakos et al. 2019, tutorial `ik_example_joints`), whose weights
are 10 and 0.01.  The pelvis begins where the mean pose fits the points best, which is kinder than the zero of the original.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch

from benchmarks.neural_ik.gaussian_lm import LEVELS
from benchmarks.neural_ik.people import JOINT_PARENTS
from benchmarks.neural_ik.plain_poses import MeanPose
from benchmarks.neural_ik.prior import PosePrior
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import PARENTS, POINTS

VPOSER_WEIGHT = 0.01 / 10.0  # latent over data
_DATA = 10.0
_DIRECTIONS = 32
_HISTORY = 200


@dataclass(frozen=True)
class LatentFit:
    """The solver; `weights` maps the noise that is told (mm) to the weight of the latent term over that of the data."""

    prior: PosePrior
    weights: Mapping[int, float]
    iterations: int = 300
    tolerance: float = 1e-4

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`; one frame after the other."""
        start, root = MeanPose(self.prior).solve(body, points, seen, sigma)
        weight = self.weights[min(self.weights, key=lambda noise: abs(noise - 1000.0 * sigma))]
        model = _LatentPose(self.prior, body)
        found = [self._fit(model, *frame, weight) for frame in zip(points, seen, start[:, 0], root, strict=True)]
        rotations, places = (np.stack(part) for part in zip(*found, strict=True))
        return rotations, places

    def _fit(
        self, model: "_LatentPose", points: np.ndarray, seen: np.ndarray, start: np.ndarray, root: np.ndarray, weight: float
    ) -> tuple[np.ndarray, np.ndarray]:
        shown = torch.as_tensor(seen)
        wanted = torch.as_tensor(np.where(seen[:, None] > 0.0, points, 0.0))
        first, place = torch.as_tensor(start), torch.as_tensor(root).clone().requires_grad_(True)
        turn, latent = (torch.zeros(count, dtype=torch.float64, requires_grad=True) for count in (3, _DIRECTIONS))
        free, search = [place, turn, latent], "strong_wolfe"
        optimizer = torch.optim.LBFGS(
            free, max_iter=self.iterations, history_size=_HISTORY, tolerance_change=self.tolerance, line_search_fn=search
        )

        def evaluate() -> torch.Tensor:
            optimizer.zero_grad()
            miss = (model.places(model.rotations(first, turn, latent), place) - wanted).square().sum(dim=-1)
            loss = _DATA * ((shown * miss).sum() + weight * latent.square().sum())
            loss.backward()
            return loss

        optimizer.step(evaluate)
        with torch.no_grad():
            return model.rotations(first, turn, latent).numpy(), place.numpy()


class _LatentPose:
    """Rotations and points of one body as functions of the latent vector, in torch, float64."""

    def __init__(self, prior: PosePrior, body: PointBody) -> None:
        self.mean = torch.as_tensor(prior.mean)
        self.directions = torch.as_tensor(prior.directions(_DIRECTIONS).copy())
        self.offsets = torch.as_tensor(body.offsets[1:])
        self.carriers = torch.as_tensor(PARENTS[1:])
        self.levels = [(torch.as_tensor(rows), torch.as_tensor(JOINT_PARENTS[rows])) for rows in LEVELS]
        self.order = torch.as_tensor(np.argsort(np.concatenate([[0], *LEVELS])))
        # A joint's row among those of its own and higher levels, which are laid out level after level.
        place = {row: at for at, row in enumerate(np.concatenate([[0], *LEVELS]))}
        self.above = [torch.as_tensor([place[int(parent)] for parent in JOINT_PARENTS[rows]]) for rows in LEVELS]
        chain = np.zeros((len(POINTS), len(POINTS) - 1))
        for point in range(1, len(POINTS)):
            chain[point] = chain[PARENTS[point]]
            chain[point, point - 1] = 1.0
        self.chain = torch.as_tensor(chain)

    def rotations(self, first: torch.Tensor, turn: torch.Tensor, latent: torch.Tensor) -> torch.Tensor:
        """Return the joints' rotations `(22, 3, 3)`."""
        vectors = torch.cat([turn[None], (self.directions @ latent).reshape(-1, 3)])
        local = torch.cat([first[None], self.mean]) @ _turns(vectors)
        whole = local[:1]
        for (rows, _), above in zip(self.levels, self.above, strict=True):
            whole = torch.cat([whole, whole[above] @ local[rows]])
        return whole[self.order]

    def places(self, rotations: torch.Tensor, root: torch.Tensor) -> torch.Tensor:
        """Return the points `(27, 3)`."""
        arms = (rotations[self.carriers] @ self.offsets[..., None])[..., 0]
        return root + self.chain @ arms


def _turns(vectors: torch.Tensor) -> torch.Tensor:
    """Return rotation matrices `(n, 3, 3)` of rotation vectors `(n, 3)`; smooth at zero."""
    square = vectors.square().sum(dim=-1)[:, None, None]
    angle = (square + 1e-16).sqrt()
    zero = torch.zeros_like(vectors[:, 0])
    x, y, z = vectors.unbind(dim=-1)
    skew = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).reshape(-1, 3, 3)
    half = torch.sin(angle / 2.0) / angle
    return torch.eye(3, dtype=vectors.dtype) + torch.sin(angle) / angle * skew + 2.0 * half.square() * (skew @ skew)
