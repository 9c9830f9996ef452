"""How far a drawn person is from the mean."""

import numpy as np


def equally_far(draw: np.random.Generator, count: int) -> np.ndarray:
    """Return standard deviations along components `(count,)`: in any direction, and never a caricature or the
    mean itself.

    Recorded people's walks are from 2.1 to 3.5 degrees from their mean, the middle half from 2.4 to 3.2.
    """
    way = draw.standard_normal(count)
    return np.sqrt(count) * way / np.linalg.norm(way)
