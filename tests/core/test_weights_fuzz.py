"""Damaged weights: every file is refused in one sentence or loads; NEURARIG_FUZZ says how many are tried, the full run is 20 000."""

import os
from pathlib import Path

import numpy as np

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.human.gait_network import BUNDLED, GaitNetwork
from tests.core.damage import damaged

COUNT = int(os.environ.get("NEURARIG_FUZZ", "1000"))


def test_damaged_weights_are_refused_in_one_sentence_or_load(tmp_path: Path):
    rng, content, path = np.random.default_rng(11), BUNDLED.read_bytes(), tmp_path / "weights.safetensors"
    refused = 0
    for _ in range(COUNT):
        path.write_bytes(damaged(content, rng))
        try:
            network = GaitNetwork.load(path)
        except NeuraRigError as problem:
            refused += 1
            assert "weights.safetensors" in str(problem) and "\n" not in str(problem)
        else:
            slow = np.array([[1.3, 0.42, 0.42, 0.0, 0.05, 0.42, 0.42, 0.0, 0.05]])
            assert network.sample(slow, np.zeros(1), np.zeros(1)).shape == (1, 46)
    assert refused > COUNT // 2
