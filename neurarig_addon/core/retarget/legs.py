"""The pelvis of a clip: as high above its feet as the source's, but never so high or far that a standing leg
must stretch."""

import numpy as np

from ..body.legs import hips_of
from ..body.pelvis import Spans, descended, lowered, nearer, too_far
from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import UP
from .spans import held_on, smoothed

_ON_TIPTOE = 0.01  # weight of a foot on its toes, against 1 for a flat one
_CARRIED_S = 0.15  # half width of smoothing of the footholds' effect on the pelvis


def carried(lift: np.ndarray, tiptoe: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis rises `(f,)` with standing feet raised by `lift` `(f, 2)`.

    A foot on tiptoe (see `Footholds`) beside a flat one does not count: its height depends on its length.
    """
    borne = standing.any(axis=1)
    weight = standing * (_ON_TIPTOE + (1.0 - tiptoe) ** 4)
    mean = (lift * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    if not borne.any():
        return mean
    rows = np.arange(len(mean))
    return smoothed(np.interp(rows, rows[borne], mean[borne]), _CARRIED_S, fps)


def reaching(body: Body, pelvis: Motion, ankles: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis moves `(f, 3)` for standing legs `(f, 2)` to reach their ankles `(f, 2, 3)`:
    towards those too far aside, then down."""
    hips = hips_of(body, pelvis)
    aside = np.where(standing, too_far(hips, ankles, body), 0.0)
    way = nearer(hips, ankles, _in_time(aside, body, fps))
    down = lowered(pelvis.position[:, 2], hips + way[:, None], ankles, body, standing)
    return way - _in_time(down, body, fps)[:, None] * UP


def _in_time(demand: np.ndarray, body: Body, fps: float) -> np.ndarray:
    """Return values `(f, ...)` that are nowhere less than demanded, as the pelvis sinks for its legs."""
    around = Spans.of(body.leg_length, 1.0 / fps).around
    return descended(held_on(demand, around, around), body.leg_length, 1.0 / fps)
