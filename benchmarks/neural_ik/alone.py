"""The networks alone, one frame in a call: in numpy, as shipped, and in eager torch on one thread."""

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np
import torch

from benchmarks.neural_ik.baselines import place_inputs
from benchmarks.neural_ik.conditions import Problem
from benchmarks.neural_ik.place_networks import in_numpy, in_torch, load, weights_file
from benchmarks.neural_ik.speed import rate
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.network.inputs import read_inputs
from neurarig_addon.core.neural.network.pose_network import PoseNetwork
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights
from neurarig_addon.training.pose.lesson import batch_of
from neurarig_addon.training.pose.model import PoseModel, Shape

_FRAMES = 50


def ours_alone(weights: Path, problem: Problem) -> tuple[float, float]:
    """Return frames a second of our network in numpy and in torch; what it computes does not matter there, so torch has new weights."""
    torch.set_num_threads(1)
    stored = read_pose_weights(weights)
    network, body = PoseNetwork(stored), NetworkBody.of(problem.truth.body.rest)
    graph = stored.graph
    half, width = graph.leave.shape[1], graph.mix.shape[1]
    model = PoseModel(Shape(width, half, graph.heads, len(stored.guess[0].bias))).eval()
    prepared = network.prepared(body, problem.seen[0], problem.sigma)
    points = np.where(problem.seen[..., None] > 0.0, problem.points, 0.0)[:_FRAMES]
    inputs = [read_inputs(body, points[row : row + 1], prepared.noise, None) for row in range(len(points))]
    batches = [batch_of(body, one, prepared.noise) for one in inputs]
    with torch.inference_mode():
        return _rate(lambda one: network(one, prepared), inputs), _rate(model, batches)


def place_network_alone(name: str, problem: Problem) -> tuple[float, float]:
    """Return frames a second of a network that ours is measured against, in numpy and in torch."""
    model, body = load(name, weights_file(name)), NetworkBody.of(problem.truth.body.rest)
    points = np.where(problem.seen[..., None] > 0.0, problem.points, 0.0)[:_FRAMES]
    features, _ = place_inputs(body, points, problem.seen[:_FRAMES], problem.sigma)
    rows = [features[row : row + 1] for row in range(len(features))]
    return _rate(in_numpy(model), rows), _rate(in_torch(model), rows)


def _rate(call: Callable, inputs: list) -> float:
    each = cycle(inputs)
    return rate(lambda: call(next(each)))
