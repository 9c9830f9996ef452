"""One lesson of the pose network: what is seen of recorded poses, and the targets.

A recorded pose contains what noise and missing points hide, which cannot be known; learned from few people,
it teaches their habits. The
target for what points leave open is the pose near the true one that is most likely given the points: under a
Gaussian prior it contains
only what follows from the points and from the most common habits, so it also holds for people who were never
recorded.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ...core.geometry.rotation import transposed
from ...core.neural.analytic.figure_shape import FigureShape
from ...core.neural.analytic.network_body import NetworkBody
from ...core.neural.analytic.noise import Noise, variances
from ...core.neural.likely.likely_pose import Trust
from ...core.neural.likely.pose_prior import PosePrior
from ...core.neural.likely.refine import Refinement
from ...core.neural.network.inputs import JOINT_COUNT, PREVIOUS_WIDTH, SHOWN_WIDTH, PoseInputs, read_inputs
from .model import Batch, tensors


def advised(
    body: NetworkBody,
    rotations: np.ndarray,
    points: np.ndarray,
    weights: np.ndarray,
    sigma: float | np.ndarray,
    prior: PosePrior,
) -> np.ndarray:
    """Return poses `(f, 22, 3, 3)` a Gauss-Newton step from the true ones towards those most likely under
    their points.

    `points` `(f, 27, 3)` in metres about the true pelvis, finite, with `weights` 0..1 `(27,)` or `(f, 27)`
    and noise `sigma` metres.
    """
    trust = Trust.of(body, weights, variances(body, weights, sigma))
    refinement = Refinement(body.offsets, prior)
    found, _ = refinement.solve(
        rotations.astype(float), np.zeros((len(rotations), 3)), points, trust.sharp, trust.strength
    )
    return found


TALL = 1.75  # metres: body height that noise is given for
# noise in body heights beyond which recorded people are a better guide to a pose than a Gaussian
_LOUD = 0.008 / TALL


@dataclass(frozen=True)
class LessonSight:
    """True rotations `(f, 22, 3, 3)` of one body and what is seen of them.

    `points` `(f, 27, 3)` metres, `weights` `(27,)` or `(f, 27)`, noise `sigma` metres, one number or `(f,)`,
    and the previous pose as
    found, or zeros.  `shape`, `prior`: statistics of the recorded people.
    """

    body: NetworkBody
    shape: FigureShape
    prior: PosePrior
    rotations: np.ndarray
    points: np.ndarray
    weights: np.ndarray
    sigma: float | np.ndarray
    previous: np.ndarray | None


@dataclass(frozen=True)
class Lesson:
    """A batch of frames on several bodies, with the targets.

    `truth` `(f, 22, 3, 3)`: bone-aligned orientations relative to the trunk. `advice` `(f, 22, 3, 3)`: those
    most likely given what is
    seen; the true ones if all is seen or noise is large. `back` `(f, 22, 3, 3)`: takes them to rotations away
    from the reference pose.
    `offsets` `(f, 27, 3)`: of the points, in body heights.
    """

    inputs: Batch
    truth: Tensor
    advice: Tensor
    back: Tensor
    offsets: Tensor


def lesson_of(sight: LessonSight) -> Lesson:
    """Return a sight as a lesson: the network's inputs and targets."""
    body = sight.body
    noise = Noise.of(body, sight.shape, sight.weights, sight.sigma)
    inputs = read_inputs(body, sight.points, noise, sight.previous)
    beyond_advice = noise.cleaning is None or np.max(sight.sigma) > _LOUD * body.height
    likely = (
        sight.rotations
        if beyond_advice
        else advised(body, sight.rotations, sight.points, sight.weights, sight.sigma, sight.prior)
    )
    truth, advice = (
        transposed(inputs.turn)[:, None] @ rotations @ transposed(body.back)
        for rotations in (sight.rotations, likely)
    )
    arms = body.offsets / body.height
    back, offsets = (np.broadcast_to(table, (len(truth), *table.shape)) for table in (body.back, arms))
    return Lesson(
        batch_of(body, inputs, noise),
        **tensors({"truth": truth, "advice": advice, "back": back, "offsets": offsets}),
    )


def batch_of(body: NetworkBody, inputs: PoseInputs, noise: Noise) -> Batch:
    """Return inputs for torch."""
    frames, shown = len(inputs.nodes), np.swapaxes(inputs.nodes[:, :SHOWN_WIDTH], -1, -2)
    previous = (
        inputs.previous if inputs.previous is not None else np.zeros((frames, JOINT_COUNT, PREVIOUS_WIDTH))
    )
    known, figure = (
        np.broadcast_to(table, (frames, *table.shape[1:])) for table in (noise.nodes, noise.figure)
    )
    analytic = np.swapaxes(inputs.axes[..., [1, 0, 2], :] @ inputs.turn[:, None], -1, -2)
    return Batch(
        **tensors(
            {
                "nodes": shown,
                "known": np.concatenate([known, previous], axis=-1),
                "figure": np.concatenate([shown.reshape(frames, -1), figure], axis=-1),
                "free": np.swapaxes(inputs.free, -1, -2),
                "analytic": analytic,
            }
        )
    )


def joined(lessons: list[Lesson]) -> Lesson:
    """Return several lessons joined into one."""
    batches = [vars(lesson.inputs) for lesson in lessons]
    inputs = Batch(**{name: torch.cat([batch[name] for batch in batches]) for name in batches[0]})
    truth, advice, back, offsets = (
        torch.cat([getattr(lesson, name) for lesson in lessons])
        for name in ("truth", "advice", "back", "offsets")
    )
    return Lesson(inputs, truth, advice, back, offsets)
