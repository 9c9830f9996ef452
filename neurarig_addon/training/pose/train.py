"""Teaching the pose network, and the losses of a pose."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from ...core.neural.analytic.network_body import chains
from ...core.neural.points import JOINTS, PARENTS
from ..descent import Progress, descend, settled
from .judge import LEAVES
from .lesson import Lesson
from .lessons import PoseTeacher, Variety, learning_bodies
from .model import NetworkShape, PoseModel
from .poses import PoseSet, figure_shape, pose_prior, rest_points

# Joints whose bones end in no joint: little is seen of them, so they count half.
_LEAF_WEIGHT = 0.5
_WEIGHTS = torch.tensor([_LEAF_WEIGHT if joint in LEAVES else 1.0 for joint in range(len(JOINTS))])
_HOLDERS = torch.from_numpy(PARENTS[1:])
# The bones leading from the pelvis to each other point `(26, 26)`.
_CHAINS = torch.from_numpy(chains()[1:]).float()
_CHORD = np.sqrt(8.0)


def angles(found: Tensor, truth: Tensor) -> Tensor:
    """Return the angles between rotations `(..., 3, 3)` in radians: 2 asin(|A - A'| / sqrt 8), whose slope is
    finite everywhere."""
    chord = ((found - truth).square().sum((-1, -2)) + 1e-9).sqrt()
    return 2.0 * torch.asin((chord / _CHORD).clamp(max=0.9999))


def turn_loss(found: Tensor, truth: Tensor) -> Tensor:
    """Return the mean angle in radians over frames and joints."""
    return (angles(found, truth) * _WEIGHTS).mean()


def place_loss(found: Tensor, truth: Tensor, offsets: Tensor) -> Tensor:
    """Return the mean distance, in body heights, between the points of two sets of rotations `(f, 22, 3, 3)`
    away from the reference."""
    step = ((found - truth)[:, _HOLDERS] @ offsets[:, 1:, :, None])[..., 0]
    return ((_CHAINS @ step).square().sum(-1) + 1e-10).sqrt().mean()


@dataclass(frozen=True)
class PoseRecipe:
    """All settings that determine the weights; the defaults produced the bundled ones."""

    seed: int = 1
    steps: int = 15000
    bodies: int = 256
    sights: int = 16  # per step
    frames: int = 16  # per sight
    learning_rate: float = 3e-3
    weight_decay: float = 5e-2
    guess_weight: float = 0.3
    advice_weight: float = 4.0
    place_weight: float = 1.75  # radians per body height
    longest_step: float = 4.0
    averaging: float = 0.998
    threads: int = 1
    shape: NetworkShape = field(default_factory=NetworkShape)
    variety: Variety = field(default_factory=Variety)


def train(poses: PoseSet, recipe: PoseRecipe, report: Callable[[Progress], None]) -> PoseModel:
    """Return the network trained on some poses; Ctrl-C stops early and keeps what was learned.

    The same recipe on the same machine gives the same weights.
    """
    teacher = begin(poses, recipe)
    model = PoseModel(recipe.shape)
    return descend(
        model,
        lambda: lesson_loss(model, teacher.lesson(recipe.sights, recipe.frames), recipe),
        recipe,
        report,
    )


def begin(poses: PoseSet, recipe: PoseRecipe) -> PoseTeacher:
    """Seed everything and return the teacher of some poses."""
    settled(recipe.seed, recipe.threads)
    bodies = learning_bodies(
        np.unique(rest_points(poses), axis=0), recipe.bodies, np.random.default_rng(recipe.seed)
    )
    return PoseTeacher(poses, bodies, figure_shape(poses), pose_prior(poses), recipe.variety, recipe.seed)


def lesson_loss(model: PoseModel, lesson: Lesson, recipe: PoseRecipe) -> Tensor:
    """Return the network's loss: the angles of pose and guess, and the positions of the pose's points."""
    found, guess = model(lesson.inputs)
    turns = [
        turn_loss(pose, lesson.truth) + recipe.advice_weight * turn_loss(pose, lesson.advice)
        for pose in (found, guess)
    ]
    places = place_loss(found @ lesson.back, lesson.truth @ lesson.back, lesson.offsets)
    return turns[0] + recipe.guess_weight * turns[1] + recipe.place_weight * places
