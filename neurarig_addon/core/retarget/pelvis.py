"""The pelvis: as high above its feet as the source's, but never so high that a standing leg must stretch."""

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import normalized
from ..ground.legs import LONGEST_REACH, lowered
from .legs import hips_of
from .smoothing import smoothed

ON_TIPTOE = 0.01  # weight of a foot on its toes, against 1 for a flat one
CARRIED_S = 0.15  # half width of smoothing of the footholds' effect on the pelvis
GUARD_S = 0.12  # half width of the reach guard's window
LOWEST_HIPS = 0.5  # share of the leg: from lower hips a leg reaches sideways, and lowering does not help


def carried(lift: np.ndarray, tiptoe: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis rises `(f,)` with standing feet raised by `lift` `(f, 2)`.

    A foot on tiptoe (see `Footholds`) beside a flat one does not count: its height depends on its length.
    """
    borne = standing.any(axis=1)
    weight = standing * (ON_TIPTOE + (1.0 - tiptoe) ** 4)
    mean = (lift * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    if not borne.any():
        return mean
    rows = np.arange(len(mean))
    return smoothed(np.interp(rows, rows[borne], mean[borne]), CARRIED_S, fps)


def reaching(body: Body, pelvis: Motion, ankles: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis moves `(f, 3)` for standing legs `(f, 2)` to reach their ankles `(f, 2, 3)`."""
    hips = hips_of(body, pelvis)
    way = nearer(hips, ankles, standing, body, fps)
    height = pelvis.position[:, 2] + way[:, 2]
    down = drop(height, hips + way[:, None], ankles, standing, body, fps)
    return way - down[:, None] * [0.0, 0.0, 1.0]


def nearer(hips: np.ndarray, ankles: np.ndarray, standing: np.ndarray, body: Body, fps: float) -> np.ndarray:
    """Return how far the pelvis moves over the ground `(f, 3)` towards standing feet that are too far aside to be reached by lowering.

    `hips`, `ankles` `(f, 2, 3)`.  Only in a squat or a lunge; feet on opposite sides cancel.
    """
    longest = LONGEST_REACH * (body.thigh_length + body.shin_length)
    line = (ankles - hips) * [1.0, 1.0, 0.0]
    above = np.minimum(hips[..., 2] - ankles[..., 2], LOWEST_HIPS * longest)
    across = np.linalg.norm(line, axis=-1)
    missing = np.where(standing, np.maximum(across - np.sqrt(np.maximum(longest**2 - above**2, 0.0)), 0.0), 0.0)
    return smoothed((normalized(line) * missing[..., None]).sum(axis=1), GUARD_S, fps)


def drop(height: np.ndarray, hips: np.ndarray, ankles: np.ndarray, standing: np.ndarray, body: Body, fps: float) -> np.ndarray:
    """Return how far the pelvis comes down `(f,)` for standing legs `(f, 2)` to reach, spread over time so that it does not kick.

    `height` `(f,)`: of the pelvis; `hips`, `ankles` `(f, 2, 3)` for that height.
    """
    needed = lowered(height, hips, ankles, body, standing)
    reach = max(1, round(GUARD_S * fps))
    padded = np.pad(needed, reach, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=-1)
    return smoothed(highest, GUARD_S, fps)
