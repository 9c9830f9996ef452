"""Products of many vectors at once, made for speed: numpy is several times faster on arrays of one shape than when it broadcasts one of
them, so dot products and lengths come in three equal columns; one product of all rows is faster than one for each frame."""

import numpy as np

_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])
_SUMS = {kind: np.ones((3, 3), kind) for kind in "fd"}


def crossed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cross products `(..., 3)`."""
    found = first.take(_NEXT, axis=-1) * second.take(_AFTER, axis=-1)
    found -= first.take(_AFTER, axis=-1) * second.take(_NEXT, axis=-1)
    return found


def dotted(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the dot products, each repeated three times `(..., 3)`."""
    products = first * second
    return products.reshape(-1, 3).dot(_SUMS[products.dtype.char]).reshape(products.shape)


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths, each repeated three times `(..., 3)`."""
    squares = dotted(vectors, vectors)
    return np.sqrt(squares, out=squares)
