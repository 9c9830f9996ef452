"""Leaving torch: the weights file of the add-on."""

import numpy as np
import torch
from torch import nn

from ...core.neural.pose_weights import Attention, Dense, PoseWeights
from .model import GraphAttention, PoseModel


def exported(model: PoseModel) -> PoseWeights:
    """Return a model's weights as numpy has them."""
    guess = [_dense(layer) for layer in model.guess if isinstance(layer, nn.Linear)]
    norm = model.last[2]
    assert isinstance(norm, nn.LayerNorm)
    return PoseWeights(
        heads=model.shape.heads,
        guess=(guess[0], guess[1], guess[2]),
        enter=_dense(model.enter),
        joints=_array(model.joints),
        layers=tuple(_attention(layer) for layer in model.layers),
        last=_dense(model.last[0]),
        scale=_array(norm.weight),
        shift=_array(norm.bias),
        leave=_dense(model.leave),
    )


def _dense(layer: nn.Module) -> Dense:
    assert isinstance(layer, nn.Linear)
    return Dense(_array(layer.weight), _array(layer.bias))


def _attention(layer: nn.Module) -> Attention:
    assert isinstance(layer, GraphAttention)
    return Attention(_array(layer.mix.weight), _array(layer.bias), _array(layer.norm.weight), _array(layer.norm.bias))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy().astype(np.float32)
