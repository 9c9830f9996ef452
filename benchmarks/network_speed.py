"""The gait network in numpy against the same network in eager torch."""

import numpy as np
import torch

from benchmarks.table import Row, best_of
from benchmarks.torch_twin import TorchTwin
from neurarig_addon.core.contract.inputs import SLOW_INPUTS
from neurarig_addon.core.human.gait_network import BUNDLED, GaitNetwork
from neurarig_addon.core.human.weights import read_weights

REPEATS = 200
CHARACTERS = 512
FRAMES = 10_000
# velocity, thigh, shin, offset, spacing (right), the same for the left, and the two times
LOWEST = np.array([0.3, 0.30, 0.30, 0.0, 0.03, 0.30, 0.30, 0.5, 0.03, 0.0, 0.0])
HIGHEST = np.array([2.2, 0.55, 0.55, 0.0, 0.15, 0.55, 0.55, 0.5, 0.15, 2.0, 60.0])


def rows() -> list[Row]:
    """Measure parity, one pass, and many frames of one character; torch runs on one thread, as numpy does here."""
    torch.set_num_threads(1)
    network, twin = GaitNetwork.load(), TorchTwin(read_weights(BUNDLED))
    inputs = np.random.default_rng(7).uniform(LOWEST, HIGHEST, (CHARACTERS, len(LOWEST)))
    difference = float(np.abs(network.evaluate(inputs) - twin.evaluate(inputs)).max())
    one, slow = inputs[:1], inputs[:1, : len(SLOW_INPUTS)]
    numpy_s = best_of(lambda: network.evaluate(one), REPEATS)
    torch_s = best_of(lambda: twin.evaluate(one), REPEATS)
    phase = np.linspace(0.0, 300.0, FRAMES)
    frames_s = best_of(lambda: network.sample(slow, phase, phase + 0.5))
    note = f"torch {1e6 * torch_s:.0f} us"
    return [
        Row(f"network: numpy against torch, {CHARACTERS} random inputs, largest difference", difference, 1e-5, "m"),
        Row("network: one full forward pass, 11 -> 30", 1e6 * numpy_s, 40.0, "us"),
        Row("network: the same pass, eager torch over numpy", torch_s / numpy_s, 1.0, "x", True, note),
        Row(f"network: {FRAMES} frames of a fixed character", 1e3 * frames_s, 5.0, "ms"),
    ]
