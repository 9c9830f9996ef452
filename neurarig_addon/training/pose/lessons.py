"""The lessons of the pose network: recorded poses on many bodies, seen through noise, with points missing.

The bodies are the recorded ones, and variants with other proportions.
"""

from dataclasses import dataclass

import numpy as np

from ...core.geometry.rotation import from_axis_angle, normalized, norms, transposed
from ...core.neural.analytic.figure_shape import FigureShape
from ...core.neural.analytic.network_body import NetworkBody
from ...core.neural.likely.pose_prior import PosePrior
from ...core.neural.points import INDEX, JOINTS, PARENTS, POINTS, mirrored_rows
from .lesson import TALL, Lesson, LessonSight, joined, lesson_of
from .poses import PoseSet

# Bones scaled together, by the stems of the points at their ends.
_TOGETHER = (
    ("knee",),
    ("ankle",),
    ("ball",),
    ("toe_tip",),
    ("hip",),
    ("spine1", "spine2", "spine3"),
    ("neck",),
    ("collar",),
    ("shoulder",),
    ("elbow",),
    ("wrist",),
    ("hand_tip",),
    ("head",),
    ("head_top",),
)
_SHORTER, _LONGER = 0.6, 1.4
_APART = 0.5  # share of the variants whose joints that coincide on recorded bodies are moved apart
_ASIDE = 0.06  # spread of a bone's end, in bone lengths: skeletons differ in where joints are in the body


