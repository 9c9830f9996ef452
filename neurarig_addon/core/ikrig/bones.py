"""The orientations of a limb's bones along the line between its joints."""

import numpy as np

from ..geometry.limb import across
from ..geometry.rotation import dot, frame, normalized
from .anatomy import ChainAnatomy


def unflipped(pole: np.ndarray, clear: np.ndarray) -> np.ndarray:
    """Return poles `(f, 3)` of consecutive frames without the flips of a straight limb that bends slightly the wrong way.

    `clear` `(f,)`: whether the limb bends enough for its pole to be reliable; other frames follow the last clear one, else the first.
    """
    flips = (dot(pole[1:], pole[:-1]) < 0.0) & ~(clear[1:] & clear[:-1])
    flipped = np.concatenate([[0], np.cumsum(flips)])
    rows = np.arange(len(pole))
    before = np.maximum.accumulate(np.where(clear, rows, -1))
    first_clear = int(np.argmax(clear))  # 0 if none is
    odd = (flipped - flipped[np.where(before >= 0, before, first_clear)]) % 2 == 1
    return np.where(odd[:, None], -pole, pole)


def oriented(chain: ChainAnatomy, bone: np.ndarray, axle: np.ndarray) -> np.ndarray:
    """Return the orientation `(f, 3, 3)` of a limb's bone that points along `bone` and bends about, or nearly about, `axle`, both `(f, 3)`.

    The axle stays perpendicular to the bone at any bend; the direction to the knee does not.
    """
    direction = normalized(bone)
    return frame(direction, across(axle, direction)) @ frame(chain.along, chain.axle).T
