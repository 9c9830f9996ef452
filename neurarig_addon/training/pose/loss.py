"""The losses of a pose in torch."""

import numpy as np
import torch
from torch import Tensor

from ...core.neural.analytic.network_body import chains
from ...core.neural.points import JOINTS, PARENTS
from .judge import LEAVES

# Joints whose bones end in no joint: little is seen of them, so they count half.
_LEAF_WEIGHT = 0.5
_WEIGHTS = torch.tensor([_LEAF_WEIGHT if joint in LEAVES else 1.0 for joint in range(len(JOINTS))])
_HOLDERS = torch.from_numpy(PARENTS[1:])
# The bones leading from the pelvis to each other point `(26, 26)`.
_CHAINS = torch.from_numpy(chains()[1:]).float()
_CHORD = np.sqrt(8.0)


def angles(found: Tensor, truth: Tensor) -> Tensor:
    """Return the angles between rotations `(..., 3, 3)` in radians: 2 asin(|A - A'| / sqrt 8), whose slope is finite everywhere."""
    chord = ((found - truth).square().sum((-1, -2)) + 1e-9).sqrt()
    return 2.0 * torch.asin((chord / _CHORD).clamp(max=0.9999))


def turn_loss(found: Tensor, truth: Tensor) -> Tensor:
    """Return the mean angle in radians over frames and joints."""
    return (angles(found, truth) * _WEIGHTS).mean()


def place_loss(found: Tensor, truth: Tensor, offsets: Tensor) -> Tensor:
    """Return the mean distance, in body heights, between the points of two sets of rotations `(f, 22, 3, 3)` away from the reference."""
    step = ((found - truth)[:, _HOLDERS] @ offsets[:, 1:, :, None])[..., 0]
    return ((_CHAINS @ step).square().sum(-1) + 1e-10).sqrt().mean()
