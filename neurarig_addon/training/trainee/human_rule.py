"""The human gait as a teacher."""

import numpy as np

from ...core.contract.channels import NEURARIG_OUTPUTS
from ...core.contract.inputs import ELEVEN_INPUTS, SLOW_INPUTS
from ...core.gait.kinds.natural import GRAVITY, natural_period
from ...core.learned.discovery import find_bends, walkers
from ...core.learned.rule import TaughtRule
from ...core.learned.stream_inputs import StreamInputs
from ...core.learned.walk_curves import Group, Pieces, StrideClock, WalkCurves, phases
from ..gait.human_gait import HumanGait


def human_rule() -> TaughtRule:
    """Return the human gait in NeuraRig's contract: walkers with two equal legs, left and right half a cycle
    apart."""
    gait, places = HumanGait.load(), StreamInputs.named(ELEVEN_INPUTS)
    # The period is a power law: its constant is the period at 1 m/s and 1 m, its powers follow from
    # natural_stride.
    clock = StrideClock(places, float(natural_period(np.array(1.0), 1.0)), -0.44, 0.72)

    def evaluate(inputs: np.ndarray) -> np.ndarray:
        phase_left, phase_right = phases(clock, inputs)
        return gait.sample(inputs[:, : len(SLOW_INPUTS)], phase_right, phase_left)[:, :NEURARIG_OUTPUTS]

    left = tuple(column for column in range(NEURARIG_OUTPUTS) if column // 6 in (1, 3))
    right = tuple(column for column in range(NEURARIG_OUTPUTS) if column not in left)
    groups = Group(0, Pieces(), left), Group(1, Pieces(), right)
    curves = WalkCurves(places, clock, NEURARIG_OUTPUTS, groups, find_bends(clock, evaluate))

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        rows = walkers(places, count, rng)
        for first, second in (places.thighs, places.shins, places.spacings):
            rows[:, first] = rows[:, second]
        # Up to the fastest walk: 2.25 m/s for a leg of 0.9 m.
        rows[:, places.velocity] = rng.uniform(0.1, 0.75, count) * np.sqrt(GRAVITY * places.legs(rows)[0])
        rows[:, places.offsets[0]] = rows[:, places.offsets[1]] + 0.5
        return rows

    return TaughtRule("human gait", "1", curves, draw, evaluate)
