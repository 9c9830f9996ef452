"""The networks that ours is measured against, in numpy and in eager torch; `train_baselines` teaches them.

What they are stands in `benchmarks.neural_ik.baselines`.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn

from benchmarks.neural_ik.baselines import GraphModel, baseline_rotations, dense, paper_graph, place_inputs
from benchmarks.neural_ik.paper_graph import PaperGraph, PaperGraphWeights
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.network.pose_network import Stack
from neurarig_addon.core.neural.network.pose_weights import Dense
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import JOINTS

MODELS: dict[str, Callable[[], nn.Module]] = {"paper_graph": paper_graph, "dense": dense}
Forward = Callable[[np.ndarray], np.ndarray]  # features `(f, 22, PLACE_WIDTH)` to columns `(f, 22, 6)`


def weights_file(name: str) -> Path:
    """Return where the weights of a network are kept."""
    return Path(__file__).parent / "weights" / f"{name}.npz"


def save(model: nn.Module, path: Path) -> None:
    """Write a network's weights, as half floats: they are only measured against."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **{name: tensor.numpy().astype(np.float16) for name, tensor in model.state_dict().items()})


def load(name: str, path: Path) -> nn.Module:
    """Return a network with the weights of a file."""
    model = MODELS[name]()
    with np.load(path, allow_pickle=False) as stored:
        model.load_state_dict({key: torch.from_numpy(stored[key].astype(np.float32)) for key in stored.files})
    return model.eval()


def in_numpy(model: nn.Module) -> Forward:
    """Return a network as ours runs in Blender."""
    if isinstance(model, GraphModel):
        return PaperGraph(PaperGraphWeights.of(model))
    stack = Stack(
        [Dense(*(part.detach().numpy() for part in layer.parameters())) for layer in model.children() if isinstance(layer, nn.Linear)]
    )
    return lambda features: stack(features.reshape(len(features), -1)).reshape(-1, len(JOINTS), 6)


def in_torch(model: nn.Module) -> Forward:
    """Return a network in eager torch on one thread."""
    torch.set_num_threads(1)

    def forward(features: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return model(torch.from_numpy(features)).numpy()

    return forward


class PlaceSolver:
    """From points to poses by such a network; bodies are prepared once."""

    def __init__(self, forward: Forward):
        self._forward = forward
        self._bodies: dict[bytes, NetworkBody] = {}

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`: where it is seen, moved to fit all points where they err."""
        tables = self._tables(body)
        features, heading = place_inputs(tables, points, seen, sigma)
        rotations = baseline_rotations(tables, self._forward(features), heading)
        if sigma == 0.0 and seen[:, 0].all():
            return rotations, points[:, 0]
        told = seen[..., None] / np.maximum(seen.sum(axis=-1), 1e-9)[:, None, None]
        off = np.where(told > 0.0, points, 0.0) - body.forward(rotations, np.zeros(3))
        return rotations, (told * off).sum(axis=1)

    def _tables(self, body: PointBody) -> NetworkBody:
        key = body.rest.tobytes()
        if key not in self._bodies:
            self._bodies[key] = NetworkBody.of(body.rest)
        return self._bodies[key]
