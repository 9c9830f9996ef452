"""What a solver is shown of a pose: all joints or some, exactly or with noise, on the body that was recorded
or on another."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.neural_ik.people import Poses
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS

NOISES_MM = (0, 5, 10, 20, 40)
SIX_POINTS = ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
_LEG = ("knee", "ankle", "ball", "toe_tip")
_ARM = ("elbow", "wrist", "hand_tip")
_TRUNK = ("shoulder", "spine2", "spine3", "neck")
# Factors on the lengths of bones, by the point at the bone's end.
PROPORTIONS: dict[str, dict[str, float]] = {
    "chibi": {
        **dict.fromkeys(_LEG, 0.6),
        **dict.fromkeys(_ARM, 0.65),
        **dict.fromkeys(_TRUNK, 0.8),
        "head_top": 2.0,
    },
    "long limbs": {**dict.fromkeys(_LEG, 1.25), **dict.fromkeys(_ARM, 1.3)},
    "broad shoulders": {"shoulder": 1.5, "collar": 1.5, "hip": 0.85},
}


@dataclass(frozen=True)
class Problem:
    """Poses and what is shown of them.

    `points` `(n, 27, 3)` metres, NaN where not seen; `seen` `(n, 27)` 0 or 1; `sigma` metres, which solvers
    are told.
    """

    truth: Poses
    points: np.ndarray
    seen: np.ndarray
    sigma: float

    def rows(self, chosen: np.ndarray | slice) -> "Problem":
        """Return some of the poses."""
        return Problem(self.truth.rows(chosen), self.points[chosen], self.seen[chosen], self.sigma)


@dataclass(frozen=True)
class Condition:
    """One column of the table; `visible` gives `(n, 27)` booleans, `seeds` is how often it is drawn."""

    name: str
    noise_mm: float
    visible: Callable[[np.random.Generator, int], np.ndarray]
    body: Callable[[PointBody], PointBody] = lambda body: body
    seeds: int = 3

    def problem(self, poses: Poses, seed: int) -> Problem:
        """Return what is shown of some poses; the same for the same seed."""
        rng = np.random.default_rng([seed, len(poses), round(1000.0 * self.noise_mm)])
        truth = poses.on(self.body(poses.body))
        sigma = self.noise_mm / 1000.0
        points = truth.points + sigma * rng.standard_normal((len(poses), len(POINTS), 3))
        seen = self.visible(rng, len(poses))
        return Problem(truth, np.where(seen[..., None], points, np.nan), seen.astype(float), sigma)


def conditions() -> list[Condition]:
    """Return all columns of the table."""
    found = [Condition(f"{noise} mm", noise, all_joints, seeds=3 if noise else 1) for noise in NOISES_MM]
    found += [
        Condition(f"end sites too, {noise} mm", noise, all_points, seeds=3 if noise else 1)
        for noise in (0, 10)
    ]
    found += [Condition(f"{count} missing", 0.0, without_random(count)) for count in (1, 3, 6)]
    found += [Condition("3 missing, 10 mm", 10.0, without_random(3))]
    found += [
        Condition("no elbows and knees", 0.0, without("elbow.L", "elbow.R", "knee.L", "knee.R"), seeds=1)
    ]
    found += [
        Condition("six points", 0.0, only(*SIX_POINTS), seeds=1),
        Condition("six points, 10 mm", 10.0, only(*SIX_POINTS)),
    ]
    found += [
        Condition(name, 0.0, all_joints, reshaped(factors), seeds=1) for name, factors in PROPORTIONS.items()
    ]
    return found


def all_joints(rng: np.random.Generator, frames: int) -> np.ndarray:
    """Show the 22 joints."""
    return np.tile(np.arange(len(POINTS)) < len(JOINTS), (frames, 1))


def all_points(rng: np.random.Generator, frames: int) -> np.ndarray:
    """Show the 22 joints and the ends of head, hands and toes."""
    return np.ones((frames, len(POINTS)), dtype=bool)


def without_random(count: int) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Show the joints without `count` that are drawn anew for every frame; the pelvis, to which a user's
    targets belong, is never drawn."""

    def visible(rng: np.random.Generator, frames: int) -> np.ndarray:
        drawn = 1 + np.argsort(rng.random((frames, len(JOINTS) - 1)), axis=-1)[:, :count]
        seen = all_joints(rng, frames)
        np.put_along_axis(seen, drawn, False, axis=-1)
        return seen

    return visible


def without(*joints: str) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Show the joints without some."""
    return only(*(joint for joint in JOINTS if joint not in joints))


def only(*points: str) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Show some points."""
    rows = [INDEX[point] for point in points]
    return lambda rng, frames: np.tile(np.isin(np.arange(len(POINTS)), rows), (frames, 1))


def reshaped(factors: dict[str, float]) -> Callable[[PointBody], PointBody]:
    """Return what gives a body other proportions: factors on the bones that end at some points, of both
    sides."""

    def reshape(body: PointBody) -> PointBody:
        rest = body.rest.copy()
        for row, point in enumerate(POINTS[1:], 1):
            rest[row] = rest[PARENTS[row]] + factors.get(point.partition(".")[0], 1.0) * body.offsets[row]
        return replace(body, rest=rest)

    return reshape