def learning_bodies(rests: np.ndarray, count: int, rng: np.random.Generator) -> list[NetworkBody]:
    """Return `count` bodies made of reference poses `(n, 27, 3)`: every other one as recorded, the others
    with random proportions."""
    return [
        NetworkBody.of(
            _reshaped(rests[rng.integers(len(rests))], rng) if n % 2 else rests[n // 2 % len(rests)]
        )
        for n in range(count)
    ]


def _reshaped(rest: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a reference pose `(27, 3)` with other bone lengths, equal on both sides, and joints slightly
    displaced."""
    stems = [point.partition(".")[0] for point in POINTS]
    factors = np.ones(len(POINTS))
    for group in _TOGETHER:
        factors[[stem in group for stem in stems]] = np.exp(rng.uniform(np.log(_SHORTER), np.log(_LONGER)))
    if rng.random() < _APART:
        rest = _apart(rest, rng)
    body = np.array(rest)
    for point in range(1, len(POINTS)):
        bone = rest[point] - rest[PARENTS[point]]
        aside = _ASIDE * norms(bone) * rng.standard_normal(3)
        body[point] = body[PARENTS[point]] + factors[point] * (bone + aside)
    return body


def _apart(rest: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a reference pose `(27, 3)` with the lowest spine joint above the pelvis, the collars between
    neck, chest and shoulders."""
    pelvis, spine2, spine3, neck = (rest[INDEX[name]] for name in ("pelvis", "spine2", "spine3", "neck"))
    body, up, out, down = np.array(rest), rng.uniform(0.1, 0.6), rng.uniform(0.05, 0.4), rng.uniform(0.0, 0.5)
    body[INDEX["spine1"]] = pelvis + up * (spine2 - pelvis)
    for side in "LR":
        body[INDEX[f"collar.{side}"]] = (
            neck + out * (rest[INDEX[f"shoulder.{side}"]] - neck) + down * (spine3 - neck)
        )
    return body


SIX_POINTS = ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")


def below(joint: int) -> list[int]:
    """Return a joint and all joints below it."""
    found = [joint]
    for row in range(joint + 1, len(JOINTS)):
        if PARENTS[row] in found:
            found.append(row)
    return found


_MIRROR = np.array([1.0, -1.0, 1.0], np.float32)
# Branches that may come from another pose: the joint they are attached to, and their own joints.
_BRANCHES = (
    (
        INDEX["pelvis"],
        [INDEX[f"{part}.{side}"] for part in ("hip", "knee", "ankle", "ball") for side in "LR"],
    ),
    *(
        (INDEX["spine3"], [INDEX[f"{part}.{side}"] for part in ("shoulder", "elbow", "wrist")])
        for side in "LR"
    ),
    (INDEX["spine3"], [INDEX["neck"], INDEX["head"]]),
)
# Largest error of a previous pose: degrees, degrees per metre of noise, and factors for joints that points
# say little about.
_LEAST_OFF, _OFF_BY_NOISE = 4.0, 500.0
_OFF_MORE = np.array(
    [
        {"neck": 3.0, "head": 6.0, "wrist": 8.0, "ball": 4.0}.get(joint.partition(".")[0], 1.0)
        for joint in JOINTS
    ]
)
_MOST_EARLIER = 8
# Ball joints, each with the joints below it.
_BELOW = {
    INDEX[name]: below(INDEX[name])
    for name in ("spine1", "spine3", "neck", "hip.L", "hip.R", "shoulder.L", "shoulder.R")
}


@dataclass(frozen=True)
class Variety:
    """How lessons vary the recorded poses; shares of the frames unless noted otherwise."""

    exact: float = 0.3
    finest_mm: float = 12.0  # the largest noise for a third of the others
    loudest_mm: float = 50.0
    without_ends: float = 0.6
    without_some: float = 0.35
    without_most: float = 0.2
    other_limbs: float = 0.5  # for the legs together, each arm, and the head
    stirred: float = 0.7
    stirred_by: float = 10.0  # degrees, root mean square
    remembering: float = 0.3


class PoseTeacher:
    """Draws lessons from recorded poses."""

    def __init__(
        self,
        poses: PoseSet,
        bodies: list[NetworkBody],
        shape: FigureShape,
        prior: PosePrior,
        variety: Variety,
        seed: int,
    ):
        self.poses, self.bodies, self.shape, self.prior, self.variety = poses, bodies, shape, prior, variety
        self.rng = np.random.default_rng(seed)
        self.masks = _masks()

    def lesson(self, sights: int, frames: int) -> Lesson:
        """Return some sights of `frames` poses each."""
        return joined([lesson_of(sight) for sight in self.sights(sights, frames)])

    def sights(self, count: int, frames: int) -> list[LessonSight]:
        """Return some sights of `frames` poses each."""
        rows = self.rng.choice(self.poses.fresh, count * frames)
        now, before = self._varied(self.poses.rotations[rows], self.poses.rotations[self._earlier(rows)])
        parts = [slice(first, first + frames) for first in range(0, count * frames, frames)]
        return [self._sight(now[part], before[part]) for part in parts]

    def _sight(self, now: np.ndarray, before: np.ndarray) -> LessonSight:
        """Return the sight of some poses on one body: the same points, with the same noise."""
        body = self.bodies[self.rng.integers(len(self.bodies))]
        noise, weights = self._noise(), self._weights()
        sigma = noise * body.height / TALL
        places = body.places(now)
        points = places + sigma * self.rng.standard_normal(places.shape)
        points = np.where(weights[:, None] > 0.0, points, 0.0)
        return LessonSight(
            body, self.shape, self.prior, now, points, weights, sigma, self._remembered(before, noise)
        )

    def _varied(self, *poses: np.ndarray) -> list[np.ndarray]:
        """Return rotations `(f, 22, 3, 3)`, some mirrored, some with legs, arms or head of other poses; the
        same changes for all."""
        frames = len(poses[0])
        others = self.poses.rotations[self.rng.choice(self.poses.fresh, (len(_BRANCHES), frames))]
        grafted = self.rng.random((len(_BRANCHES), frames)) < self.variety.other_limbs
        stirs = self._stirs(frames)
        mirrored = (self.rng.random(frames) < 0.5)[:, None, None, None]
        found = []
        for rotations in poses:
            variant = rotations.copy()
            for other, chosen, (stem, branch) in zip(others, grafted, _BRANCHES, strict=True):
                _graft(variant, other, chosen, stem, branch)
            for joint, turn in stirs:
                variant[:, _BELOW[joint]] = turn[:, None] @ variant[:, _BELOW[joint]]
            found.append(np.where(mirrored, mirror(variant), variant))
        return found

    def _stirs(self, frames: int) -> list[tuple[int, np.ndarray]]:
        """Return small rotations `(f, 3, 3)` of hips, shoulders, spine and neck, by joint; hinges stay
        hinges."""
        some = self.rng.random(frames) < self.variety.stirred
        angles = some * np.radians(self.variety.stirred_by) * self.rng.standard_normal((len(_BELOW), frames))
        axes = normalized(self.rng.standard_normal((len(_BELOW), frames, 3)))
        return [
            (joint, from_axis_angle(axes[n], angles[n]).astype(np.float32)) for n, joint in enumerate(_BELOW)
        ]

    def _noise(self) -> float:
        """Return a noise in metres for a body of height `TALL`."""
        rng, variety = self.rng, self.variety
        if rng.random() < variety.exact:
            return 0.0
        return (
            rng.uniform(0.0, variety.finest_mm if rng.random() < 1.0 / 3.0 else variety.loudest_mm) / 1000.0
        )

    def _weights(self) -> np.ndarray:
        """Return the weights of the points `(27,)`: 0 if unseen."""
        rng, variety = self.rng, self.variety
        weights = np.ones(len(POINTS))
        if rng.random() < variety.without_ends:
            weights[len(JOINTS) :] = 0.0
        kind = rng.random()
        if kind < variety.without_some:
            weights[1 + rng.choice(len(POINTS) - 1, rng.integers(1, 9), replace=False)] = 0.0
        elif kind < variety.without_some + variety.without_most:
            weights *= self.masks[rng.integers(len(self.masks))]
        return weights

    def _earlier(self, rows: np.ndarray) -> np.ndarray:
        """Return the rows of the poses some frames earlier, mostly one."""
        frames = self.rng.geometric(0.5, len(rows))
        for step in range(_MOST_EARLIER):
            rows = np.where(step < frames, self.poses.previous[rows], rows)
        return rows

    def _remembered(self, before: np.ndarray, sigma: float) -> np.ndarray:
        """Return the previous pose as the network may have found it: with errors of some degrees, or zeros if
        forgotten."""
        rng = self.rng
        frames = len(before)
        off = np.radians(_LEAST_OFF + _OFF_BY_NOISE * sigma) * rng.random(frames)
        axes = normalized(rng.standard_normal((frames, len(JOINTS), 3)))
        angles = off[:, None] * _OFF_MORE * np.abs(rng.standard_normal((frames, len(JOINTS))))
        kept = rng.random(frames) < self.variety.remembering
        return np.where(kept[:, None, None, None], from_axis_angle(axes, angles) @ before, 0.0)


def mirror(rotations: np.ndarray) -> np.ndarray:
    """Return the mirror image of poses `(f, 22, 3, 3)`, with left and right swapped."""
    return (rotations * _MIRROR[:, None] * _MIRROR)[:, mirrored_rows()[: len(JOINTS)]]


def _graft(
    rotations: np.ndarray, other: np.ndarray, chosen: np.ndarray, stem: int, branch: list[int]
) -> None:
    """Replace a branch of joints of the chosen poses, in place, by that of others, relative to its stem."""
    held = transposed(other[chosen, stem : stem + 1]) @ other[chosen][:, branch]
    rotations[np.ix_(np.flatnonzero(chosen), np.array(branch))] = rotations[chosen, stem : stem + 1] @ held


def _masks() -> np.ndarray:
    """Return patterns in which many points are missing `(n, 27)`: 1 if seen."""
    elbows_and_knees = ("elbow.L", "elbow.R", "knee.L", "knee.R")
    seen = [
        SIX_POINTS,
        SIX_POINTS,
        (*SIX_POINTS, *elbows_and_knees),
        (*SIX_POINTS, "hip.L", "hip.R", "shoulder.L", "shoulder.R"),
    ]
    legs = [point for point in POINTS if point.startswith(("hip", "knee", "ankle", "ball", "toe_tip"))]
    spine = ("spine1", "spine2", "spine3", "neck", "collar.L", "collar.R")
    lacking = [elbows_and_knees, legs, spine, ("wrist.L", "wrist.R", "ankle.L", "ankle.R")]
    masks = [[point in points for point in POINTS] for points in seen] + [
        [point not in points for point in POINTS] for points in lacking
    ]
    return np.array(masks, dtype=float)
