"""What differs from one walker of a crowd to the next, drawn by a seed: each number of a walker always draws
the same."""

from dataclasses import dataclass

import numpy as np

# standard deviation of the speeds of people who walk alike, and the most
SPEED_SPREAD, MOST_SPREAD = 0.06, 0.12
MOST_SEED = 10_000
LANE = 1.0  # leg lengths from lane to lane
BEHIND = 1.5  # leg lengths, at most


@dataclass(frozen=True)
class Draw:
    """A walker: its seeds, the cycles added to its phase, its speed relative to the others'; its lane, in leg
    lengths.

    `aside`: to the left of the path of all; `behind`: its beginning.
    """

    person: int
    strides: int
    idle: int
    phase: float
    pace: float
    aside: float
    behind: float


def drawn(seed: int, number: int) -> Draw:
    """Return the walker with a number, from 0, of a crowd with a seed; lanes are left and right of the path
    in turn."""
    draw = np.random.default_rng([seed, number])
    person, strides, idle = draw.integers(1, MOST_SEED, 3).tolist()
    phase = float(draw.uniform(0.0, 1.0))
    pace = 1.0 + float(np.clip(SPEED_SPREAD * draw.standard_normal(), -MOST_SPREAD, MOST_SPREAD))
    side = 1.0 if number % 2 else -1.0
    return Draw(
        person, strides, idle, phase, pace, side * LANE * (number // 2 + 1), float(draw.uniform(0.0, BEHIND))
    )
