"""Bodies to learn on: the recorded ones, and variants with other proportions."""

import numpy as np

from ...core.neural.analytic.network_body import NetworkBody
from ...core.neural.points import INDEX, PARENTS, POINTS

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
    """Return `count` bodies made of reference poses `(n, 27, 3)`: every other one as recorded, the others with random proportions."""
    return [NetworkBody.of(reshaped(rests[rng.integers(len(rests))], rng) if n % 2 else rests[n // 2 % len(rests)]) for n in range(count)]


def reshaped(rest: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a reference pose `(27, 3)` with other bone lengths, equal on both sides, and joints slightly displaced."""
    stems = [point.partition(".")[0] for point in POINTS]
    factors = np.ones(len(POINTS))
    for group in _TOGETHER:
        factors[[stem in group for stem in stems]] = np.exp(rng.uniform(np.log(_SHORTER), np.log(_LONGER)))
    if rng.random() < _APART:
        rest = _apart(rest, rng)
    made = np.array(rest)
    for point in range(1, len(POINTS)):
        bone = rest[point] - rest[PARENTS[point]]
        aside = _ASIDE * np.linalg.norm(bone) * rng.standard_normal(3)
        made[point] = made[PARENTS[point]] + factors[point] * (bone + aside)
    return made


def _apart(rest: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a reference pose `(27, 3)` with the lowest spine joint above the pelvis, the collars between neck, chest and shoulders."""
    pelvis, spine2, spine3, neck = (rest[INDEX[name]] for name in ("pelvis", "spine2", "spine3", "neck"))
    made, up, out, down = np.array(rest), rng.uniform(0.1, 0.6), rng.uniform(0.05, 0.4), rng.uniform(0.0, 0.5)
    made[INDEX["spine1"]] = pelvis + up * (spine2 - pelvis)
    for side in "LR":
        made[INDEX[f"collar.{side}"]] = neck + out * (rest[INDEX[f"shoulder.{side}"]] - neck) + down * (spine3 - neck)
    return made
