"""Curves over the phase of a cycle as Fourier series."""

import numpy as np

# Eight harmonics leave an error of about 2 mm of a recorded foot's path (1 mm of the pelvis'); more would fit
# noise.
HARMONICS = 8
TERMS = 2 * (HARMONICS + 1)  # cosine and sine of harmonics 0 .. 8; sin 0 is never used


def fourier_basis(phase: np.ndarray) -> np.ndarray:
    """Return cos and sin of every harmonic `(..., TERMS)` at phases `(...)` in cycles: 1, 0, cos 1, sin 1,
    cos 2 ..."""
    waves = np.empty((*phase.shape, HARMONICS + 1), dtype=complex)
    waves[:] = np.exp(2j * np.pi * (phase - np.floor(phase)))[..., None]
    waves[..., 0] = 1.0
    # The k-th harmonic is the k-th power of the first: products instead of transcendental functions.
    return np.multiply.accumulate(waves, axis=-1).view(float)
