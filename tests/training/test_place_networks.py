"""The networks that ours is measured against: in numpy they are what they are in torch."""

import numpy as np
import pytest

pytest.importorskip("torch")

from benchmarks.neural_ik.baselines import PLACE_WIDTH
from benchmarks.neural_ik.place_networks import MODELS, in_numpy, in_torch, load, weights_file
from neurarig_addon.core.neural.points import JOINTS


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("frames", [1, 30])
def test_numpy_and_torch_agree(name: str, frames: int) -> None:
    """From double precision, so that it matters little in which order a processor adds; the graph keeps singles inside."""
    model = load(name, weights_file(name)).double()
    features = np.random.default_rng(frames).standard_normal((frames, len(JOINTS), PLACE_WIDTH))
    np.testing.assert_allclose(in_numpy(model)(features), in_torch(model)(features), atol=2e-6)
