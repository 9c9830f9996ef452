"""The network's layers are what their papers say, computed here joint by joint and number by number."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.neural.network.gat import BATCH, HIGHEST_SCORE, JOINT_COUNT, Graph
from neurarig_addon.core.neural.network.pose_weights import GraphWeights
from neurarig_addon.core.neural.points import PARENTS

OUTPUTS, HALF, WIDTH, FEATURES = 3, 6, 8, 5


def weights(heads: int) -> GraphWeights:
    rng = np.random.default_rng(heads)
    rows = OUTPUTS + HALF + WIDTH + 2 * heads
    shapes = {
        "enter": (rows, FEATURES),
        "joints": (JOINT_COUNT, rows),
        "mix": (2 * HALF, WIDTH),
        "leave": (OUTPUTS, HALF),
    }
    return GraphWeights(
        heads, **{name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    )


def attention(looking: np.ndarray, looked_at: np.ndarray) -> np.ndarray:
    """Return how much each joint takes of each `(heads, 22, 22)` for scores `(heads, 22)` (Velickovic et al.
    2018, equation 3)."""
    shares = np.zeros((len(looking), JOINT_COUNT, JOINT_COUNT))
    for joint in range(JOINT_COUNT):
        seen = [
            other
            for other in range(JOINT_COUNT)
            if other == joint or PARENTS[other] == joint or PARENTS[joint] == other
        ]
        scores = looking[:, joint, None] + looked_at[:, seen]
        scores = np.exp(np.where(scores > 0.0, scores, 0.2 * scores))
        shares[:, joint, seen] = scores / scores.sum(axis=1, keepdims=True)
    return shares


def gathered(shares: np.ndarray, values: np.ndarray) -> np.ndarray:
    parts = np.split(values, len(shares))
    return np.concatenate([part @ share.T for part, share in zip(parts, shares, strict=True)])


def by_the_paper(graph: GraphWeights, features: np.ndarray) -> np.ndarray:
    """Return the outputs `(n, 22)` for features `(k, 22)` of one frame."""
    first = graph.enter @ features + graph.joints.T
    given, around, values, looking, looked_at = np.split(
        first, np.cumsum([OUTPUTS, HALF, WIDTH, graph.heads])
    )
    shares = attention(np.minimum(looking, HIGHEST_SCORE), np.minimum(looked_at, HIGHEST_SCORE))
    mixed = graph.mix @ np.maximum(gathered(shares, values), 0.0)
    last = gathered(shares, mixed[:HALF]) + mixed[HALF:] + around
    return graph.leave @ np.maximum(last, 0.0) + given


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("frames", [1, 5, BATCH, BATCH + 1])
@pytest.mark.parametrize("known", [0, 2])
def test_the_graph_is_two_layers_of_one_attention(heads, frames, known):
    """However many of the features are known beforehand, and however many frames come at once."""
    table, rng = weights(heads), np.random.default_rng(7)
    features = rng.normal(size=(frames, FEATURES, JOINT_COUNT)).astype(np.float32)
    if known:
        features[:, -known:] = features[0, -known:]
    graph = Graph(table)
    start = graph.prepared(features[:1, FEATURES - known :].swapaxes(-1, -2), FEATURES - known)
    found = graph(features[:, : FEATURES - known], start)
    assert_allclose(found, [by_the_paper(table, frame) for frame in features], rtol=2e-4, atol=2e-4)
