"""Leaving torch: the weights file of the add-on."""

import numpy as np
import torch
from torch import nn

from ...core.neural.analytic.figure_shape import FigureShape
from ...core.neural.network.pose_weights import Attention, Dense, GraphWeights, PoseWeights
from .model import GraphAttention, GraphModel, PoseModel


def exported(model: PoseModel, shape: FigureShape) -> PoseWeights:
    """Return a model's weights as numpy has them."""
    guess = [_dense(layer) for layer in model.guess if isinstance(layer, nn.Linear)]
    return PoseWeights((guess[0], guess[1], guess[2]), exported_graph(model.graph), shape)


def exported_graph(graph: GraphModel) -> GraphWeights:
    """Return the weights of a graph network."""
    return GraphWeights(
        heads=graph.heads,
        enter=_dense(graph.enter),
        joints=_array(graph.joints),
        layers=tuple(_attention(layer) for layer in graph.layers),
        last=_dense(graph.last),
        leave=_dense(graph.leave),
    )


def _dense(layer: nn.Module) -> Dense:
    assert isinstance(layer, nn.Linear)
    return Dense(_array(layer.weight), _array(layer.bias))


def _attention(layer: nn.Module) -> Attention:
    assert isinstance(layer, GraphAttention)
    return Attention(_array(layer.mix.weight), _array(layer.bias))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy().astype(np.float32)
