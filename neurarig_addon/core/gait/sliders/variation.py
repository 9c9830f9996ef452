"""Variation from stride to stride, with the long memory of people's strides.

A table over strides, drawn once by a seed and repeated: a stride depends on its number alone.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...easing import bend, running, smoothstep
from ...people import curves as people_strides
from .style import StyleTrack

MOST_STRIDES = 4096
# Amplitudes scale with frequency to this exponent, which gives people's long memory (Hausdorff: alpha 0.75).
COLOUR = -0.25
# Standard deviations of even walking at a variation of 1: shares of a stride, leg lengths, radians, factors.
# of a step's length beyond what its time implies: speed is held, and soon corrected
STRIDE_TIME, AHEAD = 0.018, 0.006
ASIDE, TOE_OUT = 0.0185, np.radians(1.75)
STEP_HEIGHT = 0.05
# the series drawn by a seed; from CURVES on one for each component
TIME, PLACE, WIDTH, SPLAY, HEIGHT, CURVES = range(6)
BLENDED = 26.0 / 35.0  # share of the variance that is left where strides blend into each other


@dataclass(frozen=True)
class Variation:
    """A seeded variation; it repeats after `strides`, which in all take as long as without it."""

    seed: int = 0
    strides: int = 16

    def timed(self, cycles: np.ndarray, much: np.ndarray) -> np.ndarray:
        """Return what to add to an even foot's phases `(knots,)` in cycles, rising, scaled by `much`
        `(knots,)` (1 = as people)."""
        added = self._phases(cycles) - cycles
        if (much == much[0]).all():
            return much[0] * (added - added[0])
        return running(0.5 * (much[1:] + much[:-1]) * np.diff(added))

    def _phases(self, cycles: np.ndarray) -> np.ndarray:
        """Return a varying walk's phases `(n,)` when an even walk's are `cycles` `(n,)`."""
        begins = _stride_begins(self.seed, self.strides)
        laps = np.floor(cycles / self.strides)
        into = cycles - laps * self.strides
        stride = np.clip(np.searchsorted(begins, into, side="right") - 1, 0, self.strides - 1)
        lasts = np.diff(begins)
        # Strides blend into each other: at a heel strike the pace is the mean of both.
        pace = 2.0 / (lasts + np.roll(lasts, 1))
        share = (into - begins[stride]) / lasts[stride]
        leave, arrive = (pace[(stride + end) % self.strides] * lasts[stride] - 1.0 for end in (0, 1))
        return laps * self.strides + stride + share + bend(share, leave, arrive)

    def of_steps(self, contact: np.ndarray, much: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return how steps `(..., 2)` with heel strikes at whole phases `contact` differ from the mean,
        scaled by `much` `(..., 2)`.

        What to add ahead in strides, to the left in leg lengths, and to the toe-out in radians; a factor on
        the step height.
        """
        number = np.round(contact).astype(int) % self.strides

        def drawn(what: int) -> np.ndarray:
            left, right = (self._drawn(what, side, white=what == PLACE) for side in range(2))
            return much * np.stack([left[number[..., 0]], right[number[..., 1]]], axis=-1)

        return (
            AHEAD * drawn(PLACE),
            ASIDE * drawn(WIDTH),
            TOE_OUT * drawn(SPLAY),
            1.0 + STEP_HEIGHT * drawn(HEIGHT),
        )

    def sizes(self, phase: np.ndarray) -> np.ndarray:
        """Return how large the components of strides' curves are at phases `(...)`: `(..., k)`, blended from
        each stride to the next."""
        drawn = np.stack(
            [self._drawn(CURVES + number) for number in range(len(people_strides.components()))], axis=-1
        ) / np.sqrt(BLENDED)
        number = np.floor(phase)
        share, stride = smoothstep(phase - number)[..., None], number.astype(int)
        return (1.0 - share) * drawn[stride % self.strides] + share * drawn[(stride + 1) % self.strides]

    def _drawn(self, what: int, side: int = 0, white: bool = False) -> np.ndarray:
        return coloured(self.seed, 2 * what + side, self.strides, 0.0 if white else COLOUR)


@lru_cache(maxsize=256)
def coloured(seed: int, what: int, count: int, colour: float = COLOUR) -> np.ndarray:
    """Return `(count,)` periodic random numbers of mean 0 and standard deviation 1; amplitudes scale with a
    power of the frequency.

    A single number is 0.
    """
    frequency = np.arange(1, count // 2 + 1)
    if not len(frequency):
        return np.zeros(count)
    turned = np.exp(2j * np.pi * np.random.default_rng([seed, what]).random(len(frequency)))
    if count % 2 == 0:
        turned[-1] = np.sqrt(2.0) * np.sign(turned[-1].real)  # the Nyquist frequency has one real component
    wave = np.fft.irfft(np.concatenate([[0.0], frequency**colour * turned]), count)
    return wave / wave.std()


@lru_cache(maxsize=32)
def _stride_begins(seed: int, count: int) -> np.ndarray:
    """Return when strides begin and the last one ends `(count + 1,)`, in even strides."""
    lasts = 1.0 + STRIDE_TIME * coloured(seed, 2 * TIME, count)
    begins = running(lasts)
    begins[-1] = count
    return begins


def varies(track: StyleTrack) -> bool:
    """Return whether strides vary at any time; a single repeated one cannot."""
    keyed = track.curves.get("variation")
    return track.strides > 1 and bool((track.constant.variation if keyed is None else keyed[1].max()) > 0.0)


def variation_of(track: StyleTrack) -> Variation:
    """Return a track's variation."""
    return Variation(track.strides_seed, track.strides)
