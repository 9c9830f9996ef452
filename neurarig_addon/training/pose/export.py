"""Export from torch: the weights file of the add-on."""

import numpy as np
import torch
from torch import nn

from ...core.neural.analytic.figure_shape import FigureShape
from ...core.neural.network.pose_weights import Dense, GraphWeights, PoseWeights
from .model import PoseGraph, PoseModel


def exported(model: PoseModel, shape: FigureShape) -> PoseWeights:
    """Return a model's weights in numpy."""
    guess = [_dense(layer) for layer in model.guess if isinstance(layer, nn.Linear)]
    return PoseWeights((guess[0], guess[1], guess[2]), _graph(model.graph), shape)


def _graph(graph: PoseGraph) -> GraphWeights:
    enter = _array(graph.enter.weight)
    return GraphWeights(graph.heads, enter, _array(graph.joints), _array(graph.mix.weight), _array(graph.leave.weight))


def _dense(layer: nn.Module) -> Dense:
    assert isinstance(layer, nn.Linear)
    return Dense(_array(layer.weight), _array(layer.bias))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy().astype(np.float32)
