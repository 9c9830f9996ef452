"""The errors of a pose network on unseen people, with the weights and code that ship."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ...core.geometry.rotation import norms, transposed
from ...core.neural.frames import BoneFrames, shortest_turn
from ...core.neural.points import INDEX, JOINTS, POINTS
from ...core.neural.solver import PoseSolver
from .lesson import TALL
from .lessons import SIX_POINTS
from .poses import PoseClip, fresh_rows

_SEED = 7
_FEWEST = 12.0  # degrees that some joint must turn for another pose of a clip to count
LEAVES = np.array([INDEX[name] for name in ("head", "ball.L", "ball.R", "wrist.L", "wrist.R")])
OBSERVABLE = np.setdiff1d(np.arange(len(JOINTS)), LEAVES)


@dataclass(frozen=True)
class Condition:
    """What the solver gets: noise per axis in mm on a body of 1.75 m, the seen points `(f, 27)`, and the goal
    in degrees, if any."""

    name: str
    noise_mm: float
    seen: Callable[[np.random.Generator, int], np.ndarray]
    goal: float | None = None


@dataclass(frozen=True)
class PoseError:
    """Mean errors: angle of observable joints, of the leaves (head, hands, toes), their twist in degrees; of
    the 22 places in mm."""

    condition: Condition
    angle: float
    leaf_angle: float
    twist: float
    place_mm: float

    @property
    def reached(self) -> bool:
        """Whether the goal is met."""
        return self.condition.goal is None or self.angle <= self.condition.goal


def conditions() -> list[Condition]:
    """Return the conditions of the model card."""
    noises = {0.0: 3.0, 5.0: 5.0, 10.0: 7.0, 20.0: 10.0, 40.0: 14.0}
    found = [
        Condition(f"22 joints, {noise:g} mm noise", noise, _joints, goal) for noise, goal in noises.items()
    ]
    found += [
        Condition(
            "and the ends of head, hands and toes", 0.0, lambda rng, frames: np.ones((frames, len(POINTS)))
        )
    ]
    found += [
        Condition(f"{count} joints missing" if count > 1 else "1 joint missing", 0.0, _missing(count))
        for count in (1, 3, 6)
    ]
    return [*found, Condition("pelvis, chest, head, hands and feet only", 0.0, _six)]


def judge(solver: PoseSolver, clips: list[PoseClip]) -> Iterator[PoseError]:
    """Yield the errors of a solver on the poses of some clips, one condition at a time."""
    step = np.radians(_FEWEST)
    chosen = [(clip, clip.rotations[fresh_rows(clip.rotations, step)]) for clip in clips]
    for condition in conditions():
        rng = np.random.default_rng(_SEED)
        parts = [_errors(solver, clip, rotations, condition, rng) for clip, rotations in chosen]
        angles, twists, places = (np.concatenate(part) for part in zip(*parts, strict=True))
        yield PoseError(
            condition,
            angles[:, OBSERVABLE].mean(),
            angles[:, LEAVES].mean(),
            np.abs(twists[:, OBSERVABLE]).mean(),
            places.mean(),
        )


def _errors(
    solver: PoseSolver, clip: PoseClip, rotations: np.ndarray, condition: Condition, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return angles, twists `(f, 22)` in degrees and distances `(f, 22)` in mm for a body scaled to 1.75
    m."""
    body, frames = clip.body, len(rotations)
    metre = body.height / TALL
    truth = body.forward(rotations, np.zeros((frames, 3)))
    sigma = condition.noise_mm / 1000.0 * metre
    seen = condition.seen(rng, frames)
    points = np.where(seen[..., None] > 0.0, truth + sigma * rng.standard_normal(truth.shape), np.nan)
    found, root = solver.solve(body, points, seen, sigma)
    apart = norms(body.forward(found, root) - truth)[:, : len(JOINTS)]
    return (
        angles(found, rotations),
        twists(found, rotations, BoneFrames.of_points(body.rest)),
        1000.0 / metre * apart,
    )


def angles(found: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the angles between rotations `(..., 3, 3)` in degrees."""
    chord = np.linalg.norm(found - truth, axis=(-1, -2)) / np.sqrt(8.0)
    return np.degrees(2.0 * np.arcsin(np.minimum(chord, 1.0)))


def twists(found: np.ndarray, truth: np.ndarray, frames: BoneFrames) -> np.ndarray:
    """Return the twists `(..., 22)` in degrees about the bones that remain after swinging each to its true
    direction."""
    right, carried = frames.to_aligned(truth), frames.to_aligned(found)
    left = (
        transposed(shortest_turn(carried[..., :, 1], right[..., :, 1], carried[..., :, 0]) @ carried) @ right
    )
    return np.degrees(np.arctan2(left[..., 0, 2], left[..., 0, 0]))


def _joints(rng: np.random.Generator, frames: int) -> np.ndarray:
    seen = np.ones((frames, len(POINTS)))
    seen[:, len(JOINTS) :] = 0.0
    return seen


def _missing(count: int) -> Callable[[np.random.Generator, int], np.ndarray]:
    def seen(rng: np.random.Generator, frames: int) -> np.ndarray:
        drawn = 1 + np.argsort(rng.random((frames, len(JOINTS) - 1)), axis=-1)[:, :count]
        found = _joints(rng, frames)
        np.put_along_axis(found, drawn, 0.0, axis=-1)
        return found

    return seen


def _six(rng: np.random.Generator, frames: int) -> np.ndarray:
    return np.tile(np.isin(np.arange(len(POINTS)), [INDEX[name] for name in SIX_POINTS]), (frames, 1)).astype(
        float
    )
