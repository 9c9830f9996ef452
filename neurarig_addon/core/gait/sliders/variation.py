"""No stride is like another: what differs from one to the next, with the long memory that people's strides have.

A table over strides, drawn once by a seed and repeated: what a stride is like depends on its number alone.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ...easing import smoothstep
from ...ground.reach import UNEVEN_BAND
from .manner import BodyManner, Posture
from .style import StyleTrack

MOST_STRIDES = 4096
# Amplitudes go with the frequency to this power: the power falls by its square root, as in strides of people (Hausdorff: alpha 0.75).
COLOUR = -0.25
# Standard deviations among people who walk evenly, of a variation of 1: shares of a stride, leg lengths, radians, factors.
STRIDE_TIME, AHEAD = 0.018, 0.006  # a step's length beyond what its time makes of it: speed is held, and corrected soon
ASIDE, TOE_OUT = 0.0185, np.radians(1.75)
STEP_HEIGHT, ARM_SWING, HEAD_YAW = 0.05, 0.05, np.radians(2.0)
# How a trunk leans and a stride's elbows bend, by which the curves of a person's strides are apart in 42 recorded walks.
CHEST_PITCH, CHEST_ROLL, ELBOWS = np.radians([0.6, 0.6, 1.7])
TIME, PLACE, WIDTH, SPLAY, HEIGHT, ARMS, HEAD, LEAN, TILT, BEND = range(10)  # what a seed draws


@dataclass(frozen=True)
class StepVariation:
    """How steps `(..., 2)` are unlike the even ones.

    `ahead` in strides, `aside` in leg lengths to the left, `splay` in radians: added.  `height`: a factor on how high feet are lifted.
    """

    ahead: np.ndarray
    aside: np.ndarray
    splay: np.ndarray
    height: np.ndarray


@dataclass(frozen=True)
class Variation:
    """One of many ways to vary, drawn by a seed; it repeats after so many strides, and that many take as long as they would without it."""

    seed: int = 0
    strides: int = 16

    def timed(self, cycles: np.ndarray, much: np.ndarray) -> np.ndarray:
        """Return what to add to phases `(knots,)` in cycles, rising, of a foot that steps evenly, `much` `(knots,)` times as people do."""
        added = self._gone(cycles) - cycles
        if (much == much[0]).all():
            return much[0] * (added - added[0])
        return np.concatenate([[0.0], np.cumsum(0.5 * (much[1:] + much[:-1]) * np.diff(added))])

    def _gone(self, cycles: np.ndarray) -> np.ndarray:
        """Return the phases `(n,)` of a walk that varies when those of an even one are `cycles` `(n,)`."""
        begins = _stride_begins(self.seed, self.strides)
        laps = np.floor(cycles / self.strides)
        into = cycles - laps * self.strides
        stride = np.clip(np.searchsorted(begins, into, side="right") - 1, 0, self.strides - 1)
        lasts = np.diff(begins)
        # A stride and the next go over into each other: at a heel strike the pace is that of the mean of both.
        pace = 2.0 / (lasts + np.roll(lasts, 1))
        share = (into - begins[stride]) / lasts[stride]
        leave, arrive = (pace[(stride + end) % self.strides] * lasts[stride] - 1.0 for end in (0, 1))
        bend = share * (1.0 - share) * ((1.0 - share) * leave - share * arrive)
        return laps * self.strides + stride + share + bend

    def of_steps(self, contact: np.ndarray, much: np.ndarray) -> StepVariation:
        """Return how steps `(..., 2)` whose feet strike at whole phases `contact` are, `much` `(..., 2)` times as people's differ."""
        number = np.round(contact).astype(int) % self.strides

        def drawn(what: int) -> np.ndarray:
            left, right = (self._drawn(what, side, white=what == PLACE) for side in range(2))
            return much * np.stack([left[number[..., 0]], right[number[..., 1]]], axis=-1)

        return StepVariation(
            ahead=AHEAD * drawn(PLACE),
            aside=ASIDE * drawn(WIDTH),
            splay=TOE_OUT * drawn(SPLAY),
            height=1.0 + STEP_HEIGHT * drawn(HEIGHT),
        )

    def manner(self, wish: BodyManner, cycles: np.ndarray, much: np.ndarray) -> BodyManner:
        """Return a manner with what differs at phases `(f,)` of the left foot: arms, chest, and where the head looks."""
        arm_swing = wish.arm_swing * np.maximum(1.0 + ARM_SWING * much * self._smooth(ARMS, cycles), 0.0)
        bent = np.stack([self._smooth(BEND, cycles, side) for side in range(2)], axis=-1)
        guard = wish.guard + (UNEVEN_BAND - wish.guard) * np.clip(0.5 * much, 0.0, 1.0)
        posture = wish.posture + self._posture(cycles, much)
        return replace(wish, arm_swing=arm_swing, elbows=wish.elbows + ELBOWS * much[:, None] * bent, posture=posture, guard=guard)

    def _posture(self, cycles: np.ndarray, much: np.ndarray) -> Posture:
        sizes = {"head_yaw": (HEAD_YAW, HEAD), "chest_pitch": (CHEST_PITCH, LEAN), "chest_roll": (CHEST_ROLL, TILT)}
        return Posture.of(len(cycles), **{part: size * much * self._smooth(what, cycles) for part, (size, what) in sizes.items()})

    def _smooth(self, what: int, cycles: np.ndarray, side: int = 0) -> np.ndarray:
        """Return what was drawn for strides at phases `(f,)`, going over from one to the next."""
        drawn, number = self._drawn(what, side), np.floor(cycles)
        share, stride = cycles - number, number.astype(int)
        now, then = drawn[stride % self.strides], drawn[(stride + 1) % self.strides]
        return now + (then - now) * smoothstep(share)

    def _drawn(self, what: int, side: int = 0, white: bool = False) -> np.ndarray:
        return coloured(self.seed, 2 * what + side, self.strides, 0.0 if white else COLOUR)


@lru_cache(maxsize=256)
def coloured(seed: int, what: int, count: int, colour: float = COLOUR) -> np.ndarray:
    """Return numbers `(count,)` of mean 0 and standard deviation 1, that repeat; amplitudes go with the frequency to a power.

    One number alone is 0.
    """
    frequency = np.arange(1, count // 2 + 1)
    if not len(frequency):
        return np.zeros(count)
    turned = np.exp(2j * np.pi * np.random.default_rng([seed, what]).random(len(frequency)))
    if count % 2 == 0:
        turned[-1] = np.sqrt(2.0) * np.sign(turned[-1].real)  # the fastest is a real wave, of which there is only one
    wave = np.fft.irfft(np.concatenate([[0.0], frequency**colour * turned]), count)
    return wave / wave.std()


@lru_cache(maxsize=32)
def _stride_begins(seed: int, count: int) -> np.ndarray:
    """Return when strides begin and the last one ends `(count + 1,)`, in strides that are even."""
    lasts = 1.0 + STRIDE_TIME * coloured(seed, 2 * TIME, count)
    begins = np.concatenate([[0.0], np.cumsum(lasts)])
    begins[-1] = count
    return begins


def varies(track: StyleTrack) -> bool:
    """Say whether strides are to differ at any time; a single one that repeats cannot."""
    keyed = track.curves.get("variation")
    return track.strides > 1 and bool((track.constant.variation if keyed is None else keyed[1].max()) > 0.0)


def variation_of(track: StyleTrack) -> Variation:
    """Return the variation that a track draws."""
    return Variation(track.strides_seed, track.strides)
