"""The network's errors against the gait it learned, on unseen characters, with the weights and code that
ship."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...core.contract.channels import CHANNELS
from ...core.human.gait_network import GaitNetwork
from .dataset import WALKERS, Characters, GaitSampler, phases, slow_inputs

_UNSEEN_SEED = 20_000  # far from the seeds of training walks
LIMITS = {"mm": 2.0, "degrees": 0.3}  # limits of the root mean square error, unless a gait sets its own

_PLACES, _TURNS = ("x", "y", "z"), ("pitch", "yaw", "roll")
# Rows of the table: a name, and the channels whose names start with this and end in one of the axes.
_GROUPS = {
    "foot position": ("foot_", _PLACES),
    "ball position": ("ball_", _PLACES),
    "pelvis position": ("pelvis", _PLACES),
    "foot angles": ("foot_", _TURNS),
    "ball angles": ("ball_", _TURNS),
    "pelvis angles": ("pelvis", _TURNS),
    "chest angles": ("chest", _TURNS),
    "head angles": ("head", _TURNS),
    "arm angles": ("arm_", ("flexion", "abduction", "rotation", "elbow", "wrist")),
}


@dataclass(frozen=True)
class GroupError:
    """Errors of a group of channels in mm or degrees: root mean square of its worst channel, the largest of
    all, the former's limit."""

    group: str
    unit: str
    rms: float
    largest: float
    limit: float


def unseen_characters(among: Characters = WALKERS, count: int = 400) -> np.ndarray:
    """Return characters `(count, 4)` (see `dataset.Characters`) that no training with a small seed has drawn,
    each with equal legs."""
    found = among.at(np.random.default_rng(_UNSEEN_SEED).random((count, 4)))
    found[:, 2] = 1.0
    return found


def judge(
    network: GaitNetwork, sample: GaitSampler, characters: np.ndarray, limits: Mapping[str, float] = LIMITS
) -> list[GroupError]:
    """Return the errors of a network over whole cycles of symmetric characters `(n, 4)` with a 0.9 m leg."""
    errors = np.concatenate([_errors(network, sample, slow_inputs(*character)) for character in characters])
    return [_group_error(group, errors, limits) for group in _GROUPS]


def _errors(network: GaitNetwork, sample: GaitSampler, slow: np.ndarray) -> np.ndarray:
    """Return network minus gait `(phases, 46)`, at phases halfway between those of the training."""
    at = phases() + 0.5 * phases()[1]
    velocity, thigh, shin, _, spacing = slow[:5]
    return network.sample(slow[None], at, at + 0.5) - sample(velocity, thigh, shin, spacing, at)


def _group_error(group: str, errors: np.ndarray, limits: Mapping[str, float]) -> GroupError:
    start, axes = _GROUPS[group]
    unit, size = ("mm", 1000.0) if axes == _PLACES else ("degrees", 180.0 / np.pi)
    columns = [n for n, name in enumerate(CHANNELS) if name.startswith(start) and name.split(".")[1] in axes]
    found = errors[:, columns] * size
    return GroupError(
        group, unit, float(np.sqrt(np.mean(found**2, axis=0)).max()), float(np.abs(found).max()), limits[unit]
    )
