"""Damaged weights: every file is refused in one sentence or loads; NEURARIG_FUZZ says how many are tried, the full run is 20 000."""

import os
from pathlib import Path

import numpy as np

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.network.gait_network import BUNDLED, GaitNetwork

COUNT = int(os.environ.get("NEURARIG_FUZZ", "1000"))
HEADER_BYTES = 3000  # where most of what can go wrong is written


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Return the file with some bytes changed, cut out, repeated or swapped for text that a header might hold."""
    data = bytearray(content)
    for _ in range(rng.integers(1, 6)):
        end = len(data) if rng.random() < 0.3 else min(HEADER_BYTES, len(data))
        place, size = int(rng.integers(0, max(end, 1))), int(rng.integers(1, 40))
        kind = rng.integers(0, 5)
        if kind == 0:
            data[place : place + 1] = bytes([rng.integers(0, 256)])
        elif kind == 1:
            del data[place : place + size]
        elif kind == 2:
            data[place:place] = data[place : place + size]
        elif kind == 3:
            data[place : place + 4] = [b"null", b"1e99", b"[[[[", b"-1,0", b"\xff\xff\xff\xff"][rng.integers(0, 5)]
        else:
            del data[int(rng.integers(0, len(data) + 1)) :]
    return bytes(data)


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
