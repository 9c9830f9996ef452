"""Streams of a walk as an engine sends it, 60 frames a second, and rows of the same walk that the stream does
not contain."""

import numpy as np

from neurarig_addon.core.learned.stream_inputs import StreamInputs
from neurarig_addon.core.learned.walk_curves import WalkCurves

FPS = 60.0
FRAMES = 800
_SWING = 0.35  # by which the varying speed goes above and below its mean


def stream(curves: WalkCurves, seed: int, varying: bool, frames: int = FRAMES) -> np.ndarray:
    """Return inputs `(frames, inputs)` of a random walker; t_cycle begins anew with each stride of the right
    leg."""
    rng, places = np.random.default_rng(seed), curves.places
    rows = np.ones((frames, len(places.names)))
    mean, swing, seconds, start = (
        rng.uniform(0.6, 1.6),
        _SWING * varying,
        rng.uniform(3.0, 6.0),
        rng.uniform(0.0, 2.0 * np.pi),
    )
    time = np.arange(1, frames + 1) / FPS
    rows[:, places.velocity] = mean * (1.0 + swing * np.sin(2.0 * np.pi * time / seconds + start))
    _set_body(rows, places, rng)
    period = curves.clock.periods(rows)[1]
    rows[:, places.time] = np.mod(np.cumsum(1.0 / (FPS * period)), 1.0) * period
    return rows


def held_out(curves: WalkCurves, seen: np.ndarray, rows: int, seed: int) -> np.ndarray:
    """Return inputs `(rows, inputs)` of the walker of a stream, at random phases and at random speeds between
    its slowest and fastest."""
    rng, places = np.random.default_rng(seed + 9_000), curves.places
    found = np.repeat(seen[:1], rows, axis=0)
    speeds = seen[:, places.velocity]
    found[:, places.velocity] = rng.uniform(speeds.min(), speeds.max(), rows)
    found[:, places.time] = rng.random(rows) * curves.clock.periods(found)[1]
    return found


def _set_body(rows: np.ndarray, places: StreamInputs, rng: np.random.Generator) -> None:
    for pair, low, high in (
        (places.thighs, 0.35, 0.5),
        (places.shins, 0.35, 0.5),
        (places.spacings, 0.05, 0.15),
    ):
        rows[:, list(pair)] = rng.uniform(low, high)
    rows[:, list(places.offsets)] = 0.5, 0.0
