"""Smoothing over consecutive frames."""

import numpy as np


def smoothed(values: np.ndarray, half_width_s: float, fps: float) -> np.ndarray:
    """Return values `(f, ...)` averaged with a raised cosine, ends continued."""
    reach = max(1, round(half_width_s * fps))
    weights = 1.0 + np.cos(np.pi * np.arange(-reach, reach + 1) / (reach + 1.0))
    padded = np.concatenate([np.repeat(values[:1], reach, axis=0), values, np.repeat(values[-1:], reach, axis=0)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    return windows @ (weights / weights.sum())
