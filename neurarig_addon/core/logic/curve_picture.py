"""Curves over one cycle as a picture, which a panel shows for a profile."""

from dataclasses import dataclass

import numpy as np

# Linear-looking sRGB with alpha: readable on light and dark themes.
PAPER, SHADE, AXIS, FRAME = (
    (0.105, 0.105, 0.115, 1.0),
    (0.19, 0.21, 0.235, 1.0),
    (0.36, 0.37, 0.39, 1.0),
    (0.29, 0.3, 0.32, 1.0),
)
INKS = ((0.93, 0.32, 0.33, 1.0), (0.47, 0.78, 0.27, 1.0), (0.32, 0.6, 1.0, 1.0))
_LINE = 1.9  # pixels, half the width of a curve
_MARGIN = 0.1  # share of a box's height, above and below its curves
_GAP = 10  # pixels between boxes
_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Box:
    """One diagram: three curves `(3, columns)` on one scale; `least_range` is the smallest range shown, which
    keeps noise small."""

    curves: np.ndarray
    least_range: float


def picture(boxes: list[Box], shaded: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return pixels `(height, width, 4)` float32, bottom row first, of boxes stacked with the first on top.

    `shaded` `(width,)`: the columns where a foot stands; `size`: width and height in pixels.
    """
    width, height = size
    pixels = np.zeros((height, width, 4), dtype=np.float32)
    box_height = (height - _GAP * (len(boxes) - 1)) // len(boxes)
    for number, box in enumerate(boxes):
        top = height - number * (box_height + _GAP)
        _draw_box(pixels[top - box_height : top], box, shaded)
    return pixels


def _draw_box(pixels: np.ndarray, box: Box, shaded: np.ndarray) -> None:
    height, width = pixels.shape[:2]
    pixels[:] = np.where(shaded[None, :, None], SHADE, PAPER)
    low, high = min(0.0, float(box.curves.min())), max(0.0, float(box.curves.max()))
    spare = 0.5 * max(box.least_range - (high - low), 0.0)
    low, high = low - spare, high + spare
    rows_per_unit = height * (1.0 - 2.0 * _MARGIN) / (high - low)

    def row(value: np.ndarray) -> np.ndarray:
        return _MARGIN * height + (value - low) * rows_per_unit

    pixels[int(row(np.zeros(())))] = AXIS
    for quarter in _QUARTERS:
        pixels[::4, int(quarter * width)] = AXIS
    for curve, ink in zip(box.curves[::-1], INKS[::-1], strict=True):
        _draw_curve(pixels, row(curve), np.array(ink))
    pixels[[0, -1]] = pixels[:, [0, -1]] = FRAME


def _draw_curve(pixels: np.ndarray, rows: np.ndarray, ink: np.ndarray) -> None:
    """Draw an anti-aliased line through rows `(columns,)`, by the distance to the line."""
    steepness = np.hypot(1.0, np.gradient(rows))
    distance = np.abs(np.arange(len(pixels))[:, None] + 0.5 - rows) / steepness
    cover = np.clip(_LINE + 0.5 - distance, 0.0, 1.0)[..., None]
    pixels += cover * (ink - pixels)
