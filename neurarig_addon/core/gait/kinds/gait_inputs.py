"""A gait's inputs: the slow inputs, and extra columns that only some gaits have."""

import numpy as np

from ...character.body import Body
from ...contract.inputs import slow_inputs
from ..sliders.style import StyleTrack
from .gait import Gait


def gait_inputs(
    body: Body, speed: np.ndarray, spacing: np.ndarray, running: np.ndarray | None, styling: np.ndarray | None, way: np.ndarray | None
) -> np.ndarray:
    """Return slow inputs `(..., 9)`, followed by the columns that are not None.

    These are the share of running, where it changes; the weight of each style; the direction of travel relative to the legs, where
    the body faces elsewhere.
    """
    slow = slow_inputs(body, speed, spacing)
    added = [column for column in (_column(running), styling, _column(way)) if column is not None]
    return np.concatenate([slow, *added], axis=-1) if added else slow


def _column(values: np.ndarray | None) -> np.ndarray | None:
    return None if values is None else values[..., None]


def styling_of(gait: Gait, track: StyleTrack, frames: np.ndarray) -> np.ndarray | None:
    """Return the style weights' columns of the slow inputs `(..., n)`; None for a gait without styles."""
    return None if gait.styling is None else gait.styling.columns(track, frames)
