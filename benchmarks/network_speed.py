"""What the gait network costs."""

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.contract.inputs import SLOW_INPUTS
from neurarig_addon.core.human.gait_network import GaitNetwork

REPEATS = 200
FRAMES = 10_000
# velocity, thigh, shin, offset, spacing (right), the same for the left, and the two times
LOWEST = np.array([0.3, 0.30, 0.30, 0.0, 0.03, 0.30, 0.30, 0.5, 0.03, 0.0, 0.0])
HIGHEST = np.array([2.2, 0.55, 0.55, 0.0, 0.15, 0.55, 0.55, 0.5, 0.15, 2.0, 60.0])


def rows() -> list[Row]:
    """Measure one pass, and many frames of one character."""
    network = GaitNetwork.load()
    one = np.random.default_rng(7).uniform(LOWEST, HIGHEST, (1, len(LOWEST)))
    phase = np.linspace(0.0, 300.0, FRAMES)
    pass_s = best_of(lambda: network.evaluate(one), REPEATS)
    frames_s = best_of(lambda: network.sample(one[:, : len(SLOW_INPUTS)], phase, phase + 0.5))
    return [
        Row("network: one full forward pass, 11 -> 30", 1e6 * pass_s, 40.0, "us"),
        Row(f"network: {FRAMES} frames of a fixed character", 1e3 * frames_s, 5.0, "ms"),
    ]
