"""The training data: characters over the whole range of speeds and proportions, each with the harmonics of
its human gait."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from torch.quasirandom import SobolEngine

from ...core.character.body import RIGHT
from ...core.contract.inputs import SLOW_INPUTS
from ...core.gait.kinds.natural import GRAVITY
from ...core.human.canonical import (
    CANONICAL,
    IS_LENGTH,
    MIDLINE_COLUMNS,
    MIDLINE_VIEW,
    RIGHT_COLUMNS,
    SLOTS,
    dimensionless,
    fade,
)
from ...core.waves import fourier_basis

# `(velocity m/s, thigh m, shin m, spacing m, phases (n,) of the right foot) -> channels (n, 46)` of a
# symmetric character.
GaitSampler = Callable[[float, float, float, float, np.ndarray], np.ndarray]

LEG = 0.9  # metres; any other leg gives the same numbers, since the network's inputs are dimensionless
PHASES = 64  # samples per cycle: eight per period of the 8th harmonic


@dataclass(frozen=True)
class Characters:
    """The range of the characters to draw, from the `lowest` to the `highest` `(4,)`.

    Speed v / sqrt(g leg), thigh over leg, own leg over mean leg, lateral spacing over leg.
    """

    lowest: np.ndarray
    highest: np.ndarray

    def at(self, share: np.ndarray) -> np.ndarray:
        """Return characters `(n, 4)` at shares `(n, 4)`, 0..1, of the ranges."""
        return self.lowest + share * (self.highest - self.lowest)


# up to 2.25 m/s for a leg of 0.9 m
WALKERS = Characters(np.array([0.0, 0.40, 0.85, 0.0]), np.array([0.757, 0.62, 1.15, 0.30]))
RUNNERS = Characters(np.array([0.45, 0.40, 0.85, 0.0]), np.array([3.2, 0.62, 1.15, 0.30]))  # 1.3 to 9.5 m/s


@dataclass(frozen=True)
class Walks:
    """Characters and the walk of each, seen from the right (see `core.human.canonical`); float32.

    `features` `(walks, 5)`, `fade` `(walks,)`: the network's inputs. `coefficients` `(walks, COEFFICIENTS)`:
    the Fourier coefficients of the displacements from standing, in leg lengths and radians. `spread` `(29,)`:
    standard deviation of each channel over all walks and phases.
    """

    features: np.ndarray
    fade: np.ndarray
    coefficients: np.ndarray
    spread: np.ndarray


def phases() -> np.ndarray:
    """Return the phases `(PHASES,)` at which every cycle is sampled."""
    return np.arange(PHASES) / PHASES


def draw_characters(count: int, seed: int, among: Characters = WALKERS) -> np.ndarray:
    """Return `(count, 4)` speeds, thigh shares, leg ratios and spacings that fill their ranges evenly, with
    slow walks a little denser."""
    share = SobolEngine(dimension=4, scramble=True, seed=seed).draw(count).double().numpy()
    # Steps grow with about the square root of speed, so that is where the curves change most.
    share[:, 0] **= 1.5
    return among.at(share)


def make_walks(sample: GaitSampler, characters: np.ndarray) -> Walks:
    """Return the walks of characters `(n, 4)`, sampled by `sample`.

    The gait is defined for symmetric characters. A leg longer or shorter than the mean one keeps the stride
    that both legs share;
    its angles and lifts are those of a character with two such legs at the same speed, whose dimensionless
    speed differs.
    """
    cycles = np.stack([_cycle(sample, *character) for character in characters])
    given = dimensionless(np.array([slow_inputs(*character) for character in characters]))
    found = given.features[RIGHT], fade(given.speed), _projected(cycles), cycles.std(axis=(0, 2))
    return Walks(*(values.astype(np.float32) for values in found))


def _cycle(sample: GaitSampler, speed: float, share: float, ratio: float, spacing: float) -> np.ndarray:
    """Return one cycle `(29, PHASES)` of the right side and the midline, in leg lengths and radians."""
    velocity, at = speed * np.sqrt(GRAVITY * LEG), phases()
    thigh, shin = share * LEG, (1.0 - share) * LEG
    own = sample(velocity, ratio * thigh, ratio * shin, spacing * LEG, at)
    shared = sample(velocity, thigh, shin, spacing * LEG, at)
    seen = _seen_from_right(own)
    seen[_OF_BOTH_LEGS] = _seen_from_right(shared)[_OF_BOTH_LEGS]
    return seen / np.where(IS_LENGTH, LEG, 1.0)[:, None]


# Forward motion of foot and ball, and the midline.
_OF_BOTH_LEGS = [
    CANONICAL.index("foot.x"),
    CANONICAL.index("ball.x"),
    *range(MIDLINE_VIEW.start, MIDLINE_VIEW.stop),
]


def _projected(cycles: np.ndarray) -> np.ndarray:
    """Return the Fourier coefficients `(walks, COEFFICIENTS)` that fit cycles `(walks, 29, PHASES)` with the
    least mean square error."""
    basis = fourier_basis(phases())
    power = np.maximum(np.mean(basis**2, axis=0), 1e-12)  # 1 for the mean, 1/2 for waves; 0 for sin 0
    return (cycles @ basis / (PHASES * power)).reshape(len(cycles), -1)[:, SLOTS]


def _seen_from_right(values: np.ndarray) -> np.ndarray:
    """Return the 29 channels `(29, phases)` of the right side and the midline."""
    return np.concatenate([values[:, RIGHT_COLUMNS], values[:, MIDLINE_COLUMNS]], axis=1).T


def slow_inputs(speed: float, share: float, ratio: float, spacing: float) -> np.ndarray:
    """Return the slow inputs `(9,)` of a character whose right leg is `ratio` of the mean leg."""
    values = dict.fromkeys(SLOW_INPUTS, 0.0)
    values["velocity"] = speed * np.sqrt(GRAVITY * LEG)
    for side, own in (("right", ratio * LEG), ("left", (2.0 - ratio) * LEG)):
        values[f"bone_l1_{side}"], values[f"bone_l2_{side}"] = share * own, (1.0 - share) * own
        values[f"spacing_{side}"] = spacing * LEG
    values["offset_left"] = 0.5
    return np.array([values[name] for name in SLOW_INPUTS])
