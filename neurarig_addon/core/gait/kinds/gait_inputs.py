"""What a gait is asked by: the slow inputs, and behind them what only some gaits have."""

import numpy as np

from ...character.body import Body
from ...contract.inputs import slow_inputs
from ..sliders.style import StyleTrack
from .gait import Gait


def gait_inputs(
    body: Body, speed: np.ndarray, spacing: np.ndarray, running: np.ndarray | None, styling: np.ndarray | None, way: np.ndarray | None
) -> np.ndarray:
    """Return slow inputs `(..., 9)`, and behind them what is not None.

    How much of it is a run, where that changes; of each style, where there are any; where it leads as legs see it, where the body faces
    another way.
    """
    slow = slow_inputs(body, speed, spacing)
    added = [column for column in (_column(running), styling, _column(way)) if column is not None]
    return np.concatenate([slow, *added], axis=-1) if added else slow


def _column(values: np.ndarray | None) -> np.ndarray | None:
    return None if values is None else values[..., None]


def styling_of(gait: Gait, track: StyleTrack, frames: np.ndarray) -> np.ndarray | None:
    """Return the columns of slow inputs `(..., n)` that say how much there is of each style, None for a gait without any."""
    return None if gait.styling is None else gait.styling.columns(track, frames)
